package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"ostler.example/connectors"
)

// surroundings is all that a program gets of the daemon's environment: none of its
// credentials.
var surroundings = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "TZ=UTC"}

// launch starts a program in a process group of its own, with bounded memory.
func launch(p Program, env connectors.Env, conceal *strings.Replacer) (*run, error) {
	var opened []*os.File
	pipe := func() (*os.File, *os.File, error) {
		r, w, err := os.Pipe()
		if err == nil {
			opened = append(opened, r, w)
		}
		return r, w, err
	}
	theirIn, in, err1 := pipe()
	out, theirOut, err2 := pipe()
	said, theirErr, err3 := pipe()
	fail := func(err error) (*run, error) {
		for _, f := range opened {
			_ = f.Close()
		}
		return nil, fmt.Errorf("start %s: %w", p.Command[0], err)
	}
	if err := errors.Join(err1, err2, err3); err != nil {
		return fail(err)
	}
	cmd := exec.Command(p.Command[0], p.Command[1:]...) //nolint:gosec // the operator's own words
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirIn, theirOut, theirErr
	cmd.Env, cmd.Dir = surroundings, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return fail(err)
	}
	for _, theirs := range []*os.File{theirIn, theirOut, theirErr} {
		_ = theirs.Close() // the program has its own
	}
	r := newRun(cmd, in, out, said, p, env, conceal)
	if err := limit(cmd.Process.Pid, p.memory()); err != nil {
		err = fmt.Errorf("limit the memory of %s: %w", p.Command[0], err)
		r.stop(err)
		return nil, err
	}
	return r, nil
}

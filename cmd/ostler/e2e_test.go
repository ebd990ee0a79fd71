// The tests of this package start the built program and use it as its users do:
// over HTTP, over the terminal's signals, and by pulling the plug.
package main_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if err := workshop.clear(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
		os.Exit(code)
	}))
}

// workshop is where the program is built and its folders lie.
var workshop bench

type bench struct {
	mu  sync.Mutex
	dir string
}

// folder returns the workshop's folder, in memory where the machine has such a
// place: the same statements reach it many times faster than a disk.
func (b *bench) folder() (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dir != "" {
		return b.dir, nil
	}
	parent := "/dev/shm"
	if info, err := os.Stat(parent); err != nil || !info.IsDir() {
		parent = ""
	}
	dir, err := os.MkdirTemp(parent, "ostler-e2e-")
	b.dir = dir
	return dir, err
}

func (b *bench) clear() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dir == "" {
		return nil
	}
	return os.RemoveAll(b.dir)
}

// binary builds the program once. It is not built for the race detector even
// when the tests are: what is timed here is the program that people run.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := workshop.folder()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "ostler")
	build := exec.Command("go", "build", "-tags", "sqlite_omit_load_extension", "-o", path, ".")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return path, nil
})

// sample is a demo's folder on which the program has run until every channel
// had been told everything, and was then asked to stop.
var sample = sync.OnceValues(func() (string, error) {
	dir, err := workshop.folder()
	if err != nil {
		return "", err
	}
	d := &demo{dir: filepath.Join(dir, "sample")}
	err = d.start()
	if err == nil {
		err = poll(2*time.Minute, 500*time.Millisecond, d.filled)
	}
	if d.program == nil {
		return "", err
	}
	if err = errors.Join(err, d.stop()); err != nil {
		err = fmt.Errorf("%w\n%s", err, d.output())
	}
	d.close()
	return d.dir, err
})

// poll asks again and again until check returns nil or the time is over.
func poll(within, every time.Duration, check func() error) error {
	end := time.NewTimer(within)
	defer end.Stop()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		err := check()
		if err == nil {
			return nil
		}
		select {
		case <-end.C:
			return fmt.Errorf("not within %s: %w", within, err)
		case <-tick.C:
		}
	}
}

// eventually fails the test when check does not return nil in time.
func eventually(t testing.TB, within, every time.Duration, check func() error) {
	t.Helper()
	if err := poll(within, every, check); err != nil {
		t.Fatal(err)
	}
}

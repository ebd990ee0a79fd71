package main_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ostler.example/internal/testkit"
)

// TestChannelOfAProgram joins a channel through the connector in Python of docs/examples,
// beside one of this program's own, and kills the program: the daemon and the other
// channel go on, what was missed is made up for, and nothing is left of it in the end.
func TestChannelOfAProgram(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	far, other := i.pretend(t), simulated(t)
	pid := i.installsPython(t)
	p := begin(t, "serve", "--config", i.file)
	await(t, p, "started", 1)
	i.furnish(t)

	joins := func(name string, settings ...string) string {
		t.Helper()
		args := []string{"channel", "add", "--property", "seaview", "--name", name}
		id := regexp.MustCompile(`ch_\w+`).FindString(i.must(t, append(args, settings...)...))
		if out := i.must(t, "channel", "test", id); !strings.Contains(out, "20") {
			t.Errorf("%s tells of no products:\n%s", name, out)
		}
		i.must(t, "channel", "map", id, "--sell", "--take", "medium", "--yes")
		if out := i.must(t, "channel", "activate", id, "--accept-raises", "--by", "Ada"); !strings.Contains(out, "is active, with 0 cells to tell and 0 refused") {
			t.Errorf("%s goes live:\n%s", name, out)
		}
		return id
	}
	byProgram := joins("Program", "--connector", "process", "--set", "program=hello", "--set", "settings.url="+far.url,
		"--set", "settings.hotel=demo", "--set", "secrets.secret=secret:pretend")
	byUs := joins("Ours", "--connector", "mock", "--set", "url="+other.url, "--set", "preset=pull", "--set", "hotel=demo", "--set", "secret=secret:pretend")

	night := ahead(10)
	show := func(rooms int, of ...*farSide) {
		t.Helper()
		for _, f := range of {
			eventually(t, patience, 50*time.Millisecond, func() error {
				c, err := f.shows("standard", night)
				if err == nil && (c.Available != rooms || c.Closed) {
					err = fmt.Errorf("%s shows %+v on %s, want %d rooms", f.url, c, night, rooms)
				}
				return err
			})
		}
	}
	hears := func(id string, bookings int) {
		t.Helper()
		eventually(t, patience, 200*time.Millisecond, func() error {
			if out, code := i.run(t, "channel", "sync", id, "--kind", "reservations"); code != 0 {
				return fmt.Errorf("channel sync: code %d\n%s", code, out)
			}
			if got := i.booked(t); got != bookings {
				return fmt.Errorf("%d bookings came in, want %d", got, bookings)
			}
			return nil
		})
	}
	show(6, far, other)
	far.book(t, "standard", "flex", night, 1)
	hears(byProgram, 1)
	show(5, far, other)

	first := pid()
	if err := syscall.Kill(first, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	other.book(t, "standard", "flex", night, 1)
	hears(byUs, 2)
	show(4, other, far)
	far.book(t, "standard", "flex", night, 1)
	hears(byProgram, 3)
	show(3, far, other)
	second := pid()
	if second == first {
		t.Error("the program was not started again")
	}
	if !strings.Contains(p.output(), "a connector's program ended") {
		t.Error("the log does not say that the program ended")
	}
	if err := p.stop(); err != nil {
		t.Errorf("stop: %v\n%s", err, p.output())
	}
	if err := syscall.Kill(second, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the daemon has ended, and its program goes on: %v", err)
	}
}

// installsPython names the connector of docs/examples in the configuration, as hello, and
// returns what tells the process that runs it.
func (i *installation) installsPython(t *testing.T) (pid func() int) {
	t.Helper()
	python, err := exec.Command(testkit.Tool(t, "python3"), "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("../../docs/examples/connector.py")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(filepath.Dir(i.file), "pid")
	raw, err := os.ReadFile(i.file)
	if err != nil {
		t.Fatal(err)
	}
	command := fmt.Sprintf("echo $$ > '%s'; exec '%s' -S '%s'", file, strings.TrimSpace(string(python)), script)
	raw = fmt.Appendf(raw, "\n[connectors.process.programs.hello]\ncommand = [\"/bin/sh\", \"-c\", %q]\n", command)
	if err := os.WriteFile(i.file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return func() int {
		t.Helper()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
}

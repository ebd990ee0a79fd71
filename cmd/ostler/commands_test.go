package main_test

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	out, code := run(t, "version")
	if !regexp.MustCompile(`^ostler \S+\n$`).MatchString(out) || code != 0 {
		t.Errorf("code %d, output %q", code, out)
	}
}

func TestWrongCommandLines(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args []string
		says string
	}{
		{"no such connector", []string{"simulate", "nowhere"}, `there is no simulator for "nowhere"; there is one for: `},
		{"no such preset", []string{"simulate", "mock", "--preset", "fax"}, `simulator mock has no preset "fax"; it has: push, pull, hub`},
		{"guests that run backwards", []string{"demo", "--data", t.TempDir(), "--speed=-1"}, "--speed -1: expected between 0 and 100"},
		{"no such command", []string{"fly"}, "unexpected argument fly"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, code := run(t, test.args...)
			if code == 0 || !strings.Contains(out, test.says) {
				t.Errorf("code %d, output lacks %q:\n%s", code, test.says, out)
			}
		})
	}
}

// TestSimulateCommand runs one far side on its own.
func TestSimulateCommand(t *testing.T) {
	t.Parallel()
	p := begin(t, "simulate", "mock", "--listen", "127.0.0.1:0", "--data", t.TempDir())
	f := &farSide{id: "ch_alpha", http: newHTTP()}
	defer f.http.CloseIdleConnections()
	eventually(t, patience, 20*time.Millisecond, func() error {
		found := regexp.MustCompile(`mock listens at (http://127\.0\.0\.1:\d+);`).FindStringSubmatch(p.output())
		if found == nil {
			return errors.New("it has not said where it listens")
		}
		f.url = found[1]
		return nil
	})
	state, err := f.state()
	if err != nil {
		t.Fatal(err)
	}
	if string(state.Cells) != "[]" || len(state.Bookings) != 0 {
		t.Errorf("a new one shows %s and has %d bookings", state.Cells, len(state.Bookings))
	}
	a, err := f.order("book", f.stay("standard", "flex", ahead(10), 1))
	if err != nil {
		t.Fatal(err)
	}
	if a.status != http.StatusConflict {
		t.Errorf("something was sold that is not for sale: %d %s", a.status, a.body)
	}
	if err := p.stop(); err != nil {
		t.Errorf("stop: %v\n%s", err, p.output())
	}
}

// secondDemoRefuses starts the program where it runs already.
func secondDemoRefuses(t *testing.T, d *demo) {
	out, code := run(t, "demo", "--data", d.dir, "--listen", "127.0.0.1:0", "--speed", "0")
	if code == 0 || !strings.Contains(out, "is in use by another ostler process") {
		t.Errorf("code %d, output:\n%s", code, out)
	}
	out, code = run(t, "demo", "--data", copySample(t), "--listen", d.listen, "--speed", "0")
	if code == 0 || !strings.Contains(out, "name another address with --listen") {
		t.Errorf("on another folder, where somebody listens already: code %d, output:\n%s", code, out)
	}
	if err := d.healthy(); err != nil {
		t.Errorf("the first one is disturbed: %v", err)
	}
}

// TestInterruptedStart stops the first start, which builds the sample hotel, in
// the middle: pulling the plug, and then politely.
func TestInterruptedStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start := func() *program {
		p := begin(t, "demo", "--data", dir, "--listen", "127.0.0.1:0", "--speed", "0")
		eventually(t, patience, 5*time.Millisecond, func() error {
			if !strings.Contains(p.output(), "prices and stock") {
				return errors.New("it does not build the sample hotel")
			}
			return nil
		})
		return p
	}
	start().kill()
	p := start()
	if err := p.stop(); err != nil || strings.Contains(p.output(), "error") {
		t.Errorf("stop: %v\n%s", err, p.output())
	}
}

package main_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	operators "ostler.example/internal/client"
)

// TestRestore takes an old backup back while a pretend channel goes on selling:
// the channel is closed, what it has sold since comes in again, and it is on sale
// again when somebody activates it.
func TestRestore(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	p := begin(t, "serve", "--config", i.file)
	await(t, p, "started", 1)
	f := i.pretend(t)
	i.furnish(t)
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	await(t, p, "configuration read again", 1)
	out := i.must(t, "channel", "add", "--property", "seaview", "--connector", "mock", "--name", "Pretend",
		"--set", "url="+f.url, "--set", "preset=push", "--set", "hotel=demo", "--set", "secret=secret:pretend", "--set", "calls_per_minute=200")
	id := regexp.MustCompile(`ch_\w+`).FindString(out)
	i.must(t, "channel", "test", id)
	i.must(t, "channel", "map", id, "--sell", "double/flex=A-STD/A-flex")
	i.must(t, "channel", "activate", id, "--accept-raises")
	night := ahead(10)
	sells := func(rooms int) {
		t.Helper()
		eventually(t, patience, 20*time.Millisecond, func() error {
			c, err := f.shows("standard", night)
			if err == nil && (c.Available != rooms || c.Closed && rooms > 0) {
				err = fmt.Errorf("it shows %+v on %s, want %d rooms", c, night, rooms)
			}
			return err
		})
	}
	sells(6)
	file := filepath.Join(filepath.Dir(i.data), "backup.db")
	i.must(t, "backup", file)
	f.book(t, "standard", "flex", night, 1)
	operator := operators.New(i.data)
	defer operator.Close()
	if err := operator.Do(t.Context(), "PATCH", "/properties/seaview", map[string]any{"name": "Lost"}, nil); err != nil {
		t.Fatal(err)
	}
	followed := i.newest(t)
	if out, code := i.run(t, "restore", file); code != 1 || !strings.Contains(out, "in use by another ostler process") {
		t.Errorf("beside the daemon: code %d\n%s", code, out)
	}
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}

	spoilt := filepath.Join(t.TempDir(), "spoilt.db")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(spoilt, raw[:len(raw)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := i.run(t, "restore", spoilt); code != 1 || !strings.Contains(out, "the ledger was left as it is") {
		t.Errorf("half a backup: code %d\n%s", code, out)
	}
	if out := i.must(t, "restore", "--check", file); !strings.Contains(out, "can be restored") {
		t.Errorf("checked:\n%s", out)
	}
	if out := i.must(t, "restore", file); !strings.Contains(out, "ostler channel activate "+id) {
		t.Errorf("restored:\n%s", out)
	}
	if kept, err := filepath.Glob(filepath.Join(i.data, "ledger.before-*", "production.db")); err != nil || len(kept) != 1 {
		t.Errorf("of before are kept %v, %v", kept, err)
	}
	f.book(t, "standard", "flex", night, 1) // nobody has closed it yet
	p = begin(t, "serve", "--config", i.file)
	await(t, p, "started", 1)
	sells(0)
	if out, code := i.run(t, "channel", "activate", id, "--accept-raises"); code != 1 || !strings.Contains(out, "audit_running") {
		t.Errorf("in the audit: code %d\n%s", code, out)
	}
	eventually(t, patience, 100*time.Millisecond, func() error {
		if out := i.must(t, "channel", "show", id); !strings.Contains(out, "all it can tell is known") {
			return errors.New(out)
		}
		return nil
	})
	if got := i.booked(t); got != 2 {
		t.Errorf("%d bookings", got)
	}
	sells(0)
	i.must(t, "channel", "activate", id, "--accept-raises")
	sells(4)
	if err := operator.Get(t.Context(), fmt.Sprint("/events?after=", followed), nil); err == nil || !strings.Contains(err.Error(), "cursor_expired") {
		t.Errorf("whoever has read what is lost: %v", err)
	}
	if out, code := i.run(t, "ledger", "verify"); code != 0 {
		t.Errorf("verify: code %d\n%s", code, out)
	}
	if err := p.stop(); err != nil {
		t.Errorf("stop: %v\n%s", err, p.output())
	}
}

// newest is the newest sequence of the feed of events.
func (i *installation) newest(t *testing.T) int64 {
	t.Helper()
	operator := operators.New(i.data)
	defer operator.Close()
	for after := int64(0); ; {
		var page struct {
			Next     int64 `json:"next_after"`
			CaughtUp bool  `json:"caught_up"`
		}
		if err := operator.Get(t.Context(), fmt.Sprintf("/events?limit=200&after=%d", after), &page); err != nil {
			t.Fatal(err)
		}
		if after = page.Next; page.CaughtUp {
			return after
		}
	}
}

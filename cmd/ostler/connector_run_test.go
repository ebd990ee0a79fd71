package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A far side that is there is asked by a channel's own settings, and nothing there changes;
// what it refuses is told with its kind.
func TestFarSideIsAsked(t *testing.T) {
	t.Parallel()
	far := simulated(t)
	before, err := far.state()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "channel.toml")
	with := func(secret string) {
		t.Helper()
		text := fmt.Sprintf("url = %q\npreset = \"pull\"\nhotel = \"demo\"\nsecret = %q\n", far.url, secret)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	with("a pretend secret")
	out, code := run(t, "connector", "test", "mock", "--settings", file)
	for _, want := range []string{"skipped  Handshake", "passed   Products   20 rooms and rates", "passed   Read", "passed   List"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("code %d, want %q:\n%s", code, want, out)
		}
	}
	with("secret:pretend")
	if out, code = run(t, "connector", "test", "mock", "--settings", file); code == 0 || !strings.Contains(out, `names the secret "pretend": say with --config`) {
		t.Errorf("a secret by name, from nowhere: code %d\n%s", code, out)
	}
	kept, configured := filepath.Join(t.TempDir(), "pretend"), filepath.Join(t.TempDir(), "ostler.toml")
	for path, text := range map[string]string{kept: "a pretend secret\n", configured: fmt.Sprintf("data = %q\n[secrets]\npretend = %q\n", t.TempDir(), kept)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, code = run(t, "connector", "test", "mock", "--settings", file, "--config", configured); code != 0 || strings.Contains(out, "a pretend secret") {
		t.Errorf("a secret by name: code %d\n%s", code, out)
	}
	with("secret:other")
	if out, code = run(t, "connector", "test", "mock", "--settings", file, "--config", configured); code == 0 || !strings.Contains(out, `"other", which [secrets] of the configuration does not have`) {
		t.Errorf("a secret that nobody has: code %d\n%s", code, out)
	}
	with("another secret")
	if out, code = run(t, "connector", "test", "mock", "--settings", file); code == 0 || !strings.Contains(out, "failed   Products") || !strings.Contains(out, "denied: ") || strings.Contains(out, "another secret") {
		t.Errorf("with a wrong secret: code %d\n%s", code, out)
	}
	with("")
	if out, code = run(t, "connector", "test", "mock", "--settings", file); code == 0 || !strings.Contains(out, "secret: say what both sides know") {
		t.Errorf("without a secret: code %d\n%s", code, out)
	}
	after, err := far.state()
	if err != nil || string(after.Cells) != string(before.Cells) || len(after.Bookings) != 0 {
		t.Errorf("it has %d bookings and shows something else than before: %v", len(after.Bookings), err)
	}
}

// A connector is tried against its simulator, and what came of it is told.
func TestConnectorIsTried(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"alpinebits", "channex", "ical", "mock"} {
		out, code := run(t, "connector", "test", name, "--json")
		if code != 0 || !strings.Contains(out, `"failed": 0`) || strings.Count(out, `"passed"`) < 12 {
			t.Errorf("%s: code %d:\n%s", name, code, out)
		}
	}
	out, code := run(t, "connector", "test", "mock", "--preset", "pull")
	if code != 0 || !strings.Contains(out, "passed   RandomWalk") || !strings.Contains(out, "skipped  InboundDelivers") {
		t.Errorf("code %d:\n%s", code, out)
	}
	out, code = run(t, "connector", "test", "mock", "--case", "SendShows", "--case", "RandomWalk")
	if code != 0 || strings.Count(out, "passed ") != 2 || strings.Contains(out, "skipped") {
		t.Errorf("two cases: code %d:\n%s", code, out)
	}
	if out, code = run(t, "connector", "test", "mock", "--case", "SendsShow"); code == 0 || !strings.Contains(out, `no case "SendsShow"`) {
		t.Errorf("a case that does not exist: code %d:\n%s", code, out)
	}
	program, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	out, code = run(t, "connector", "test", "mock", "--preset", "pull", "--", program, "connector", "serve", "mock")
	if code != 0 || !strings.Contains(out, "serve mock can:") || !strings.Contains(out, "passed   PollResumesFromCursor") {
		t.Errorf("a program: code %d:\n%s", code, out)
	}
	out, code = run(t, "connector", "test", "mock", "--", "/nowhere/program")
	if code == 0 || !strings.Contains(out, "/nowhere/program") {
		t.Errorf("a program that there is not: code %d:\n%s", code, out)
	}
	if out, code = run(t, "connector", "test", "process"); code == 0 || !strings.Contains(out, "has no simulator") {
		t.Errorf("of one without a simulator: code %d:\n%s", code, out)
	}
	if out, code = run(t, "connector", "list"); code != 0 || !strings.Contains(out, "a program of its own") {
		t.Errorf("the list: code %d:\n%s", code, out)
	}
}

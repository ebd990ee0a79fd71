package main_test

import (
	"strings"
	"testing"
)

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

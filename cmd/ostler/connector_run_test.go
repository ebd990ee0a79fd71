package main_test

import (
	"strings"
	"testing"
)

// A connector is tried against its simulator, and what came of it is told.
func TestConnectorIsTried(t *testing.T) {
	t.Parallel()
	out, code := run(t, "connector", "test", "mock", "--preset", "pull", "--json")
	if code != 0 || !strings.Contains(out, `"failed": 0`) || !strings.Contains(out, `"polls": true`) {
		t.Errorf("code %d:\n%s", code, out)
	}
	out, code = run(t, "connector", "test", "mock", "--preset", "pull")
	if code != 0 || !strings.Contains(out, "passed   RandomWalk") || !strings.Contains(out, "skipped  InboundDelivers") {
		t.Errorf("code %d:\n%s", code, out)
	}
	if out, code = run(t, "connector", "test", "process"); code == 0 || !strings.Contains(out, "has no simulator") {
		t.Errorf("of one without a simulator: code %d:\n%s", code, out)
	}
	if out, code = run(t, "connector", "list"); code != 0 || !strings.Contains(out, "a program of its own") {
		t.Errorf("the list: code %d:\n%s", code, out)
	}
}

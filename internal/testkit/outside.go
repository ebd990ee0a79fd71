package testkit

import (
	"os"
	"os/exec"
	"testing"
)

// Tool returns where a program from outside is, of those that tools/outside.sh lists.
// Where it is missing the test is skipped by its name, and fails where CI=true.
func Tool(t testing.TB, name string) string {
	t.Helper()
	for _, at := range []string{name, "/usr/sbin/" + name} { // where Debian keeps servers
		if path, err := exec.LookPath(at); err == nil {
			return path
		}
	}
	Lacks(t, name)
	return ""
}

// Lacks ends a test that needs a program or a library from outside: see Tool.
func Lacks(t testing.TB, name string) {
	t.Helper()
	const from = "%s is missing; tools/outside.sh says how to get it"
	if os.Getenv("CI") == "true" {
		t.Fatalf(from, name)
	}
	t.Skipf(from, name)
}

package testkit

import (
	"os"
	"testing"
)

// Folder returns a folder that goes with the test. It lies in memory where the
// machine has such a place: the same statements and syncs, much faster than on
// a disk.
func Folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "ostler")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

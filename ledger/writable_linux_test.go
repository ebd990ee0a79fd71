package ledger

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWritableOnAFullDisk: a ledger takes writes as long as there is room, says that the disk
// is full when there is none, and takes them again.
func TestWritableOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=0750,size=8m"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("a file system of the test's own: %v", err)
		}
		t.Skipf("skipped: only root may make a file system of the test's own: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	l, err := Open(t.Context(), Options{Path: filepath.Join(dir, "production.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := l.Writable(t.Context()); err != nil {
		t.Fatal(err)
	}
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 8<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk was filled with %v", err)
	}
	// The log may have room from before.
	for range 2000 {
		if err = l.Writable(t.Context()); err != nil {
			break
		}
	}
	if !IsFull(err) {
		t.Errorf("on a full disk: %v", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if err := l.Writable(t.Context()); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

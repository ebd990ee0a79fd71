package ledger

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// lacking skips a test on a desk that lacks what it needs, and fails it where nothing may lack.
func lacking(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf("skipped: "+format, args...)
}

// TestWritableOnAFullDisk: a ledger takes writes as long as there is room, says that the disk
// is full when there is none, and takes them again.
func TestWritableOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=0750,size=8m"); err != nil {
		lacking(t, "only root may make a file system of the test's own: %v", err)
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

// TestWritableOnADiskTurnedReadOnly: a file system that turns read-only after an error, as
// ext4 does under files that are open, refuses what is to be stored, and is read on.
func TestWritableOnADiskTurnedReadOnly(t *testing.T) {
	dir := t.TempDir()
	image, disk := filepath.Join(dir, "image"), filepath.Join(dir, "disk")
	if err := errors.Join(os.Mkdir(disk, 0o750), os.WriteFile(image, nil, 0o600), os.Truncate(image, 16<<20)); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"mkfs.ext4", "-q", image}, {"mount", "-o", "loop,errors=remount-ro", image, disk}} {
		if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			lacking(t, "no ext4 of the test's own can be made: %s: %v %s", command[0], err, out)
		}
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	l, err := Open(t.Context(), Options{Path: filepath.Join(disk, "production.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // it cannot store anything more
	if err := l.Writable(t.Context()); err != nil {
		t.Fatal(err)
	}
	// What the kernel does when it finds an error.
	if out, err := exec.CommandContext(t.Context(), "mount", "-o", "remount,abort", disk).CombinedOutput(); err != nil {
		lacking(t, "the file system takes no error: %v %s", err, out)
	}
	if err := l.Writable(t.Context()); !IsRefused(err) {
		t.Errorf("on a disk that turned read-only: %v", err)
	}
	if _, err := l.Identity(t.Context()); err != nil {
		t.Errorf("it is not read on: %v", err)
	}
}

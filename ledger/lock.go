package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Lock is the claim of one process on a data folder.
type Lock struct{ f *os.File }

// LockFolder claims dir, made if missing, for this process until
// [Lock.Release] or the process's end. A folder that another process has
// claimed is refused at once.
func LockFolder(dir string) (*Lock, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if err := CheckFolder(dir); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock data folder: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("data folder %s is in use by another ostler process: stop that one, or name another folder", dir)
		}
		return nil, fmt.Errorf("lock data folder %s: %w", dir, err)
	}
	return &Lock{f}, nil
}

// Release gives the folder up.
func (l *Lock) Release() error { return l.f.Close() }

// CheckFolder refuses a data folder on a network file system, on which a lock or a
// sync on one machine says nothing about another: SQLite in WAL mode is not safe
// there.
func CheckFolder(dir string) error {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return fmt.Errorf("data folder %s: %w", dir, err)
	}
	if name := networkFolder(&s); name != "" {
		return fmt.Errorf("data folder %s lies on a network file system (%s), where the ledger cannot be kept safely: name a folder on a local disk", dir, name)
	}
	return nil
}

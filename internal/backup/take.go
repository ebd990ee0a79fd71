package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"ostler.example/ledger"
)

// Options says what is to be copied, and where to.
type Options struct {
	Ledger     string // the file of a ledger, which others may be working on
	To         string // a folder, or a file that is not there yet
	Keep       int    // how many of the program's own backups stay in a folder, this one included; 0: all
	Recipients []string
	Version    string // of the program
	Now        time.Time
	Report     ledger.Progress
}

// Taken is a finished backup.
type Taken struct {
	Path     string   `json:"path"`
	Manifest Manifest `json:"manifest"`
	Removed  []string `json:"removed"` // older ones
	Warning  string   `json:"warning"` // "": none
}

// Take copies a ledger, checks the copy and puts it where it is to be kept, durable
// and under its name only when it is whole. Of one that fails nothing is left.
func Take(ctx context.Context, o Options) (taken Taken, err error) {
	at, err := placeOf(o.To, o.Now, len(o.Recipients) > 0)
	if err != nil {
		return taken, err
	}
	for _, folder := range []string{at.folder, filepath.Dir(o.Ledger)} {
		if err := sweep(folder, o.Now); err != nil {
			return taken, err
		}
	}
	copied := at.path() + partial
	if len(o.Recipients) > 0 { // what is not encrypted stays where the ledger is
		copied = filepath.Join(filepath.Dir(o.Ledger), at.name+partial)
	}
	finished := at.path() + partial
	manifest := manifestOf(at.path()) + partial
	defer func() {
		for _, path := range []string{copied, copied + "-wal", copied + "-shm", finished, manifest} {
			if gone := os.Remove(path); !errors.Is(gone, fs.ErrNotExist) {
				err = errors.Join(err, gone)
			}
		}
		err = explain(err, at.folder)
	}()
	m := Manifest{File: at.name, Encrypted: len(o.Recipients) > 0, Version: o.Version, TakenAt: o.Now.UTC()}
	if m.Head, err = copyChecked(ctx, o, copied); err != nil {
		return taken, err
	}
	if m.Encrypted {
		o.Report("encrypting", 0.9)
		if err := room(at.folder, sizeOf(copied)+sizeOf(copied)/100); err != nil {
			return taken, err
		}
		if err := seal(copied, finished, o.Recipients); err != nil {
			return taken, err
		}
	} else if err := Durable(finished); err != nil {
		return taken, err
	}
	is, err := fingerprintOf(finished)
	if err != nil {
		return taken, err
	}
	m.Bytes, m.SHA256 = is.bytes, is.sha256
	text, err := m.text()
	if err != nil {
		return taken, err
	}
	if err := write(manifest, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}); err != nil {
		return taken, err
	}
	if err := errors.Join(move(finished, at.path()), move(manifest, manifestOf(at.path()))); err != nil {
		return taken, err
	}
	taken = Taken{Path: at.path(), Manifest: m}
	if sameDisk(at.folder, filepath.Dir(o.Ledger)) {
		taken.Warning = "it lies on the disk of the ledger, and is lost with it: copy it elsewhere, or name a folder on another disk"
	}
	if at.own && o.Keep > 0 {
		taken.Removed, err = prune(at.folder, m.Head.Ledger, at.path(), o.Keep)
	}
	return taken, err
}

// copyChecked copies a ledger and looks at the copy as a whole.
func copyChecked(ctx context.Context, o Options, to string) (ledger.Head, error) {
	need := sizeOf(o.Ledger) + sizeOf(o.Ledger+"-wal")
	if err := room(filepath.Dir(to), need); err != nil {
		return ledger.Head{}, err
	}
	// A new file would be readable by others until its mode was changed.
	if err := write(to, func(io.Writer) error { return nil }); err != nil {
		return ledger.Head{}, err
	}
	if err := ledger.Copy(ctx, o.Ledger, to, func(share float64) { o.Report("copying", 0.5*share) }); err != nil {
		return ledger.Head{}, err
	}
	head, err := ledger.CheckChains(ctx, to, func(at string, share float64) { o.Report(at, 0.5+0.2*share) })
	if err != nil {
		return head, err
	}
	o.Report("checking the copy", 0.7)
	return head, ledger.Sound(ctx, to) // comes last, because it leaves no files beside the copy
}

// sizeOf returns the bytes of a file, 0 when there is none.
func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// explain says what to do about what a disk complains of.
func explain(err error, folder string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC) || ledger.IsFull(err):
		return fmt.Errorf("%w: the disk of %s is full: make room there, or name another folder; no backup was left behind", err, folder)
	case errors.Is(err, fs.ErrPermission) || ledger.IsRefused(err):
		return fmt.Errorf("%w: whoever runs the daemon must be able to write to %s", err, folder)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w: %s can only be read", err, folder)
	}
	return err
}

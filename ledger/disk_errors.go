package ledger

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/mattn/go-sqlite3"
)

// IsFull reports whether SQLite failed because a disk is full. Where there is no room for
// the index of its log, as at a start, it speaks of an I/O error, where there is none for a
// file's name of a file that cannot be opened, and only the system's own number says why.
func IsFull(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && (e.Code == sqlite3.ErrFull || (e.Code == sqlite3.ErrIoErr || e.Code == sqlite3.ErrCantOpen) && e.SystemErrno == syscall.ENOSPC)
}

// IsRefused reports whether SQLite failed because it may not write somewhere. Of a file
// system that turns read-only under an open ledger it speaks as of an I/O error.
func IsRefused(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && (e.Code == sqlite3.ErrCantOpen || e.Code == sqlite3.ErrReadonly || e.Code == sqlite3.ErrPerm ||
		e.Code == sqlite3.ErrIoErr && e.SystemErrno == syscall.EROFS)
}

// Unstored reports whether a write failed for what the disk did, or nobody knows whether
// it is stored: repeated later, the same write may be.
func Unstored(err error) bool {
	return errors.Is(err, ErrUnknown) || errors.Is(err, errRolledBack) || IsFull(err) || IsRefused(err) || isCode(err, sqlite3.ErrIoErr)
}

// wayOut says beside an error why a ledger cannot be opened and what to do, where SQLite
// says it in a word alone.
func wayOut(err error) error {
	switch {
	case IsFull(err):
		return fmt.Errorf("%w: the disk is full. Make room, and start again: nothing that was confirmed is lost", err)
	case isCode(err, sqlite3.ErrCorrupt), isCode(err, sqlite3.ErrNotADB):
		return fmt.Errorf("%w: the file is damaged. Nothing was changed: keep it, with what lies beside it, look after the disk (dmesg, smartctl), and put the newest backup in its place with ostler restore FILE", err)
	case IsRefused(err):
		return fmt.Errorf("%w: the file or its folder cannot be written to. Look for a file system that has become read-only (mount, dmesg), and whether both belong to who runs this (ls -l)", err)
	}
	return err
}

func isCode(err error, code sqlite3.ErrNo) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && e.Code == code
}

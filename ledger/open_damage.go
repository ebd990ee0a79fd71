package ledger

import (
	"fmt"

	"github.com/mattn/go-sqlite3"
)

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

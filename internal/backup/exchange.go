package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// asideOf is where what was at b waits while it changes places with a by name.
func asideOf(a string) string { return a + ".exchanged" }

// exchangeByName puts two folders in each other's place, one name after the other.
// What a kill in between leaves [Settle] puts right.
func exchangeByName(a, b string) error {
	if err := os.Rename(b, asideOf(a)); err != nil {
		return err
	}
	if err := os.Rename(a, b); err != nil {
		return err
	}
	return os.Rename(asideOf(a), a)
}

// Exchanging reports whether an exchange of a with another folder was cut off.
func Exchanging(a string) (bool, error) {
	_, err := os.Stat(asideOf(a))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Settle ends an exchange of a and b that was cut off: where nothing had come to b yet
// it is undone, else done. Without one it does nothing.
func Settle(a, b string) error {
	if cut, err := Exchanging(a); err != nil || !cut {
		return err
	}
	to := a
	if _, err := os.Stat(b); errors.Is(err, fs.ErrNotExist) {
		to = b
	} else if err != nil {
		return err
	}
	if err := os.Rename(asideOf(a), to); err != nil {
		return err
	}
	return Durable(filepath.Dir(to))
}

package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// prune removes the oldest of the program's own backups of a ledger in a folder
// beyond so many, the one just taken not among them, even if others are named for
// later: the clock may have been wrong. What has no manifest, another name or is of
// another ledger is not its own.
func prune(folder, of, taken string, keep int) (removed []string, err error) {
	own, err := list(folder, of)
	if err != nil {
		return nil, err
	}
	own = slices.DeleteFunc(own, func(path string) bool { return path == taken })
	for len(own) > keep-1 {
		path := own[0]
		own = own[1:]
		// The manifest goes first: what is left without one is no backup any more.
		for _, gone := range []string{manifestOf(path), path} {
			if err := os.Remove(gone); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return removed, fmt.Errorf("remove an old backup: %w", err)
			}
		}
		removed = append(removed, path)
	}
	if len(removed) == 0 {
		return nil, nil
	}
	return removed, Durable(folder)
}

// Newest returns when the newest of the program's own backups of a ledger in a folder
// was taken, zero when there is none, or no folder. An empty name is that of any ledger.
func Newest(folder, of string) (time.Time, error) {
	own, err := list(folder, of)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(own) == 0 {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	m, _, err := readManifest(own[len(own)-1])
	return m.TakenAt, err
}

// list returns the program's own backups of a ledger, or of any, in a folder, the oldest first.
// The names sort by time.
func list(folder, of string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("look for backups: %w", err)
	}
	var own []string
	for _, e := range entries {
		if !ownName(e.Name()) {
			continue
		}
		path := filepath.Join(folder, e.Name())
		if m, there, err := readManifest(path); err == nil && there && (of == "" || m.Head.Ledger == of) {
			own = append(own, path)
		}
	}
	slices.Sort(own)
	return own, nil
}

// ownName reports whether the program makes such names.
func ownName(name string) bool {
	name, own := strings.CutPrefix(strings.TrimSuffix(name, sealed), prefix)
	name, file := strings.CutSuffix(name, plain)
	_, err := time.Parse(stamp, name)
	return own && file && err == nil
}

// leftAfter is how long what a killed program was writing is left alone: somebody
// else may be writing it.
const leftAfter = 24 * time.Hour

// sweep removes what programs that were killed have left half written.
func sweep(folder string, now time.Time) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // whoever needs the folder says so
	}
	if err != nil {
		return fmt.Errorf("look for backups: %w", err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) || !strings.Contains(e.Name(), partial) {
			continue
		}
		info, err := e.Info()
		if err != nil || now.Sub(info.ModTime()) < leftAfter {
			continue
		}
		if err := os.Remove(filepath.Join(folder, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove what was left half written: %w", err)
		}
	}
	return nil
}

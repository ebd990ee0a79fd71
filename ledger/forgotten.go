package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ostler.example/hotel"
)

// The ids of the people who were forgotten are listed beside the ledger too, one a
// line: a backup of before knows these people still, and forgets them when it comes
// back, also when the ledger itself can no longer be read.
func forgottenList(path string) string { return path + ".forgotten" }

// ForgottenOf lists the ids of the people whom the ledger in a file has forgotten, by
// the list beside it, and by its own word where it can be read.
func ForgottenOf(ctx context.Context, path string) (ids []string, err error) {
	if ids, err = listedForgotten(path); err != nil {
		return nil, err
	}
	l := &Ledger{}
	if l.openReaders(ctx, path) == nil {
		if own, unread := l.read.ForgottenGuests(ctx); unread == nil {
			ids = append(ids, own...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), l.closeDBs()
}

func listedForgotten(path string) ([]string, error) {
	text, err := os.ReadFile(forgottenList(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read who was forgotten: %w", err)
	}
	return strings.Fields(string(text)), nil
}

// listForgotten adds to the list beside the ledger who is missing there, of those who
// are forgotten here and of others.
func (l *Ledger) listForgotten(ctx context.Context, others []string) error {
	ids, err := l.read.ForgottenGuests(ctx)
	if err != nil {
		return fmt.Errorf("list who was forgotten: %w", err)
	}
	listed, err := listedForgotten(l.path)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, id := range listed {
		known[id] = true
	}
	var more strings.Builder
	for _, id := range append(ids, others...) {
		if !known[id] {
			known[id] = true
			more.WriteString("\n" + id) // a line that a power cut has torn ends before it
		}
	}
	if more.Len() == 0 {
		return nil
	}
	f, err := os.OpenFile(forgottenList(l.path), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o640)
	if err != nil {
		return fmt.Errorf("list who was forgotten: %w", err)
	}
	_, err = f.WriteString(more.String() + "\n")
	err = errors.Join(err, f.Sync(), f.Close())
	if folder, opened := os.Open(filepath.Dir(l.path)); opened == nil {
		err = errors.Join(err, folder.Sync(), folder.Close())
	}
	if err != nil {
		return fmt.Errorf("list who was forgotten: %w", err)
	}
	return nil
}

// ForgetAgain forgets people whom a ledger that this one comes in the place of had
// forgotten, whatever they have booked by now, and returns how many it knew. It
// returns when nothing of them is left in any file, and keeps the list.
func (l *Ledger) ForgetAgain(ctx context.Context, by hotel.By, ids []string) (int, error) {
	knew := 0
	for _, id := range ids {
		known := false
		err := l.write(ctx, urgent, by, func(t *tx) error {
			p, err := t.guest(id)
			if errors.Is(err, ErrNotFound) || err == nil && p.Status != hotel.GuestActive {
				return nil // not met yet, or forgotten with somebody else
			}
			if err != nil {
				return err
			}
			known = true
			return t.forgetPerson(&p, "restored")
		})
		if err != nil {
			return knew, fmt.Errorf("forget guest %s again: %w", id, err)
		}
		if known {
			knew++
		}
	}
	return knew, errors.Join(l.listForgotten(ctx, ids), l.scrubOwed(ctx))
}

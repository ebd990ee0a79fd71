package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// NoteShown writes down that somebody was shown what is known of people, who are named
// by the ids of guests or of access requests. It returns once that is on the disk.
func (l *Ledger) NoteShown(ctx context.Context, by hotel.By, operation string, people []string) error {
	return l.write(ctx, urgent, by, func(t *tx) error { return t.noteShown(operation, people...) })
}

// noteShown writes down that whoever acts is shown what is known of people.
func (t *tx) noteShown(operation string, people ...string) error {
	for _, id := range people {
		err := t.q.InsertPersonalAccess(t.ctx, ledgerdb.InsertPersonalAccessParams{
			Subject: id, At: t.micros(), RequestID: t.by.RequestID, Actor: actorText(t.by.Actor), Operation: operation,
		})
		if err != nil {
			return fmt.Errorf("note who was shown %s: %w", id, err)
		}
	}
	return nil
}

// PersonalAccesses lists who was shown what is known of a person, the oldest first.
func (l *Ledger) PersonalAccesses(ctx context.Context, subject string) ([]hotel.PersonalAccess, error) {
	rows, err := l.read.PersonalAccesses(ctx, subject)
	if err != nil {
		return nil, fmt.Errorf("read who was shown %s: %w", subject, err)
	}
	out := make([]hotel.PersonalAccess, len(rows))
	for i, r := range rows {
		out[i] = hotel.PersonalAccess{At: instant(r.At), By: actorOf(r.Actor), RequestID: r.RequestID, Operation: r.Operation}
	}
	return out, nil
}

// pruneAccesses forgets who was shown people's data before an instant.
func (l *Ledger) pruneAccesses(ctx context.Context, before time.Time) error {
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.DeletePersonalAccesses(t.ctx, before.UnixMicro())
	})
}

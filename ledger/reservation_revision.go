package ledger

import (
	"context"
	"encoding/json"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// guestSnapshot is the guest of a reservation, and what was written about it, as
// they stood at a revision.
type guestSnapshot struct {
	Guest hotel.Guest `json:"guest"`
	hotel.Words
}

// putRevision notes which journal entry tells the reservation's revision, with
// the guest and the words that go with it; they are stored anew where they
// changed.
func (t *tx) putRevision(r *hotel.Reservation, changed bool) error {
	snapshot := r.Revision
	if changed {
		body, err := jsonText(guestSnapshot{r.Guest, r.Words})
		if err != nil {
			return fmt.Errorf("store guest snapshot: %w", err)
		}
		row := ledgerdb.InsertGuestSnapshotParams{ReservationID: r.ID, Revision: snapshot, GuestID: r.GuestID, Body: body}
		if err := t.q.InsertGuestSnapshot(t.ctx, row); err != nil {
			return fmt.Errorf("store guest snapshot: %w", err)
		}
	} else {
		var err error
		if snapshot, err = t.q.NewestGuestSnapshot(t.ctx, r.ID); err != nil {
			return fmt.Errorf("find guest snapshot: %w", err)
		}
	}
	row := ledgerdb.InsertRevisionParams{ReservationID: r.ID, Revision: r.Revision, Sequence: r.Sequence, Snapshot: snapshot}
	if err := t.q.InsertRevision(t.ctx, row); err != nil {
		return fmt.Errorf("store revision: %w", err)
	}
	return nil
}

// ReservationRevisions returns how a reservation has stood since it was made, the
// oldest first.
func (l *Ledger) ReservationRevisions(ctx context.Context, id string) ([]hotel.ReservationRevision, error) {
	rows, err := l.read.RevisionsOf(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read revisions of %s: %w", id, err)
	}
	out := make([]hotel.ReservationRevision, len(rows))
	for i, row := range rows {
		var fact ReservationFact
		var person guestSnapshot
		if err := json.Unmarshal([]byte(row.Body), &fact); err != nil {
			return nil, fmt.Errorf("stored revision of %s: %w", id, err)
		}
		if err := json.Unmarshal([]byte(row.Person), &person); err != nil {
			return nil, fmt.Errorf("stored guest of %s: %w", id, err)
		}
		r := fact.Reservation
		r.Entity = entity(id, rows[0].At, row.At, row.Revision)
		r.Guest, r.GuestID, r.Words, r.Sequence = person.Guest, row.GuestID, person.Words, row.Sequence
		out[i] = hotel.ReservationRevision{Reservation: r, Event: row.Kind, Actor: actorOf(row.Actor)}
	}
	return out, nil
}

// IgnoredMessages lists the messages of a reservation's channel about its booking that
// came too late to change anything, in the order of the journal.
func (l *Ledger) IgnoredMessages(ctx context.Context, r hotel.Reservation) ([]hotel.IgnoredMessage, error) {
	if r.Source.ChannelID == hotel.Direct || r.Source.Reference == "" {
		return nil, nil
	}
	rows, err := l.read.IgnoredMessages(ctx, ledgerdb.IgnoredMessagesParams{Ref: r.Source.Reference, Reuse: int64(r.Source.Reuse), ChannelID: r.Source.ChannelID})
	if err != nil {
		return nil, fmt.Errorf("read ignored messages of %s: %w", r.ID, err)
	}
	out := make([]hotel.IgnoredMessage, len(rows))
	for i, m := range rows {
		out[i] = hotel.IgnoredMessage{Key: m.Key, Event: m.Event, Revision: m.Ordering, ModifiedAt: instantOrZero(m.At), At: instant(m.ReceivedAt), First: m.FirstSequence, Sequence: m.Sequence}
	}
	return out, nil
}

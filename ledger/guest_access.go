package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// NoteShown writes down that somebody was shown the data of guests. It returns once
// that is on the disk.
func (l *Ledger) NoteShown(ctx context.Context, by hotel.By, operation string, guests []string) error {
	return l.write(ctx, urgent, by, func(t *tx) error {
		for _, id := range guests {
			err := t.q.InsertGuestAccess(t.ctx, ledgerdb.InsertGuestAccessParams{
				GuestID: id, At: t.micros(), RequestID: by.RequestID, Actor: actorText(by.Actor), Operation: operation,
			})
			if err != nil {
				return fmt.Errorf("note who was shown guest %s: %w", id, err)
			}
		}
		return nil
	})
}

// GuestAccesses lists who was shown the data of a guest, the oldest first.
func (l *Ledger) GuestAccesses(ctx context.Context, guest string) ([]hotel.GuestAccess, error) {
	rows, err := l.read.GuestAccesses(ctx, guest)
	if err != nil {
		return nil, fmt.Errorf("read who was shown guest %s: %w", guest, err)
	}
	out := make([]hotel.GuestAccess, len(rows))
	for i, r := range rows {
		out[i] = hotel.GuestAccess{At: instant(r.At), By: actorOf(r.Actor), RequestID: r.RequestID, Operation: r.Operation}
	}
	return out, nil
}

// MessagesOfGuest lists what channels sent about bookings of which every room is
// the guest's, the oldest first.
func (l *Ledger) MessagesOfGuest(ctx context.Context, guest string) ([]hotel.GuestMessage, error) {
	rows, err := l.read.MessagesOfGuest(ctx, guest)
	if err != nil {
		return nil, fmt.Errorf("read messages about guest %s: %w", guest, err)
	}
	out := make([]hotel.GuestMessage, len(rows))
	for i, r := range rows {
		out[i] = hotel.GuestMessage{ChannelID: r.ChannelID, Reference: r.Ref, ReceivedAt: instant(r.ReceivedAt), Content: r.Raw}
	}
	return out, nil
}

// pruneAccesses forgets who was shown guests before an instant.
func (l *Ledger) pruneAccesses(ctx context.Context, before time.Time) error {
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.DeleteGuestAccesses(t.ctx, before.UnixMicro())
	})
}

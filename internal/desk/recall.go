package desk

import (
	"context"
	"errors"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

// DefaultRecall is how long a direct sale waits for a room that is being taken back
// from a channel, unless it is told.
const DefaultRecall = 5 * time.Second

// dealt reports whether a sale was refused because the rooms that are free are on
// sale at channels.
func dealt(err error) bool {
	r, ok := errors.AsType[*hotel.Refusal](err)
	return ok && r.Members["reason"] == ledger.ReasonDealt
}

// recall takes a room back from the channels for a stay, and waits until it may be
// sold here, for a while. What comes back later is dealt to the channels again.
func (d *Desk) recall(ctx context.Context, n hotel.NewReservation) error {
	until := d.clock.Now().Add(d.recallFor)
	if err := d.ledger.Recall(ctx, n.PropertyID, n.RoomTypeID, n.Stay, until); err != nil {
		return err
	}
	enough := time.NewTimer(d.clock.Until(until))
	defer enough.Stop()
	for {
		changed := d.ledger.Changed()
		free, err := d.undealt(ctx, n)
		if free || err != nil {
			return err
		}
		select {
		case <-changed:
		case <-enough.C:
			return nil // the sale is refused once more, and says when to ask again
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// undealt reports whether a room of the type may be sold directly on every night.
func (d *Desk) undealt(ctx context.Context, n hotel.NewReservation) (bool, error) {
	b, err := d.board(ctx, n.PropertyID)
	if err != nil {
		return false, err
	}
	room, ok := b.Room(n.RoomTypeID)
	for night := n.Stay.CheckIn; ok && night < n.Stay.CheckOut; night++ {
		left := b.Undealt(night)
		ok = left != nil && left[room].Available > 0
	}
	return ok, nil
}

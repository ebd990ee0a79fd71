package desk

import (
	"context"
	"errors"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

// DefaultRecall is how long a direct sale waits for rooms that are being taken back
// from a channel, unless it is told.
const DefaultRecall = 5 * time.Second

// recallKept is how long rooms go on being taken back, and are kept for whoever comes
// back for them, after a request has stopped waiting. It is several times what the
// refusal says, so that one who asks whenever it says gets the rooms however long the
// channel takes.
const recallKept = 4 * ledger.RecallSeconds * time.Second

// sell makes a sale. Where rooms of it are on sale at channels they are taken back,
// and the sale waits for them, for a while.
func sell[T any](ctx context.Context, d *Desk, by hotel.By, sale func() (made T, replayed bool, err error)) (made T, replayed bool, err error) {
	made, replayed, err = sale()
	short, dealt := errors.AsType[*ledger.DealtError](err)
	if !dealt {
		return made, replayed, said(err)
	}
	asked := d.clock.Now().Add(d.recallFor)
	if err := d.ledger.Recall(ctx, by, short.PropertyID, short.Rooms, asked, asked.Add(recallKept)); err != nil {
		return made, replayed, said(err)
	}
	enough := time.NewTimer(d.clock.Until(asked))
	defer enough.Stop()
	for {
		changed := d.ledger.Changed()
		free, fault := d.undealt(ctx, short)
		if fault != nil {
			return made, replayed, said(fault)
		}
		if free {
			made, replayed, err = sale()
			if _, dealt := errors.AsType[*ledger.DealtError](err); !dealt {
				return made, replayed, said(err)
			}
		}
		select {
		case <-changed:
		case <-enough.C:
			made, replayed, err = sale() // refused once more, it says when to ask again
			return made, replayed, said(err)
		case <-ctx.Done():
			return made, replayed, context.Cause(ctx)
		}
	}
}

// undealt reports whether so many rooms of each type may be sold directly on every
// night.
func (d *Desk) undealt(ctx context.Context, short *ledger.DealtError) (bool, error) {
	b, err := d.board(ctx, short.PropertyID)
	if err != nil {
		return false, err
	}
	wanted := map[hotel.RoomNight]int{}
	for _, n := range short.Rooms {
		wanted[n]++
		room, ok := b.Room(n.RoomTypeID)
		left := b.Undealt(n.Night)
		if !ok || left == nil || left[room].Available < wanted[n] {
			return false, nil
		}
	}
	return true, nil
}

package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// OnSale is what a channel may still sell. Cells is how many of its counters
// and nights may show a room, or have not been told otherwise yet, Rooms how
// many rooms they may show together, as far as that is known.
type OnSale struct {
	Cells, Rooms int
}

// OnSale tells what a channel may still sell. The zero value means that it is
// closed, and has said so.
func (l *Ledger) OnSale(ctx context.Context, channel string) (open OnSale, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		row, err := q.GetChannel(ctx, channel)
		if err != nil {
			return notFound(err)
		}
		c, err := channelOf(row)
		if err != nil {
			return err
		}
		open, err = onSale(ctx, q, c, l.clock.Now())
		return err
	})
	if err != nil {
		return OnSale{}, fmt.Errorf("what channel %s may sell: %w", channel, err)
	}
	return open, nil
}

func onSale(ctx context.Context, q *ledgerdb.Queries, c hotel.Channel, now time.Time) (OnSale, error) {
	property, err := readOne[hotel.Property](q.GetProperty(ctx, c.PropertyID))
	if err != nil {
		return OnSale{}, err
	}
	at, live, err := placesOf(ctx, q, c.ID)
	if err != nil || !live {
		return OnSale{}, err // it was never told anything
	}
	row, err := q.Unclosed(ctx, ledgerdb.UnclosedParams{ChannelID: c.ID, First: int64(property.Today(now))})
	if err != nil {
		return OnSale{}, err
	}
	open := OnSale{int(row.Cells), int(row.Rooms)}
	if c.Shadow { // what it shows on nights that it was never told of is not our doing
		open.Cells = min(open.Cells, open.Rooms)
		return open, nil
	}
	if c.Status != hotel.Paused || c.Frozen || open.Cells > 0 {
		return open, nil
	}
	// Nights that it was never told have no cell until the pause is worked out.
	ahead, err := q.ChannelEntriesAhead(ctx, ledgerdb.ChannelEntriesAheadParams{PropertyID: c.PropertyID, After: at[stockStrand].Sequence, ChannelID: c.ID})
	return OnSale{Cells: int(ahead)}, err
}

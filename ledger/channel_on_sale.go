package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// OnSale is what a channel may still sell, or may have sold before it was closed.
type OnSale struct {
	Cells int // counters and nights that may show a room, or have not been told otherwise yet

	// Rooms is how many rooms these may show together, as far as that is known. Of a
	// guarded counter it is what it was granted and is not known to have sold, where that
	// is more.
	Rooms int

	// Undrained is how many counters and nights of guarded pools have rooms that no list
	// of bookings has shown yet to be unsold, and Nights from the first to the last of them.
	Undrained int
	Nights    hotel.Span
}

// OnSale tells what a channel may still sell. The zero value means that it is
// closed, and has said so, and that all is known of what it sold before.
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
	open := OnSale{Cells: int(row.Cells), Rooms: int(row.Rooms)}
	if err := open.granted(ctx, q, c, property.Today(now)); err != nil {
		return OnSale{}, err
	}
	if c.Shadow { // what it shows on nights that it was never told of is not our doing
		open.Cells = min(open.Cells, open.Rooms)
		return open, nil
	}
	if c.Status != hotel.Paused || c.Frozen || open.Cells > 0 {
		return open, nil
	}
	// Nights that it was never told have no cell until the pause is worked out.
	ahead, err := q.ChannelEntriesAhead(ctx, ledgerdb.ChannelEntriesAheadParams{PropertyID: c.PropertyID, After: at[stockStrand].Sequence, ChannelID: c.ID})
	open.Cells = int(ahead)
	return open, err
}

// granted adds what counters of guarded pools have from a night on that is not known to
// be unsold. What a contract promises the channel is kept by its block.
func (o *OnSale) granted(ctx context.Context, q *ledgerdb.Queries, c hotel.Channel, from hotel.Date) error {
	rows, err := q.ChannelHoldings(ctx, ledgerdb.ChannelHoldingsParams{ChannelID: c.ID, First: int64(from)})
	if err != nil || len(rows) == 0 {
		return err
	}
	nights := hotel.Span{From: hotel.Date(rows[0].Party.Night), To: hotel.Date(rows[len(rows)-1].Party.Night)}
	promised, err := allotments(ctx, q, c.PropertyID, nights)
	if err != nil {
		return err
	}
	unmapped, err := straysOf(ctx, q, c.PropertyID, nights)
	if err != nil {
		return err
	}
	for _, r := range rows {
		night := hotel.Date(r.Party.Night)
		at := allotmentNight{roomNight{night, r.Party.RoomTypeID}, c.ID}
		h := exposure.Holder{Party: partyOf(r.Party), Live: int(r.Live), Floor: promised[at].units}
		if h.Doing == exposure.Drained { // else an unmapped booking may be another room's, beside a sale that nobody has heard of
			h.Strays = unmapped.all[channelNight{c.ID, night}]
		}
		delete(promised, at) // it is the first counter's
		spare, known := h.Spare()
		if known && spare == 0 {
			continue
		}
		if o.Undrained == 0 {
			o.Nights.From = night
		}
		o.Undrained, o.Nights.To = o.Undrained+1, night
		o.Rooms += max(0, spare-int(r.May))
	}
	return nil
}

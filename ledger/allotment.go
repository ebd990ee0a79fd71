package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// allotmentNight is a night of a room type of which a contract promises rooms to a
// channel.
type allotmentNight struct {
	roomNight
	channel string
}

// allotted is what was promised there by all its contracts, and what of it was sold
// by the channel or drawn by somebody else.
type allotted struct{ units, sold int }

// left is what the channel may still sell whatever it is told.
func (a allotted) left() int { return max(0, a.units-a.sold) }

// allotments reads the contracts of a span.
func allotments(ctx context.Context, q *ledgerdb.Queries, property string, span hotel.Span) (map[allotmentNight]allotted, error) {
	rows, err := q.AllottedNights(ctx, ledgerdb.AllottedNightsParams{PropertyID: property, First: int64(span.From), Last: int64(span.To)})
	if err != nil {
		return nil, fmt.Errorf("read allotments of %s: %w", property, err)
	}
	of := make(map[allotmentNight]allotted, len(rows))
	for _, r := range rows {
		of[allotmentNight{roomNight{hotel.Date(r.Night), r.RoomTypeID}, r.ChannelID}] = allotted{int(r.Units), int(r.Sold)}
	}
	return of, nil
}

// allotments returns the contracts of a span as they were.
func (p *past) allotments(from, to hotel.Date) map[allotmentNight]allotted {
	type drawn struct {
		allotmentNight
		block string
	}
	of, blocks := map[allotmentNight]allotted{}, map[drawn]bool{}
	for id, b := range p.block {
		for _, r := range blockNights(&b.block) {
			if d := hotel.Date(r.Night); r.ChannelID != "" && r.Deducts != 0 && d >= from && d <= to {
				at := allotmentNight{roomNight{d, r.RoomTypeID}, r.ChannelID}
				of[at] = allotted{units: of[at].units + int(r.Units)}
				blocks[drawn{at, id}] = true
			}
		}
	}
	if len(of) == 0 {
		return nil
	}
	for _, s := range p.stays {
		for _, h := range s.held {
			for at, a := range of {
				if at.room == h.RoomTypeID && h.From <= at.night && at.night <= h.To && (s.channel == at.channel || blocks[drawn{at, s.block}]) {
					a.sold++
					of[at] = a
				}
			}
		}
	}
	return of
}

// soldOf counts the rooms of an allotment that its channel has sold, or that were
// drawn from it.
func soldOf(ctx context.Context, q *ledgerdb.Queries, b *hotel.Block) (map[nightKey]int, error) {
	nights := b.Nights()
	if len(nights) == 0 {
		return nil, nil
	}
	rows, err := q.SoldOfAllotment(ctx, ledgerdb.SoldOfAllotmentParams{
		PropertyID: b.PropertyID, First: int64(nights[0]), Last: int64(nights[len(nights)-1]), ChannelID: b.ChannelID, BlockID: &b.ID,
	})
	if err != nil {
		return nil, fmt.Errorf("read what was sold of allotment %s: %w", b.ID, err)
	}
	sold := make(map[nightKey]int, len(rows))
	for _, r := range rows {
		sold[nightKey{hotel.Date(r.Night), product{room: r.RoomTypeID}}] = int(r.Rooms)
	}
	return sold, nil
}

// uncontract keeps for a channel, before an allotment comes to promise it something
// else on some nights, what it may have sold of it: that comes back by a closing.
func (t *tx) uncontract(s *structure, before *hotel.Block, nights nightSet) error {
	if before == nil || before.ChannelID == "" || len(nights) == 0 {
		return nil
	}
	row, err := t.q.GetChannel(t.ctx, before.ChannelID)
	if err != nil {
		return notFound(err)
	}
	terms, err := termsOf(row)
	if err != nil {
		return err
	}
	a, level := exposure.Of(terms), exposure.LevelOf(terms)
	for _, span := range nights.spans() {
		held, err := t.holdings(s.property.ID, span)
		if err != nil {
			return err
		}
		for _, h := range held.of {
			if h.row.ChannelID == before.ChannelID && h.floor > 0 {
				h.now = h.now.Uncontracted(a, level)
			}
		}
		if err := held.save(); err != nil {
			return err
		}
	}
	return nil
}

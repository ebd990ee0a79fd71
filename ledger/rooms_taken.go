package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/ledger/internal/ledgerdb"
)

// roomNight names a room type on one night.
type roomNight struct {
	night hotel.Date
	room  string
}

// counts returns the rooms that are taken in a span, by reservations and by
// blocks: from the tables, or from what the journal said at the point that is
// looked at.
func (f facts) counts(ctx context.Context, from, to hotel.Date) (map[roomNight]availability.RoomNight, error) {
	if f.past != nil {
		return f.past.counts(from, to), nil
	}
	out := map[roomNight]availability.RoomNight{}
	sold, err := f.q.SoldNights(ctx, ledgerdb.SoldNightsParams{PropertyID: f.property, First: int64(from), Last: int64(to)})
	if err != nil {
		return nil, fmt.Errorf("read sold rooms of %s: %w", f.property, err)
	}
	for _, r := range sold {
		k := roomNight{hotel.Date(r.Night), r.RoomTypeID}
		n := out[k]
		n.Sold, n.Held = int(r.Taken-r.Held), int(r.Held)
		out[k] = n
	}
	blocked, err := f.q.BlockedNights(ctx, ledgerdb.BlockedNightsParams{PropertyID: f.property, First: int64(from), Last: int64(to)})
	if err != nil {
		return nil, fmt.Errorf("read blocked rooms of %s: %w", f.property, err)
	}
	for _, r := range blocked {
		k := roomNight{hotel.Date(r.Night), r.RoomTypeID}
		n := out[k]
		n.Blocked = int(r.Blocked)
		out[k] = n
	}
	allotted, err := allotments(ctx, f.q, f.property, hotel.Span{From: from, To: to})
	if err != nil {
		return nil, err
	}
	for at, a := range allotted {
		n := out[at.roomNight]
		n.Blocked += a.left()
		out[at.roomNight] = n
	}
	return out, nil
}

// RoomsTaken returns how many rooms reservations and blocks take on the nights of a span, both
// ends included. Nights on which nothing is taken are not in it.
func (l *Ledger) RoomsTaken(ctx context.Context, property string, span hotel.Span) (out map[hotel.RoomNight]int, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		all, err := facts{q: q, property: property}.counts(ctx, span.From, span.To)
		if err != nil {
			return err
		}
		out = make(map[hotel.RoomNight]int, len(all))
		for k, of := range all {
			if n := of.Sold + of.Held + of.Blocked; n > 0 {
				out[hotel.RoomNight{Night: k.night, RoomTypeID: k.room}] = n
			}
		}
		return nil
	})
	return out, err
}

// counts returns the rooms that were taken: those of reservations, and of blocks
// what had not been picked up.
func (p *past) counts(from, to hotel.Date) map[roomNight]availability.RoomNight {
	type pick struct {
		roomNight
		block string
	}
	out, picked := map[roomNight]availability.RoomNight{}, map[pick]int{}
	allotted := p.allotments(from, to)
	for at, a := range allotted {
		n := out[at.roomNight]
		n.Blocked += a.left()
		out[at.roomNight] = n
	}
	for _, s := range p.stays {
		for _, h := range s.held {
			for d := max(h.From, from); d <= min(h.To, to); d++ {
				k := roomNight{d, h.RoomTypeID}
				n := out[k]
				if s.waits {
					n.Held++
				} else {
					n.Sold++
				}
				out[k] = n
				picked[pick{k, s.block}]++
			}
		}
	}
	for id, b := range p.block {
		for _, r := range blockNights(&b.block) {
			d := hotel.Date(r.Night)
			if d < from || d > to || r.Deducts == 0 || r.ChannelID != "" {
				continue
			}
			k := roomNight{d, r.RoomTypeID}
			n := out[k]
			n.Blocked += max(0, int(r.Units)-picked[pick{k, id}])
			out[k] = n
		}
	}
	return out
}

package ledger

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Shares returns how many rooms a channel may sell of those it was granted, by night
// and room type; nothing for nights on which it is granted none one by one.
func (l *Ledger) Shares(ctx context.Context, property, channel string, span hotel.Span) (of map[hotel.RoomNight]int, err error) {
	if s := l.boards.structure(property); s != nil && !s.guards() {
		return nil, nil
	}
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		of, err = shares(ctx, q, property, channel, span)
		return err
	})
	return of, err
}

func shares(ctx context.Context, q *ledgerdb.Queries, property, channel string, span hotel.Span) (map[hotel.RoomNight]int, error) {
	held, err := (&tx{ctx: ctx, q: q}).holdings(property, span)
	if err != nil {
		return nil, err
	}
	of := map[hotel.RoomNight]int{}
	for place, p := range held.of {
		if p.row.ChannelID == channel {
			left, _ := p.now.Exposure(p.live) // none where nobody knows
			of[hotel.RoomNight{Night: place.night, RoomTypeID: p.row.RoomTypeID}] += left
		}
	}
	return of, nil
}

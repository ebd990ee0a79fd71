package ledger

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// shares returns how many rooms a channel may sell now of those it was granted, by night
// and room type: of a counter that is closed what a contract promises it alone; nothing
// for nights on which it is granted none one by one.
func shares(ctx context.Context, q *ledgerdb.Queries, property, channel string, span hotel.Span) (map[hotel.RoomNight]int, error) {
	held, err := (&tx{ctx: ctx, q: q}).holdings(property, span)
	if err != nil {
		return nil, err
	}
	of := map[hotel.RoomNight]int{}
	for place, p := range held.of {
		if p.row.ChannelID == channel {
			of[hotel.RoomNight{Night: place.night, RoomTypeID: p.row.RoomTypeID}] += max(p.now.OnSale(p.live), p.floor-p.live)
		}
	}
	return of, nil
}

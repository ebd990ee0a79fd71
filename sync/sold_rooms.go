package sync

import (
	"context"
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// soldRooms is what a channel sells, each of its far side's rooms once. Where two room
// types are sold as one, the first stands for both.
func soldRooms(ctx context.Context, l Ledger, c hotel.Channel) ([]connectors.SoldRoom, error) {
	mappings, err := l.Mappings(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	types, err := l.RoomTypes(ctx, c.PropertyID)
	if err != nil {
		return nil, err
	}
	var sold []connectors.SoldRoom
	for _, m := range mappings {
		at := slices.IndexFunc(types, func(r hotel.RoomType) bool { return r.ID == m.RoomTypeID })
		if n := len(sold); at < 0 || n > 0 && sold[n-1].Room == m.RemoteRoom {
			continue
		}
		sold = append(sold, connectors.SoldRoom{Room: m.RemoteRoom, Type: types[at]})
	}
	return sold, nil
}

package sync

import (
	"context"
	"slices"
	"time"

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
		n := len(sold)
		switch {
		case at < 0:
			continue
		case n == 0 || sold[n-1].Room != m.RemoteRoom:
			sold = append(sold, connectors.SoldRoom{Room: m.RemoteRoom, Type: types[at]})
			n++
		}
		if rates := sold[n-1].Rates; m.RemoteRate != "" && !slices.Contains(rates, m.RemoteRate) {
			sold[n-1].Rates = append(rates, m.RemoteRate)
		}
	}
	return sold, nil
}

// shut is when everything that a channel sells is closed by the house, of the nights that
// are sold.
func shut(ctx context.Context, l Ledger, c hotel.Channel, now time.Time) ([]hotel.Span, error) {
	sold, err := soldRooms(ctx, l, c)
	if err != nil || len(sold) == 0 {
		return nil, err
	}
	p, err := l.Property(ctx, c.PropertyID)
	if err != nil {
		return nil, err
	}
	stock, err := l.Inventory(ctx, hotel.InventoryQuery{PropertyID: p.ID, Span: p.Shows(now)})
	if err != nil {
		return nil, err
	}
	closed := map[hotel.Date]int{}
	types := map[string]bool{}
	for _, s := range sold {
		types[s.Type.ID] = true
	}
	for _, cell := range stock.Cells {
		if cell.Closed && types[cell.RoomTypeID] {
			closed[cell.Date]++
		}
	}
	var spans []hotel.Span
	for night := p.Shows(now).From; night <= p.Shows(now).To; night++ {
		switch n := len(spans); {
		case closed[night] < len(types):
		case n > 0 && spans[n-1].To+1 == night:
			spans[n-1].To = night
		default:
			spans = append(spans, hotel.Span{From: night, To: night})
		}
	}
	return spans, nil
}

// taken is how many rooms are taken of each of the far side's rooms, by night. A room that draws
// on what others draw on counts for those too: with all the units that it takes, so that it is
// never too few.
func taken(ctx context.Context, l Ledger, c hotel.Channel, nights hotel.Span) (map[string]map[hotel.Date]int, error) {
	mappings, err := l.Mappings(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	types, err := l.RoomTypes(ctx, c.PropertyID)
	if err != nil {
		return nil, err
	}
	units := map[string]map[string]int{} // by room type: what one of it takes of the far side's rooms
	out := map[string]map[hotel.Date]int{}
	for _, m := range mappings {
		sold := slices.IndexFunc(types, func(r hotel.RoomType) bool { return r.ID == m.RoomTypeID })
		out[m.RemoteRoom] = map[hotel.Date]int{}
		for i := range types {
			n := 0
			if sold >= 0 {
				n = unitsShared(&types[i], &types[sold])
			}
			if types[i].ID == m.RoomTypeID {
				n = max(n, 1)
			}
			if n == 0 {
				continue
			}
			if units[types[i].ID] == nil {
				units[types[i].ID] = map[string]int{}
			}
			units[types[i].ID][m.RemoteRoom] = max(units[types[i].ID][m.RemoteRoom], n)
		}
	}
	rooms, err := l.RoomsTaken(ctx, c.PropertyID, nights)
	if err != nil {
		return nil, err
	}
	for k, n := range rooms {
		for room, each := range units[k.RoomTypeID] {
			out[room][k.Night] += n * each
		}
	}
	return out, nil
}

// unitsShared is how many units a room takes of what another room draws on too, 0 for none.
func unitsShared(room, other *hotel.RoomType) (units int) {
	for _, d := range room.Consumes {
		for _, o := range other.Consumes {
			if slices.ContainsFunc(d.AnyOf, func(id string) bool { return slices.Contains(o.AnyOf, id) }) {
				units += max(d.Units, 1)
				break
			}
		}
	}
	return units
}

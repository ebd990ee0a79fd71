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

package alpinebits

import (
	"context"
	"slices"

	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// seasons are the nights of a complete set on which the house is closed, and not only sold
// out, where the portal takes them. A night on which a room is free as the portal is told
// is none, whatever has changed since: the set contradicts itself nowhere. Without them
// the nights show no free rooms, so that nothing is held up when they cannot be read.
func (c *conn) seasons(ctx context.Context, t terms, rooms []message.Rooms) []hotel.Span {
	if c.shut == nil || !slices.Contains(t.features, message.AcceptSeasons) {
		return nil
	}
	closed, err := c.shut(ctx)
	if err != nil {
		return nil
	}
	free := map[hotel.Date]bool{}
	for _, r := range rooms {
		for night := r.Nights.From; r.Free > 0 && night <= r.Nights.To; night++ {
			free[night] = true
		}
	}
	var seasons []hotel.Span
	for _, s := range closed {
		for night := s.From; night <= s.To; night++ {
			switch n := len(seasons); {
			case free[night]:
			case n > 0 && seasons[n-1].To+1 == night:
				seasons[n-1].To = night
			default:
				seasons = append(seasons, hotel.Span{From: night, To: night})
			}
		}
	}
	return seasons
}

package alpinebits

import (
	"context"
	"slices"
	"time"

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

// roomSet is the complete set of free rooms that a portal has taken last.
type roomSet struct {
	Whom    string       `json:"whom"` // the hotel at the portal
	At      time.Time    `json:"at"`
	Seasons []hotel.Span `json:"seasons,omitempty"`
}

// lastSet is where it is on the shelf.
const lastSet = "last set of free rooms"

// setFor is how long a complete set does: portals wonder after two days without one.
const setFor = 24 * time.Hour

// whom is the hotel at the portal.
func (c *conn) whom() string { return c.cfg.URL + " " + c.cfg.Hotel }

// does reports whether changes may follow the set when a category is told so many rooms: it
// was told to whom it is about, lately, and no room is free in a season of its. Only a set
// ends a season, and what somebody else has told the portal.
func (s roomSet) does(whom string, rooms values, now time.Time) bool {
	return s.Whom == whom && now.Sub(s.At) < setFor && !s.shuts(whom, rooms)
}

// shuts reports whether a room is free in a season that the portal may have.
func (s roomSet) shuts(whom string, rooms values) bool {
	if s.Whom != whom {
		return false
	}
	for k, o := range rooms {
		if o.Available > 0 && slices.ContainsFunc(s.Seasons, func(closed hotel.Span) bool { return closed.Contains(k.Night) }) {
			return true
		}
	}
	return false
}

// risk puts down the seasons of a complete set before it goes out, beside those of the last
// one: if nobody hears what becomes of it, the portal may have either.
func (s *sending) risk(ctx context.Context) error {
	if len(s.seasons) == 0 {
		return nil
	}
	last, err := fetch[roomSet](ctx, s.c.told.shelf, lastSet)
	if err != nil {
		return err
	}
	if last.Whom != s.c.whom() {
		last = roomSet{Whom: s.c.whom()}
	}
	for _, season := range s.seasons {
		if !slices.Contains(last.Seasons, season) {
			last.Seasons = append(last.Seasons, season)
		}
	}
	return put(ctx, s.c.told.shelf, lastSet, last)
}

package ical

import (
	"context"
	"slices"
	"strings"
	"time"

	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// Sites may show what they have read of us as if it were their own: an echo. It takes
// no room, for what it echoes has taken it. A stay that a guest has bought at the site must
// never be taken for one, so that an echo is only what the site can have read: an event
// with one of our UIDs, or one of the very nights of an event that it was shown, where
// the site does not call it a reservation and it was not known before.

const (
	// lag is how long a site may go on showing what it has read before it read again.
	lag = time.Hour

	// farAhead is the number of days that a site shows at least. What ends behind them
	// may be the part of something longer.
	farAhead = 360
)

// outdated is a stretch of nights that the site was shown as taken, and is not any
// more.
type outdated struct {
	Stay  hotel.Stay `json:"stay"`
	Until time.Time  `json:"until"` // when it read that
}

// after makes of a visit, and of the one before, what the site may echo.
func (v visit) after(was visit) visit {
	v.Before = slices.DeleteFunc(slices.Clone(was.Before), func(o outdated) bool { return v.At.Sub(o.Until) > lag || slices.Contains(v.Busy, o.Stay) })
	for _, stay := range was.Busy {
		if !slices.Contains(v.Busy, stay) {
			v.Before = append(v.Before, outdated{stay, v.At})
		}
	}
	return v
}

// shown returns the stays that the site has read as taken, and may show at now.
func (v visit) shown(now time.Time) []hotel.Stay {
	out := slices.Clone(v.Busy)
	for _, o := range v.Before {
		if now.Sub(o.Until) <= lag {
			out = append(out, o.Stay)
		}
	}
	return out
}

// shown returns the stays that the site has read as taken in a listing's calendar.
func (c *conn) shown(ctx context.Context, l listing) ([]hotel.Stay, error) {
	v, err := load[visit](ctx, c.shelf, visitName+l.name())
	return v.shown(c.clock.Now()), err
}

// sieve tells the echoes in one calendar.
type sieve struct {
	ours  func(uid string) bool
	today hotel.Date
	shown []hotel.Stay
	known map[string]bool    // by UID: what the calendar had before
	anew  map[hotel.Stay]int // what it had before whose UID it does not have any more, by its nights
}

// sieve knows what the listing had when it was last read.
func (c *conn) sieve(b *bookings, listing string, events []calendar.Event, shown []hotel.Stay) sieve {
	s := sieve{ours: c.ours, today: c.today(), shown: shown, known: map[string]bool{}, anew: map[hotel.Stay]int{}}
	if len(shown) == 0 {
		return s
	}
	uids := map[string]bool{}
	for _, e := range events {
		uids[e.UID] = true
	}
	for _, e := range b.Entries {
		switch {
		case e.Listing != listing || e.Gone:
		case e.UID != "" && uids[e.UID]:
			s.known[e.UID] = true
		default:
			s.anew[e.Stay]++
		}
	}
	return s
}

// echo reports whether an event is an echo. Each is asked about once.
func (s sieve) echo(e calendar.Event) bool {
	switch {
	case s.ours(e.UID):
		return true
	case e.Kind == calendar.Reservation || s.known[e.UID] || !slices.ContainsFunc(s.shown, s.as(e.Stay)):
		return false
	case s.anew[e.Stay] > 0: // its UID is another than before
		s.anew[e.Stay]--
		return false
	}
	return true
}

// as returns whether a stay that was shown comes back as another: the same nights, but
// for those that are over and those that are far ahead, which sites leave out.
func (s sieve) as(stay hotel.Stay) func(shown hotel.Stay) bool {
	return func(shown hotel.Stay) bool {
		begins := shown.CheckIn == stay.CheckIn || max(shown.CheckIn, stay.CheckIn) <= s.today
		ends := shown.CheckOut == stay.CheckOut || shown.CheckOut > stay.CheckOut && stay.CheckOut > s.today+farAhead
		return begins && ends
	}
}

// ours reports whether we have published an event of the UID, on this channel or, where
// the installation has a name, on any: a third site may have passed it on.
func (c *conn) ours(uid string) bool {
	_, domain, _ := strings.Cut(strings.ToLower(uid), "@")
	_, house, _ := strings.Cut(domain, ".")
	return domain == c.domain() || house == c.house && c.house != anonymous
}

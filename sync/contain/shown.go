package contain

import (
	"fmt"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// mostShown is how many values one read may have. A year of a room under a
// hundred rates is a tenth of it.
const mostShown = 1_000_000

// Shown looks through what a far side says that it shows of a room, or of any where it is
// "", on some nights, and returns what can be believed. Of what it says twice and not alike,
// neither is; an order is not asked for. fault is the first thing that was wrong;
// its kind is "" when nothing was.
func Shown(shown []connectors.Change, room string, nights hotel.Span) (sound []connectors.Change, fault hotel.Fault) {
	if len(shown) > mostShown {
		return nil, hotel.Fault{Kind: hotel.FaultOversized, Words: fmt.Sprintf("%d values, which is more than there can be", len(shown))}
	}
	note := func(k hotel.FaultKind, c connectors.Change, format string, args ...any) {
		if fault.Kind == "" {
			what := fmt.Sprintf("%s of %s/%s on %s: ", c.Key.Group, c.Key.Room, c.Key.Rate, c.Key.Night)
			fault = hotel.Fault{Kind: k, Words: Short(what + fmt.Sprintf(format, args...))}
		}
	}
	at := make(map[connectors.Key]int, len(shown))
	doubtful := map[connectors.Key]bool{}
	for _, c := range shown {
		c.Offer = c.Offer.Pick(c.Key.Group)
		i, twice := at[c.Key]
		switch {
		case room != "" && c.Key.Room != room || !nights.Contains(c.Key.Night):
			note(hotel.FaultForeign, c, "was not asked for")
		case c.Offer.Available < 0:
			note(hotel.FaultNumber, c, "%d rooms", c.Offer.Available)
		case c.Offer.Amount.Minor < 0:
			note(hotel.FaultNumber, c, "a price below nothing")
		case negative(c.Offer.Lengths):
			note(hotel.FaultNumber, c, "a length of stay or a time ahead below nothing")
		case !twice:
			at[c.Key] = len(sound)
			sound = append(sound, c)
			continue
		case sound[i].Offer == c.Offer:
			continue
		default:
			note(hotel.FaultContradiction, c, "was told twice, and not alike")
		}
		doubtful[c.Key] = true // also of what was sound before
	}
	if len(doubtful) == 0 {
		return sound, fault
	}
	kept := sound[:0]
	for _, c := range sound {
		if !doubtful[c.Key] {
			kept = append(kept, c)
		}
	}
	return kept, fault
}

func negative(l hotel.LengthLimits) bool {
	return min(l.MinStayArrival, l.MinStayThrough, l.MaxStayArrival, l.MaxStayThrough, l.MinAdvance, l.MaxAdvance) < 0
}

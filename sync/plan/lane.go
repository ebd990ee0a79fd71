package plan

import (
	"fmt"
	"slices"

	"ostler.example/hotel"
)

// Lane is the class of urgency in which a change travels. A smaller lane always
// goes first.
//
//	group          the channel may hold   wanted          lane
//	availability   5                      3               Lower
//	availability   2 or 5                 3               Lower: 5 may be shown
//	availability   2                      3               Raise
//	availability   nothing is known       0               Lower
//	availability   nothing is known       3               Raise: it opens the night
//	closures       open                   closed          Lower
//	closures       closed                 no arrivals     Lower: something closes, whatever opens
//	closures       open or closed         open            Raise
//	closures       nothing is known       no departures   Lower
//	closures       nothing is known       open            Raise
//	lengths        anything               anything        Rates, stricter ones too
//	price          anything               anything        Rates
type Lane uint8

// The lanes, the most urgent first.
const (
	Lower Lane = iota + 1 // closes something or sells less: goes at once
	Raise                 // sells more
	Rates                 // prices and lengths of stay
)

// String returns the lane's name.
func (l Lane) String() string {
	switch l {
	case Lower:
		return "lower"
	case Raise:
		return "raise"
	case Rates:
		return "rates"
	}
	return fmt.Sprintf("Lane(%d)", uint8(l))
}

// lane returns the lane of a cell, by the table above.
func lane(c Cell) Lane {
	switch c.Key.Group {
	case hotel.Availability, hotel.Closures:
		if lowers(c) {
			return Lower
		}
		return Raise
	case hotel.Lengths, hotel.Price:
		return Rates
	}
	return Rates
}

// lowers reports whether the cell sells less than something that the channel
// may show. Where nothing is known, no rooms at all and anything closed do.
func lowers(c Cell) bool {
	if len(c.Held) == 0 {
		return c.Key.Group == hotel.Availability && c.Want.Available == 0 || c.Want.Lower(hotel.Offer{}, c.Key.Group)
	}
	return slices.ContainsFunc(c.Held, func(held hotel.Offer) bool { return c.Want.Lower(held, c.Key.Group) })
}

// again reports whether the cell asks for nothing tighter than was confirmed before,
// though nobody knows whether that is still shown.
func (c Cell) again() bool {
	return len(c.Held) == 0 && c.Last != nil && !c.Want.Lower(*c.Last, c.Key.Group)
}

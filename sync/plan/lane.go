package plan

import (
	"slices"

	"ostler.example/hotel"
	"ostler.example/sync/lane"
)

// laneOf returns the lane in which a change of a cell travels.
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
//
// What opens at its price goes with it, in Raise.
func laneOf(c Cell) lane.Lane {
	if c.AtPrice {
		return lane.Raise
	}
	switch c.Key.Group {
	case hotel.Availability, hotel.Closures:
		if lowers(c) {
			return lane.Lower
		}
		return lane.Raise
	case hotel.Lengths, hotel.Price:
		return lane.Rates
	}
	return lane.Rates
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
// though nobody knows whether that is still shown; or is the first that is told of it.
func (c Cell) again() bool {
	return len(c.Held) == 0 && (c.Fresh || c.Last != nil && !c.Want.Lower(*c.Last, c.Key.Group))
}

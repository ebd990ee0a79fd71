package ical

import (
	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// Sites show nights that they do not sell yet as blocked, up to the end of their calendar.
// Such nights are nobody's: to hold them would close them here as well, by a stay that is
// another one each day. Another Ostler says which they are. Elsewhere nobody can tell such a
// block from one that somebody has put there by hand, until it has slid with the days.

// edge is the blocked stretch at the end of a calendar.
type edge struct {
	From hotel.Date `json:"from,omitempty"` // its first night when it was first seen
	On   hotel.Date `json:"on,omitempty"`   // the day of that
	Days int        `json:"days,omitempty"` // once it has slid: from so many days ahead on nothing is sold there
}

const (
	// slides is for how many days a stretch is seen to slide before it counts as the edge.
	slides = 3

	// soonest is how many days ahead an edge is at least. What slides nearer is of notice
	// and preparation, and those nights are not to be had.
	soonest = 28
)

// next is what is known of the edge when the calendar ends with blocked nights from one on,
// 0 where it ends otherwise. It may be read before or after it has slid. A stretch that does not
// slide any more is held: somebody has blocked the nights before it, or it is no edge.
func (e edge) next(from, today hotel.Date) edge {
	late := (from - e.From) - (today - e.On)
	switch ahead := int(from - today); {
	case ahead < soonest:
		return edge{}
	case e.On == 0, late < -1, late > 1:
		return edge{From: from, On: today}
	case e.Days > 0:
		e.Days = min(e.Days, ahead)
	case today-e.On >= slides:
		e.Days = ahead
	}
	return e
}

// behind reports whether a night is behind the edge.
func (e edge) behind(night, today hotel.Date) bool {
	return e.Days > 0 && night >= today+hotel.Date(e.Days)
}

// lastStretch is the first of the blocked nights that a calendar ends with, 0 where it ends
// with something else.
func lastStretch(events []calendar.Event, blocked map[hotel.Date]bool) hotel.Date {
	var end hotel.Date
	for _, e := range events {
		end = max(end, e.Stay.CheckOut)
	}
	from := end
	for blocked[from-1] {
		from--
	}
	if from == end {
		return 0
	}
	return from
}

package ical

import (
	"slices"

	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// Sites show nights that they do not sell yet as blocked, up to the end of their calendar.
// Such nights are nobody's: to hold them would close them here as well, by a stay that is
// another one each day. Another Ostler says which they are. Elsewhere nobody can tell such a
// block from one that somebody has put there by hand, until it has slid with the days. What a
// site makes one event of with it nobody can tell from it then.

// edge is the blocked stretch at the end of a calendar.
type edge struct {
	From hotel.Date `json:"from,omitempty"` // its first night when it was first seen
	On   hotel.Date `json:"on,omitempty"`   // the day of that
	Days int        `json:"days,omitempty"` // once it has slid: from so many days ahead on nothing is sold there

	// Within are the blocks in it that did not slide. On the day on which the edge comes to one,
	// that one begins the stretch.
	Within []hotel.Stay `json:"within,omitempty"`
}

const (
	// slides is for how many days a stretch is seen to slide before it counts as the edge.
	slides = 3

	// soonest is how many days ahead an edge is at least. What slides nearer is of notice
	// and preparation, and those nights are not to be had.
	soonest = 28
)

// after is what is known of the edge when a calendar shows these events, of which those are
// blocks that would be held, and the nights of these that are nobody's: those behind the edge of
// an event that slides. That begins where the stretch begins, or ends where the calendar ends. An
// event in between was put there by somebody, and so were the nights that it has in common with
// one that slides.
func (e edge) after(shown, blocks []calendar.Event, today hotel.Date) (now edge, free map[hotel.Date]bool) {
	named := slices.DeleteFunc(slices.Clone(blocks), func(b calendar.Event) bool { return b.Kind != calendar.Block })
	from, end := lastStretch(shown, named)
	now = e.next(from, today)
	within := now.Within
	now.Within = nil
	for _, b := range named {
		slides := (b.Stay.CheckIn == from || b.Stay.CheckOut == end) && !slices.Contains(within, b.Stay)
		if now.On != 0 && b.Stay.CheckIn >= from && !slides {
			now.Within = append(now.Within, b.Stay)
		}
	}
	free = map[hotel.Date]bool{}
	for _, b := range named {
		for night := b.Stay.CheckIn; night < b.Stay.CheckOut; night++ {
			if now.behind(night, today) && !slices.ContainsFunc(now.Within, func(s hotel.Stay) bool { return s.Contains(night) }) {
				free[night] = true
			}
		}
	}
	return now, free
}

// next is what is known of the edge when the calendar ends with blocked nights from one on,
// 0 where it ends otherwise. A stretch that does not slide any more is held: somebody has blocked
// the nights before it, or it is no edge.
//
// late is how many nights further ahead the stretch begins than it would had it slid by one
// night a day since it was first seen, and below 0 how many nights nearer. A site slides it at an
// hour of its own, so that it may have slid once more or less than days have passed here: one
// night either way is no other stretch. Of the two distances that come of that the nearer counts,
// or the night between them would be held for some hours of each day.
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
// with something else, and the day on which it ends.
func lastStretch(shown, blocks []calendar.Event) (from, end hotel.Date) {
	for _, e := range shown {
		end = max(end, e.Stay.CheckOut)
	}
	blocked := map[hotel.Date]bool{}
	for _, b := range blocks {
		for night := b.Stay.CheckIn; night < b.Stay.CheckOut; night++ {
			blocked[night] = true
		}
	}
	from = end
	for blocked[from-1] {
		from--
	}
	if from == end {
		return 0, end
	}
	return from, end
}

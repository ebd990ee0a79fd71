package ical

import (
	"slices"

	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// counts makes of what a calendar shows what it comes to here: reservations as they
// are, and one block for each stretch of blocked nights. What the site itself calls a
// block is held where the settings say so, up to the last night that is sold there; what may
// be a stay always. The stays of echoes are returned beside it, which come to nothing, and what
// is known of the edge now.
func (c *conn) counts(read calendar.Calendar, listing string, s sieve, e edge) (out reading, echoes []hotel.Stay, now edge) {
	out = reading{listing: listing, leftOut: read.LeftOut}
	blocked, reserved := map[hotel.Date]bool{}, map[hotel.Date]bool{}
	var blocks, shown []calendar.Event
	for _, e := range read.Events {
		if s.echo(e) {
			echoes = append(echoes, e.Stay)
			continue
		}
		if e.Unsold {
			continue
		}
		shown = append(shown, e)
		if e.Kind == calendar.Unclear && !e.Long && c.cfg.Unclear == AsReservation {
			e.Kind = calendar.Reservation
		}
		nights := blocked
		switch {
		case e.Kind == calendar.Reservation:
			out.events, nights = append(out.events, e), reserved
		case e.Kind == calendar.Unclear || c.cfg.Blocks == Held:
			blocks = append(blocks, e)
		default:
			continue
		}
		for night := e.Stay.CheckIn; night < e.Stay.CheckOut; night++ {
			nights[night] = true
		}
	}
	now, free := e.after(shown, blocks, s.today)
	var nights []hotel.Date
	for night := range blocked {
		if !reserved[night] && !free[night] { // whoever is booked there has the room already
			nights = append(nights, night)
		}
	}
	slices.Sort(nights)
	for i, night := range nights {
		if i > 0 && nights[i-1] == night-1 {
			out.events[len(out.events)-1].Stay.CheckOut++
			continue
		}
		out.events = append(out.events, blockFrom(blocks, night))
	}
	return out, echoes, now
}

// blockFrom begins a block on a night, with the words of the first event that has it.
func blockFrom(blocks []calendar.Event, night hotel.Date) calendar.Event {
	i := slices.IndexFunc(blocks, func(e calendar.Event) bool { return e.Stay.Contains(night) })
	e := blocks[i]
	e.Kind, e.Code, e.Guest, e.Tentative, e.Stay = calendar.Block, "", "", false, hotel.Stay{CheckIn: night, CheckOut: night + 1}
	return e
}

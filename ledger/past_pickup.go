package ledger

import (
	"maps"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
)

// stayed is the rooms that a reservation took from a day on.
type stayed struct {
	on   hotel.Date
	held []HeldRoom
}

// pickup works out what was taken and given back for each night, by day, from
// every state that reservations were in.
func (p *past) pickup() map[hotel.Date][]board.Moved {
	rooms := map[hotel.Date]map[hotel.Date]int{}
	add := func(held []HeldRoom, on hotel.Date, n int) {
		for _, h := range held {
			for d := h.From; d <= h.To; d++ {
				if rooms[d] == nil {
					rooms[d] = map[hotel.Date]int{}
				}
				rooms[d][on] += n
			}
		}
	}
	for _, states := range p.stayed {
		var before []HeldRoom
		for _, sequence := range slices.Sorted(maps.Keys(states)) {
			s := states[sequence]
			add(before, s.on, -1)
			add(s.held, s.on, 1)
			before = s.held
		}
	}
	out := make(map[hotel.Date][]board.Moved, len(rooms))
	for night, days := range rooms {
		for _, on := range slices.Sorted(maps.Keys(days)) {
			out[night] = append(out[night], board.Moved{On: on, Rooms: days[on]})
		}
	}
	return out
}

package board

import (
	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/price"
)

// figures is what conditions of rules ask about a room type on a night.
type figures struct {
	b     *Board
	night *Night
	date  hotel.Date
	room  int
	house *[]availability.House // of the night, once it was asked for
}

func (b *Board) figures(d hotel.Date, room int) figures {
	return figures{b, b.Night(d), d, room, new([]availability.House)}
}

// of returns the figures of another room type on the night.
func (f figures) of(room int) figures {
	f.room = room
	return f
}

// figure returns what a condition asks about.
func (f figures) figure(m hotel.RuleMetric) price.Figure {
	layout, night := f.b.layout, &f.night.Night
	switch m {
	case hotel.OccupancyPct:
		return percent(layout.Occupancy(night))
	case hotel.RoomOccupancyPct:
		return percent(layout.RoomOccupancy(night, f.room))
	case hotel.RoomsLeft:
		return whole(f.free())
	case hotel.DaysToArrival:
		return whole(max(0, int(f.date-f.b.Today)))
	case hotel.Pickup7d:
		return whole(f.night.pickup(f.b.Today))
	}
	return price.Figure{}
}

// free returns how many rooms of the type are left.
func (f figures) free() int {
	if *f.house == nil {
		*f.house = f.b.layout.House(&f.night.Night)
	}
	return (*f.house)[f.room].Free
}

func whole(n int) price.Figure { return price.Figure{Num: int64(n), Den: 1} }

// percent is no figure where there is no supply.
func percent(taken, supply int) price.Figure {
	return price.Figure{Num: 100 * int64(taken), Den: int64(supply)}
}

// PickupDays is how many days back rules look at what was booked, today counted.
const PickupDays = 7

// pickup returns the rooms taken less those given back on the seven days that end
// today.
func (n *Night) pickup(today hotel.Date) int {
	sum := 0
	for _, m := range n.Moved {
		if m.On > today-PickupDays && m.On <= today {
			sum += m.Rooms
		}
	}
	return sum
}

package board

import (
	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

// figure returns what a condition asks about.
func (p *pricing) figure(m hotel.RuleMetric) price.Figure {
	layout, night := p.b.layout, &p.night.Night
	switch m {
	case hotel.OccupancyPct:
		return percent(layout.Occupancy(night))
	case hotel.RoomOccupancyPct:
		return percent(layout.RoomOccupancy(night, p.room))
	case hotel.RoomsLeft:
		return whole(layout.House(night)[p.room].Free)
	case hotel.DaysToArrival:
		return whole(max(0, int(p.date-p.b.Today)))
	case hotel.Pickup7d:
		return whole(p.night.pickup(p.b.Today))
	}
	return price.Figure{}
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

package board

import (
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// layoutOf turns what the room types draw on from ids into indexes.
func layoutOf(property hotel.Property, pools []hotel.Pool, rooms []hotel.RoomType) (*availability.Layout, error) {
	made := make([]availability.Pool, len(pools))
	for i, p := range pools {
		made[i] = availability.Pool{Name: p.ID, Rooms: p.RoomsPerUnit}
	}
	types := make([]availability.Room, len(rooms))
	for i := range rooms {
		r := &rooms[i]
		if len(r.Consumes) == 0 {
			return nil, fmt.Errorf("room type %s draws on no pool", r.ID)
		}
		for _, c := range r.Consumes {
			draw, err := drawOf(r, c, pools)
			if err != nil {
				return nil, err
			}
			types[i].Draws = append(types[i].Draws, draw)
		}
		if r.Rooms != nil {
			types[i].Rooms = *r.Rooms
		}
		types[i].Given = r.Given(property)
	}
	return availability.NewLayout(made, types), nil
}

func drawOf(r *hotel.RoomType, c hotel.Draw, pools []hotel.Pool) (availability.Draw, error) {
	d := availability.Draw{Units: c.Units}
	if c.Units < 1 {
		return d, fmt.Errorf("room type %s draws %d units of a pool", r.ID, c.Units)
	}
	if len(c.AnyOf) == 0 {
		return d, fmt.Errorf("room type %s draws on no pool", r.ID)
	}
	for _, id := range c.AnyOf {
		pool := slices.IndexFunc(pools, func(p hotel.Pool) bool { return p.ID == id })
		if pool < 0 {
			return d, fmt.Errorf("room type %s draws on unknown pool %s", r.ID, id)
		}
		d.AnyOf = append(d.AnyOf, pool)
	}
	return d, nil
}

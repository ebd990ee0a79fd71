package availability

// NoLimit is a sell limit that limits nothing.
const NoLimit = -1

// Draw is one need of a room: so many units of one pool, named by its index.
type Draw struct{ Pool, Units int }

// Layout says what the room types of a property are made of. A room needs all of
// its draws at once; a type that draws nothing has nothing to sell.
type Layout struct {
	Pools int      // how many pools there are
	Rooms [][]Draw // by room type
}

// PoolNight holds the physical facts of a pool on one night, in units.
type PoolNight struct{ Total, OutOfOrder, OutOfInventory, Overbooking int }

// Usable returns the units that may be filled, allowed overbooking included.
func (p PoolNight) Usable() int { return p.Total - p.OutOfOrder - p.OutOfInventory + p.Overbooking }

// RoomNight holds the selling facts of a room type on one night, in rooms.
type RoomNight struct {
	Sold, Held int // rooms of this type
	SellLimit  int // the most rooms of this type sold and held together, or NoLimit
	Closed     bool
}

// taken returns the rooms that somebody has.
func (r RoomNight) taken() int { return r.Sold + r.Held }

// units returns how many units of a pool one room takes.
func units(draws []Draw, pool int) int {
	n := 0
	for _, d := range draws {
		if d.Pool == pool {
			n += d.Units
		}
	}
	return n
}

// used adds up the units that are taken from each pool, into dst.
func (l *Layout) used(dst []int, rooms []RoomNight) []int {
	for range l.Pools {
		dst = append(dst, 0)
	}
	for i, draws := range l.Rooms {
		for _, d := range draws {
			dst[d.Pool] += rooms[i].taken() * d.Units
		}
	}
	return dst
}

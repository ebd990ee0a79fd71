package availability

// NoLimit is a sell limit or house limit that limits nothing.
const NoLimit = -1

// Night holds the facts of one night, in the order of the layout's pools and
// room types.
type Night struct {
	Pools      []PoolNight
	Rooms      []RoomNight
	HouseLimit int // the most rooms sold, held and blocked in the whole house, or NoLimit
}

// PoolNight holds the physical facts of a pool on one night, in units.
type PoolNight struct{ Total, OutOfOrder, OutOfInventory, Overbooking int }

// Usable returns the units that may be filled, allowed overbooking included.
func (p PoolNight) Usable() int { return p.Total - p.OutOfOrder - p.OutOfInventory + p.Overbooking }

// RoomNight holds the selling facts of a room type on one night, in rooms.
type RoomNight struct {
	Sold      int // to guests
	Held      int // for guests who have not decided yet, or whose booking nobody could place
	Blocked   int // by blocks that deduct, less what was picked up
	SellLimit int // the most rooms of this type sold and held together, or NoLimit
	Closed    bool
	Granted   int // on sale at channels of a guarded pool, beside what is sold
	Unknown   int // channels of a guarded pool of which nobody knows what they may sell: nothing can be dealt
	AtRisk    int // of a guarded pool: what channels may sell beyond that, as a policy accepts; nothing is dealt by it

	// Of a room type whose net is given; both 0 otherwise.
	Given     int // as told by the system that counts
	Uncounted int // bookings that the number does not have in it yet
}

// taken returns the rooms that somebody has.
func (r RoomNight) taken() int { return r.Sold + r.Held + r.Blocked }

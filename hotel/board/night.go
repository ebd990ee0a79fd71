package board

import (
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/price"
)

// None is the amount of a rate that has no price.
const None = price.None

// Every stands for all room types or all plans where a restriction names none.
const Every = -1

// Rate is what somebody typed as the price of one product on one night.
type Rate = price.Rate

// Announced is the house value of a room type that was told last, to the journal
// and so to the channels. It stands behind the facts while a large change is
// still being derived.
type Announced struct {
	Known          bool // false: nothing was told yet
	Net, Available int  // rooms
	Crowd
}

// Shown is what of a room type is kept from channels on a night, in rooms.
type Shown struct {
	KeepBack availability.PerChannel `json:"keep_back,omitempty"`      // not shown to it
	Limits   availability.PerChannel `json:"channel_limits,omitempty"` // the most that it is shown
}

// Night holds the facts of one night. Pools, Rooms and Rates are in the order of
// the board's pools, room types and plans, and Announced is in that of the room
// types. A night on a board is shared between boards and must not be changed; a
// changed night is a copy of it.
type Night struct {
	availability.Night
	Announced []Announced
	Shown     []Shown  // by room type; nil on the many nights on which no channel is treated apart
	Rates     [][]Rate // by room type, then plan

	Moved []Moved // rooms taken and given back, by day; nil where nobody has booked yet

	// What rules with a memory remember. Nil on the many nights on which none has
	// acted yet.
	Switches map[SwitchKey]price.Switch

	// By room type, then plan, each with a place 0 for Every. Nil on the many
	// nights that have no restriction.
	restrictions [][]*hotel.Restriction
}

// Moved is how many rooms of the whole house were taken for a night on a day, by
// the property's date, less those given back.
type Moved struct {
	On    hotel.Date
	Rooms int
}

// NewNight returns a night for so many pools, room types and plans: empty pools,
// nothing sold, no limit, no price and no restriction.
func NewNight(pools, rooms, plans int) *Night {
	n := &Night{Rates: make([][]Rate, rooms), Announced: make([]Announced, rooms)}
	n.Pools = make([]availability.PoolNight, pools)
	n.Rooms = make([]availability.RoomNight, rooms)
	n.HouseLimit = availability.NoLimit
	rates := make([]Rate, rooms*plans)
	for i := range rates {
		rates[i].Amount = None
	}
	for i := range n.Rooms {
		n.Rooms[i].SellLimit = availability.NoLimit
		n.Rates[i] = rates[i*plans : (i+1)*plans : (i+1)*plans]
	}
	return n
}

// Restrict sets what one level says about the night. Room and plan are indexes
// or Every: neither given is the property, only a room its type, only a plan the
// plan, both the product.
func (n *Night) Restrict(room, plan int, r hotel.Restriction) {
	if n.restrictions == nil {
		n.restrictions = make([][]*hotel.Restriction, 1+len(n.Rooms))
	}
	if n.restrictions[1+room] == nil {
		n.restrictions[1+room] = make([]*hotel.Restriction, 1+n.plans())
	}
	n.restrictions[1+room][1+plan] = &r
}

// Restriction returns what the level itself says, the zero value when nothing.
func (n *Night) Restriction(room, plan int) hotel.Restriction {
	if n.restrictions == nil || n.restrictions[1+room] == nil {
		return hotel.Restriction{}
	}
	if r := n.restrictions[1+room][1+plan]; r != nil {
		return *r
	}
	return hotel.Restriction{}
}

// Show sets what of a room type is kept from channels.
func (n *Night) Show(room int, s Shown) {
	if s.KeepBack == nil && s.Limits == nil {
		return
	}
	if n.Shown == nil {
		n.Shown = make([]Shown, len(n.Rooms))
	}
	n.Shown[room] = s
}

// Sell returns a copy of the night on which so many more rooms of the type are
// sold, or fewer below 0.
func (n *Night) Sell(room, more int) *Night {
	next := *n
	next.Rooms = slices.Clone(n.Rooms)
	next.Rooms[room].Sold += more
	return &next
}

// Move returns a copy of the night for which so many more rooms were taken on the
// day, or given back below 0. Days come in order.
func (n *Night) Move(on hotel.Date, rooms int) *Night {
	next := *n
	next.Moved = slices.Clone(n.Moved)
	if last := len(next.Moved) - 1; last >= 0 && next.Moved[last].On == on {
		next.Moved[last].Rooms += rooms
	} else {
		next.Moved = append(next.Moved, Moved{on, rooms})
	}
	return &next
}

// Hold returns a copy of the night on which so many more rooms of the type are
// held, or fewer below 0.
func (n *Night) Hold(room, more int) *Night {
	next := *n
	next.Rooms = slices.Clone(n.Rooms)
	next.Rooms[room].Held += more
	return &next
}

// Grant returns a copy of the night on which so many more rooms of the type are
// granted to channels, or fewer below 0.
func (n *Night) Grant(room, more int) *Night {
	next := *n
	next.Rooms = slices.Clone(n.Rooms)
	next.Rooms[room].Granted += more
	return &next
}

// Risk returns a copy of the night on which so many more rooms of the type are at a risk
// that a policy accepts, or fewer below 0.
func (n *Night) Risk(room, more int) *Night {
	next := *n
	next.Rooms = slices.Clone(n.Rooms)
	next.Rooms[room].AtRisk += more
	return &next
}

// Announce returns a copy of the night on which the room type's house value has
// been told.
func (n *Night) Announce(room int, a Announced) *Night {
	next := *n
	next.Announced = slices.Clone(n.Announced)
	next.Announced[room] = a
	return &next
}

// plans returns how many plans the night was made for.
func (n *Night) plans() int {
	if len(n.Rates) == 0 {
		return 0
	}
	return len(n.Rates[0])
}

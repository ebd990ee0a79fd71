package hotel

import "fmt"

// Group is a field group of a cell: the fields that a channel takes or refuses
// together, and whose four facts (desired, sent, acknowledged, read back) are
// kept apart from those of the other groups.
type Group uint8

// The field groups. There is one price for each occupancy.
const (
	Availability Group = iota + 1
	Closures
	Lengths
	Price
)

// String returns the name that the API uses.
func (g Group) String() string {
	switch g {
	case Availability:
		return "availability"
	case Closures:
		return "closures"
	case Lengths:
		return "lengths"
	case Price:
		return "price"
	}
	return fmt.Sprintf("Group(%d)", uint8(g))
}

// Closed says in which ways a night cannot be sold. A zero Closed is open.
type Closed struct {
	Closed    bool `json:"closed,omitempty"`
	Arrival   bool `json:"closed_to_arrival,omitempty"`   // read on the day of arrival
	Departure bool `json:"closed_to_departure,omitempty"` // read on the check-out date
}

// Any returns the union: what either of the two closes is closed.
func (c Closed) Any(o Closed) Closed {
	return Closed{c.Closed || o.Closed, c.Arrival || o.Arrival, c.Departure || o.Departure}
}

// LengthLimits are lengths of stay in nights and advance days; 0 means no limit.
type LengthLimits struct {
	MinStayArrival int `json:"min_stay_arrival,omitempty"` // read on the day of arrival
	MinStayThrough int `json:"min_stay_through,omitempty"` // read on every night
	MaxStayArrival int `json:"max_stay_arrival,omitempty"`
	MaxStayThrough int `json:"max_stay_through,omitempty"`
	MinAdvance     int `json:"min_advance_days,omitempty"`
	MaxAdvance     int `json:"max_advance_days,omitempty"`
}

// Offer is what a channel is to sell for one night of a product. Of an Offer
// that travels for one group only that group's field means anything.
type Offer struct {
	Available int          // rooms, never negative
	Closed    Closed       // group Closures
	Lengths   LengthLimits // group Lengths
	Amount    Money        // group Price, for the occupancy of the key
}

// Pick returns the offer reduced to the fields of group g.
func (o Offer) Pick(g Group) Offer {
	switch g {
	case Availability:
		return Offer{Available: o.Available}
	case Closures:
		return Offer{Closed: o.Closed}
	case Lengths:
		return Offer{Lengths: o.Lengths}
	case Price:
		return Offer{Amount: o.Amount}
	}
	return Offer{}
}

// Lower reports whether showing o instead of held sells less: fewer rooms or
// something closed that may be open. Such a change travels in the first lane.
func (o Offer) Lower(held Offer, g Group) bool {
	switch g {
	case Availability:
		return o.Available < held.Available
	case Closures:
		return o.Closed.Any(held.Closed) != held.Closed
	case Lengths, Price:
		return false
	}
	return false
}

// Encode packs the fields of group g into one integer, the form in which cells,
// deliveries and house values keep them: rooms; three closing flags; six
// lengths of ten bits each; minor units.
func (o Offer) Encode(g Group) int64 {
	switch g {
	case Availability:
		return int64(o.Available)
	case Closures:
		return bit(o.Closed.Closed, 0) | bit(o.Closed.Arrival, 1) | bit(o.Closed.Departure, 2)
	case Lengths:
		l, v := o.Lengths, int64(0)
		for i, n := range []int{l.MinStayArrival, l.MinStayThrough, l.MaxStayArrival, l.MaxStayThrough, l.MinAdvance, l.MaxAdvance} {
			v |= int64(min(max(n, 0), lengthMask)) << (i * lengthBits)
		}
		return v
	case Price:
		return o.Amount.Minor
	}
	return 0
}

const (
	lengthBits = 10
	lengthMask = 1<<lengthBits - 1
)

func bit(set bool, at int) int64 {
	if set {
		return 1 << at
	}
	return 0
}

// DecodeOffer is the inverse of [Offer.Encode]; c is the currency of a price.
func DecodeOffer(g Group, v int64, c Currency) Offer {
	switch g {
	case Availability:
		return Offer{Available: int(v)}
	case Closures:
		return Offer{Closed: Closed{Closed: v&1 != 0, Arrival: v&2 != 0, Departure: v&4 != 0}}
	case Lengths:
		at := func(i int) int { return int(v >> (i * lengthBits) & lengthMask) }
		return Offer{Lengths: LengthLimits{at(0), at(1), at(2), at(3), at(4), at(5)}}
	case Price:
		return Offer{Amount: Money{Minor: v, Currency: c}}
	}
	return Offer{}
}

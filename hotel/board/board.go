package board

import (
	"fmt"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/price"
)

// Board is one property at one point of its journal. It must not be changed; it
// may be read by any number of goroutines.
type Board struct {
	Property  hotel.Property
	Pools     []hotel.Pool
	RoomTypes []hotel.RoomType // the active ones, by position, then id
	Plans     []hotel.RatePlan // the active ones, by position, then id
	From      hotel.Date       // the first night
	Nights    []*Night         // one after the other, without a gap
	Sequence  int64            // the journal entry up to which the board is true
	Today     hotel.Date       // the property's date at that entry, which rules and locks go by
	Business  hotel.Date       // its business date then, on which rules count their changes

	*index
}

// index is what a board knows of its rooms and plans beyond what it was given.
// Boards made by With and Over share it.
type index struct {
	layout   *availability.Layout
	pools    map[string]int // by id
	rooms    map[string]int // by id
	names    map[string]int // by code and lower-cased name
	plans    map[string]int // by id
	parents  []int          // by plan, -1 when it is not derived
	products [][]bool       // by room type, then plan: the plan sells the room
	derived  []price.Derivation
	terms    [][]price.Product // by room type, then plan
	*ruling
	plain []availability.NightRules
}

// New makes a board. Room types and plans are given in the order in which lists
// show them, and every night is made for them. It is an error when a room type
// draws on an unknown pool or on none, when a plan's derivation cannot be
// followed, or when a night is missing or made for other lists. The board keeps
// the slices. Of a property that is not active it closes every plan.
func New(
	p hotel.Property, pools []hotel.Pool, rooms []hotel.RoomType, plans []hotel.RatePlan,
	from hotel.Date, nights []*Night, sequence int64,
) (*Board, error) {
	if p.Status == hotel.Suspended || p.Status == hotel.Archived {
		plans = shut(plans)
	}
	b := &Board{Property: p, Pools: pools, RoomTypes: rooms, Plans: plans, From: from, Nights: nights, Sequence: sequence}
	x, err := newIndex(p, pools, rooms, plans)
	if err != nil {
		return nil, err
	}
	x.ruling = &ruling{}
	x.cover(rooms, plans)
	b.index = x
	for i, n := range nights {
		if !b.made(n) {
			return nil, fmt.Errorf("night %s is missing or made for other pools, room types or plans", from+hotel.Date(i))
		}
	}
	return b, nil
}

// shut returns the plans closed by default, which no night reopens: what a
// property that sells nothing has in place of its plans.
func shut(plans []hotel.RatePlan) []hotel.RatePlan {
	plans = slices.Clone(plans)
	for i := range plans {
		plans[i].Restrictions.Closed = new(true)
	}
	return plans
}

// made reports whether the night is made for the board's lists.
func (b *Board) made(n *Night) bool {
	return n != nil && len(n.Pools) == len(b.Pools) && len(n.Rooms) == len(b.RoomTypes) &&
		len(n.Rates) == len(b.RoomTypes) && (len(n.Rates) == 0 || n.plans() == len(b.Plans))
}

// With returns a board on which the given nights stand in place of those of the
// same dates. Nights outside the board stay off it. With panics on a night made
// for other lists, which calls for New.
func (b *Board) With(sequence int64, nights map[hotel.Date]*Night) *Board {
	next := *b
	next.Sequence = sequence
	next.Nights = slices.Clone(b.Nights)
	for d, n := range nights {
		b.mustFit(d, n)
		if d >= b.From && d <= b.To() {
			next.Nights[d-b.From] = n
		}
	}
	return &next
}

// Over returns a board of the same property and lists over other nights. It
// panics as With does.
func (b *Board) Over(sequence int64, from hotel.Date, nights []*Night) *Board {
	for i, n := range nights {
		b.mustFit(from+hotel.Date(i), n)
	}
	other := *b
	other.From, other.Nights, other.Sequence = from, nights, sequence
	return &other
}

func (b *Board) mustFit(d hotel.Date, n *Night) {
	if !b.made(n) {
		panic(fmt.Sprintf("board: night %s is missing or made for other pools, room types or plans", d))
	}
}

// To returns the last night, the day before From when there is none.
func (b *Board) To() hotel.Date { return b.From + hotel.Date(len(b.Nights)) - 1 }

// Night returns the facts of one night, nil outside the board.
func (b *Board) Night(d hotel.Date) *Night {
	if d < b.From || d > b.To() {
		return nil
	}
	return b.Nights[d-b.From]
}

// Room returns the index of the room type with the id.
func (b *Board) Room(id string) (int, bool) {
	i, ok := b.rooms[id]
	return i, ok
}

// RoomByName returns the index of the room type whose code, or else whose name,
// is the given text, surrounding space and upper and lower case apart.
func (b *Board) RoomByName(name string) (int, bool) {
	i, ok := b.names[fold(name)]
	return i, ok
}

// Pool returns the index of the pool with the id.
func (b *Board) Pool(id string) (int, bool) {
	i, ok := b.pools[id]
	return i, ok
}

// Plan returns the index of the rate plan with the id.
func (b *Board) Plan(id string) (int, bool) {
	i, ok := b.plans[id]
	return i, ok
}

// Offers reports whether the plan sells the room type: whether they are a product.
func (b *Board) Offers(room, plan int) bool { return b.products[room][plan] }

// Sells reports whether a plan is sold by somebody: by those it names, a public one
// by every client that stands for no channel, too.
func (b *Board) Sells(plan int, by hotel.Seller) bool {
	p := &b.Plans[plan]
	return by == hotel.Seller{} || slices.Contains(p.SoldBy, by.ID) || p.Audience == hotel.Public && !by.Channel
}

// fold makes names comparable.
func fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

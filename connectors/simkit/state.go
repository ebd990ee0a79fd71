package simkit

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// maxReceipts is how many calls a book remembers, oldest forgotten first.
const maxReceipts = 5000

// Receipt is a call that was taken and what was answered to it.
type Receipt struct {
	ID      string          `json:"id"`
	Version int64           `json:"version,omitempty"`
	Answer  json.RawMessage `json:"answer,omitempty"`
}

// record is one line of the book's file: everything that one step changes. The
// first line of a compacted file is a record of the whole state.
type record struct {
	Runs      []connectors.Run `json:"runs,omitempty"`
	Receipts  []Receipt        `json:"receipts,omitempty"`
	Moves     []move           `json:"moves,omitempty"`
	Bookings  []Booking        `json:"bookings,omitempty"`
	Events    []Event          `json:"events,omitempty"`
	Acked     []int64          `json:"acked,omitempty"`
	Version   int64            `json:"version,omitempty"`
	LastEvent int64            `json:"last_event,omitempty"`
	Calls     int64            `json:"calls,omitempty"`
}

// move changes the count of a room, or of a room and rate, on the nights of a stay.
type move struct {
	Room string     `json:"room"`
	Rate string     `json:"rate,omitempty"`
	Stay hotel.Stay `json:"stay"`
	By   int        `json:"by"`
	Site int        `json:"site,omitempty"`
}

// stock addresses a count at one of the places that sell it, product what is sold of it.
// A count is of a room, whose rate is empty, unless the book keeps one for each product.
type (
	stock struct {
		room, rate string
		night      hotel.Date
		site       int
	}
	product struct {
		room, rate string
		night      hotel.Date
	}
)

// offered is what a product shows on a night, its count apart.
type offered struct {
	closed  hotel.Closed
	lengths hotel.LengthLimits
	prices  map[int]hotel.Money // by number of guests; 0: of the room
}

// state is what a book knows. Only apply changes it, both when something happens
// and when the file is read again, so the two cannot differ.
type state struct {
	sites    int // how many places sell each count
	counts   map[stock]int
	offers   map[product]offered
	bookings map[string]Booking   // by reference
	before   map[string][]Booking // what they were before they changed, the newest last; nil: nobody asks, and not kept
	events   []Event              // not yet acknowledged, by Seq
	receipts []Receipt            // oldest first
	answers  map[string]Receipt   // the same by id

	numbers, version, lastEvent, calls int64
}

func newState(sites int) *state {
	return &state{
		sites: sites, counts: map[stock]int{}, offers: map[product]offered{},
		bookings: map[string]Booking{}, answers: map[string]Receipt{},
	}
}

// apply performs one record.
func (s *state) apply(r record) {
	for _, run := range r.Runs {
		for _, key := range run.Keys() {
			s.set(key, run.Offer)
		}
	}
	for _, m := range r.Moves {
		for night := m.Stay.CheckIn; night < m.Stay.CheckOut; night++ {
			s.counts[stock{m.Room, m.Rate, night, m.Site}] += m.By
		}
	}
	for _, b := range r.Bookings {
		if was, known := s.bookings[b.Reference]; known && s.before != nil {
			s.before[b.Reference] = append(s.before[b.Reference], was)
		}
		s.bookings[b.Reference] = b
		s.numbers = max(s.numbers, b.Number)
	}
	s.events = append(s.events, r.Events...)
	for _, e := range r.Events {
		s.lastEvent = max(s.lastEvent, e.Seq)
	}
	s.events = slices.DeleteFunc(s.events, func(e Event) bool { return slices.Contains(r.Acked, e.Seq) })
	for _, receipt := range r.Receipts {
		s.receipts = append(s.receipts, receipt)
		s.answers[receipt.ID] = receipt
	}
	for len(s.receipts) > maxReceipts {
		delete(s.answers, s.receipts[0].ID)
		s.receipts = s.receipts[1:]
	}
	s.version = max(s.version, r.Version)
	s.lastEvent = max(s.lastEvent, r.LastEvent)
	s.calls = max(s.calls, r.Calls)
}

// set shows one value.
func (s *state) set(k connectors.Key, o hotel.Offer) {
	if k.Group == hotel.Availability {
		for site := range s.sites {
			s.counts[stock{k.Room, k.Rate, k.Night, site}] = o.Available
		}
		return
	}
	at := product{k.Room, k.Rate, k.Night}
	now := s.offers[at]
	switch k.Group {
	case hotel.Closures:
		now.closed = o.Closed
	case hotel.Lengths:
		now.lengths = o.Lengths
	case hotel.Price:
		now.prices = maps.Clone(now.prices) // a view may hold the old map
		if now.prices == nil {
			now.prices = map[int]hotel.Money{}
		}
		now.prices[k.Occupancy] = o.Amount
	case hotel.Availability:
	}
	s.offers[at] = now
}

// whole returns the record that makes this state from nothing.
func (s *state) whole() record {
	return record{
		Runs: connectors.Runs(s.changes(func(string) bool { return true })), Receipts: s.receipts,
		Bookings: slices.SortedFunc(maps.Values(s.bookings), byNumber), Events: s.events,
		Moves: s.apart(), Version: s.version, LastEvent: s.lastEvent, Calls: s.calls,
	}
}

// most is the highest of a count at any place; false: it has never been set.
func (s *state) most(room, rate string, night hotel.Date) (int, bool) {
	most, set := s.counts[stock{room, rate, night, 0}]
	for site := range s.sites {
		most = max(most, s.counts[stock{room, rate, night, site}])
	}
	return most, set
}

// apart is by how much less places show than the one that shows most.
func (s *state) apart() []move {
	var moves []move
	for at, count := range s.counts {
		if most, _ := s.most(at.room, at.rate, at.night); count != most {
			moves = append(moves, move{Room: at.room, Rate: at.rate, Stay: hotel.Stay{CheckIn: at.night, CheckOut: at.night + 1}, By: count - most, Site: at.site})
		}
	}
	slices.SortFunc(moves, func(a, b move) int {
		return cmp.Or(strings.Compare(a.Room, b.Room), strings.Compare(a.Rate, b.Rate), cmp.Compare(a.Stay.CheckIn, b.Stay.CheckIn), cmp.Compare(a.Site, b.Site))
	})
	return moves
}

func byNumber(a, b Booking) int { return int(a.Number - b.Number) }

// changes returns what is shown for the rooms that are wanted, in a fixed order.
func (s *state) changes(wanted func(room string) bool) []connectors.Change {
	var out []connectors.Change
	for at := range s.counts {
		if wanted(at.room) && at.site == 0 {
			key := connectors.Key{Room: at.room, Rate: at.rate, Group: hotel.Availability, Night: at.night}
			count, _ := s.most(at.room, at.rate, at.night)
			out = append(out, connectors.Change{Key: key, Offer: hotel.Offer{Available: count}})
		}
	}
	for at, o := range s.offers {
		if !wanted(at.room) {
			continue
		}
		key := connectors.Key{Room: at.room, Rate: at.rate, Group: hotel.Closures, Night: at.night}
		out = append(out, connectors.Change{Key: key, Offer: hotel.Offer{Closed: o.closed}})
		key.Group = hotel.Lengths
		out = append(out, connectors.Change{Key: key, Offer: hotel.Offer{Lengths: o.lengths}})
		key.Group = hotel.Price
		for guests, amount := range o.prices {
			key.Occupancy = guests
			out = append(out, connectors.Change{Key: key, Offer: hotel.Offer{Amount: amount}})
		}
	}
	slices.SortFunc(out, func(a, b connectors.Change) int { return compareKeys(a.Key, b.Key) })
	return out
}

func compareKeys(a, b connectors.Key) int {
	if c := strings.Compare(a.Room, b.Room); c != 0 {
		return c
	}
	if c := strings.Compare(a.Rate, b.Rate); c != 0 {
		return c
	}
	if a.Group != b.Group {
		return int(a.Group) - int(b.Group)
	}
	if a.Occupancy != b.Occupancy {
		return a.Occupancy - b.Occupancy
	}
	return int(a.Night) - int(b.Night)
}

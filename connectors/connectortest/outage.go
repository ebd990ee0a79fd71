package connectortest

import (
	"context"
	"errors"
	"sync"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// outage is what of the house is out of order. Its zero value is that nothing is.
type outage struct {
	name  string
	asks  bool // it answers no question
	looks bool // nothing is found on the shelf
	puts  bool // nothing can be put there
	takes bool // it takes no message, and nothing that its own system writes
}

// outages are what happens to a house: its database is locked or gone, its disk is full.
var outages = []outage{
	{name: "nothing of the house answers", asks: true, looks: true, puts: true, takes: true},
	{name: "the house answers no question", asks: true},
	{name: "the shelf cannot be read", looks: true},
	{name: "nothing can be put on the shelf", puts: true},
}

// errOut is what a house says that is out of order.
var errOut = errors.New("the database is locked")

// current is what is out of order just now.
type current struct {
	mu sync.Mutex
	is outage
}

// set has something out of order, or nothing any more.
func (c *current) set(o outage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.is = o
}

// fails is an error when a part of the house is out of order.
func (c *current) fails(part func(o outage) bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if part(c.is) {
		return errOut
	}
	return nil
}

func (c *current) asked() error { return c.fails(func(o outage) bool { return o.asks }) }

// during does something while part of the house is out of order.
func (s *session) during(o outage, do func()) {
	s.out.set(o)
	defer s.out.set(outage{})
	do()
}

// furnish has the environment of a channel answer for the house: it sells the rooms that the
// far side knows, has closed nothing, and none of its rooms is taken by anybody else.
func (s *session) furnish(env *connectors.Env) {
	env.Shelf = &shelf{kept: map[string][]byte{}, out: s.out}
	env.Installation = func(context.Context) (string, error) { return "conformance", s.out.asked() }
	env.Property = func(context.Context) (hotel.Property, error) {
		if err := s.out.asked(); err != nil {
			return hotel.Property{}, err
		}
		return s.property(), nil
	}
	env.Rooms = func(context.Context) ([]connectors.SoldRoom, error) {
		if err := s.out.asked(); err != nil {
			return nil, err
		}
		return s.sold(), nil
	}
	env.Shut = func(context.Context) ([]hotel.Span, error) { return nil, s.out.asked() }
	env.Taken = func(context.Context, hotel.Span) (map[string]map[hotel.Date]int, error) {
		if err := s.out.asked(); err != nil {
			return nil, err
		}
		taken := map[string]map[hotel.Date]int{}
		for _, room := range s.sold() {
			taken[room.Room] = map[hotel.Date]int{}
		}
		return taken, nil
	}
}

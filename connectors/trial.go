package connectors

import (
	"context"
	"time"

	"ostler.example/hotel"
)

// TriedSimulator is a simulator that lets the conformance kit look inside.
type TriedSimulator interface {
	SimulatorInstance

	// Trial returns how it is looked at. It is asked once, after the opening.
	Trial() Trial
}

// Trial is how the conformance kit looks at a simulator and plays the guests, who buy
// the first of its products for two adults. What it has no way to do is nil.
type Trial struct {
	Settings map[string]any // what a tried channel needs beside the simulator's own Settings
	Defaults map[string]any // what the operator says of the connector
	Secrets  []string       // what nobody is to read, beside the secret that it was opened with
	Currency hotel.Currency // of its prices
	Bare     bool           // its messages tell no more than a reference, the room and the nights
	Settles  time.Duration  // how late it tells of what guests do
	Signed   bool           // what it pushes carries a signature over its body
	Twice    bool           // what it shows no more is believed when it is looked for twice
	Places   bool           // it is asked at places of their own: that one refuses says nothing of the others, and is temporary

	// Shown returns what guests see for a key; false: it has never been set.
	Shown func(k Key) (hotel.Offer, bool)

	// Sell books and returns the reference under which messages tell of the booking.
	Sell   func(stay hotel.Stay) (ref string, err error)
	Modify func(ref string, stay hotel.Stay) error
	Cancel func(ref string) error

	// Family is Sell for two adults and children of these ages, of whom its messages tell.
	// Group books rooms together, of which its messages tell in one, and GiveUp gives up the
	// one at a place among them, from 0; the others stay.
	Family func(stay hotel.Stay, ages []int) (ref string, err error)
	Group  func(rooms []SimulatedRoom) (ref string, err error)
	GiveUp func(ref string, place int) error

	// Offered returns nil when a guest who looks now can buy the stay, and otherwise why not.
	Offered func(stay hotel.Stay) error

	// Waiting counts the messages about bookings that nobody has acknowledged.
	Waiting func() int

	// Push sends the oldest message that waits, once, and reports whether there was
	// one; an error says that it still waits.
	Push func(ctx context.Context) (bool, error)

	// Fetch reads what is published for it at the URL.
	Fetch func(ctx context.Context, url string) error

	// Garble makes the message about the next booking one that nobody can read.
	Garble func() error

	// Booking returns how it has a booking, and Refuse has it refuse the next action.
	Booking func(ref string) SimulatedBooking
	Refuse  func() error

	// RefuseCall has it refuse all of the next call that tells values.
	RefuseCall func() error

	// Late has it break off the next call that tells values, which takes effect later, as
	// late as any does. Passed says that time has gone by on its clock.
	Late   func() error
	Passed func()
}

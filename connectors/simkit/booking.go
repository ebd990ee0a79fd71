package simkit

import (
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Entry is a booking as /_sim/ shows it.
type Entry struct {
	Reference string     `json:"reference"`
	Status    string     `json:"status"` // confirmed or cancelled
	Room      string     `json:"room"`
	Rate      string     `json:"rate"`
	CheckIn   hotel.Date `json:"check_in"`
	CheckOut  hotel.Date `json:"check_out"`
	Adults    int        `json:"adults"`
	Children  []int      `json:"children,omitempty"` // their ages, in order
	Revision  int        `json:"revision"`           // 1 when made, one more with every change
}

// The states of a booking.
const (
	Confirmed = "confirmed"
	Cancelled = "cancelled"
)

// Booking is a booking with what only its messages tell.
type Booking struct {
	Entry
	Number    int64         `json:"number"` // counts the bookings of the book from 1
	FirstName string        `json:"first_name,omitempty"`
	LastName  string        `json:"last_name,omitempty"`
	Site      int           `json:"site,omitempty"`    // the place that sold it, from 0
	Amounts   []hotel.Money `json:"amounts,omitempty"` // one for each night
	Others    []Part        `json:"others,omitempty"`  // its rooms but for the first
	At        time.Time     `json:"at"`                // of the latest revision
	Agreed    bool          `json:"agreed,omitempty"`  // the property has confirmed it
	NoShow    bool          `json:"no_show,omitempty"` // the property says that nobody came
}

// Stay returns the nights of the booking.
func (b Booking) Stay() hotel.Stay { return hotel.Stay{CheckIn: b.CheckIn, CheckOut: b.CheckOut} }

// Total sums the amounts of all its rooms.
func (b Booking) Total() hotel.Money {
	var total hotel.Money
	for _, p := range b.Parts() {
		for _, amount := range p.Amounts {
			total.Minor += amount.Minor
			total.Currency = amount.Currency
		}
	}
	return total
}

// Event is one thing that happened to a booking, waiting until the hotel's side
// has taken it.
type Event struct {
	Seq     int64                `json:"seq"` // counts the events of the book from 1
	Kind    connectors.EventKind `json:"kind"`
	Booking Booking              `json:"booking"` // as it was then
}

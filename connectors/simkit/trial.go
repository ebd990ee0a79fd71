package simkit

import (
	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Trial is how the conformance kit looks at a book and plays its guests. What more a
// simulator can do, or cannot, it says itself.
func (k Kit) Trial() connectors.Trial {
	return connectors.Trial{
		Currency: "EUR",
		Shown:    k.Book.Shown,
		Waiting:  func() int { return k.Book.State().Waiting },
		Sell: func(stay hotel.Stay) (string, error) {
			b, err := k.Sell(stay)
			return b.Reference, err
		},
		Modify: func(ref string, stay hotel.Stay) error {
			_, err := k.Book.Modify(Request{Reference: ref, CheckIn: stay.CheckIn, CheckOut: stay.CheckOut})
			return err
		},
		Cancel: func(ref string) error {
			_, err := k.Book.Cancel(ref)
			return err
		},
		Garble: func() error { return k.Faults.Plant(Fault{Kind: Garble}) },
	}
}

// Sell lets a guest book the first of the products for two adults.
func (k Kit) Sell(stay hotel.Stay) (Booking, error) {
	p := k.Book.Products()[0]
	return k.Book.Sell(Request{
		Room: p.Room, Rate: p.Rate, CheckIn: stay.CheckIn, CheckOut: stay.CheckOut, Adults: 2, FirstName: "Ada", LastName: "Lovelace",
	})
}

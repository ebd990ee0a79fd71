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
		Offered:    func(stay hotel.Stay) error { return k.Book.Sellable(k.wanted(stay)) },
		Garble:     func() error { return k.Faults.Plant(Fault{Kind: Garble}) },
		RefuseCall: func() error { return k.Faults.Plant(Fault{Kind: Reject}) },
		Late:       func() error { return k.Faults.Plant(Fault{Kind: Late}) },
		Passed:     k.Faults.Due,
	}
}

// Sell lets a guest book the first of the products for two adults.
func (k Kit) Sell(stay hotel.Stay) (Booking, error) { return k.Book.Sell(k.wanted(stay)) }

// wanted is what such a guest asks for.
func (k Kit) wanted(stay hotel.Stay) Request {
	p := k.Book.Products()[0]
	return Request{
		Room: p.Room, Rate: p.Rate, CheckIn: stay.CheckIn, CheckOut: stay.CheckOut, Adults: 2, FirstName: "Ada", LastName: "Lovelace",
	}
}

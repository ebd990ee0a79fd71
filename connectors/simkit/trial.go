package simkit

import (
	"slices"

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

// Family lets a guest book the first of the products for two adults and children of these
// ages.
func (k Kit) Family(stay hotel.Stay, ages []int) (ref string, err error) {
	q := k.wanted(stay)
	q.Children = ages
	b, err := k.Book.Sell(q)
	return b.Reference, err
}

// Group lets a guest book rooms together, of which there is one at least.
func (k Kit) Group(rooms []connectors.SimulatedRoom) (ref string, err error) {
	var q Request
	for i, r := range rooms {
		p := Part{Room: r.Room, Rate: r.Rate, CheckIn: r.Stay.CheckIn, CheckOut: r.Stay.CheckOut, Adults: r.Adults, Children: slices.Sorted(slices.Values(r.Children))}
		if i == 0 {
			q = k.wanted(r.Stay)
			q.Room, q.Rate, q.Adults, q.Children = p.Room, p.Rate, p.Adults, p.Children
			continue
		}
		q.Others = append(q.Others, p)
	}
	b, err := k.Book.Sell(q)
	return b.Reference, err
}

// GiveUp lets the guest give up one of several rooms, by its place from 0.
func (k Kit) GiveUp(ref string, place int) error {
	_, err := k.Book.Modify(Request{Reference: ref, Without: place + 1})
	return err
}

// wanted is what such a guest asks for.
func (k Kit) wanted(stay hotel.Stay) Request {
	p := k.Book.Products()[0]
	return Request{
		Room: p.Room, Rate: p.Rate, CheckIn: stay.CheckIn, CheckOut: stay.CheckOut, Adults: 2, FirstName: "Ada", LastName: "Lovelace",
	}
}

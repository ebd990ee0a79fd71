package simkit

import (
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Where each rate of a room has a count of its own a sale lowers that of its rate, a guest
// who takes another rate needs a room there, and all of it survives the end of the process
// and the rewriting of the file.
func TestACountOfEachRate(t *testing.T) {
	o := options(t.TempDir(), yes)
	o.PerRate = true
	second := o.Products[0]
	second.Rate = "SAVER"
	o.Products = append(o.Products, second)
	price := change(hotel.Price, 0, first, hotel.Offer{Amount: hotel.Money{Minor: 9000, Currency: "EUR"}})
	price.Key.Rate = second.Rate
	o.Opening = append(o.Opening, price)
	b := open(t, o)
	set := func(rate string, rooms int) connectors.Key {
		t.Helper()
		c := change(hotel.Availability, 0, first, hotel.Offer{Available: rooms})
		c.Key.Rate = rate
		if _, err := b.Take([]connectors.Change{c}, Receipt{}); err != nil {
			t.Fatal(err)
		}
		return c.Key
	}
	one, other := set(ask(0, 1).Rate, 1), set(second.Rate, 2)
	left := func(when string, want, wantOther int) {
		t.Helper()
		is, _ := b.Shown(one)
		at, _ := b.Shown(other)
		if n := b.OnSale(one.Room, first); is.Available != want || at.Available != wantOther || n != want+wantOther {
			t.Fatalf("%s: %d and %d are shown and %d on sale, want %d and %d", when, is.Available, at.Available, n, want, wantOther)
		}
	}
	left("at first", 1, 2)
	sold, err := b.Sell(ask(0, 1))
	if err != nil {
		t.Fatal(err)
	}
	left("after a sale", 0, 2)
	if _, err := b.Sell(ask(0, 1)); err == nil {
		t.Error("a second room is sold of one")
	}
	set(second.Rate, 0)
	if _, err := b.Modify(Request{Reference: sold.Reference, Rate: second.Rate}); err == nil {
		t.Error("a guest takes a rate of which nothing is left")
	}
	set(second.Rate, 2)
	if _, err := b.Modify(Request{Reference: sold.Reference, Rate: second.Rate}); err != nil {
		t.Fatal(err)
	}
	left("when the guest has taken the other rate", 1, 1)
	if err := b.journal.compact(b.state.whole()); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = open(t, o)
	left("opened again", 1, 1)
	for _, cell := range b.State().Cells {
		if cell.Room == one.Room && cell.Date == first && cell.Available != 1 {
			t.Errorf("%s %s is seen with %d", cell.Room, cell.Rate, cell.Available)
		}
	}
	set(second.Rate, 0)
	if _, err := b.Modify(Request{Reference: sold.Reference, Rate: one.Rate}); err != nil {
		t.Fatal(err)
	}
	left("and the first again", 0, 1)
	if _, err := b.Cancel(sold.Reference); err != nil {
		t.Fatal(err)
	}
	left("cancelled", 1, 1)
}

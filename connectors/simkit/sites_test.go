package simkit

import (
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// A count that is on sale at two places is sold at each of them, and what each has left
// survives the end of the process and the rewriting of the file.
func TestACountAtSeveralPlaces(t *testing.T) {
	o := options(t.TempDir(), yes)
	o.Sites = 2
	b := open(t, o)
	one := []connectors.Change{change(hotel.Availability, 0, first, hotel.Offer{Available: 1})}
	if _, err := b.Take(one, Receipt{}); err != nil {
		t.Fatal(err)
	}
	left := func(want, shown int) {
		t.Helper()
		o, _ := b.Shown(one[0].Key)
		if n := b.OnSale(one[0].Key.Room, first); n != want || o.Available != shown {
			t.Fatalf("%d are on sale and %d are shown, want %d and %d", n, o.Available, want, shown)
		}
	}
	left(2, 1)
	sold, err := b.Sell(ask(0, 1))
	if err != nil {
		t.Fatal(err)
	}
	left(1, 1)
	if err := b.journal.compact(b.state.whole()); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = open(t, o)
	left(1, 1)
	if _, err := b.Sell(ask(0, 1)); err != nil {
		t.Fatal(err)
	}
	left(0, 0)
	if _, err := b.Sell(ask(0, 1)); err == nil {
		t.Error("a third is sold")
	}
	if _, err := b.Cancel(sold.Reference); err != nil {
		t.Fatal(err)
	}
	left(1, 1)
}

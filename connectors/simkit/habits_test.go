package simkit

import (
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// A room under another code is sold out of the count of the room that it is, and given
// back to it.
func TestARecodedRoomIsSoldOutOfAnother(t *testing.T) {
	o := options(t.TempDir(), yes)
	o.Products = append(o.Products, connectors.RemoteProduct{Room: "NEW", Rate: "BAR"})
	b := open(t, o)
	price := change(hotel.Price, 0, first, hotel.Offer{Amount: hotel.Money{Minor: 100, Currency: "EUR"}})
	price.Key.Room = "NEW"
	if _, err := b.Take([]connectors.Change{price}, Receipt{}); err != nil {
		t.Fatal(err)
	}
	q := ask(0, 1)
	q.Room = "NEW"
	if _, err := b.Sell(q); err == nil {
		t.Fatal("a room without a count is sold")
	}
	if err := b.SetHabits(Habits{Recoded: map[string]string{"NEW": "DBL"}}); err != nil {
		t.Fatal(err)
	}
	sold, err := b.Sell(q)
	if n := counts(b)[0]; err != nil || sold.Room != "NEW" || n != 1 {
		t.Fatalf("sold %+v (%v), and %d of two are left", sold, err, n)
	}
	if _, err := b.Cancel(sold.Reference); err != nil || counts(b)[0] != 2 {
		t.Errorf("cancelled, %d of two are left (%v)", counts(b)[0], err)
	}
}

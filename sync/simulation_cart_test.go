package sync_test

import (
	"slices"
	"time"

	"ostler.example/internal/testkit"
)

// cart is a stay that a guest of a channel has found on sale and not booked yet. The
// channel keeps it for him at its price, whatever it is told meanwhile.
type cart struct {
	f    *far
	held testkit.Cart
	want testkit.Request
	ends time.Time
}

// fillCart has a guest begin to book. Rooms that are granted are not kept so: a channel
// that does promises less than it takes to be granted one.
func (w *world) fillCart() {
	f := w.far[w.more.IntN(len(w.far))]
	for range 5 {
		nights, room := w.nightsBy(w.more, 3), w.more.IntN(3)
		if w.guarded(room) || w.last(room) > 0 {
			continue
		}
		q := testkit.Request{
			Room: w.facts.house.RemoteRoom(room), Rate: w.facts.house.RemoteRate(w.more.IntN(2)), CheckIn: nights.From, CheckOut: nights.To + 1,
			Adults: 1 + w.more.IntN(2), LastName: "Guest",
		}
		if held, err := f.Book().Fill(q); err == nil {
			w.carts = append(w.carts, cart{f, held, q, time.Now().Add(1 + time.Duration(w.more.Int64N(int64(15*time.Minute))))})
			return
		}
	}
}

// checkOut has those guests book who have made up their minds; most of them do. all is
// those who have not, too.
func (w *world) checkOut(all bool) {
	w.carts = slices.DeleteFunc(w.carts, func(c cart) bool {
		if !all && time.Now().Before(c.ends) {
			return false
		}
		if w.more.IntN(4) == 0 || c.want.CheckIn <= w.today() {
			return true
		}
		gone := c.f.Book().Sellable(c.want) != nil
		b, err := c.f.Book().Buy(c.held)
		if err != nil {
			w.t.Error(err)
		}
		w.checkSold(w.sells(b.Room), b.Stay(), c.f)
		if w.count("cart"); gone {
			w.count("cart of what was sold meanwhile")
		}
		return true
	})
}

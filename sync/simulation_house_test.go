package sync_test

import (
	"context"
	"errors"

	"ostler.example/hotel"
	staying "ostler.example/hotel/stay"
	"ostler.example/internal/testkit"
)

// Guests of the channels who have come. From then on the hotel has them, whatever their
// channel says: a cancellation leaves them where they are, and changes move nights to
// come. Of each it is known since when its channel says something else of its price.
type inHouse map[string]hotel.Date

// walkIn has a guest book at a channel for tonight.
func (w *world) walkIn() {
	today := w.today()
	w.sell(w.far[w.more.IntN(len(w.far))], testkit.Request{
		Room: w.facts.house.RemoteRoom(w.more.IntN(3)), Rate: w.facts.house.RemoteRate(w.more.IntN(2)),
		CheckIn: today, CheckOut: min(today+1+hotel.Date(w.more.IntN(4)), w.facts.last+1), Adults: 1 + w.more.IntN(2), LastName: "Guest",
	})
}

// arrive has the desk check a guest in who may come today, as far as the hotel knows.
// It need not know yet that he has cancelled at his channel.
func (w *world) arrive() {
	today := w.facts.house.Property.BusinessDate(clock{&w.ahead, w.lives}.Now())
	f, b, some := w.oneOf(func(b testkit.Booking) bool {
		_, here := w.arrived[b.Reference]
		return !here && b.CheckIn <= today && b.CheckOut > today && w.parties[b.Reference] == 0 && !b.NoShow
	})
	if !some {
		return
	}
	w.mine()
	r, known := w.keptOnce(f, b.Reference)
	if !known || r.Status != hotel.Confirmed || r.Stay != b.Stay() || w.roomIn(r) != w.sleeps(b.Room) || r.OpenAction() != nil {
		return
	}
	_, _, err := w.ldg.StepReservation(context.Background(), testkit.Tester, hotel.Once{}, r.ID, staying.CheckIn, hotel.StepRequest{})
	if refusal := (*hotel.Refusal)(nil); errors.As(err, &refusal) {
		return
	}
	if err != nil {
		w.t.Error(err)
		return
	}
	w.arrived[b.Reference] = 0
	if b.Status == testkit.CancelledAtFarSide { // which may have sold the room again
		_, units := poolOf(w.sells(b.Room))
		w.takeAway(w.sells(b.Room), b.Stay(), units)
	}
	w.count("guest has come")
}

// guestInHouse has a guest who has come cancel at the channel, or change when to leave.
func (w *world) guestInHouse() {
	today := w.facts.house.Property.BusinessDate(clock{&w.ahead, w.lives}.Now())
	f, was, some := w.oneOf(func(b testkit.Booking) bool {
		_, here := w.arrived[b.Reference]
		return here && b.Status != testkit.CancelledAtFarSide && b.CheckOut > today+1
	})
	if !some {
		return
	}
	if w.more.IntN(3) == 0 {
		if _, err := f.Book().Cancel(was.Reference); err != nil {
			w.t.Error(err)
		}
		_, units := poolOf(w.sells(was.Room))
		w.takeAway(w.sells(was.Room), was.Stay(), units)
		w.count("cancelled in the house")
		return
	}
	q := testkit.Request{Reference: was.Reference, CheckOut: was.CheckOut + 1}
	if was.CheckOut > today+2 && w.more.IntN(2) == 0 {
		q.CheckOut = was.CheckOut - 1
	}
	b, err := f.Book().Modify(q)
	if errors.Is(err, testkit.ErrNotSellable) {
		return
	}
	if err != nil {
		w.t.Error(err)
	}
	w.moved[was.Reference] = append(w.moved[was.Reference], was)
	w.arrived[was.Reference] = today + 1 // and the night of the day on which it is heard
	w.checkSold(w.sells(b.Room), b.Stay(), f)
	w.count("changed in the house")
}

// oneOf draws one of the bookings of all channels of which something holds.
func (w *world) oneOf(holds func(testkit.Booking) bool) (*far, testkit.Booking, bool) {
	type sold struct {
		by *far
		b  testkit.Booking
	}
	var all []sold
	for _, f := range w.far {
		for _, b := range f.Book().Bookings() {
			if holds(b) {
				all = append(all, sold{f, b})
			}
		}
	}
	if len(all) == 0 {
		return nil, testkit.Booking{}, false
	}
	one := all[w.more.IntN(len(all))]
	return one.by, one.b, true
}

// keptOnce is what the ledger has of a booking of one room.
func (w *world) keptOnce(f *far, reference string) (hotel.Reservation, bool) {
	kept, err := w.ldg.Reservations(context.Background(), hotel.ReservationFilter{ChannelIDs: []string{f.channel}, Reference: reference, Limit: 10})
	if err != nil {
		w.t.Error(err)
	}
	if len(kept) != 1 {
		return hotel.Reservation{}, false
	}
	return kept[0], true
}

// checkArrived compares the booking of a guest who has come.
func (w *world) checkArrived(b testkit.Booking, r hotel.Reservation) {
	cancelled := b.Status == testkit.CancelledAtFarSide
	if told := r.HasIssue(staying.CancelledInHouse); told != cancelled || r.Status != hotel.CheckedIn && r.Status != hotel.CheckedOut {
		w.wrong(2, "booking %s of a guest who has come is %s in the ledger, %s at the channel; somebody was told of a cancellation: %v", b.Reference, r.Status, b.Status, told)
	}
	since, amounts := w.arrived[b.Reference], map[hotel.Date]hotel.Money{}
	for _, n := range r.Nightly {
		amounts[n.Date] = n.Amount
	}
	for i, amount := range b.Amounts {
		if d := b.CheckIn + hotel.Date(i); d > since && amounts[d] != amount {
			w.wrong(11, "the night of %s of booking %s costs %v in the ledger and %v at the channel", d, b.Reference, amounts[d], amount)
		}
	}
}

package sync_test

import (
	"context"
	"errors"

	"ostler.example/hotel"
	staying "ostler.example/hotel/stay"
	"ostler.example/internal/testkit"
)

// askChannel has the desk want something of a booking that belongs to a channel. It
// stays what it is until the channel has said yes or its own message tells.
func (w *world) askChannel() {
	ctx, today := context.Background(), w.facts.house.Property.BusinessDate(clock{&w.ahead, w.lives}.Now())
	f, b, some := w.oneOf(func(b testkit.Booking) bool {
		// Whoever is asked about a reference that another booking has by now, of which the hotel
		// has not heard, does it to that one: nobody could help it.
		return b.Status != testkit.CancelledAtFarSide && earliest(b) >= today && !w.reused[b.Reference]
	})
	if !some {
		return
	}
	w.mine()
	kept, err := w.ldg.Reservations(ctx, hotel.ReservationFilter{ChannelIDs: []string{f.channel}, Reference: b.Reference, Limit: 10})
	if err != nil {
		w.t.Error(err)
	}
	if kept, _ = handedOn(kept); len(kept) == 0 || kept[0].Status != hotel.Confirmed {
		return
	}
	before, what := kept[0], hotel.ActionCancel
	after := before
	switch {
	case len(kept) > 1 && earliest(b) <= today: // whose guests count as arrived when the day is over
		return
	case len(kept) > 1: // all of its rooms
		_, _, err = w.ldg.CancelReservationGroup(ctx, testkit.Tester, hotel.Once{}, before.GroupID, hotel.CancelRequest{})
	case b.CheckIn == today && b.Stay().Nights() == 1: // of which the first is kept in any case
		what = hotel.ActionNoShow
		after, _, err = w.ldg.StepReservation(ctx, testkit.Tester, hotel.Once{}, before.ID, staying.NoShow, hotel.StepRequest{})
	case b.CheckIn > today && b.Stay().Nights() > 1 && w.more.IntN(2) == 0:
		what = hotel.ActionShorten
		after, _, err = w.ldg.ChangeReservation(ctx, testkit.Tester, hotel.Once{}, before.ID, hotel.ReservationChange{CheckOut: new(before.Stay.CheckOut - 1)})
	case b.CheckIn > today:
		after, _, err = w.ldg.CancelReservation(ctx, testkit.Tester, hotel.Once{}, before.ID, hotel.CancelRequest{})
	default:
		return
	}
	if refusal := (*hotel.Refusal)(nil); errors.As(err, &refusal) {
		return // it is asked already, or has moved on
	}
	if err != nil {
		w.t.Error(err)
	}
	if after.Status != before.Status || after.Stay != before.Stay {
		w.wrong(2, "booking %s is %s %v when its channel is asked to %s, before it has said yes", b.Reference, after.Status, after.Stay, what)
	}
	w.moved[b.Reference] = append(w.moved[b.Reference], b)
	w.count("asked to " + string(what))
}

// asked says what channels are asked for and have still time to answer.
func (w *world) asked() string {
	if !w.habits.asks {
		return ""
	}
	for _, f := range w.far {
		list, err := w.ldg.AskedOfChannel(context.Background(), f.channel)
		if err != nil {
			return err.Error()
		}
		if len(list) > 0 {
			return f.channel + " has not answered what it is asked for"
		}
	}
	return ""
}

// checkAsked compares what became of what a channel was asked for with what it did.
// Nobody who was not told of it says that a guest did not come.
func (w *world) checkAsked(b testkit.Booking, r hotel.Reservation) {
	if r.Status == hotel.NoShow && !b.NoShow {
		w.wrong(2, "nobody has come for booking %s, which its channel does not know of", b.Reference)
	}
	for _, a := range r.Actions {
		if a.State == hotel.ActionAccepted && a.Kind == hotel.ActionCancel && b.Status != testkit.CancelledAtFarSide {
			w.wrong(2, "%s says yes to cancelling booking %s and has not done so", r.Source.ChannelID, b.Reference)
		}
	}
}

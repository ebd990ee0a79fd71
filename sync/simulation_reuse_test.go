package sync_test

import (
	"context"
	"slices"

	"ostler.example/hotel"
	staying "ostler.example/hotel/stay"
	"ostler.example/internal/testkit"
)

// reuse draws the reference that a channel gives a new booking: now and then one that a
// booking of its own had, which is over and of which the hotel has heard; "" for a new one.
func (w *world) reuse(f *far) string {
	if !w.habits.reuses || w.more.IntN(2) > 0 {
		return ""
	}
	var over []string
	for _, b := range f.Book().Bookings() {
		_, here := w.arrived[b.Reference]
		cancelled := b.Status == testkit.CancelledAtFarSide && !here
		if !w.heard(f, b.Reference, cancelled) {
			continue // words of two bookings that come mixed up have numbers that nobody could sort
		}
		past := !slices.ContainsFunc(b.Parts(), func(p testkit.Part) bool { return p.CheckOut > w.today() })
		if past || cancelled {
			over = append(over, b.Reference)
		}
	}
	if len(over) == 0 {
		return ""
	}
	return over[w.more.IntN(len(over))]
}

// heard reports whether the ledger knows of a booking, and of its end.
func (w *world) heard(f *far, reference string, ended bool) bool {
	if w.ldg == nil || w.killed() {
		return false
	}
	kept, err := w.ldg.Reservations(context.Background(), hotel.ReservationFilter{ChannelIDs: []string{f.channel}, Reference: reference, Limit: 1000})
	if err != nil {
		w.t.Error(err)
	}
	return len(kept) > 0 && (!ended || !slices.ContainsFunc(kept, func(r hotel.Reservation) bool {
		// A yes to what it was asked has no place among its messages, as one of them has.
		answered := slices.ContainsFunc(r.Actions, func(a hotel.ChannelAction) bool { return !a.Answered.IsZero() })
		return staying.Live(r.Status) || answered
	}))
}

// handOn forgets what the world knew of a booking whose reference another has now.
func (w *world) handOn(reference string) {
	w.reused[reference] = true
	delete(w.parties, reference)
	delete(w.arrived, reference)
	w.count("reference used again")
}

// handedOn tells what the ledger has of the booking that has a reference now from what it
// has of those that had it before.
func handedOn(kept []hotel.Reservation) (now, before []hotel.Reservation) {
	last := 0
	for _, r := range kept {
		last = max(last, r.Source.Reuse)
	}
	for _, r := range kept {
		if r.Source.Reuse == last {
			now = append(now, r)
		} else {
			before = append(before, r)
		}
	}
	return now, before
}

// checkReused checks that nobody is expected any more for the bookings that had a reference
// before, and returns what the ledger has of the one that has it now.
func (w *world) checkReused(b testkit.Booking, kept []hotel.Reservation) []hotel.Reservation {
	if !w.reused[b.Reference] {
		return kept
	}
	now, over := handedOn(kept)
	if b.Status == testkit.CancelledAtFarSide {
		over = kept
	}
	for _, r := range over {
		if !staying.Over(r.Status) && r.Stay.CheckOut > w.today() {
			w.wrong(2, "booking %s is %s in the ledger for %v: its guest has cancelled, or the reference is another's", b.Reference, r.Status, r.Stay)
		}
	}
	if w.parties[b.Reference] == 0 && b.Status != testkit.CancelledAtFarSide {
		// Of the same guest again, it may be told as a change of one that had more rooms.
		now = slices.DeleteFunc(now, func(r hotel.Reservation) bool { return r.Status == hotel.Cancelled })
	}
	return now
}

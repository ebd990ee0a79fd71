package ledger

import (
	"fmt"
	"testing"
	"time"

	"ostler.example/hotel"
)

// notAsked checks that the channel is asked nothing, now or once more, about a booking whose
// reference another one has: it would cancel that one.
func (a *acting) notAsked(t *testing.T, again hotel.ActionKind) {
	t.Helper()
	if of, _, called := a.call(t); of.ReservationID != "" || called {
		t.Errorf("the channel is asked for %+v under a reference that another booking has", of)
	}
	r := a.now(t)
	if open := r.LastAction(again); open == nil || open.State != hotel.ActionWithdrawn {
		t.Errorf("what was asked is %+v", open)
	}
	if _, err := a.ask(again, false); refusedAs(err) != "channel_owned" {
		t.Errorf("it is asked once more: %v", err)
	}
	a.checkSold(t)
	a.dayOn(t)
	a.sound(t)
}

// TestNobodyIsAskedAboutABookingThatMayHaveEnded: the guest whom the house would cancel may have
// cancelled, for his reference is told of another one. Both are held until somebody has decided,
// and the channel is not asked meanwhile.
func TestNobodyIsAskedAboutABookingThatMayHaveEnded(t *testing.T) {
	a := newActing(t, hotel.Terms{Actions: everyAction})
	was, is := first(a.house, a.today+3, 2), another(a.house, "is", a.today+10, 3)
	was.At, is.At = time.Time{}, time.Time{}
	a.booking = must(a.Receive(t.Context(), was))(t).Reservations[0]
	must(a.ask(hotel.ActionCancel, false))(t)
	must(a.Receive(t.Context(), is))(t)
	if n, m, asked := len(a.heldFor(t, "First")), len(a.heldFor(t, "Another")), a.openStale(t); n != 1 || m != 1 || asked != 1 {
		t.Fatalf("%d and %d rooms are held and %d messages asked about, want one each", n, m, asked)
	}
	a.notAsked(t, hotel.ActionCancel)
}

// TestNobodyIsAskedAboutTheRoomThatIsLeft of a booking that has ended: a guest of it is in the
// house, and was to stay for less.
func TestNobodyIsAskedAboutTheRoomThatIsLeft(t *testing.T) {
	a := newActing(t, hotel.Terms{Actions: everyAction})
	was := first(a.house, a.today, 4)
	more := was.Booking.Rooms[0]
	more.Ref = "2"
	was.Booking.Rooms = append(was.Booking.Rooms, more)
	rooms := must(a.Receive(t.Context(), was))(t).Reservations
	a.moveOn(t, rooms[0].ID, hotel.CheckedIn)
	a.booking = rooms[0]
	must(a.ask(hotel.ActionShorten, false))(t)
	is := another(a.house, "is", a.today+10, 3)
	is.At = a.clock.Now()
	must(a.Receive(t.Context(), is))(t)
	if n := len(a.heldFor(t, "Another")); n != 1 || must(a.Reservation(t.Context(), rooms[1].ID))(t).Status != hotel.Cancelled {
		t.Fatalf("%d rooms are held of the new booking", n)
	}
	a.notAsked(t, hotel.ActionShorten)
}

// TestNobodyIsAskedAboutABookingWhoseReferenceIsAnothers: what a channel is asked to do under a
// reference it would do to the booking that has it now.
func TestNobodyIsAskedAboutABookingWhoseReferenceIsAnothers(t *testing.T) {
	a := newActing(t, hotel.Terms{Actions: []hotel.ActionTerms{{Kind: hotel.ActionNoShow, Within: 7 * 24 * time.Hour}}})
	a.booking = must(a.Receive(t.Context(), first(a.house, a.today, 1)))(t).Reservations[0]
	a.clock.move(30 * time.Hour)
	must(a.ask(hotel.ActionNoShow, false))(t)
	asked := must(a.AskedOfChannel(t.Context(), "ch"))(t)
	is := another(a.house, "is", a.today+10, 3)
	is.At = a.clock.Now()
	must(a.Receive(t.Context(), is))(t)
	if live := a.heldFor(t, "Another"); len(asked) != 1 || len(live) != 1 || live[0].Source.Reuse != 1 {
		t.Fatalf("the channel was asked for %d things, and of the new booking %+v is held", len(asked), live)
	}
	a.notAsked(t, hotel.ActionNoShow)
}

// TestAnAnswerAboutTheBookingBeforeLeavesThisOne: a channel is being called to cancel a booking
// when it gives the reference to another one. Whatever it answers, that one is held until the
// channel itself tells of its end, and nobody calls once more. Where the first may live still, a
// yes is for somebody to look at.
func TestAnAnswerAboutTheBookingBeforeLeavesThisOne(t *testing.T) {
	for _, state := range []DeliveryState{DeliveryApplied, DeliveryRejected, DeliveryUnknown} {
		for _, ended := range []bool{true, false} {
			t.Run(fmt.Sprint(state, " ended ", ended), func(t *testing.T) {
				a := newActing(t, hotel.Terms{Actions: everyAction})
				was, is := first(a.house, a.today+3, 2), another(a.house, "is", a.today+10, 3)
				was.At, is.At = time.Time{}, time.Time{}
				a.booking = must(a.Receive(t.Context(), was))(t).Reservations[0]
				must(a.ask(hotel.ActionCancel, false))(t)
				of, call, called := a.call(t)
				gone := func(r Receipt, key string) {
					r.Key, r.Event, r.Revision, r.Booking.Rooms = key, "cancelled", "2", nil
					must(a.Receive(t.Context(), r))(t)
				}
				held, told := 1, 0
				if ended {
					gone(was, "gone")
					held = 0
				} else if state == DeliveryApplied {
					told = 1
				}
				must(a.Receive(t.Context(), is))(t)
				a.answer(t, of, call, state)
				if n, m := len(a.heldFor(t, "First")), len(a.heldFor(t, "Another")); !called || n != held || m != 1 {
					t.Fatalf("behind the answer %d rooms of the one booking are held and %d of the other, want %d and 1", n, m, held)
				}
				asked := must(a.Conflicts(t.Context(), hotel.ConflictFilter{
					PropertyID: a.property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictCancelAsked}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 10,
				}))(t)
				if len(asked) != told || told == 1 && asked[0].Subject.ID != a.booking.ID {
					t.Errorf("somebody is asked about %+v, want %d", asked, told)
				}
				if of, _, again := a.call(t); again {
					t.Errorf("the channel is called once more: %+v", of)
				}
				if ended {
					gone(is, "gone too")
				}
				if n := len(a.heldFor(t, "Another")); ended && n != 0 {
					t.Errorf("%d rooms are held of a booking that its channel has cancelled", n)
				}
				a.checkSold(t)
				a.sound(t)
			})
		}
	}
}

// TestNobodyIsAskedAboutABookingWhoseReferenceWasImportedAsAnothers: of what was imported the
// channel itself has told nothing yet.
func TestNobodyIsAskedAboutABookingWhoseReferenceWasImportedAsAnothers(t *testing.T) {
	a := newActing(t, hotel.Terms{Actions: []hotel.ActionTerms{{Kind: hotel.ActionNoShow, Within: 7 * 24 * time.Hour}}})
	a.booking = must(a.Receive(t.Context(), first(a.house, a.today, 1)))(t).Reservations[0]
	a.clock.move(30 * time.Hour)
	must(a.ask(hotel.ActionNoShow, false))(t)
	asked := must(a.AskedOfChannel(t.Context(), "ch"))(t)
	row := a.row(10, 3, of("ch", "B7", "1"))
	row.Guest, row.Source.BookedAt = hotel.Guest{LastName: "Another"}, a.clock.Now()
	if got, out := a.outcomes(t, false, row); got != "1 created, 0 attached, 0 duplicate, 0 invalid" || len(asked) != 1 {
		t.Fatalf("%s: %+v; the channel was asked for %d things", got, out.Rows, len(asked))
	}
	if live := a.heldFor(t, "Another"); len(live) != 1 || live[0].Source.Reuse != 1 {
		t.Fatalf("of the new booking %+v is held", live)
	}
	a.notAsked(t, hotel.ActionNoShow)
}

package ledger

import (
	"fmt"
	"testing"
	"time"

	"ostler.example/hotel"
)

// TestTheCancellationIsOwedOfABookingThatIsOver: another booking had the reference before the one
// that had it was cancelled by its channel. What the house makes of that one meanwhile, or the time,
// does not pay what the channel owes; that its guest comes does.
func TestTheCancellationIsOwedOfABookingThatIsOver(t *testing.T) {
	for name, test := range map[string]struct {
		late   int // days that go by before the other one is told
		days   int // and behind it
		status hotel.ReservationStatus
		named  bool // the cancellation names the room of the other one
		left   int
	}{
		"the house released it":             {status: hotel.Cancelled, left: 1},
		"its guest did not come":            {days: 3, status: hotel.NoShow, left: 1},
		"its nights went by":                {days: 6, status: hotel.Confirmed, left: 1},
		"its guest came":                    {days: 3, status: hotel.CheckedOut},
		"the other came behind the arrival": {late: 4, status: hotel.NoShow},
		"the room that is named is another": {status: hotel.Cancelled, named: true},
	} {
		for _, order := range []hotel.FeedOrder{hotel.OrderRevisionNumber, hotel.OrderRevisionCount, hotel.OrderRevisionText, hotel.OrderNone} {
			t.Run(fmt.Sprint(name, " ", order), func(t *testing.T) {
				h := newHouse(t)
				h.newFarSide(t, 5)
				say := func(r Receipt, key, event, revision string) Received {
					r.Key, r.Event, r.Revision, r.At, r.Order = key, event, revision, time.Time{}, order
					h.clock.move(time.Minute)
					got := must(h.Receive(t.Context(), r))(t)
					h.checkSold(t)
					return got
				}
				was, is := first(h, h.today+3, 2), another(h, "", h.today+10, 3)
				r := say(was, "1", "booked", "1").Reservations[0]
				if test.late > 0 {
					h.clock.move(time.Duration(test.late) * 24 * time.Hour)
					h.moveOn(t, r.ID, test.status)
				}
				say(is, "2", "booked", "1")
				h.clock.move(time.Duration(test.days) * 24 * time.Hour)
				if test.status != hotel.Confirmed && test.late == 0 {
					h.moveOn(t, r.ID, test.status)
				}
				gone := was
				if gone.Booking.Rooms = nil; test.named {
					gone.Booking = is.Booking
				}
				say(gone, "3", "cancelled", "2")
				if n, asked := len(h.heldFor(t, "Another")), h.openStale(t); n != test.left || asked != test.left {
					t.Errorf("behind the cancellation %d rooms are held and %d messages asked about, want %d", n, asked, test.left)
				}
				is.Booking.Rooms = nil
				say(is, "4", "cancelled", "2")
				if n := len(h.heldFor(t, "Another")); n != 0 {
					t.Errorf("behind both %d rooms are held", n)
				}
				h.sound(t)
			})
		}
	}
}

// TestAnImportedBookingBecomesWhatTheOneBeforeWas: its guest moves it to the nights that had been
// cancelled under its reference. A change that was written before it was made is not of it.
func TestAnImportedBookingBecomesWhatTheOneBeforeWas(t *testing.T) {
	for _, order := range feedOrders {
		for late, nights := range map[bool]int{false: 2, true: 3} {
			t.Run(fmt.Sprint(order, " ", late), func(t *testing.T) {
				h := newHouse(t)
				h.newFarSide(t, 5)
				booked := h.clock.Now().Add(-24 * time.Hour)
				was, is := underOneNumber(h, "1", booked)
				is.Guest, is.Stay = was.Guest, hotel.Stay{CheckIn: was.Stay.CheckIn + 1, CheckOut: was.Stay.CheckOut + 2}
				if got, _ := h.outcomes(t, false, was, is); got != "2 created, 0 attached, 0 duplicate, 0 invalid" {
					t.Fatal(got)
				}
				said := first(h, was.Stay.CheckIn, 2)
				said.Event, said.Revision, said.Order, said.At = "modified", "2", order, booked.Add(3*time.Hour)
				if late {
					said.At = booked.Add(time.Hour)
				}
				must(h.Receive(t.Context(), said))(t)
				if live := h.heldFor(t, "First"); len(live) != 1 || live[0].Source.Reuse != 1 || live[0].Stay.Nights() != nights {
					t.Errorf("%+v is held, want %d nights", live, nights)
				}
				h.checkSold(t)
				h.sound(t)
			})
		}
	}
}

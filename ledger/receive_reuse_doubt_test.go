package ledger

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
)

// openStale counts the messages about which somebody is asked.
func (h *house) openStale(t tb) (n int) {
	t.Helper()
	for _, c := range h.conflicts(t, hotel.ConflictStale) {
		if c.Status == hotel.ConflictOpen {
			n++
		}
	}
	return n
}

// TestReferenceIsUsedAgainBeforeItsCancellationCame: another guest books other nights under the
// reference of a booking that lives as far as is known, and neither says when. Both are held until
// somebody has decided, and the cancellation that is owed is of the first one.
func TestReferenceIsUsedAgainBeforeItsCancellationCame(t *testing.T) {
	for _, order := range []hotel.FeedOrder{hotel.OrderRevisionNumber, hotel.OrderRevisionCount, hotel.OrderRevisionText, hotel.OrderNone} {
		for _, decision := range []string{"", hotel.OptionApply, hotel.OptionIgnore} {
			t.Run(fmt.Sprint(order, " ", decision), func(t *testing.T) {
				h := newHouse(t)
				h.newFarSide(t, 5)
				say := func(r Receipt, key, event, revision string) {
					r.Key, r.Event, r.Revision, r.At, r.Order = key, event, revision, time.Time{}, order
					h.clock.move(time.Minute)
					must(h.Receive(t.Context(), r))(t)
					h.checkSold(t)
				}
				was, is := first(h, h.today+3, 2), another(h, "", h.today+10, 3)
				say(was, "1", "booked", "1")
				say(is, "2", "booked", "1")
				if n, m, asked := len(h.heldFor(t, "First")), len(h.heldFor(t, "Another")), h.openStale(t); n != 1 || m != 1 || asked != 1 {
					t.Fatalf("%d and %d rooms are held and %d messages asked about, want one each", n, m, asked)
				}
				if decision != "" {
					h.resolve(t, h.conflict(t, hotel.ConflictStale), decision, "")
				}
				longer := first(h, h.today+3, 4)
				say(longer, "2 of the first", "modified", "2")
				if live := h.heldFor(t, "First"); len(live) != 1 || live[0].Stay.Nights() != 4 {
					t.Errorf("behind its change %+v is held", live)
				}
				left := 1
				if decision == hotel.OptionIgnore {
					left = 0
				}
				was.Booking.Rooms = nil
				say(was, "3", "cancelled", "3")
				if n, m := len(h.heldFor(t, "First")), len(h.heldFor(t, "Another")); n != 0 || m != left {
					t.Errorf("behind the cancellation %d and %d rooms are held, want 0 and %d", n, m, left)
				}
				is.Booking.Rooms = nil
				say(is, "4", "cancelled", "2")
				if n := len(h.heldFor(t, "First")) + len(h.heldFor(t, "Another")); n != 0 {
					t.Errorf("behind both %d rooms are held", n)
				}
				h.sound(t)
			})
		}
	}
}

// TestReferenceOfANoShowIsUsedAgain: nobody sleeps in the nights that a guest who did not come had
// booked, so that the next one under the reference may have them.
func TestReferenceOfANoShowIsUsedAgain(t *testing.T) {
	for _, order := range feedOrders {
		for _, timed := range []bool{true, false} {
			if !timed && order == hotel.OrderTime {
				continue
			}
			t.Run(fmt.Sprint(order, " ", timed), func(t *testing.T) {
				h := newHouse(t)
				h.newFarSide(t, 5)
				was := first(h, h.today, 10)
				was.Order = order
				if !timed {
					was.At = time.Time{}
				}
				r := must(h.Receive(t.Context(), was))(t).Reservations[0]
				h.moveOn(t, r.ID, hotel.NoShow)
				h.clock.move(24 * time.Hour)
				// The guest may still come for what is left of the nights: it is no other booking.
				later := was
				later.Key, later.Event, later.Revision, later.Booking.Rooms = "later", "modified", "2", slices.Clone(was.Booking.Rooms)
				later.Booking.Rooms[0].Stay.CheckIn += 4
				if timed {
					later.At = h.clock.Now()
				}
				must(h.Receive(t.Context(), later))(t)
				if n := len(h.reservations(t)); n != 1 {
					t.Fatalf("%d reservations are kept of the guest who did not come", n)
				}
				h.clock.move(time.Hour)
				is := another(h, "next", h.today+4, 3)
				if is.Order = order; !timed {
					is.At = time.Time{}
				}
				must(h.Receive(t.Context(), is))(t)
				if live := h.heldFor(t, "Another"); len(live) != 1 || live[0].Stay != is.Booking.Rooms[0].Stay {
					t.Fatalf("of the new booking %+v is held", live)
				}
				if old := must(h.Reservation(t.Context(), r.ID))(t); old.Status != hotel.NoShow || old.Guest.LastName != "First" {
					t.Errorf("who did not come is %+v now", old)
				}
				h.checkSold(t)
				h.sound(t)
			})
		}
	}
}

// TestOldMessagesBringNoBookingBack: a policy by which old modifications count says nothing of one
// whose booking has been cancelled since, or whose reference another one has.
func TestOldMessagesBringNoBookingBack(t *testing.T) {
	for _, order := range feedOrders {
		for _, reused := range []bool{false, true} {
			t.Run(fmt.Sprint(order, " ", reused), func(t *testing.T) {
				h := newHouse(t)
				h.newFarSide(t, 5)
				h.policies(t, hotel.Policies{Conflicts: map[hotel.ConflictKind]string{hotel.ConflictStale: hotel.OptionApply}})
				was := first(h, h.today+3, 2)
				made := h.clock.Now()
				say := func(r Receipt, key, event, revision string, at time.Duration) {
					r.Key, r.Event, r.Revision, r.At, r.Order = key, event, revision, made.Add(at), order
					h.clock.move(time.Minute)
					must(h.Receive(t.Context(), r))(t)
					h.checkSold(t)
				}
				say(was, "1", "booked", "1", 0)
				gone := was
				gone.Booking.Rooms = nil
				say(gone, "3", "cancelled", "3", 2*time.Minute)
				want := 0
				if reused {
					say(another(h, "", h.today+10, 3), "4", "booked", "1", 3*time.Minute)
					want = 1
				}
				longer := first(h, h.today+3, 4)
				say(longer, "2", "modified", "2", time.Minute)
				h.decideDue(t)
				if n, m := len(h.heldFor(t, "First")), len(h.heldFor(t, "Another")); n != 0 || m != want {
					t.Errorf("%d and %d rooms are held, want 0 and %d", n, m, want)
				}
				h.sound(t)
			})
		}
	}
}

// TestABookingThatIsToldOnceMoreWasNotChangedBefore: what was said between two messages that tell
// a booking as it was made is of one that had the reference before.
func TestABookingThatIsToldOnceMoreWasNotChangedBefore(t *testing.T) {
	for _, order := range []hotel.FeedOrder{hotel.OrderRevisionNumber, hotel.OrderRevisionCount, hotel.OrderRevisionText} {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			made := h.clock.Now()
			say := func(key, event, revision string, at time.Duration, nights int) {
				r := first(h, h.today+3, nights)
				r.Key, r.Event, r.Revision, r.At, r.Order = key, event, revision, made.Add(at), order
				must(h.Receive(t.Context(), r))(t)
			}
			nights := func() int {
				t.Helper()
				live := h.heldFor(t, "First")
				if len(live) != 1 {
					t.Fatalf("%+v is held", live)
				}
				return live[0].Stay.Nights()
			}
			say("1", "booked", "1", 0, 2)
			say("1 again", "booked", "1", 2*time.Hour, 2)
			say("2 before", "modified", "2", time.Hour, 4)
			if n := nights(); n != 2 {
				t.Errorf("%d nights are held by what was said before", n)
			}
			say("2", "modified", "2", 3*time.Hour, 3)
			if n := nights(); n != 3 || h.openStale(t) != 0 {
				t.Errorf("%d nights are held by what was said behind, and somebody is asked about %d messages", n, h.openStale(t))
			}
			h.checkSold(t)
			h.sound(t)
		})
	}
}

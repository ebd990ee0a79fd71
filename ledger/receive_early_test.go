package ledger

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
)

// TestWhatCameBeforeItsBookingBegan: numbers begin again with the next booking under a
// reference. What is said of it before its making has come, and before the end of the one
// that had the reference, has a lower number than that one is known by, and is kept for it.
func TestWhatCameBeforeItsBookingBegan(t *testing.T) {
	type said struct {
		of, number int // which booking, and which of its messages
		nights     int // 0: it is cancelled
	}
	booked, longer, gone := said{2, 1, 3}, said{2, 2, 5}, said{2, 3, 0}
	end := said{1, 5, 0}
	for name, test := range map[string]struct {
		come   []said
		nights int // of the second booking in the end; 0: it is not held
	}{
		"changed, made":                      {[]said{longer, booked}, 5},
		"changed, made, the end":             {[]said{longer, booked, end}, 5},
		"changed, the end, made":             {[]said{longer, end, booked}, 5},
		"cancelled, changed, made":           {[]said{gone, longer, booked, end}, 0},
		"cancelled, the end, made, changed":  {[]said{gone, end, booked, longer}, 0},
		"changed, made, cancelled":           {[]said{longer, booked, gone}, 0},
		"changed twice, the first one last":  {[]said{{2, 3, 4}, longer, booked, end}, 4},
		"never made: it changes nothing yet": {[]said{longer, end}, 0},
	} {
		for _, order := range []hotel.FeedOrder{hotel.OrderRevisionNumber, hotel.OrderRevisionCount} {
			for _, refs := range []bool{true, false} {
				t.Run(fmt.Sprint(name, " ", order, " ", refs), func(t *testing.T) {
					h := newHouse(t)
					h.newFarSide(t, 5)
					made := h.clock.Now()
					receive := func(m said) Received {
						r := first(h, h.today+3, max(m.nights, 1))
						if m.of == 2 {
							r = another(h, "", h.today+10, max(m.nights, 1))
						}
						r.Key, r.Order, r.Revision, r.Event = fmt.Sprint(m.of, ".", m.number), order, fmt.Sprint(m.number), "modified"
						r.At = made.Add(time.Duration(m.of)*time.Hour + time.Duration(m.number)*time.Minute)
						if !refs && m.nights > 0 {
							r.Booking.Rooms[0].Ref = ""
						}
						if m.number == 1 {
							r.Event = "booked"
						}
						if m.nights == 0 {
							r.Event, r.Booking.Rooms = "cancelled", nil
						}
						h.clock.move(time.Minute)
						got := must(h.Receive(t.Context(), r))(t)
						h.checkSold(t)
						return got
					}
					receive(said{1, 1, 2})
					receive(said{1, 4, 3})
					for _, m := range test.come {
						receive(m)
					}
					for _, m := range test.come {
						if !receive(m).Duplicate {
							t.Errorf("message %d of booking %d is not known", m.number, m.of)
						}
					}
					live := h.heldFor(t, "Another")
					if len(live) != min(test.nights, 1) || len(live) > 0 && live[0].Stay.Nights() != test.nights {
						t.Errorf("of the second booking %+v is held, want %d nights", live, test.nights)
					}
					over := slices.Contains(test.come, end) || slices.Contains(test.come, booked)
					if n := len(h.heldFor(t, "First")); (n == 0) != over {
						t.Errorf("%d rooms are held for the first one", n)
					}
					if n := h.openStale(t); n != 0 {
						t.Errorf("somebody is asked about %d messages", n)
					}
					h.sound(t)
				})
			}
		}
	}
}

package ledger

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
)

// without is a message of a channel without an order, about one room of so many nights.
func without(h *house, key, event string, at time.Time, nights int) Receipt {
	r := oneRoom(h, key, event, hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 3 + hotel.Date(nights)}, Adults: 2})
	r.Ref, r.Order, r.Revision, r.At, r.Raw = "B", hotel.OrderNone, "", at, []byte(key)
	if event == "cancelled" {
		r.Booking = hotel.ChannelBooking{}
	}
	return r
}

// TestBookedOnceMore: a further message that tells a booking whole is no redelivery. It
// changes the booking, or is held and asked about when that is cancelled: its number may be
// used again.
func TestBookedOnceMore(t *testing.T) {
	type told struct {
		event  string
		nights int
	}
	for name, test := range map[string]struct {
		messages []told
		timed    bool // all at one time
		order    hotel.FeedOrder
		nights   int // that are held
		asked    bool
	}{
		"it says something else":                          {messages: []told{{"booked", 2}, {"booked", 3}}, nights: 3},
		"it says something else, of the same time":        {messages: []told{{"booked", 2}, {"booked", 3}}, timed: true, nights: 3},
		"after a change":                                  {messages: []told{{"booked", 2}, {"modified", 4}, {"booked", 3}}, nights: 3},
		"the booking itself, after its change":            {messages: []told{{"modified", 4}, {"booked", 2}}, nights: 4},
		"the booking itself, after its cancellation":      {messages: []told{{"cancelled", 0}, {"booked", 2}}},
		"once more after that":                            {messages: []told{{"cancelled", 0}, {"booked", 2}, {"booked", 3}}, nights: 3, asked: true},
		"after a cancellation":                            {messages: []told{{"booked", 2}, {"cancelled", 0}, {"booked", 2}}, nights: 2, asked: true},
		"after a cancellation, of a feed with an order":   {messages: []told{{"booked", 2}, {"cancelled", 0}, {"booked", 2}}, order: hotel.OrderRevisionText, nights: 2, asked: true},
		"after a cancellation of the same time":           {messages: []told{{"booked", 2}, {"cancelled", 0}, {"booked", 2}}, timed: true},
		"it says something else, of a feed with an order": {messages: []told{{"booked", 2}, {"booked", 3}}, order: hotel.OrderRevisionText, nights: 2, asked: true},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			var at time.Time
			if test.timed {
				at = h.clock.Now()
			}
			for i, m := range test.messages {
				r := without(h, fmt.Sprint(i), m.event, at, m.nights)
				r.Order = test.order
				must(h.Receive(context.Background(), r))(t)
			}
			held := func() (nights int) {
				for _, r := range must(h.Reservations(context.Background(), hotel.ReservationFilter{Limit: 10}))(t) {
					if r.Status == hotel.Confirmed {
						nights += r.Stay.Nights()
					}
				}
				return nights
			}
			if n := held(); n != test.nights {
				t.Errorf("%d nights are held, want %d", n, test.nights)
			}
			asked := h.conflicts(t, hotel.ConflictStale)
			open := slices.ContainsFunc(asked, func(c hotel.Conflict) bool { return c.Status == hotel.ConflictOpen })
			if open != test.asked {
				t.Errorf("somebody is asked: %t", open)
			}
			if last := test.messages[len(test.messages)-1]; open {
				h.resolve(t, h.conflict(t, hotel.ConflictStale), hotel.OptionApply, "")
				if n := held(); n != last.nights {
					t.Errorf("%d nights are held once somebody said that it counts, want %d", n, last.nights)
				}
			} else if len(asked) == 0 && test.timed && last.event == "booked" && test.nights == 0 {
				t.Error("nobody can see that it came")
			}
			h.sound(t)
		})
	}
}

// TestEveryOrderOfMessagesOfWhichSomeHaveTimes: of a channel without an order some
// messages may tell when they were made. What is held in the end follows from what was
// said and not from what came first, and no change vanishes: it counts, a later one does,
// or somebody is told.
func TestEveryOrderOfMessagesOfWhichSomeHaveTimes(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		h.newFarSide(t, 5)
		start := h.clock.Now()
		var history []Receipt
		untimed := false // of two changes without a time nobody knows anything
		for i := range rapid.IntRange(2, 5).Draw(t, "messages") {
			event := "booked"
			if i > 0 {
				event = rapid.SampledFrom([]string{"modified", "modified", "cancelled"}).Draw(t, "event")
			}
			at := start.Add(time.Duration(i) * time.Minute)
			if rapid.Bool().Draw(t, "no time") && (event != "modified" || !untimed) {
				at, untimed = time.Time{}, untimed || event == "modified"
			}
			history = append(history, without(h, fmt.Sprint(i), event, at, i+1))
		}
		// The plain model: changes without a time come behind the booking alone, and
		// cancellations without one behind everything.
		rank := func(r Receipt) int {
			switch {
			case r.Event == "booked":
				return 0
			case !r.At.IsZero():
				return 1 + int(r.At.Sub(start)/time.Minute)
			case r.Event == "cancelled":
				return 1 << 20
			}
			return 1
		}
		newest := slices.MaxFunc(history, func(a, b Receipt) int { return rank(a) - rank(b) })
		want := 0
		if newest.Event != "cancelled" {
			want = newest.Booking.Rooms[0].Stay.Nights()
		}
		arrival := rapid.Permutation(history).Draw(t, "arrival")
		for _, r := range arrival {
			must(h.Receive(ctx, r))(t)
			h.checkSold(t)
		}
		got := 0
		for _, n := range h.soldByNight(t) {
			got += int(n)
		}
		told := map[string]bool{}
		for _, c := range h.conflicts(t, hotel.ConflictStale) {
			told[must(staleFactsOf(&c))(t).Message] = true
		}
		var lost []string
		for i, r := range arrival {
			counted := rank(r) >= rank(newest) || slices.ContainsFunc(arrival[i+1:], func(o Receipt) bool { return rank(o) > rank(r) })
			if r.Event == "modified" && !counted && !told[r.Key] {
				lost = append(lost, r.Key)
			}
		}
		if diff := gocmp.Diff(want, got); diff != "" || len(lost) > 0 {
			t.Fatalf("%v of these say something that nobody is told of; nights held (-want +got):\n%s", lost, diff)
		}
	})
}

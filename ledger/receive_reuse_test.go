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
	"ostler.example/hotel/stay"
)

// another is a booking that a channel makes under a reference that it has used before.
func another(h *house, key string, from hotel.Date, nights int) Receipt {
	r := oneRoom(h, key, "booked", hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: from, CheckOut: from + hotel.Date(nights)}, Adults: 2})
	r.Ref, r.Booking.Guest = "B7", &hotel.Guest{LastName: "Another"}
	return r
}

// first is the booking that had the reference before.
func first(h *house, from hotel.Date, nights int) Receipt {
	r := another(h, "first", from, nights)
	r.Booking.Guest = &hotel.Guest{LastName: "First"}
	return r
}

// heldFor lists the live bookings of a guest.
func (h *house) heldFor(t tb, guest string) (live []hotel.Reservation) {
	t.Helper()
	for _, r := range must(h.Reservations(context.Background(), hotel.ReservationFilter{Limit: 100}))(t) {
		if r.Guest.LastName == guest && stay.Live(r.Status) {
			live = append(live, r)
		}
	}
	return live
}

var feedOrders = []hotel.FeedOrder{hotel.OrderRevisionNumber, hotel.OrderRevisionCount, hotel.OrderRevisionText, hotel.OrderTime, hotel.OrderNone}

// TestReferenceOfACancelledBookingIsUsedAgain: a booking that is made under the reference
// of one that was cancelled holds its room, whatever number it begins with. What comes late
// of the other one changes nothing of it.
func TestReferenceOfACancelledBookingIsUsedAgain(t *testing.T) {
	for _, order := range feedOrders {
		for name, timed := range map[string]bool{"with times": true, "without times": false} {
			if !timed && order == hotel.OrderTime {
				continue
			}
			t.Run(fmt.Sprint(order, " ", name), func(t *testing.T) {
				h := newHouse(t)
				h.newFarSide(t, 5)
				ctx := context.Background()
				receive := func(r Receipt, event, key, revision string) Received {
					if r.Order = order; !timed {
						r.At = time.Time{}
					}
					r.Event, r.Key, r.Revision, r.Raw = event, key, revision, []byte(key)
					h.clock.move(time.Minute)
					return must(h.Receive(ctx, r))(t)
				}
				was := first(h, h.today+3, 2)
				receive(was, "booked", "1", "1")
				gone := was
				gone.At, gone.Booking.Rooms = h.clock.Now(), nil
				receive(gone, "cancelled", "2", "2")
				h.clock.move(time.Hour)
				is := another(h, "", h.today+10, 3)
				receive(is, "booked", "3", "1")
				live := h.heldFor(t, "Another")
				if len(live) != 1 || live[0].Stay != is.Booking.Rooms[0].Stay || live[0].Status != hotel.Confirmed {
					t.Fatalf("of the new booking %+v is held", live)
				}
				open := slices.DeleteFunc(h.conflicts(t, hotel.ConflictStale), func(c hotel.Conflict) bool { return c.Status != hotel.ConflictOpen })
				if asked := len(open) > 0; asked != (!timed && order == hotel.OrderNone) {
					t.Errorf("somebody is asked: %t", asked)
				}
				late := was
				late.At = late.At.Add(time.Second)
				if timed {
					receive(late, "booked", "1 again", "1")
					late.Booking.Rooms = nil
					receive(late, "cancelled", "2 again", "2")
				}
				if again := receive(was, "booked", "1", "1"); !again.Duplicate {
					t.Error("a redelivery is not known")
				}
				longer := is
				longer.At, longer.Booking.Rooms = h.clock.Now(), slices.Clone(is.Booking.Rooms)
				longer.Booking.Rooms[0].Stay.CheckOut++
				receive(longer, "modified", "4", "2")
				if live = h.heldFor(t, "Another"); len(live) != 1 || live[0].Stay != longer.Booking.Rooms[0].Stay {
					t.Fatalf("after its change %+v is held", live)
				}
				if n := len(h.heldFor(t, "First")); n != 0 {
					t.Errorf("%d rooms are held for the guest who cancelled", n)
				}
				longer.At, longer.Booking.Rooms = h.clock.Now(), nil
				receive(longer, "cancelled", "5", "3")
				if live = h.heldFor(t, "Another"); len(live) != 0 {
					t.Errorf("after its cancellation %+v is held", live)
				}
				h.checkSold(t)
				h.sound(t)
			})
		}
	}
}

// TestAChangeOfBeforeTheHouseCancelled: by a channel's clock a booking was changed after the house
// has cancelled it, by its own. It is the same booking as long as the two may differ by that much.
func TestAChangeOfBeforeTheHouseCancelled(t *testing.T) {
	for apart, same := range map[time.Duration]bool{clocksApart: true, clocksApart + time.Minute: false} {
		h := newHouse(t)
		h.newFarSide(t, 5)
		ctx := context.Background()
		was := first(h, h.today+3, 2)
		r := must(h.Receive(ctx, was))(t).Reservations[0]
		must2(h.CancelReservation(ctx, tester, hotel.Once{}, r.ID, hotel.CancelRequest{DoneAtChannel: true}))(t)
		changed := another(h, "changed", h.today+3, 3)
		changed.Event, changed.Revision, changed.At = "modified", "2", h.clock.Now().Add(apart)
		must(h.Receive(ctx, changed))(t)
		all := must(h.Reservations(ctx, hotel.ReservationFilter{Limit: 100}))(t)
		if len(all) == 1 != same {
			t.Errorf("changed %s after the end: %d bookings have the reference", apart, len(all))
		}
		h.sound(t)
	}
}

// TestReferenceOfADepartedGuestIsUsedAgain: who has left, or should have, is not who comes
// next under the same reference.
func TestReferenceOfADepartedGuestIsUsedAgain(t *testing.T) {
	for _, order := range feedOrders {
		for _, status := range []hotel.ReservationStatus{hotel.CheckedOut, hotel.NoShow, hotel.Confirmed} {
			for _, changedFirst := range []bool{false, true} {
				t.Run(fmt.Sprint(order, " ", status, " ", changedFirst), func(t *testing.T) {
					h := newHouse(t)
					h.newFarSide(t, 5)
					ctx := context.Background()
					was := first(h, h.today, 1)
					was.Order = order
					r := must(h.Receive(ctx, was))(t).Reservations[0]
					if status != hotel.Confirmed {
						h.moveOn(t, r.ID, status)
					}
					h.clock.move(10 * 24 * time.Hour)
					today := h.property.BusinessDate(h.clock.Now())
					is := another(h, "next", today+2, 2)
					is.Order = order
					h.clock.move(time.Minute)
					longer := another(h, "longer", today+2, 3)
					longer.Order, longer.Event, longer.Revision = order, "modified", "2"
					messages := []Receipt{is, longer}
					if changedFirst {
						slices.Reverse(messages)
					}
					for _, m := range messages {
						must(h.Receive(ctx, m))(t)
						h.checkSold(t)
					}
					live := h.heldFor(t, "Another")
					if len(live) != 1 || live[0].Stay.Nights() != 3 || live[0].Status != hotel.Confirmed {
						t.Fatalf("of the new booking %+v is held", live)
					}
					if old := must(h.Reservation(ctx, r.ID))(t); old.Status != status || old.Guest.LastName != "First" || old.Stay != r.Stay {
						t.Errorf("who has left is %+v now", old)
					}
					// The price of the stay that is over may still change.
					bill := was
					bill.Key, bill.Event, bill.Revision = "bill", "modified", "2"
					bill.At = was.At.Add(time.Hour)
					must(h.Receive(ctx, bill))(t)
					if live = h.heldFor(t, "Another"); len(live) != 1 || live[0].Stay.Nights() != 3 {
						t.Errorf("after a late word on the other one %+v is held", live)
					}
					h.checkSold(t)
					h.sound(t)
				})
			}
		}
	}
}

// TestBookedAgainBeforeItsCancellationIsHeard: the same guest books for the same nights under
// the same reference, and the cancellation in between comes late. It is another booking by
// what it is of, and the one before is over.
func TestBookedAgainBeforeItsCancellationIsHeard(t *testing.T) {
	for name, change := range map[string]func(*Receipt){
		"one room less":     func(r *Receipt) { r.Booking.Rooms = r.Booking.Rooms[:1] },
		"another room type": func(r *Receipt) { r.Booking.Rooms[1].Room = "S" },
		"more guests":       func(r *Receipt) { r.Booking.Rooms[1].Adults = 2 },
		"another price": func(r *Receipt) {
			r.Booking.Rooms[1].Amounts = []hotel.Money{{Minor: 9000, Currency: "EUR"}, {Minor: 9000, Currency: "EUR"}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			ctx := context.Background()
			was := first(h, h.today+3, 2)
			was.Booking.Rooms[0].Amounts = []hotel.Money{{Minor: 8000, Currency: "EUR"}, {Minor: 8000, Currency: "EUR"}}
			more := was.Booking.Rooms[0]
			more.Ref, more.Adults = "2", 1
			was.Booking.Rooms = append(was.Booking.Rooms, more)
			must(h.Receive(ctx, was))(t)
			is, gone := was, was
			is.Key, is.At, is.Booking.Rooms = "again", was.At.Add(2*time.Minute), slices.Clone(was.Booking.Rooms)
			change(&is)
			gone.Key, gone.Event, gone.Revision, gone.At = "gone", "cancelled", "2", was.At.Add(time.Minute)
			for _, r := range []Receipt{is, gone} {
				must(h.Receive(ctx, r))(t)
				h.checkSold(t)
			}
			live := h.heldFor(t, "First")
			if len(live) != len(is.Booking.Rooms) || slices.ContainsFunc(live, func(r hotel.Reservation) bool { return r.Source.Reuse != 1 }) {
				t.Errorf("of the new booking %+v is held", live)
			}
			h.sound(t)
		})
	}
}

// TestBookedAgainBehindACancellationByTheHouse: the clock by which the house notes that its
// channel has cancelled is not that by which the channel notes what it sells.
func TestBookedAgainBehindACancellationByTheHouse(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	ctx := context.Background()
	was := first(h, h.today+3, 2)
	r := must(h.Receive(ctx, was))(t).Reservations[0]
	is := another(h, "next", h.today+3, 2)
	is.At = was.At.Add(time.Minute)
	h.clock.move(2 * time.Minute)
	h.moveOn(t, r.ID, hotel.Cancelled)
	must(h.Receive(ctx, is))(t)
	gone := was
	gone.Key, gone.Event, gone.Revision, gone.At = "gone", "cancelled", "2", was.At.Add(time.Second)
	must(h.Receive(ctx, gone))(t)
	if live := h.heldFor(t, "Another"); len(live) != 1 {
		t.Errorf("of the new booking %+v is held", live)
	}
	h.checkSold(t)
	h.sound(t)
}

// TestTheCancellationComesBeforeTheBooking under the reference of a guest who has left: it
// names nights that he never had, and whoever had them does not come.
func TestTheCancellationComesBeforeTheBooking(t *testing.T) {
	for _, order := range feedOrders {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			ctx := context.Background()
			was := first(h, h.today, 1)
			was.Order = order
			r := must(h.Receive(ctx, was))(t).Reservations[0]
			h.moveOn(t, r.ID, hotel.CheckedOut)
			h.clock.move(10 * 24 * time.Hour)
			today := h.property.BusinessDate(h.clock.Now())
			is := another(h, "next", today+2, 2)
			is.Order = order
			h.clock.move(time.Minute)
			gone := another(h, "gone", today+2, 2)
			gone.Order, gone.Event, gone.Revision = order, "cancelled", "2"
			for _, m := range []Receipt{gone, is, gone} {
				must(h.Receive(ctx, m))(t)
				h.checkSold(t)
			}
			if live := h.heldFor(t, "Another"); len(live) != 0 {
				t.Errorf("%+v is held for who has cancelled", live)
			}
			if old := must(h.Reservation(ctx, r.ID))(t); old.Status != hotel.CheckedOut || len(old.Issues) != len(r.Issues) {
				t.Errorf("who has left is %+v now", old)
			}
			h.sound(t)
		})
	}
}

// TestHeldBookingIsDecided: where nobody can tell whether a booking is told once more or
// another one has its number, a room is held until somebody says which it is.
func TestHeldBookingIsDecided(t *testing.T) {
	for name, test := range map[string]struct {
		policy string
		decide func(t tb, h *house)
		live   int
		asked  bool
	}{
		"nobody has decided":     {live: 1, asked: true},
		"ignored":                {decide: func(t tb, h *house) { h.resolve(t, h.conflict(t, hotel.ConflictStale), hotel.OptionIgnore, "") }},
		"applied":                {decide: func(t tb, h *house) { h.resolve(t, h.conflict(t, hotel.ConflictStale), hotel.OptionApply, "") }, live: 1},
		"the policy applies":     {policy: "apply", live: 1},
		"the policy never loses": {policy: "ignore", live: 1, asked: true},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			if test.policy != "" {
				h.policies(t, hotel.Policies{Conflicts: map[hotel.ConflictKind]string{hotel.ConflictStale: test.policy}})
			}
			for i, event := range []string{"booked", "cancelled", "booked"} {
				r := first(h, h.today+3, 2)
				r.Key, r.Event, r.Revision, r.At = fmt.Sprint(i), event, []string{"1", "2", "1"}[i], time.Time{}
				must(h.Receive(context.Background(), r))(t)
			}
			if test.decide != nil {
				test.decide(t, h)
			}
			if n := len(h.heldFor(t, "First")); n != test.live {
				t.Errorf("%d rooms are held, want %d", n, test.live)
			}
			open := slices.ContainsFunc(h.conflicts(t, hotel.ConflictStale), func(c hotel.Conflict) bool { return c.Status == hotel.ConflictOpen })
			if open != test.asked {
				t.Errorf("somebody is asked: %t", open)
			}
			h.checkSold(t)
			h.sound(t)
		})
	}
}

// TestOneReferenceAtTwoChannels: what one channel says under a number is nothing to another.
func TestOneReferenceAtTwoChannels(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	must2(h.CreateChannel(context.Background(), tester, hotel.Once{}, hotel.Channel{Entity: hotel.Entity{ID: "ch2"}, PropertyID: h.property.ID, Connector: "mock", Settings: []byte("{}")}))(t)
	here, there := first(h, h.today+3, 2), another(h, "first", h.today+5, 1)
	there.ChannelID = "ch2"
	for _, r := range []Receipt{here, there} {
		must(h.Receive(context.Background(), r))(t)
	}
	here.Key, here.Event, here.Revision = "gone", "cancelled", "2"
	must(h.Receive(context.Background(), here))(t)
	if n, m := len(h.heldFor(t, "First")), len(h.heldFor(t, "Another")); n != 0 || m != 1 {
		t.Errorf("%d and %d rooms are held, want none at the channel that cancelled and 1 at the other", n, m)
	}
	h.sound(t)
}

// TestEveryOrderOfMessagesUnderAReferenceUsedAgain: several bookings have a reference one
// after the other. However their messages come, the rooms of the last one are held as it
// is, and no others. What is changed of a booking does not overtake the end of the one before
// and its own beginning both, unless by a lower number than that one is known by: else nobody
// could tell whose it is.
func TestEveryOrderOfMessagesUnderAReferenceUsedAgain(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		h.newFarSide(t, 5)
		order := rapid.SampledFrom([]hotel.FeedOrder{hotel.OrderRevisionNumber, hotel.OrderRevisionCount, hotel.OrderTime, hotel.OrderNone}).Draw(t, "order")
		refs := rapid.Bool().Draw(t, "rooms have references")
		at := h.clock.Now().Add(-24 * time.Hour)
		var history []Receipt
		var booking []int // which of the bookings each message is about
		for n := range rapid.IntRange(2, 3).Draw(t, "bookings") {
			last := rapid.IntRange(1, 3).Draw(t, "messages")
			adults := rapid.IntRange(1, 2).Draw(t, "adults")
			guest := hotel.Guest{LastName: rapid.SampledFrom([]string{"A", "B"}).Draw(t, "guest")}
			for i := range last {
				event := "modified"
				if i == 0 {
					event = "booked"
				}
				from := h.today + hotel.Date(rapid.IntRange(1, 5).Draw(t, "check-in"))
				room := hotel.ChannelRoom{Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: from, CheckOut: from + hotel.Date(rapid.IntRange(1, 3).Draw(t, "nights"))}, Adults: adults}
				if refs {
					room.Ref = "1"
				}
				r := oneRoom(h, fmt.Sprint(n, ".", i), event, room)
				r.Ref, r.Order, r.Revision, r.At, r.Booking.Guest = "B7", order, fmt.Sprint(i+1), at, &guest
				history, booking = append(history, r), append(booking, n)
				at = at.Add(time.Minute)
			}
			ends := history[len(history)-1]
			ends.Key, ends.Event, ends.Revision, ends.At = fmt.Sprint(n, ".", last), "cancelled", fmt.Sprint(last+1), at
			ends.Booking.Rooms = nil
			history, booking = append(history, ends), append(booking, n)
			at = at.Add(time.Hour)
		}
		if rapid.Bool().Draw(t, "the last one stays") {
			history, booking = history[:len(history)-1], booking[:len(booking)-1]
		}
		type held struct {
			Stay   hotel.Stay
			Adults int
		}
		var want []held
		if newest := history[len(history)-1]; newest.Event != "cancelled" {
			want = []held{{newest.Booking.Rooms[0].Stay, newest.Booking.Rooms[0].Adults}}
		}
		numbers := make([]int, len(history))
		for i := range numbers {
			numbers[i] = i
		}
		came := map[int]bool{}
		can := func(i int) bool {
			known := map[int]string{} // the highest number of each booking that has come
			for k, r := range history[:i] {
				if came[k] {
					known[booking[k]] = max(known[booking[k]], r.Revision)
				}
			}
			for k, r := range history[:i] {
				early := order == hotel.OrderTime || order == hotel.OrderNone || history[i].Revision == r.Revision || history[i].Revision < known[booking[k]]
				if !came[k] && history[i].Event != "booked" && !early && (r.Event == "cancelled" && booking[k] < booking[i]) {
					return false
				}
			}
			return true
		}
		waiting := rapid.Permutation(append(numbers, rapid.SliceOfN(rapid.SampledFrom(numbers), 0, 2).Draw(t, "again")...)).Draw(t, "arrival")
		for len(waiting) > 0 {
			i := slices.IndexFunc(waiting, can)
			must(h.Receive(ctx, history[waiting[i]]))(t)
			came[waiting[i]] = true
			waiting = slices.Delete(waiting, i, i+1)
			h.checkSold(t)
		}
		var got []held
		for _, r := range must(h.Reservations(ctx, hotel.ReservationFilter{Limit: 100}))(t) {
			if stay.Live(r.Status) {
				got = append(got, held{r.Stay, r.Adults})
			}
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("what is held (-want +got):\n%s", diff)
		}
		for _, c := range h.conflicts(t, hotel.ConflictStale) {
			if c.Status == hotel.ConflictOpen {
				t.Fatalf("somebody is asked about %s", c.Facts)
			}
		}
	})
}

// TestABookingIsToldAtEveryList: a far side may say by its time when it tells a booking. It
// is one booking all the same, and what the house knows of it stays with it.
func TestABookingIsToldAtEveryList(t *testing.T) {
	for i := range 3 * len(feedOrders) {
		order, nights := feedOrders[i/3], []int{2, 0, mostHeld + 1}[i%3] // also what cannot be held as it is said
		t.Run(fmt.Sprint(order, " ", nights), func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			said := first(h, h.today+3, nights)
			said.Order = order
			r := must(h.Receive(t.Context(), said))(t).Reservations[0]
			for i := range 3 {
				h.clock.move(time.Hour)
				said.Key, said.At = fmt.Sprint("list ", i), h.clock.Now()
				must(h.Receive(t.Context(), said))(t)
			}
			if live := h.heldFor(t, "First"); len(live) != 1 || live[0].ID != r.ID || len(h.reservations(t)) != 1 {
				t.Errorf("of one booking %d reservations are kept, and %+v is held", len(h.reservations(t)), live)
			}
			h.checkSold(t)
			h.sound(t)
		})
	}
}

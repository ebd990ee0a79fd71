package ledger

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
)

// TestMessageThatComesAgainWithItsCodes: a channel that did not know which room it had
// sold sends the same message again when its mapping was mended.
func TestMessageThatComesAgainWithItsCodes(t *testing.T) {
	for name, test := range map[string]struct {
		order hotel.FeedOrder
		later string // what else the channel says of the booking before
		again func(*Receipt)
		fills bool
	}{
		"with its codes":                      {order: hotel.OrderRevisionNumber, fills: true},
		"by time alone":                       {order: hotel.OrderTime, fills: true},
		"of a channel without an order":       {order: hotel.OrderNone, fills: true},
		"of which nobody knows the place":     {order: hotel.OrderNone, again: func(r *Receipt) { r.At = time.Time{} }},
		"with codes that are not mapped":      {order: hotel.OrderRevisionNumber, again: func(r *Receipt) { r.Booking.Rooms[0].Room = "never mapped" }},
		"without them":                        {order: hotel.OrderRevisionNumber, again: func(r *Receipt) { r.Booking.Rooms[0].Room, r.Booking.Rooms[0].Rate = "", "" }},
		"after a change":                      {order: hotel.OrderRevisionNumber, later: "modified"},
		"after its cancellation":              {order: hotel.OrderRevisionNumber, later: "cancelled"},
		"when nobody can read what it says":   {order: hotel.OrderRevisionNumber, again: func(r *Receipt) { r.Problem = "garbled" }},
		"after somebody has said which it is": {order: hotel.OrderRevisionNumber, later: "map"},
	} {
		t.Run(name, func(t *testing.T) {
			h, ctx := newHouse(t), context.Background()
			h.newFarSide(t, 5)
			first := oneRoom(h, "1", "booked", hotel.ChannelRoom{
				Ref: "1", Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 4}, Adults: 2, Amounts: []hotel.Money{{Minor: 9000, Currency: "EUR"}},
			})
			first.Order, first.Raw = test.order, []byte("null")
			again := first
			again.Booking.Rooms = slices.Clone(first.Booking.Rooms)
			again.Booking.Rooms[0].Room, again.Booking.Rooms[0].Rate, again.Raw = "D", "F", []byte("D F")
			if test.again != nil {
				test.again(&again)
			}
			if again.At.IsZero() {
				first.At = again.At
			}
			unmapped := must(h.Receive(ctx, first))(t).Reservations[0]
			switch test.later {
			case "":
			case "map":
				h.resolve(t, h.conflict(t, hotel.ConflictUnmapped), hotel.OptionMap, fmt.Sprintf(`{"room_type_id":%q,"rate_plan_id":%q}`, h.double.ID, h.flex.ID))
			default:
				next := first
				next.Key, next.Event, next.Revision, next.At = "2", test.later, "2", first.At.Add(time.Minute)
				must(h.Receive(ctx, next))(t)
			}
			before := must(h.Reservation(ctx, unmapped.ID))(t)
			got := must(h.Receive(ctx, again))(t)
			if got.Duplicate == test.fills {
				t.Errorf("it is a duplicate: %t", got.Duplicate)
			}
			r := must(h.Reservation(ctx, unmapped.ID))(t)
			if !test.fills {
				if r.Revision != before.Revision {
					t.Errorf("it has changed %+v", r)
				}
				h.sound(t)
				return
			}
			if r.RoomTypeID != h.double.ID || r.RatePlanID != h.flex.ID || r.HasIssue("unmapped") || r.Nightly[0].RatePlanID != h.flex.ID || r.HeldRoom != "" {
				t.Errorf("stored is %+v", r)
			}
			if c := h.conflict(t, hotel.ConflictUnmapped); c.Status != hotel.ConflictResolved {
				t.Errorf("somebody is still asked: %+v", c)
			}
			if once := must(h.Receive(ctx, again))(t); !once.Duplicate {
				t.Error("it fills in a second time")
			}
			h.checkSold(t)
			h.sound(t)
		})
	}
}

// TestCodesDoNotTakeBackAnAnswer: a message that was written before the channel's yes to
// what it was asked names the room when it comes again, and says no more than it did of
// what was given back meanwhile.
func TestCodesDoNotTakeBackAnAnswer(t *testing.T) {
	for _, kind := range []hotel.ActionKind{hotel.ActionShorten, hotel.ActionCancel} {
		t.Run(string(kind), func(t *testing.T) {
			a, ctx := newActing(t, hotel.Terms{Actions: everyAction}), context.Background()
			first := oneRoom(a.house, "1", "booked", channelRoom(a.today+3, a.today+7, "", true))
			other := first.Booking.Rooms[0]
			first.Booking.Rooms[0].Rate, other.Ref = "", "2"
			first.Booking.Rooms = append(first.Booking.Rooms, other)
			again := first
			again.Booking.Rooms = slices.Clone(first.Booking.Rooms)
			for i := range again.Booking.Rooms {
				again.Booking.Rooms[i].Room, again.Booking.Rooms[i].Rate = "D", "F"
			}
			rooms := must(a.Receive(ctx, first))(t).Reservations
			a.booking = rooms[0]
			a.clock.move(time.Minute)
			must(a.ask(kind, false))(t)
			of, call, _ := a.call(t)
			a.answer(t, of, call, DeliveryApplied)
			was := a.now(t)
			if got := must(a.Receive(ctx, again))(t); !got.Duplicate {
				t.Errorf("it is taken for news of %d rooms", len(got.Reservations))
			}
			if r := a.now(t); r.Status != was.Status || r.Stay != was.Stay {
				t.Errorf("the booking is %s for %v, want %s for %v as the channel said", r.Status, r.Stay, was.Status, was.Stay)
			}
			a.sound(t)
		})
	}
}

// TestCodesDoNotDecide: a message about which somebody is asked, or has said that it does
// not count, is not applied for coming again with its codes.
func TestCodesDoNotDecide(t *testing.T) {
	for _, decision := range []string{"", hotel.OptionIgnore} {
		t.Run("decided: "+decision, func(t *testing.T) {
			h, ctx := newHouse(t), context.Background()
			h.newFarSide(t, 5)
			message := func(key, event, revision string, nights hotel.Date) Receipt {
				r := oneRoom(h, key, event, channelRoom(h.today+3, h.today+3+nights, "", true))
				r.Ref, r.Revision, r.Raw, r.Booking.Rooms[0].Rate = "B-1", revision, []byte(key), ""
				return r
			}
			id := must(h.Receive(ctx, message("1", "booked", "1", 1)))(t).Reservations[0].ID
			must(h.Receive(ctx, message("2", "modified", "2", 2)))(t)
			asked := message("3", "modified", "2", 3)
			must(h.Receive(ctx, asked))(t)
			c := h.conflict(t, hotel.ConflictStale)
			if decision != "" {
				h.resolve(t, c, decision, "")
			}
			asked.Booking.Rooms = slices.Clone(asked.Booking.Rooms)
			asked.Booking.Rooms[0].Room, asked.Booking.Rooms[0].Rate = "D", "F"
			if got := must(h.Receive(ctx, asked))(t); !got.Duplicate {
				t.Error("it is applied")
			}
			if r := must(h.Reservation(ctx, id))(t); r.Stay.Nights() != 2 {
				t.Errorf("the booking has %d nights, want the 2 that count", r.Stay.Nights())
			}
			if now := h.conflict(t, hotel.ConflictStale); decision == "" && now.Status != hotel.ConflictOpen {
				t.Errorf("nobody is asked any more: %+v", now)
			}
			h.sound(t)
		})
	}
}

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

package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// arrived is a channel's guest who is in the house, and what the channel said.
func arrived(t *testing.T) (*house, Receipt, hotel.Reservation) {
	t.Helper()
	h := newHouse(t)
	h.newFarSide(t, 5)
	said := oneRoom(h, "1", "booked", hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 3}, Adults: 2})
	r := must(h.Receive(context.Background(), said))(t).Reservations[0]
	return h, said, must2(h.StepReservation(context.Background(), tester, hotel.Once{}, r.ID, stay.CheckIn, hotel.StepRequest{}))(t)
}

// says receives what the channel says next of its booking.
func (h *house) says(t *testing.T, said Receipt, key, revision, event string, change func(*hotel.ChannelRoom)) {
	t.Helper()
	room := said.Booking.Rooms[0]
	if change != nil {
		change(&room)
	}
	said.Key, said.Revision, said.Event, said.Booking.Rooms = key, revision, event, []hotel.ChannelRoom{room}
	must(h.Receive(context.Background(), said))(t)
}

func TestChannelCancelsAGuestInTheHouse(t *testing.T) {
	for option, want := range map[string]hotel.ReservationStatus{
		hotel.OptionCancelAndCheckOut: hotel.CheckedOut, hotel.OptionKeep: hotel.CheckedIn, hotel.OptionDispute: hotel.CheckedIn,
	} {
		t.Run(option, func(t *testing.T) {
			h, said, r := arrived(t)
			h.says(t, said, "2", "2", "cancelled", nil)
			c := h.conflict(t, hotel.ConflictCancelledInHouse)
			if c.Severity != hotel.Critical || c.Subject.ID != r.ID || c.ChannelID != "ch" {
				t.Errorf("raised %+v", c)
			}
			h.resolve(t, c, option, "")
			if got := must(h.Reservation(context.Background(), r.ID))(t); got.Status != want {
				t.Errorf("the guest is %s, want %s", got.Status, want)
			}
			h.says(t, said, "2", "2", "cancelled", nil)
			h.conflict(t, hotel.ConflictCancelledInHouse) // not raised again
			h.sound(t)
		})
	}
}

// TestChannelTakesItsCancellationBack: nothing is left to decide.
func TestChannelTakesItsCancellationBack(t *testing.T) {
	h, said, _ := arrived(t)
	h.says(t, said, "2", "2", "cancelled", nil)
	h.says(t, said, "3", "3", "modified", nil)
	if c := h.conflict(t, hotel.ConflictCancelledInHouse); c.DecidedBy != hotel.ByItself {
		t.Errorf("still %+v", c)
	}
}

func TestChannelChangesAStayTooLate(t *testing.T) {
	for name, test := range map[string]struct {
		leave  bool
		change func(*hotel.ChannelRoom)
		raised bool
	}{
		"another room for who is in the house": {false, func(r *hotel.ChannelRoom) { r.Room = "T" }, true},
		"another departure for who is here":    {false, func(r *hotel.ChannelRoom) { r.Stay.CheckOut++ }, false},
		"another departure for who has left":   {true, func(r *hotel.ChannelRoom) { r.Stay.CheckOut++ }, true},
	} {
		t.Run(name, func(t *testing.T) {
			h, said, r := arrived(t)
			if test.leave {
				must2(h.StepReservation(context.Background(), tester, hotel.Once{}, r.ID, stay.CheckOut, hotel.StepRequest{ReleaseTonight: true}))(t)
			}
			h.says(t, said, "2", "2", "modified", test.change)
			list := h.conflicts(t, hotel.ConflictLateModification)
			if (len(list) == 1) != test.raised {
				t.Fatalf("conflicts %+v", list)
			}
			if test.raised {
				h.resolve(t, list[0], hotel.OptionKeep, "")
			}
		})
	}
}

func TestUnmappedBookingIsMapped(t *testing.T) {
	for _, remember := range []bool{false, true} {
		h := newHouse(t)
		h.newFarSide(t, 5)
		one, other := h.unmapped(t, "1"), h.unmapped(t, "2")
		list := h.conflicts(t, hotel.ConflictUnmapped)
		arguments := func(room, plan string) string {
			return string(must(json.Marshal(map[string]any{"room_type_id": room, "rate_plan_id": plan, "remember": remember}))(t))
		}
		for a, want := range map[string]string{
			arguments("none", h.flex.ID):  "/arguments/room_type_id unknown_room_type",
			arguments(h.suite.ID, "none"): "/arguments/rate_plan_id unknown_rate_plan",
			`{"room_type_id":"x"}`:        "/arguments/rate_plan_id required",
		} {
			_, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, list[0].ID, hotel.ConflictDecision{Option: hotel.OptionMap, Arguments: json.RawMessage(a)})
			if r, _ := errors.AsType[*hotel.Refusal](err); r == nil || r.Items[0].Pointer+" "+r.Items[0].Code != want {
				t.Errorf("%s: %v, want %s", a, err, want)
			}
		}
		c := list[0]
		if list[1].Subject.ID == one.ID {
			c = list[1]
		}
		c = h.resolve(t, c, hotel.OptionMap, arguments(h.suite.ID, h.flex.ID))
		if c.DecidedBy != "operator:tester" {
			t.Errorf("settled by %s", c.DecidedBy)
		}
		for id, mapped := range map[string]bool{one.ID: true, other.ID: remember} {
			r := must(h.Reservation(context.Background(), id))(t)
			if (r.RoomTypeID == h.suite.ID && r.RatePlanID == h.flex.ID && !r.HasIssue("unmapped")) != mapped {
				t.Errorf("remembered: %t, and %s is %+v", remember, id, r)
			}
		}
		next := h.unmapped(t, "3")
		if (next.RoomTypeID == h.suite.ID) != remember {
			t.Errorf("remembered: %t, and the next is of %q", remember, next.RoomTypeID)
		}
		h.sound(t)
	}
}

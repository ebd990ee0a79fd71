package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// TestALateMessageOfRoomsLeftOut: a message of before the one that left rooms out is the
// last that names them. It tells how they were, and what is asked or decided about them
// holds all the same.
func TestALateMessageOfRoomsLeftOut(t *testing.T) {
	for _, order := range []hotel.FeedOrder{hotel.OrderRevisionNumber, hotel.OrderRevisionCount, hotel.OrderTime} {
		for name, decidedFirst := range map[string]bool{"decided before it comes": true, "decided when it has come": false} {
			t.Run(fmt.Sprint(order, " ", name), func(t *testing.T) {
				h := newHouse(t)
				h.newFarSide(t, 5)
				made := h.clock.Now()
				says := func(i, nights int, names string) {
					r := oneRoom(h, fmt.Sprint(i), map[bool]string{true: "booked", false: "modified"}[i == 1], hotel.ChannelRoom{})
					r.Ref, r.Order, r.Revision, r.At, r.Booking.Rooms = "B", order, fmt.Sprint(i), made.Add(time.Duration(i)*time.Second), nil
					for name := range strings.FieldsSeq(names) {
						r.Booking.Rooms = append(r.Booking.Rooms, hotel.ChannelRoom{
							Ref: name, Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + hotel.Date(nights)}, Adults: 2,
						})
					}
					must(h.Receive(context.Background(), r))(t)
					h.checkSold(t)
				}
				keep := func() { h.resolve(t, h.conflict(t, hotel.ConflictGroupShrink), hotel.OptionKeepAll, "") }
				says(1, 2, "r1 r2 r3 r4")
				says(3, 2, "r1")
				if decidedFirst {
					keep()
				}
				says(2, 3, "r1 r2 r3 r4")
				if !decidedFirst {
					var facts ShrinkFacts
					if err := json.Unmarshal(h.conflict(t, hotel.ConflictGroupShrink).Facts, &facts); err != nil {
						t.Fatal(err)
					}
					if slices.ContainsFunc(facts.Missing, func(l LeftOut) bool { return l.Stay.Nights() != 3 }) || len(facts.Missing) != 3 {
						t.Errorf("it is asked about %+v, and they are of 3 nights", facts.Missing)
					}
					keep()
				}
				for _, r := range must(h.Reservations(context.Background(), hotel.ReservationFilter{Limit: 10}))(t) {
					if want := map[bool]int{true: 2, false: 3}[r.Source.RoomRef == "r1"]; r.Stay.Nights() != want {
						t.Errorf("%s is of %d nights, and the newest that names it said %d", r.Source.RoomRef, r.Stay.Nights(), want)
					}
				}
				says(4, 2, "r1")
				says(5, 2, "r1 r4")
				if c := h.conflict(t, hotel.ConflictGroupShrink); h.rooms(t) != "r1 r2 r3 r4" || c.DecidedBy != "operator:tester" {
					t.Errorf("%s are left of what somebody has kept, and the conflict is %+v", h.rooms(t), c)
				}
				says(6, 2, "r1 r2 r3")
				if h.rooms(t) != "r1 r2 r3" {
					t.Errorf("%s are left, and r4 was named again before it was left out", h.rooms(t))
				}
				h.sound(t)
			})
		}
	}
}

// TestRoomsLeftOutUnderAReferenceUsedAgain: what is asked about the rooms of a booking is
// no matter of the next one that has its reference.
func TestRoomsLeftOutUnderAReferenceUsedAgain(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 9)
	says := func(key, event, guest string, from hotel.Date, names ...string) {
		r := oneRoom(h, key, event, hotel.ChannelRoom{})
		r.Ref, r.Order, r.Revision, r.At, r.Booking.Rooms = "B", hotel.OrderNone, "", time.Time{}, nil
		r.Booking.Guest = &hotel.Guest{LastName: guest}
		for _, name := range names {
			r.Booking.Rooms = append(r.Booking.Rooms, hotel.ChannelRoom{Ref: name, Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: from, CheckOut: from + 2}, Adults: 2})
		}
		must(h.Receive(context.Background(), r))(t)
		h.checkSold(t)
	}
	says("1", "booked", "First", h.today+3, "r1", "r2", "r3")
	says("2", "modified", "First", h.today+3, "r1")
	asked := h.conflict(t, hotel.ConflictGroupShrink)
	says("3", "booked", "Another", h.today+10, "r1", "r2", "r3")
	if c := must(h.Conflict(context.Background(), asked.ID))(t); c.Status != hotel.ConflictOpen {
		t.Errorf("the question about the first booking is %+v", c)
	}
	says("4", "modified", "Another", h.today+10, "r1")
	open := h.conflicts(t, hotel.ConflictGroupShrink)
	if len(open) != 2 || slices.ContainsFunc(open, func(c hotel.Conflict) bool { return c.Status != hotel.ConflictOpen }) {
		t.Fatalf("somebody is asked %+v, want a question about each booking", open)
	}
	h.resolve(t, asked, hotel.OptionCancelMissing, "")
	if n, m := len(h.heldFor(t, "First")), len(h.heldFor(t, "Another")); n != 1 || m != 3 {
		t.Errorf("%d and %d rooms are held, want 1 of the first booking and 3 of the other", n, m)
	}
	h.sound(t)
}

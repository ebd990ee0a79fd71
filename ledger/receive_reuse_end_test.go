package ledger

import (
	"context"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// TestABookingIsCancelledTwice: what a channel says of a booking behind its cancellation, of
// a fee or a refund, is about no other one because its guest is written otherwise there.
func TestABookingIsCancelledTwice(t *testing.T) {
	room := func(w *countedWorld) hotel.ChannelRoom {
		return hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: w.night, CheckOut: w.night + 1}, Adults: 2}
	}
	for name, test := range map[string]struct {
		stored  func(t *testing.T, w *countedWorld, r hotel.Reservation) // what the house does before the first cancellation
		between func(t *testing.T, w *countedWorld, r hotel.Reservation) // and behind it
		guest   hotel.Guest                                              // of the second
		event   string
	}{
		"its guest was put right by the house": {stored: func(t *testing.T, w *countedWorld, r hotel.Reservation) {
			w.h.renamed(t, r.ID)
		}, guest: hotel.Guest{LastName: "First", Email: "first@example.com"}, event: "cancelled"},
		"its guest's address is masked":  {guest: hotel.Guest{LastName: "First", Email: "x1@guest.booking.com"}, event: "cancelled"},
		"its guest is written otherwise": {guest: hotel.Guest{LastName: "F."}, event: "cancelled"},
		"a change, of a guest who is written otherwise": {stored: func(t *testing.T, w *countedWorld, r hotel.Reservation) {
			w.h.renamed(t, r.ID)
		}, guest: hotel.Guest{LastName: "First", Email: "first@example.com"}, event: "modified"},
		"a change, of a guest with one address and two names": {guest: hotel.Guest{LastName: "F.", Email: "first@example.com"}, event: "modified"},
		"a change, of a guest who is forgotten": {between: func(t *testing.T, w *countedWorld, r hotel.Reservation) {
			must(w.h.forget(r.GuestID))(t)
		}, guest: hotel.Guest{LastName: "First"}, event: "modified"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newCountedWorld(t, keepsCount, map[string]int{"D": 3})
			say := func(key, event string, guest hotel.Guest, rooms ...hotel.ChannelRoom) Received {
				r := oneRoom(w.h, key, event, hotel.ChannelRoom{})
				r.Ref, r.Revision, r.Raw, r.Adjusts = "B7", key, []byte(key), w.adjusts
				r.Booking.Guest, r.Booking.Rooms = &guest, rooms
				w.h.clock.move(time.Minute)
				return must(w.h.Receive(t.Context(), r))(t)
			}
			guest := hotel.Guest{LastName: "First", Email: "first@example.com"}
			booked := say("1", "booked", guest, room(w)).Reservations[0]
			if test.stored != nil {
				test.stored(t, w, booked)
			}
			say("2", "cancelled", guest)
			if test.between != nil {
				test.between(t, w, booked)
			}
			say("3", test.event, test.guest, room(w))
			all := w.h.reservations(t)
			if len(all) != 1 {
				t.Fatalf("%d reservations are kept of one booking", len(all))
			}
			live := test.event == "modified" // a change that comes behind the cancellation: it lives again
			if p := w.party(t, "D", 0); p.now.Account != 2 || (p.live == 1) != live || stay.Live(all[0].Status) != live {
				t.Errorf("the account is %d, want 2 of 3, one of which was sold; %d are sold, and it is %s", p.now.Account, p.live, all[0].Status)
			}
			if p := must(w.h.Guest(t.Context(), all[0].GuestID))(t); test.between != nil && p.Status != hotel.GuestAnonymized {
				t.Errorf("who was forgotten is known again as %+v", p.Guest)
			}
			w.h.checkSold(t)
			w.h.sound(t)
		})
	}
}

// TestACancellationOfAnother: one with a number that begins again is of another booking,
// which the channel has sold and given back.
func TestACancellationOfAnother(t *testing.T) {
	w := newCountedWorld(t, keepsCount, map[string]int{"D": 3})
	for i, event := range []string{"booked", "cancelled", "cancelled"} {
		r := oneRoom(w.h, string(rune('a'+i)), event, hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: w.night, CheckOut: w.night + 1}, Adults: 2})
		r.Ref, r.Revision, r.Adjusts = "B7", []string{"2", "3", "2"}[i], w.adjusts
		w.h.clock.move(time.Minute)
		must(w.h.Receive(t.Context(), r))(t)
	}
	if n := len(w.h.reservations(t)); n != 2 || slices.ContainsFunc(w.h.reservations(t), func(r hotel.Reservation) bool { return stay.Live(r.Status) }) {
		t.Errorf("%d reservations are kept, want 2 that are cancelled", n)
	}
	if got := w.party(t, "D", 0).now.Account; got != 1 {
		t.Errorf("the account is %d, want 1 of 3: two were sold and given back", got)
	}
	w.h.sound(t)
}

// renamed has the house write another guest into a booking.
func (h *house) renamed(t tb, id string) {
	t.Helper()
	name, address := "Put Right", "right@example.com"
	got := must2(h.ChangeReservation(context.Background(), tester, hotel.Once{}, id, hotel.ReservationChange{Guest: &hotel.GuestChange{LastName: &name, Email: &address}}))(t)
	if !got.Keeps(hotel.KeptGuest) {
		t.Fatal("the guest is not the house's")
	}
}

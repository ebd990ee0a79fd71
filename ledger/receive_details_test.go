package ledger

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// TestDetailsOfAChannelsBooking: wishes, the hour of arrival, extras and further guests
// come with the channel's message, are kept when a later one leaves them out, and follow
// one that says otherwise, but for what somebody here has set.
func TestDetailsOfAChannelsBooking(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	in := h.today + 1
	dinner := hotel.Extra{Code: "dinner", Name: "Dinner", DateFrom: in, DateTo: in + 1, Quantity: 2, UnitPrice: hotel.Money{Minor: 3000, Currency: "EUR"}}
	room := hotel.ChannelRoom{
		Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 2}, Adults: 3,
		Amounts: []hotel.Money{{Minor: 8000, Currency: "EUR"}, {Minor: 8000, Currency: "EUR"}},
	}
	said := oneRoom(h, "1", "booked", room)
	said.Ref = "B"
	type details struct {
		Requests, Arrival string
		Extras            []hotel.Extra
		Companions        []string
	}
	ctx, names := context.Background(), map[string]string{} // of guests, by id
	tell := func(key, event, requests, arrival string, extras []hotel.Extra, companions []hotel.Guest) (hotel.Reservation, details) {
		t.Helper()
		said.Key, said.Revision, said.Event = key, key, event
		said.Booking.Requests, said.Booking.ArrivalTime = requests, arrival
		said.Booking.Rooms[0].Extras, said.Booking.Rooms[0].Companions = extras, companions
		r := must(h.Receive(ctx, said))(t).Reservations[0]
		d := details{Requests: r.Requests, Arrival: r.ArrivalTime, Extras: r.Extras}
		for _, id := range r.Companions {
			p := must(h.Guest(ctx, id))(t)
			names[id] = p.FirstName + " " + p.LastName
			d.Companions = append(d.Companions, names[id])
		}
		return r, d
	}
	is := func(when string, got, want details) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", when, diff)
		}
	}
	family := []hotel.Guest{{FirstName: "Ada", LastName: "Guest"}, {FirstName: "Ida", LastName: "Guest"}, {LastName: "Guest"}}
	whole := details{"a quiet room", "22:30", []hotel.Extra{dinner}, []string{"Ada Guest", "Ida Guest"}}
	r, got := tell("1", "booked", "a quiet room", "22:30", []hotel.Extra{dinner}, family)
	is("all of it", got, whole)
	if r.Totals == nil || r.Totals.Extras.Minor == 0 {
		t.Errorf("extras are not in what it comes to: %+v", r.Totals)
	}
	first := r.Companions
	_, got = tell("2", "modified", "", "", nil, nil)
	is("left out", got, whole)
	r, got = tell("3", "modified", "a cot", "late", []hotel.Extra{
		{Code: "cot", DateFrom: in - 3, DateTo: in + 9, Quantity: 1, UnitPrice: hotel.Money{Minor: 0, Currency: "EUR"}},
		{Code: "tour", DateFrom: in, DateTo: in, Quantity: 1, UnitPrice: hotel.Money{Minor: 100, Currency: "USD"}},
		{Code: "", DateFrom: in, DateTo: in, Quantity: 1, UnitPrice: hotel.Money{Currency: "EUR"}},
	}, family[1:2])
	is("otherwise", got, details{"a cot", "22:30", []hotel.Extra{{Code: "cot", DateFrom: in, DateTo: in + 2, Quantity: 1, UnitPrice: hotel.Money{Currency: "EUR"}}}, []string{"Ida Guest"}})
	if r.Companions[0] != first[1] {
		t.Error("the same guest has another profile")
	}
	if len(r.Issues) != 1 || r.Issues[0].Code != "currency" {
		t.Errorf("issues are %+v, want that of the currency", r.Issues)
	}
	if _, _, err := h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{ArrivalTime: new("19:00"), Requests: new("none"), Extras: &[]hotel.Extra{}, Companions: &[]string{}}); err != nil {
		t.Fatal(err)
	}
	_, got = tell("4", "modified", strings.Repeat("x", 3000), "23:00", []hotel.Extra{dinner}, family)
	is("behind somebody who knows better", got, details{Requests: "none", Arrival: "19:00"})
	h.checkSold(t)
}

// TestACompanionIsForgotten: whoever is forgotten is neither kept in what the channel
// wrote, nor told again by it.
func TestACompanionIsForgotten(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	ctx, in := context.Background(), h.today+1
	room := hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 2, Companions: []hotel.Guest{{FirstName: "Ida", LastName: "Rhodes"}}}
	said := oneRoom(h, "1", "booked", room)
	said.Ref, said.Raw = "B", []byte("with Ida Rhodes")
	r := must(h.Receive(ctx, said))(t).Reservations[0]
	ida := r.Companions[0]
	if _, err := h.forget(ida); err != nil {
		t.Fatal(err)
	}
	for _, m := range must(h.MessagesOfGuest(ctx, r.GuestID))(t) {
		if strings.Contains(string(m.Content), "Rhodes") {
			t.Errorf("a message names who was forgotten: %s", m.Content)
		}
	}
	said.Key, said.Revision, said.Event = "2", "2", "modified"
	r = must(h.Receive(ctx, said))(t).Reservations[0]
	if len(r.Companions) != 1 || r.Companions[0] != ida {
		t.Errorf("companions are %v, want %s alone", r.Companions, ida)
	}
}

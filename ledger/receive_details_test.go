package ledger

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// TestDetailsOfAChannelsBooking: wishes, the hour of arrival, extras and further guests
// come with the channel's message, are kept when a later one leaves them out, and follow
// one that says otherwise, but for what somebody here has set.
func TestDetailsOfAChannelsBooking(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	in := h.today + 1
	dinner := hotel.Extra{Code: "dinner", DateFrom: in, DateTo: in + 1, Quantity: 2, UnitPrice: hotel.Money{Minor: 3000, Currency: "EUR"}}
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
		said.Booking.Requests, said.Booking.ArrivalTime = nil, nil
		if event != "left out" {
			said.Booking.Requests, said.Booking.ArrivalTime = &requests, &arrival
		} else {
			said.Event = "modified"
		}
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
	_, got = tell("2", "left out", "", "", nil, nil)
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
	if len(r.Issues) != 2 || r.Issues[0].Code != "arrival_time" || r.Issues[1].Code != "currency" {
		t.Errorf("issues are %+v, want that of the currency", r.Issues)
	}
	if _, _, err := h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{ArrivalTime: new("19:00"), Requests: new("none"), Extras: &[]hotel.Extra{}, Companions: &[]string{}}); err != nil {
		t.Fatal(err)
	}
	_, got = tell("4", "modified", strings.Repeat("x", 3000), "23:00", []hotel.Extra{dinner}, family)
	is("behind somebody who knows better", got, details{Requests: "none", Arrival: "19:00"})
	h.checkSold(t)
}

// TestWithdrawnDetails: what a channel says there is none of any more goes, whichever of its
// messages comes first.
func TestWithdrawnDetails(t *testing.T) {
	for _, order := range [][]string{{"1", "2"}, {"2", "1"}} {
		h := newHouse(t)
		h.newFarSide(t, 5)
		in := h.today + 1
		room := hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 2}
		var r hotel.Reservation
		for _, key := range order {
			said := oneRoom(h, key, "modified", room)
			said.Ref = "B"
			said.Booking.Requests, said.Booking.ArrivalTime = new(""), new("")
			said.Booking.Rooms[0].Companions, said.Booking.Rooms[0].Extras = []hotel.Guest{}, []hotel.Extra{}
			if key == "1" {
				said.Event = "booked"
				said.Booking.Requests, said.Booking.ArrivalTime = new("a cot"), new("18:00")
				said.Booking.Rooms[0].Companions = []hotel.Guest{{FirstName: "Ida", LastName: "Rhodes"}}
				said.Booking.Rooms[0].Extras = []hotel.Extra{{Code: "cot", DateFrom: in, DateTo: in, Quantity: 1, UnitPrice: hotel.Money{Minor: 100, Currency: "EUR"}}}
			}
			if got := must(h.Receive(t.Context(), said))(t).Reservations; len(got) > 0 {
				r = must(h.Reservation(t.Context(), got[0].ID))(t)
			}
		}
		if r.Requests != "" || r.ArrivalTime != "" || len(r.Extras) > 0 || len(r.Companions) > 0 {
			t.Errorf("in the order %v: %q, %q, %v and %v are left", order, r.Requests, r.ArrivalTime, r.Extras, r.Companions)
		}
	}
}

// TestACompanionIsForgotten: whoever is forgotten is neither kept in what the channel
// wrote, nor told again by it; what else stands in the booking is whoever has booked it.
func TestACompanionIsForgotten(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	ctx, in := t.Context(), h.today+1
	room := hotel.ChannelRoom{
		Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 2,
		Companions: []hotel.Guest{{FirstName: "Ida", LastName: canary}, {FirstName: "Ada", LastName: "Rhodes"}},
	}
	said := oneRoom(h, "1", "booked", room)
	said.Ref, said.Raw, said.Booking.Requests = "B", []byte("with Ida "+canary), new("a quiet room")
	r := must(h.Receive(ctx, said))(t).Reservations[0]
	ida, ada := r.Companions[0], r.Companions[1]
	if _, err := h.forget(ida); refusedAs(err) != "resource_in_use" {
		t.Fatalf("a companion who is still to come: %v", err)
	}
	next := func(key, event string) hotel.Reservation {
		t.Helper()
		said.Key, said.Revision, said.Event = key, key, event
		return must(h.Receive(ctx, said))(t).Reservations[0]
	}
	next("2", "cancelled")
	if _, err := h.forget(ida); err != nil {
		t.Fatal(err)
	}
	if got := must(h.Reservation(ctx, r.ID))(t); got.Requests != "a quiet room" {
		t.Errorf("what somebody else has asked for is %q", got.Requests)
	}
	nobody := func() {
		t.Helper()
		if err := h.w.scrub(ctx); err != nil {
			t.Fatal(err)
		}
		if found := h.traces(t); len(found) > 0 {
			t.Errorf("the canary is in %v", found)
		}
	}
	nobody()
	if r = next("3", "modified"); !slices.Equal(r.Companions, []string{ida, ada}) {
		t.Errorf("companions are %v, want %s and %s", r.Companions, ida, ada)
	}
	nobody()
	said.Booking.Rooms[0].Companions = said.Booking.Rooms[0].Companions[:1]
	if r = next("4", "modified"); !slices.Equal(r.Companions, []string{ida}) {
		t.Errorf("companions are %v, want %s alone", r.Companions, ida)
	}
	said.Key, said.Order, said.At = "5", hotel.OrderNone, time.Time{} // it waits for somebody to say whether it counts
	must(h.Receive(ctx, said))(t)
	if row := must(h.read.GetMessage(ctx, ledgerdb.GetMessageParams{ChannelID: "ch", Key: "5"}))(t); row.Outcome != messageWaiting || row.Content == nil {
		t.Errorf("it is %s, with %v", row.Outcome, row.Content)
	}
	nobody()
}

// TestNothingOfAForgottenGuestIsToldAgain: neither wishes nor a card, nor who came along.
func TestNothingOfAForgottenGuestIsToldAgain(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	ctx, in := t.Context(), h.today+1
	room := hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 2, Amounts: []hotel.Money{{Minor: 8000, Currency: "EUR"}}}
	said := oneRoom(h, "1", "booked", room)
	said.Ref, said.Booking.Guest = "B", &hotel.Guest{FirstName: "Ida", LastName: canary}
	r := must(h.Receive(ctx, said))(t).Reservations[0]
	said.Key, said.Revision, said.Event = "2", "2", "cancelled"
	must(h.Receive(ctx, said))(t)
	if _, err := h.forget(r.GuestID); err != nil {
		t.Fatal(err)
	}
	said.Key, said.Revision, said.Event = "3", "3", "modified"
	said.Booking.Requests, said.Booking.ArrivalTime = new("for "+canary), new("18:00")
	said.Booking.Payment = hotel.ChannelPayment{Card: &hotel.Card{Brand: "visa", Last4: "1111"}, Access: &hotel.CardAccess{Kind: hotel.CardInExtranet}}
	said.Booking.Rooms[0].Companions = []hotel.Guest{{FirstName: "Ada", LastName: canary}}
	said.Booking.Rooms[0].Extras = []hotel.Extra{{Code: "cot", DateFrom: in, DateTo: in, Quantity: 1, UnitPrice: hotel.Money{Currency: "EUR"}}}
	if r = must(h.Receive(ctx, said))(t).Reservations[0]; wordy(r.Words) || r.ArrivalTime != "" || len(r.Companions) > 0 || len(r.Extras) > 0 {
		t.Errorf("told again are %+v, %q, %v and %v", r.Words, r.ArrivalTime, r.Companions, r.Extras)
	}
	if err := h.w.scrub(ctx); err != nil {
		t.Fatal(err)
	}
	if found := h.traces(t); len(found) > 0 {
		t.Errorf("the canary is in %v", found)
	}
}

// TestAMergedCompanion: a companion whose profile came to an end in another is that one,
// here and to the channel's next message; never beside themselves.
func TestAMergedCompanion(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	ctx, in := t.Context(), h.today+1
	ida := hotel.Guest{FirstName: "Ida", LastName: "Rhodes"}
	room := hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 2, Companions: []hotel.Guest{ida}}
	said := oneRoom(h, "1", "booked", room)
	said.Ref = "B"
	r := must(h.Receive(ctx, said))(t).Reservations[0]
	p := h.merge(t, must2(h.CreateGuest(ctx, tester, hotel.Once{}, hotel.GuestProfile{PropertyID: h.property.ID, Guest: ida}))(t).ID, r.Companions[0])
	if got := must(h.Reservation(ctx, r.ID))(t); !slices.Equal(got.Companions, []string{p.ID}) {
		t.Errorf("companions are %v, want %s", got.Companions, p.ID)
	}
	said.Key, said.Revision, said.Event = "2", "2", "modified"
	if r = must(h.Receive(ctx, said))(t).Reservations[0]; !slices.Equal(r.Companions, []string{p.ID}) {
		t.Errorf("told again, companions are %v, want %s", r.Companions, p.ID)
	}
	h.merge(t, r.GuestID, p.ID)
	if got := must(h.Reservation(ctx, r.ID))(t); len(got.Companions) > 0 {
		t.Errorf("the guest comes along with themselves: %v", got.Companions)
	}
	h.sound(t)
}

// A party that cannot be is taken as far as it can, and said to be none; told once more, it is
// the same booking.
func TestAPartyThatCannotBe(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	room := hotel.ChannelRoom{
		Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 1, CheckOut: h.today + 2}, Adults: -1, Children: []int{-7, -1, 4, 255},
		Amounts: []hotel.Money{{Minor: 8000, Currency: "EUR"}},
	}
	said := oneRoom(h, "1", "booked", room)
	said.Ref = "B"
	r := must(h.Receive(t.Context(), said))(t).Reservations[0]
	if r.Adults != 0 || !slices.Equal(r.ChildrenAges, []int{-1, -1, 4, -1}) || len(r.Issues) != 1 || r.Issues[0].Code != "party" {
		t.Errorf("%d adults and children aged %v come, with the issues %+v", r.Adults, r.ChildrenAges, r.Issues)
	}
	said.Key, said.Revision = "2", "2"
	if again := must(h.Receive(t.Context(), said))(t).Reservations; len(again) != 1 || again[0].ID != r.ID {
		t.Errorf("told once more it is %+v", again)
	}
}

// TestAnExtraAtNoPrice is within the price of the room, in whatever currency that is.
func TestAnExtraAtNoPrice(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	in := h.today + 1
	said := oneRoom(h, "1", "booked", hotel.ChannelRoom{
		Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 2,
		Extras: []hotel.Extra{{Code: "half_board", DateFrom: in, DateTo: in, Quantity: 1, UnitPrice: hotel.Money{Currency: "CHF"}}},
	})
	r := must(h.Receive(t.Context(), said))(t).Reservations[0]
	if len(r.Extras) != 1 || slices.ContainsFunc(r.Issues, func(i hotel.Issue) bool { return i.Code == "currency" }) {
		t.Errorf("it has %+v, with %v", r.Extras, r.Issues)
	}
}

// TestATentativeBooking takes its room like any other, and says what it is until its channel
// says otherwise.
func TestATentativeBooking(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	said := oneRoom(h, "1", "booked", hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 1, CheckOut: h.today + 2}, Adults: 2})
	said.Ref = "B"
	for key, tentative := range []bool{true, true, false} {
		said.Key, said.Revision, said.Booking.Tentative = string(rune('1'+key)), string(rune('1'+key)), tentative
		r := must(h.Receive(t.Context(), said))(t).Reservations[0]
		flagged := slices.ContainsFunc(r.Issues, func(i hotel.Issue) bool { return i.Code == "tentative" })
		if r.Status != hotel.Confirmed || flagged != tentative {
			t.Errorf("tentative: %t; it is %s with %v", tentative, r.Status, r.Issues)
		}
		said.Event = "modified"
	}
	h.checkSold(t)
}

package ledger

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
)

func cents(minor ...int64) (out []hotel.Money) {
	for _, m := range minor {
		out = append(out, hotel.Money{Minor: m, Currency: "EUR"})
	}
	return out
}

// TestTotalOfABookingIsItsPrice: what is not told by night is shared by the nights, and what
// contradicts is told. Each room is written as its nights, what is kept of it and its issues.
func TestTotalOfABookingIsItsPrice(t *testing.T) {
	parking := hotel.Extra{Code: "parking", Quantity: 1, UnitPrice: hotel.Money{Minor: 1000, Currency: "EUR"}}
	for _, test := range []struct {
		name       string
		nights     []hotel.Date    // of each room
		amounts    [][]hotel.Money // likewise
		total      hotel.Money
		commission int64
		event      string
		change     func(r *Receipt)
		want       []string
	}{
		{name: "of one room", nights: []hotel.Date{3}, total: cents(10000)[0], want: []string{"[3334 3333 3333] <nil> [price_spread]"}},
		{name: "of two rooms, by their nights", nights: []hotel.Date{2, 1}, total: cents(10000)[0], commission: 1001, want: []string{
			"[3334 3333] 6.68 EUR [price_spread]", "[3333] 3.33 EUR [price_spread]",
		}},
		{name: "of two rooms, one of them told", nights: []hotel.Date{2, 1}, amounts: [][]hotel.Money{nil, cents(7000)}, total: cents(10000)[0], commission: 1000, want: []string{
			"[1500 1500] 3.00 EUR [price_spread]", "[7000] 7.00 EUR []",
		}},
		{name: "of a room that is told for one night of two", nights: []hotel.Date{2}, amounts: [][]hotel.Money{cents(7000)}, total: cents(10000)[0], want: []string{"[5000 5000] <nil> [price_spread]"}},
		{name: "of nights that are told", nights: []hotel.Date{2}, amounts: [][]hotel.Money{cents(6000, 4000)}, total: cents(10000)[0], commission: 1500, want: []string{"[6000 4000] 15.00 EUR []"}},
		{name: "of other nights than are told", nights: []hotel.Date{2}, amounts: [][]hotel.Money{cents(6000, 4000)}, total: cents(10001)[0], want: []string{"[6000 4000] <nil> [total_differs]"}},
		{name: "of less than what is told of one room", nights: []hotel.Date{1, 1}, amounts: [][]hotel.Money{cents(6000), nil}, total: cents(5000)[0], commission: 101, want: []string{
			"[6000] 0.51 EUR [total_differs]", "[] 0.50 EUR [total_differs price_unknown]",
		}},
		{name: "which leaves nothing for a room", nights: []hotel.Date{1, 1}, amounts: [][]hotel.Money{cents(6000), nil}, total: cents(6000)[0], want: []string{
			"[6000] <nil> []", "[] <nil> [price_unknown]",
		}},
		{name: "of nothing", nights: []hotel.Date{1}, total: cents(0)[0], want: []string{"[] <nil> [price_unknown]"}},
		{name: "in another currency than the house's", nights: []hotel.Date{2}, total: hotel.Money{Minor: 10001, Currency: "JPY"}, want: []string{"[5001 5000] <nil> [price_spread currency]"}},
		{name: "in another currency than the nights", nights: []hotel.Date{1, 1}, amounts: [][]hotel.Money{cents(6000), nil}, total: hotel.Money{Minor: 10000, Currency: "USD"}, want: []string{
			"[6000] <nil> []", "[] <nil> [price_unknown]",
		}},
		{name: "of a stay without a night", nights: []hotel.Date{0}, total: cents(5000)[0], want: []string{"[5000] <nil> [stay price_spread]"}},
		{name: "with extras", nights: []hotel.Date{2}, total: cents(10000)[0], want: []string{"[4000 4000] <nil> [price_spread]"}, change: func(r *Receipt) {
			e := parking
			e.DateFrom, e.DateTo = r.Booking.Rooms[0].Stay.CheckIn, r.Booking.Rooms[0].Stay.CheckIn+1
			r.Booking.Rooms[0].Extras = []hotel.Extra{e}
		}},
		{name: "which leaves out the extras", nights: []hotel.Date{1}, amounts: [][]hotel.Money{cents(6000)}, total: cents(6000)[0], want: []string{"[6000] <nil> []"}, change: func(r *Receipt) {
			e := parking
			e.DateFrom, e.DateTo = r.Booking.Rooms[0].Stay.CheckIn, r.Booking.Rooms[0].Stay.CheckIn
			r.Booking.Rooms[0].Extras = []hotel.Extra{e}
		}},
		{name: "of each room", nights: []hotel.Date{2, 2}, commission: 1000, want: []string{
			"[4500 4500] 4.50 EUR [price_spread]", "[5501 5500] 5.50 EUR [price_spread]",
		}, total: cents(20001)[0], change: func(r *Receipt) {
			r.Booking.Rooms[0].Total, r.Booking.Rooms[1].Total = &cents(9000)[0], &cents(11001)[0]
		}},
		{name: "of a room that is told for other nights", nights: []hotel.Date{1}, amounts: [][]hotel.Money{cents(6000)}, total: cents(6000)[0], want: []string{"[6000] <nil> [total_differs]"}, change: func(r *Receipt) {
			r.Booking.Rooms[0].Total = &cents(7000)[0]
		}},
		{name: "of a cancelled booking", nights: []hotel.Date{2}, total: cents(10000)[0], event: "cancelled", want: []string{"[5000 5000] <nil> [price_spread]"}},
		{name: "of rooms of which some are named", nights: []hotel.Date{2}, total: cents(10000)[0], event: "modified", want: []string{"[] <nil> [price_unknown]"}, change: func(r *Receipt) { r.Partial = true }},
		{name: "of all rooms of a channel that names what changes", nights: []hotel.Date{2}, total: cents(10000)[0], want: []string{"[5000 5000] <nil> [price_spread]"}, change: func(r *Receipt) { r.Partial = true }},
		{name: "of a room of such a channel", nights: []hotel.Date{2}, total: cents(90000)[0], event: "modified", want: []string{"[5000 5000] <nil> [price_spread]"}, change: func(r *Receipt) {
			r.Partial, r.Booking.Rooms[0].Total = true, &cents(10000)[0]
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			r := oneRoom(h, "1", "booked", hotel.ChannelRoom{})
			if test.event != "" {
				r.Event = test.event
			}
			r.Booking.Rooms, r.Booking.Total = nil, &test.total
			if test.commission > 0 {
				r.Booking.Commission = &cents(test.commission)[0]
			}
			for i, nights := range test.nights {
				room := hotel.ChannelRoom{Ref: fmt.Sprint(i), Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 1, CheckOut: h.today + 1 + nights}, Adults: 2}
				if test.amounts != nil {
					room.Amounts = test.amounts[i]
				}
				r.Booking.Rooms = append(r.Booking.Rooms, room)
			}
			if test.change != nil {
				test.change(&r)
			}
			var got []string
			for _, is := range must(h.Receive(t.Context(), r))(t).Reservations {
				got = append(got, moneyOf(is))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			h.checkSold(t)
		})
	}
}

// moneyOf writes what a reservation costs by night, what its channel keeps, and its issues.
func moneyOf(r hotel.Reservation) string {
	nights, issues := []int64{}, []string{}
	var sum int64
	for _, n := range r.Nightly {
		nights = append(nights, n.Amount.Minor)
		sum += n.Amount.Minor
	}
	if r.Total.Minor != sum || r.PriceKnown != (len(nights) > 0) {
		nights = append(nights, -1)
	}
	for _, i := range r.Issues {
		issues = append(issues, i.Code)
	}
	return fmt.Sprint(nights, " ", r.Commission, " ", issues)
}

// TestEveryOrderOfTotals: what rooms cost follows from the newest message, whatever the order
// in which messages come that tell totals, amounts, both or neither.
func TestEveryOrderOfTotals(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		h.newFarSide(t, 5)
		var history []Receipt
		for i := range rapid.IntRange(1, 3).Draw(t, "revisions") {
			r := oneRoom(h, fmt.Sprint(i), "modified", hotel.ChannelRoom{})
			if i == 0 {
				r.Event = "booked"
			}
			r.Ref, r.Revision, r.Booking.Rooms = "B", fmt.Sprint(i+1), nil
			if rapid.Bool().Draw(t, "a total") {
				r.Booking.Total = &cents(rapid.Int64Range(1, 50000).Draw(t, "total"))[0]
			}
			r.Booking.Commission = &cents(rapid.Int64Range(1, 5000).Draw(t, "commission"))[0]
			for name := range rapid.IntRange(1, 3).Draw(t, "rooms") {
				nights := rapid.IntRange(1, 3).Draw(t, "nights")
				room := hotel.ChannelRoom{Ref: fmt.Sprint(name), Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 1, CheckOut: h.today + 1 + hotel.Date(nights)}, Adults: 2}
				if rapid.Bool().Draw(t, "amounts") {
					for range nights {
						room.Amounts = append(room.Amounts, cents(rapid.Int64Range(0, 9999).Draw(t, "amount"))...)
					}
				}
				r.Booking.Rooms = append(r.Booking.Rooms, room)
			}
			history = append(history, r)
		}
		newest := history[len(history)-1]
		for _, m := range rapid.Permutation(append(slices.Clone(history), rapid.SampledFrom(history).Draw(t, "again"))).Draw(t, "arrival") {
			must(h.Receive(ctx, m))(t)
		}
		alone := newHouse(t)
		alone.newFarSide(t, 5)
		newest.Event = "booked"
		must(alone.Receive(ctx, newest))(t)
		live := func(h *house) map[string]string {
			out := map[string]string{}
			for _, r := range must(h.Reservations(ctx, hotel.ReservationFilter{PropertyIDs: []string{h.property.ID}, Limit: 100}))(t) {
				if r.Status == hotel.Confirmed {
					out[r.Source.RoomRef] = moneyOf(r)
				}
			}
			return out
		}
		got, want := live(h), live(alone)
		for ref := range got { // rooms that the newest has not may be held until somebody says
			if _, named := want[ref]; !named {
				delete(got, ref)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("-newest alone +as it came:\n%s", diff)
		}
		var kept int64
		for _, r := range must(alone.Reservations(ctx, hotel.ReservationFilter{PropertyIDs: []string{alone.property.ID}, Limit: 100}))(t) {
			kept += r.Commission.Minor
		}
		if kept != newest.Booking.Commission.Minor {
			t.Fatalf("rooms pay %d of %s", kept, newest.Booking.Commission)
		}
	})
}

package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"ostler.example/hotel"
)

// TestABookingCostsSomethingElse: what the channel says is compared with what it was
// told when the booking was made, not with what it is told by now.
func TestABookingCostsSomethingElse(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	h.policies(t, hotel.Policies{PriceMismatch: "4.5"})
	f.goLive(t)
	f.catchUp(t)
	h.clock.move(time.Hour)
	cheap := h.clock.Now()
	h.clock.move(time.Hour)
	must(h.setPrice(h.double, h.flex, h.today, h.today+60, 15000))(t)
	f.catchUp(t)
	h.clock.move(time.Hour)
	none := hotel.Severity("")
	for i, test := range []struct {
		name     string
		at       time.Time
		rate     string
		amounts  []int64
		severity hotel.Severity
		verdict  string
	}{
		{"what it was told", h.clock.Now(), "F", []int64{15000, 15000}, none, ""},
		{"what it was told then", cheap, "F", []int64{10000, 10000}, none, ""},
		{"what it was told then, of the derived rate", cheap, "S", []int64{9000, 9000}, none, ""},
		{"rounded", h.clock.Now(), "F", []int64{15001, 15000}, none, ""},
		{"neither", h.clock.Now(), "F", []int64{9900, 10300}, hotel.Warning, "unknown 0"},
		{"a promotion", h.clock.Now(), "F", []int64{12000, 12000}, hotel.Warning, "promotion 20"},
		{"a small one", h.clock.Now(), "F", []int64{14400, 14400}, hotel.Info, "promotion 4"},
		{"one beyond the policy", h.clock.Now(), "F", []int64{14300, 14300}, hotel.Warning, "promotion 5"},
		{"another rate", h.clock.Now(), "F", []int64{13500, 13500}, hotel.Warning, "other_rate 0"},
		{"dearer", cheap, "F", []int64{10000, 12000}, hotel.Warning, "unknown 0"},
		{"no price", cheap, "F", nil, none, ""},
		{"nobody knows when", time.Time{}, "F", []int64{1, 1}, none, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := h.today + hotel.Date(3+3*i)
			room := hotel.ChannelRoom{Ref: "1", Room: "D", Rate: test.rate, Stay: hotel.Stay{CheckIn: in, CheckOut: in + 2}, Adults: 2}
			for _, minor := range test.amounts {
				room.Amounts = append(room.Amounts, hotel.Money{Minor: minor, Currency: "EUR"})
			}
			r := must(h.Receive(context.Background(), Receipt{
				ChannelID: f.id, Key: test.name, Ref: test.name, Revision: "1", Event: "booked", At: test.at, Order: hotel.OrderRevisionNumber,
				Booking: hotel.ChannelBooking{Rooms: []hotel.ChannelRoom{room}},
			}))(t).Reservations[0]
			var found *hotel.Conflict
			for _, c := range h.conflicts(t, hotel.ConflictMismatch) {
				if c.Subject.ID == r.ID {
					found = &c
				}
			}
			if found == nil {
				if test.severity != none {
					t.Error("nobody is told")
				}
				return
			}
			var facts MismatchFacts
			if err := json.Unmarshal(found.Facts, &facts); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%s %d", facts.Verdict, facts.Promotion); found.Severity != test.severity || got != test.verdict || len(facts.Nights) != 2 {
				t.Errorf("%s, %s: %s", found.Severity, got, found.Facts)
			}
			if facts.SoldPlan == "" {
				return
			}
			_, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, found.ID, hotel.ConflictDecision{Option: hotel.OptionRemap, Arguments: []byte(`{"room_type_id":"x","rate_plan_id":"y"}`)})
			if got := refusedAs(err); got != "validation_failed" {
				t.Errorf("mapped to what there is not: %v", err)
			}
			c := h.resolve(t, *found, hotel.OptionRemap, `{"room_type_id":"`+facts.SoldRoom+`","rate_plan_id":"`+facts.SoldPlan+`"}`)
			if now := must(h.Reservation(context.Background(), r.ID))(t); now.RatePlanID != h.saver.ID || now.Total != r.Total || c.Status != hotel.ConflictResolved {
				t.Errorf("mapped anew to %s for %v", now.RatePlanID, now.Total)
			}
		})
	}
	h.sound(t)
}

// TestATotalCostsSomethingElse: a total without amounts by night is compared as that, also
// where nights had different prices; what each of several rooms costs it does not say.
func TestATotalCostsSomethingElse(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	must(h.setPrice(h.double, h.flex, h.today+3, h.today+3, 15000))(t)
	f.goLive(t)
	f.catchUp(t)
	h.clock.move(time.Hour)
	for name, test := range map[string]struct {
		total int64
		rooms int
		told  int
	}{
		"what it was told":           {25000, 1, 0},
		"less":                       {20000, 1, 1},
		"of two rooms, whichever is": {20000, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := Receipt{
				ChannelID: f.id, Key: name, Ref: name, Revision: "1", Event: "booked", At: h.clock.Now(), Order: hotel.OrderRevisionNumber,
				Booking: hotel.ChannelBooking{Total: &hotel.Money{Minor: test.total, Currency: "EUR"}},
			}
			for i := range test.rooms {
				r.Booking.Rooms = append(r.Booking.Rooms, hotel.ChannelRoom{
					Ref: fmt.Sprint(i), Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 5}, Adults: 2,
				})
			}
			before := len(h.conflicts(t, hotel.ConflictMismatch))
			must(h.Receive(t.Context(), r))(t)
			if told := len(h.conflicts(t, hotel.ConflictMismatch)) - before; told != test.told {
				t.Errorf("%d are told of, want %d", told, test.told)
			}
		})
	}
}

package alpinebits

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// tellPlans has the hotel's own system tell plans, and fails unless all is well.
func tellPlans(t testing.TB, s served, house *pretend, set message.PlanSet) {
	t.Helper()
	set.Hotel = message.Hotel{Code: "123"}
	w := tellPMS(t, s, house, message.V2024, message.RatePlans.Name, string(message.WriteRatePlans(set)))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<Success") {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
}

// TestStaysThroughHoldOnTheDayOfDeparture: after any messages each stay that the hotel's own
// system forbids, by any of its days, the day of departure included, is forbidden by a night of
// it here, and no other.
func TestStaysThroughHoldOnTheDayOfDeparture(t *testing.T) {
	const days = 12
	rapid.Check(t, func(rt *rapid.T) {
		house, pms := newPretend(), pmsOf(t)
		today := house.layout.Today
		type lengths struct{ least, most int }
		theirs := map[hotel.Date]lengths{}
		for i := range rapid.IntRange(1, 4).Draw(rt, "messages") {
			p := message.Plan{Code: "Rate1-4-HB", Kind: message.Overlay}
			if i == 0 || rapid.Bool().Draw(rt, "whole") {
				p.Kind, p.Currency, p.Basis = message.New, "EUR", &message.PriceBasis{Meals: "3"}
				clear(theirs)
			}
			for from := today; from < today+days; {
				to := from + hotel.Date(rapid.IntRange(0, 5).Draw(rt, "days"))
				if rapid.Bool().Draw(rt, "ruled") {
					l := lengths{rapid.IntRange(0, 4).Draw(rt, "least"), rapid.IntRange(0, 4).Draw(rt, "most")}
					p.Rules = append(p.Rules, message.Rule{Nights: hotel.Span{From: from, To: to}, Lengths: hotel.LengthLimits{MinStayThrough: l.least, MaxStayThrough: l.most}})
					for d := from; d <= to; d++ {
						theirs[d] = l
					}
				}
				from = to + 1
			}
			tellPlans(t, pms, house, message.PlanSet{Plans: []message.Plan{p}})
		}
		ours := map[hotel.Date]lengths{}
		for _, e := range house.restrictions {
			for d := e.From; e.RoomTypeID == "" && e.MinStayThrough.Set && d <= e.To && d <= today+days; d++ {
				ours[d] = lengths{e.MinStayThrough.Value, e.MaxStayThrough.Value}
			}
		}
		forbids := func(l lengths, nights int) bool { return nights < l.least || l.most > 0 && nights > l.most }
		for in := today; in < today+days; in++ {
			for out := in + 1; out <= today+days; out++ {
				nights, there, here := int(out-in), false, false
				for d := in; d <= out; d++ {
					there = there || forbids(theirs[d], nights)
					here = here || d < out && forbids(ours[d], nights)
				}
				if there != here {
					rt.Fatalf("%s to %s: the hotel's system forbids it: %t, here it is forbidden: %t; it says %v, here is %v", in, out, there, here, theirs, ours)
				}
			}
		}
	})
}

// TestANightOpensBehindItsPrice: what closes is written first, then prices, then what opens.
func TestANightOpensBehindItsPrice(t *testing.T) {
	house, pms := newPretend(), pmsOf(t)
	from := house.layout.Today + 10
	night := func(d hotel.Date) hotel.Span { return hotel.Span{From: d, To: d} }
	plan := message.Plan{
		Code: "Rate1-4-HB", Kind: message.New, Currency: "EUR", Basis: &message.PriceBasis{Meals: "3"},
		Rates: []message.Rate{{Category: "double", Nights: hotel.Span{From: from, To: from + 1}, Prices: []message.GuestPrice{{Guests: 2, Minor: 15000}}}},
		Rules: []message.Rule{{Nights: night(from)}, {Nights: night(from + 1), Closed: true}},
	}
	tellPlans(t, pms, house, message.PlanSet{Plans: []message.Plan{plan}})
	if got := slices.Compact(house.steps); !slices.Equal(got, []string{"closings", "rates", "lengths", "openings"}) {
		t.Errorf("written in the order %v", got)
	}
}

// TestAChangeLeavesTheNightBeforeAlone where its first day has no length and had none.
func TestAChangeLeavesTheNightBeforeAlone(t *testing.T) {
	house, pms := newPretend(), pmsOf(t)
	day := house.layout.Today + 10
	tellPlans(t, pms, house, message.PlanSet{Plans: []message.Plan{{Code: "Rate1-4-HB", Kind: message.Overlay, Rules: []message.Rule{{Nights: hotel.Span{From: day, To: day}, Closed: true}}}}})
	for _, e := range house.restrictions {
		if e.From < day {
			t.Errorf("a rule of %s writes %+v", day, e)
		}
	}
}

// TestACompleteSetShutsNothingThatItTells: a room type that it tells rooms of is at none at no
// time, however many pieces the set is written in.
func TestACompleteSetShutsNothingThatItTells(t *testing.T) {
	house, pms := newPretend(), pmsOf(t)
	told := hotel.Span{From: house.layout.Today + 3, To: house.layout.Today + 700}
	body := message.WriteAllFreeRooms(message.Hotel{Code: "123"}, nil, []message.Rooms{{Category: "double", Nights: told, Free: 2}})
	if w := tellPMS(t, pms, house, message.V2024, message.FreeRooms.Name, string(body)); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<Success") {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	free := map[hotel.Date]int{}
	for _, e := range house.stock {
		for d := e.From; e.RoomTypeID == "double" && d <= e.To; d++ {
			if _, twice := free[d]; twice {
				t.Fatalf("%s is written twice", d)
			}
			free[d] = e.Given.Value
		}
	}
	for d := house.layout.Today; d <= house.layout.Last; d++ {
		want := 0
		if told.Contains(d) {
			want = 2
		}
		if n, written := free[d]; !written || n != want {
			t.Fatalf("on %s %d rooms (%t), want %d", d, n, written, want)
		}
	}
}

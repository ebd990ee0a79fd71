package board_test

import (
	"slices"
	"testing"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
)

// ruled is the sample with rules; their ids are a, b, c in the order given.
func ruled(t *testing.T, edit func(i int, n *board.Night), rules ...hotel.PricingRule) *board.Board {
	t.Helper()
	for i := range rules {
		rules[i].ID, rules[i].Name, rules[i].Enabled = string(rune('a'+i)), "A rule", !rules[i].Stop || rules[i].Enabled
		rules[i].Priority = max(1, rules[i].Priority)
	}
	b, err := sample(t, edit).Ruled(rules)
	if err != nil {
		t.Fatal(err)
	}
	b.Today = from - 10
	return b
}

func act(kind, value string) hotel.PricingRule {
	return hotel.PricingRule{Action: hotel.RuleAction{Kind: kind, Value: value}}
}

func on(r hotel.PricingRule, plans ...string) hotel.PricingRule {
	r.Scope.RatePlanIDs = plans
	return r
}

func when(r hotel.PricingRule, m hotel.RuleMetric, op string, value ...string) hotel.PricingRule {
	r.Conditions = append(r.Conditions, hotel.RuleCondition{Metric: m, Op: op, Value: value})
	return r
}

func TestRulesOnABoard(t *testing.T) {
	stop := act("percent", "10")
	stop.Stop, stop.Enabled = true, true
	late := act("amount", "-1")
	late.Priority = 2
	nearest := act("amount", "0")
	nearest.Rounding = hotel.RoundNearest5
	tests := []struct {
		name  string
		rules []hotel.PricingRule
		edit  func(i int, n *board.Night)
		plan  int
		want  string // the quote and the rules that acted
	}{
		{"no rule", nil, nil, flexible, "100.10"},
		{"every plan that is not derived", []hotel.PricingRule{act("percent", "10")}, nil, flexible, "110.11 a"},
		{"the plans below once, through their parent", []hotel.PricingRule{act("percent", "10")}, nil, saver, "99.00 a"},
		{"a rule that names parent and child acts once", []hotel.PricingRule{on(act("percent", "10"), "rp_flexible", "rp_saver")}, nil, saver, "99.00 a"},
		{"a rule that names the child alone", []hotel.PricingRule{on(act("amount", "-5"), "rp_saver")}, nil, saver, "85.00 a"},
		{"a child whose own price was typed has no rule of its parent", []hotel.PricingRule{act("percent", "10")}, func(_ int, n *board.Night) {
			n.Rates[double][saver].Amount = 5000
		}, saver, "50.00"},
		{"by priority", []hotel.PricingRule{late, act("percent", "10")}, nil, flexible, "109.11 b a"},
		{"none after one that stops", []hotel.PricingRule{stop, late}, nil, flexible, "110.11 a"},
		{"a stop above does not stop the rules below", []hotel.PricingRule{stop, on(act("amount", "-5"), "rp_saver")}, nil, saver, "94.00 a b"},
		{"a locked price", []hotel.PricingRule{act("percent", "10")}, func(_ int, n *board.Night) {
			n.Rates[double][flexible].LockedTo = from - 10
		}, flexible, "100.10"},
		{"a lock that ended yesterday", []hotel.PricingRule{act("percent", "10")}, func(_ int, n *board.Night) {
			n.Rates[double][flexible].LockedTo = from - 11
		}, flexible, "110.11 a"},
		{"a locked parent, a rule that names parent and child", []hotel.PricingRule{on(act("percent", "10"), "rp_flexible", "rp_saver")}, func(_ int, n *board.Night) {
			n.Rates[double][flexible].LockedTo = price.Forever
		}, saver, "99.00 a"},
		{"the rounding of a rule", []hotel.PricingRule{nearest}, nil, flexible, "100.00 a"},
		{"a night without a price stays without", []hotel.PricingRule{act("set", "99")}, func(_ int, n *board.Night) {
			n.Rates[double][flexible].Amount = board.None
		}, flexible, ""},
		{"days to arrival from the board's own date", []hotel.PricingRule{when(act("set", "99"), hotel.DaysToArrival, "eq", "10")}, nil, flexible, "99.00 a"},
		{"rooms left", []hotel.PricingRule{when(act("set", "99"), hotel.RoomsLeft, "lte", "3")}, func(_ int, n *board.Night) {
			n.Rooms[double].Sold = 7
		}, flexible, "99.00 a"},
		{"a closed room type has as many left", []hotel.PricingRule{when(act("set", "99"), hotel.RoomsLeft, "lte", "3")}, func(_ int, n *board.Night) {
			n.Rooms[double].Closed = true
		}, flexible, "100.10"},
		{"doubles and twins fill the same pool", []hotel.PricingRule{when(act("set", "99"), hotel.RoomOccupancyPct, "gte", "70")}, func(_ int, n *board.Night) {
			n.Rooms[twin].Sold = 7
		}, flexible, "99.00 a"},
		{"rooms out of order count as there", []hotel.PricingRule{when(act("set", "99"), hotel.RoomOccupancyPct, "between", "10", "10")}, func(_ int, n *board.Night) {
			n.Rooms[double].Sold, n.Pools[0].OutOfOrder = 1, 5
		}, flexible, "99.00 a"},
		{"all conditions", []hotel.PricingRule{when(when(act("set", "99"), hotel.DaysToArrival, "eq", "10"), hotel.RoomsLeft, "eq", "0")}, nil, flexible, "100.10"},
		{"the pickup of seven days", []hotel.PricingRule{when(act("set", "99"), hotel.Pickup7d, "eq", "3")}, func(_ int, n *board.Night) {
			n.Moved = []board.Moved{{from - 17, 50}, {from - 16, 4}, {from - 10, -1}, {from - 9, 9}}
		}, flexible, "99.00 a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := ruled(t, test.edit, slices.Clone(test.rules)...)
			q := b.Quote(nights(0, 1), double, test.plan, board.Party{}, from-10)
			got := ""
			var tr hotel.Trace
			if _, ok := b.ExplainPrice(from, double, test.plan, 0, &tr); ok != q.Priced {
				t.Fatalf("priced %t, explained %t", q.Priced, ok)
			}
			if q.Priced {
				got = q.Total.Amount()
			}
			for _, s := range tr.Steps {
				if s.Name == "rule" && q.Priced {
					got += " " + s.Acted.ID
				}
			}
			if got != test.want {
				t.Errorf("price and rules = %q, want %q", got, test.want)
			}
		})
	}
}

// The sample house has twelve units; a suite is two of them.
func TestHouseOccupancy(t *testing.T) {
	rule := when(act("set", "1"), hotel.OccupancyPct, "gte", "25")
	for sold, want := range map[[2]int]string{{2, 0}: "100.10", {3, 0}: "1.00", {1, 1}: "1.00", {0, 1}: "100.10"} {
		b := ruled(t, func(_ int, n *board.Night) { n.Rooms[double].Sold, n.Rooms[suite].Blocked = sold[0], sold[1] }, rule)
		if got := b.Quote(nights(0, 1), double, flexible, board.Party{}, from).Total.Amount(); got != want {
			t.Errorf("%d doubles and %d suites taken: price %s, want %s", sold[0], sold[1], got, want)
		}
	}
}

func TestPartiesWithChildren(t *testing.T) {
	bands := []hotel.AgeBand{
		{Code: "baby", FromAge: 0, ToAge: 3, CountsAs: hotel.Infant},
		{Code: "kid", FromAge: 3, ToAge: 12, CountsAs: hotel.Child},
		{Code: "teen", FromAge: 12, ToAge: 18, CountsAs: hotel.Child},
	}
	plain := sample(t, func(_ int, n *board.Night) {
		n.Rates[family][flexible] = board.Rate{Amount: 12000, Extra: &price.Extra{
			Adult: 4000, Child: map[string]int64{"kid": 1000, "teen": 2500, "baby": 300},
		}}
	})
	b, err := board.New(
		hotel.Property{Currency: "EUR", AgeBands: bands}, plain.Pools, plain.RoomTypes, plain.Plans, from, plain.Nights, 1)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		party board.Party
		fits  bool
		want  string
	}{
		{"a couple", board.Party{Adults: 2}, true, "120.00"},
		{"with a kid", board.Party{Adults: 2, Ages: []int{5}}, true, "130.00"},
		{"with a child of unknown age: the dearest", board.Party{Adults: 2, Ages: []int{-1}}, true, "145.00"},
		{"an infant takes no place", board.Party{Adults: 2, Ages: []int{5, 13, 1}}, true, "158.00"},
		{"three children are one too many", board.Party{Adults: 2, Ages: []int{5, 13, -1}}, false, "180.00"},
		{"a child on the second place", board.Party{Adults: 1, Ages: []int{13}}, true, "120.00"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := b.Fits(family, test.party); got != test.fits {
				t.Errorf("fits = %t, want %t", got, test.fits)
			}
			if got := b.Quote(nights(0, 1), family, flexible, test.party, from).Total.Amount(); got != test.want {
				t.Errorf("price = %s, want %s", got, test.want)
			}
		})
	}
}

package ledger

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

// addMemory makes a rule with a memory: it sets the price to 150 while at most
// three rooms are left.
func (h *house) addMemory(t tb, m hotel.RuleMemory) hotel.PricingRule {
	t.Helper()
	return must2(h.CreatePricingRule(context.Background(), tester, hotel.Once{}, hotel.PricingRule{
		PropertyID: h.property.ID, Name: "A rule that remembers", Enabled: true, Priority: 10, RuleMemory: m,
		Conditions: []hotel.RuleCondition{{Metric: hotel.RoomsLeft, Op: "lte", Value: []string{"3"}}},
		Action:     hotel.RuleAction{Kind: hotel.SetPrice, Value: "150"},
	}))(t)
}

// outOfOrder writes how many doubles cannot be used.
func (h *house) outOfOrder(t tb, rooms int, of hotel.Dates) {
	t.Helper()
	must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: of, OutOfOrder: hotel.Given(rooms)}))(t)
}

// memoryModel is a rule with a memory on one night, thought through apart.
type memoryModel struct {
	wide   bool // the hysteresis lets it stay until five rooms are left
	limit  int
	left   int
	acts   bool
	turned map[hotel.Date]int
}

func (m *memoryModel) look(business hotel.Date) {
	wanted := m.left <= 3 || m.acts && m.wide && m.left <= 4
	if wanted == m.acts || m.limit > 0 && m.turned[business] == m.limit {
		return
	}
	m.acts = wanted
	m.turned[business]++
}

// Whatever happens to a night, in whatever pieces it is derived, and however often
// the program starts anew: the rule acts as its model says, and the ledger is what
// its journal says.
func TestRulesRemember(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		h.passes(t, 0)
		memory := rapid.SampledFrom([]hotel.RuleMemory{{HysteresisPct: "40"}, {MaxChanges: 1}, {HysteresisPct: "40", MaxChanges: 2}}).Draw(t, "memory")
		rule := h.addMemory(t, memory)
		m := &memoryModel{wide: memory.HysteresisPct != "", limit: memory.MaxChanges, left: 5, turned: map[hotel.Date]int{}}
		night, ctx := h.span(7, 7), context.Background()
		if rapid.Bool().Draw(t, "in memory") {
			must(h.Board(ctx, h.property.ID))(t)
		}
		var stays []string
		away := 0
		steps := map[string]func(*rapid.T){
			"book": func(*rapid.T) {
				if r, _, err := h.book(h.twin, night.From, night.From+1, hotel.Once{}); err == nil {
					stays = append(stays, r.ID)
					m.left--
				}
			},
			"cancel": func(*rapid.T) {
				if len(stays) > 0 {
					must2(h.CancelReservation(ctx, tester, hotel.Once{}, stays[0], hotel.CancelRequest{Reason: "guest"}))(t)
					stays, m.left = stays[1:], m.left+1
				}
			},
			"one write that says two things": func(t *rapid.T) {
				now := rapid.IntRange(0, 1).Draw(t, "out of order")
				must(h.updateStock(
					hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: night, OutOfOrder: hotel.Given(2)},
					hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: night, OutOfOrder: hotel.Given(now)},
				))(t)
				m.left, away = m.left+away-now, now
			},
			"a change of the rule": func(*rapid.T) {
				change := hotel.Change[hotel.PricingRule]{Apply: func(r *hotel.PricingRule) error { r.Name += "!"; return nil }}
				must2(h.ChangePricingRule(ctx, tester, hotel.Once{}, rule.ID, change))(t)
				m.acts, m.turned = false, map[hotel.Date]int{}
			},
			"time": func(t *rapid.T) {
				h.clock.move(time.Duration(rapid.IntRange(1, 14).Draw(t, "hours")) * time.Hour)
				must(0, h.Tick(ctx))(t)
			},
			"derive": func(*rapid.T) { must(h.DeriveDue(ctx))(t) },
			"start":  func(t *rapid.T) { h.reopen(t) },
		}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			name := rapid.SampledFrom([]string{"book", "book", "cancel", "cancel", "one write that says two things", "a change of the rule", "time", "derive", "start"}).Draw(t, "step")
			steps[name](t)
			m.look(h.property.BusinessDate(h.clock.Now()))
			want := int64(10000)
			if m.acts {
				want = 15000
			}
			if got := h.price(t, h.double, 7).Amount.Minor; got != want {
				t.Fatalf("after %s: price %d, want %d with %d left, %+v", name, got, want, m.left, m)
			}
		}
		h.deriveAll(t)
		for _, d := range h.verified(t).Differences {
			t.Errorf("%s", d)
		}
	})
}

// A large update turns switches when it is stored, not when its nights come into
// the tables: two that follow each other are two.
func TestLargeUpdatesTurnSwitches(t *testing.T) {
	for _, read := range []bool{true, false} {
		t.Run(fmt.Sprintf("somebody reads the board: %v", read), func(t *testing.T) {
			h := newHouse(t)
			h.longer(t)
			h.passes(t, 0)
			h.addMemory(t, hotel.RuleMemory{MaxChanges: 1})
			if read {
				must(h.Board(context.Background(), h.property.ID))(t)
			}
			amount := func() int64 { return h.price(t, h.double, 40).Amount.Minor }
			h.outOfOrder(t, 2, h.span(0, 249))
			first := amount()
			h.outOfOrder(t, 0, h.span(0, 249))
			if second := amount(); first != 15000 || second != 15000 {
				t.Errorf("prices %d, %d: the second change of the day is not for today", first, second)
			}
			h.deriveAll(t)
			if got := amount(); got != 15000 {
				t.Errorf("price %d once all is derived", got)
			}
			h.checkVerifiedButHorizon(t)
			h.passes(t, 14*time.Hour) // midnight
			if got := amount(); got != 15000 {
				t.Errorf("price %d behind midnight, on the same business date", got)
			}
			h.passes(t, 4*time.Hour) // the day roll
			if got := amount(); got != 10000 {
				t.Errorf("price %d on the next business date", got)
			}
			h.checkVerifiedButHorizon(t)
		})
	}
}

// checkVerifiedButHorizon passes over the horizon that longer wrote by hand.
func (h *house) checkVerifiedButHorizon(t tb) {
	t.Helper()
	for _, d := range h.verified(t).Differences {
		if !strings.HasPrefix(d.Where, "property") {
			t.Errorf("verify: %s", d)
		}
	}
}

// What a rule remembered is there for a past point too, and a simulation goes by
// it without a change of it.
func TestSwitchesOfThePastAndOfASimulation(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	h.passes(t, 0)
	rule := h.addMemory(t, hotel.RuleMemory{HysteresisPct: "40"})
	night := h.span(7, 7)
	h.outOfOrder(t, 2, night)
	on := must(h.Sequence(ctx))(t)
	h.outOfOrder(t, 1, night) // held
	held := must(h.Sequence(ctx))(t)
	h.outOfOrder(t, 0, night)
	h.deriveAll(t)
	at := func(sequence int64) int64 {
		return must(h.RateCells(ctx, hotel.CellQuery{PropertyID: h.property.ID, AsOf: hotel.AsOf{Sequence: sequence}, Span: night.Span, RoomTypeIDs: []string{h.double.ID}, RatePlanIDs: []string{h.flex.ID}}))(t)[0].Amount.Minor
	}
	if a, b, c := at(on), at(held), at(must(h.Sequence(ctx))(t)); a != 15000 || b != 15000 || c != 10000 {
		t.Errorf("as of: %d, %d, %d", a, b, c)
	}
	h.outOfOrder(t, 2, night)
	h.outOfOrder(t, 1, night)
	other := rule
	other.HysteresisPct = "10"
	for _, c := range []struct {
		name  string
		rules *[]hotel.PricingRule
		want  int64
	}{
		{"the stored rules", nil, 15000},
		{"a rule that says what the stored one says", &[]hotel.PricingRule{rule}, 15000},
		{"another rule, as if it were made now", &[]hotel.PricingRule{other}, 10000},
	} {
		cells := must(h.SimulatePrices(ctx, h.property.ID, night.Span, c.rules))(t)
		if got := cells[0].After.Minor; got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	if got := h.price(t, h.double, 7).Amount.Minor; got != 15000 {
		t.Errorf("the simulations made it %d", got)
	}
}

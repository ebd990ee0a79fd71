package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
)

// addRule makes a rule of the house that sets the price of a night to 150 where
// the condition holds.
func (h *house) addRule(t tb, c ...hotel.RuleCondition) hotel.PricingRule {
	t.Helper()
	return must2(h.CreatePricingRule(context.Background(), tester, hotel.Once{}, hotel.PricingRule{
		PropertyID: h.property.ID, Name: "A rule", Enabled: true, Priority: 10, Conditions: c,
		Action: hotel.RuleAction{Kind: hotel.SetPrice, Value: "150"},
	}))(t)
}

func (h *house) ratesTold(t tb, after int64) []string {
	t.Helper()
	var out []string
	for _, e := range must(h.Entries(context.Background(), after, 1000))(t) {
		if e.Kind == RatesUpdated {
			body := must(decode[ProductSpans](e))(t)
			for _, r := range body.Ranges {
				out = append(out, fmt.Sprintf("%s %d nights %s", productOf(e.Subject).plan, r.Days(), r.Value))
			}
		}
	}
	slices.Sort(out)
	return out
}

// A rule that looks at how many rooms are left moves prices when rooms are booked
// and given back, and the channels are told.
func TestRulesFollowTheHouse(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	h.addRule(t, hotel.RuleCondition{Metric: hotel.RoomsLeft, Op: "lte", Value: []string{"3"}})
	h.deriveAll(t)
	h.checkHouse(t)
	amount := func() int64 { return h.price(t, h.double, 0).Amount.Minor }
	first := h.span(0, 0).From
	if amount() != 10000 {
		t.Fatalf("price %d with every room free", amount())
	}
	one := must2(h.book(h.double, first, first+1, hotel.Once{}))(t)
	before := must(h.Sequence(ctx))(t)
	must2(h.book(h.double, first, first+1, hotel.Once{}))(t)
	h.checkHouse(t)
	if amount() != 15000 {
		t.Fatalf("price %d with three rooms left", amount())
	}
	want := []string{h.flex.ID + " 1 nights 150.00", h.saver.ID + " 1 nights 135.00"}
	slices.Sort(want)
	// The twin is sold from the same pool, so that as much is told of it.
	if got := slices.Compact(h.ratesTold(t, before)); !slices.Equal(got, want) {
		t.Errorf("told %v, want %v", got, want)
	}
	must2(h.CancelReservation(ctx, tester, hotel.Once{}, one.ID, hotel.CancelRequest{Reason: "guest"}))(t)
	h.checkHouse(t)
	if amount() != 10000 {
		t.Errorf("price %d with four rooms left again", amount())
	}
}

// The pickup is what was taken on seven days, less what was given back.
func TestRulesFollowThePickup(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	first := h.span(0, 0).From
	one := must2(h.book(h.double, first, first+1, hotel.Once{}))(t)
	h.addRule(t, hotel.RuleCondition{Metric: hotel.Pickup7d, Op: "gte", Value: []string{"2"}})
	h.deriveAll(t)
	amount := func() int64 { return h.price(t, h.double, 0).Amount.Minor }
	if amount() != 10000 {
		t.Fatalf("price %d after one booking", amount())
	}
	must2(h.book(h.double, first, first+1, hotel.Once{}))(t)
	if amount() != 15000 {
		t.Errorf("price %d after two", amount())
	}
	h.reopen(t)
	h.checkHouse(t)
	must2(h.CancelReservation(ctx, tester, hotel.Once{}, one.ID, hotel.CancelRequest{Reason: "guest"}))(t)
	h.checkHouse(t)
	if amount() != 10000 {
		t.Errorf("price %d after one of them is given back", amount())
	}
}

// Every change of a rule is journalled whole, and prices follow it at once.
func TestRulesAreJournalled(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	r := h.addRule(t)
	change := hotel.Change[hotel.PricingRule]{Apply: func(r *hotel.PricingRule) error {
		r.Scope.DateTo = new(h.span(0, 1).To)
		return nil
	}}
	r = must2(h.ChangePricingRule(ctx, tester, hotel.Once{}, r.ID, change))(t)
	h.deriveAll(t)
	h.checkHouse(t)
	for night, want := range map[hotel.Date]int64{0: 15000, 1: 15000, 2: 10000} {
		if got := h.price(t, h.double, night).Amount.Minor; got != want {
			t.Errorf("night %d: %d, want %d", night, got, want)
		}
	}
	if err := h.DeletePricingRule(ctx, tester, r.ID, 1); err == nil {
		t.Error("deleted at another revision")
	}
	if err := h.DeletePricingRule(ctx, tester, r.ID, r.Revision); err != nil {
		t.Fatal(err)
	}
	h.deriveAll(t)
	h.checkHouse(t)
	var kinds []Kind
	for _, e := range must(h.Entries(ctx, 0, 1000))(t) {
		if e.Subject == r.ID {
			kinds = append(kinds, e.Kind)
			if body := must(decode[Founding[hotel.PricingRule]](e))(t); body.Resource.Action.Value != "150" {
				t.Errorf("%s says %+v", e.Kind, body.Resource)
			}
		}
	}
	if want := []Kind{PricingRuleCreated, PricingRuleUpdated, PricingRuleDeleted}; !slices.Equal(kinds, want) {
		t.Errorf("entries %v, want %v", kinds, want)
	}
	if _, err := h.PricingRule(ctx, r.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("read after it is gone: %v", err)
	}
}

// A new day moves the prices of rules that look at it, without anybody writing.
func TestRulesFollowTheClock(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	h.addRule(t, hotel.RuleCondition{Metric: hotel.DaysToArrival, Op: "lte", Value: []string{"2"}})
	night := h.span(4, 4)
	lock := hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: night, Lock: hotel.Given(hotel.Lock{Until: new(night.From - 2)})}
	must(h.updateRates(lock))(t)
	h.deriveAll(t)
	if err := h.Tick(ctx); err != nil {
		t.Fatal(err)
	}
	for days, want := range []int64{10000, 10000, 10000, 15000} { // on the second day before, the lock still holds
		h.deriveAll(t)
		h.checkHouse(t)
		if got := h.price(t, h.double, night.From-h.today).Amount.Minor; got != want {
			t.Errorf("after %d days: %d, want %d", days, got, want)
		}
		h.clock.move(24 * time.Hour)
		h.today++
		if err := h.Tick(ctx); err != nil {
			t.Fatal(err)
		}
	}
}

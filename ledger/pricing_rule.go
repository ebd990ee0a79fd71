package ledger

import (
	"context"
	"fmt"
	"reflect"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
	"ostler.example/ledger/internal/ledgerdb"
)

// maxRules is how many pricing rules a property may have.
const maxRules = 200

// CreatePricingRule stores a rule, which acts from the next price on. The bool
// tells that the key of once had its effect before.
func (l *Ledger) CreatePricingRule(ctx context.Context, by hotel.By, once hotel.Once, r hotel.PricingRule) (hotel.PricingRule, bool, error) {
	return storeUnderKey(ctx, l, by, once, func(t *tx) (string, error) {
		made := r
		made.Entity = t.entity(hotel.NewID("pr"))
		return made.ID, t.putRule(PricingRuleCreated, nil, &made)
	}, (*tx).pricingRule)
}

// ChangePricingRule makes a rule different.
func (l *Ledger) ChangePricingRule(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.Change[hotel.PricingRule]) (hotel.PricingRule, bool, error) {
	return storeUnderKey(ctx, l, by, once, func(t *tx) (string, error) {
		r, err := t.pricingRule(id)
		if err != nil {
			return "", err
		}
		if err := expectRule(&r, c.IfRevision); err != nil {
			return "", err
		}
		before := r
		if err := c.Apply(&r); err != nil || reflect.DeepEqual(before, r) {
			return id, err
		}
		return id, t.putRule(PricingRuleUpdated, &before, &r)
	}, (*tx).pricingRule)
}

// DeletePricingRule takes a rule away. ifRevision refuses it at another
// revision; 0 is any.
func (l *Ledger) DeletePricingRule(ctx context.Context, by hotel.By, id string, ifRevision int64) error {
	return l.write(ctx, urgent, by, func(t *tx) error {
		r, err := t.pricingRule(id)
		if err != nil {
			return err
		}
		if err := expectRule(&r, ifRevision); err != nil {
			return err
		}
		if err := t.q.DeletePricingRule(t.ctx, id); err != nil {
			return fmt.Errorf("delete pricing rule %s: %w", id, err)
		}
		return t.followRule(PricingRuleDeleted, &r, r.Scope)
	})
}

func (t *tx) pricingRule(id string) (hotel.PricingRule, error) {
	return readOne[hotel.PricingRule](t.q.GetPricingRule(t.ctx, id))
}

func expectRule(r *hotel.PricingRule, revision int64) error {
	if revision == 0 || revision == r.Revision {
		return nil
	}
	refusal := hotel.Refuse("precondition_failed", "the pricing rule is at revision %d, not %d: read it again", r.Revision, revision)
	refusal.Members = map[string]any{"revision": r.Revision}
	return refusal
}

// putRule checks a rule, stores it, and follows what comes of it. before is nil
// for a new one.
func (t *tx) putRule(kind Kind, before, r *hotel.PricingRule) error {
	s, err := t.structure(r.PropertyID)
	if err != nil {
		return err
	}
	if err := s.checkRule(r); err != nil {
		return err
	}
	scope := r.Scope
	if before == nil {
		if len(s.rules) >= maxRules {
			return hotel.Invalid("/property_id", "max", "the property has %d pricing rules, as many as it can have: delete some", maxRules)
		}
	} else {
		r.UpdatedAt, r.Revision = t.now, r.Revision+1
		scope = eitherScope(before.Scope, r.Scope)
	}
	d, err := documentOf(r)
	if err != nil {
		return err
	}
	if before == nil {
		err = t.q.InsertPricingRule(t.ctx, ledgerdb.InsertPricingRuleParams(d))
	} else {
		err = t.q.UpdatePricingRule(t.ctx, ledgerdb.UpdatePricingRuleParams{Body: d.Body, UpdatedAt: d.UpdatedAt, Revision: d.Revision, ID: d.ID})
	}
	if err != nil {
		return fmt.Errorf("store pricing rule %s: %w", r.ID, err)
	}
	return t.followRule(kind, r, scope)
}

// eitherScope returns a scope with the dates of both.
func eitherScope(a, b hotel.RuleScope) hotel.RuleScope {
	var out hotel.RuleScope
	if a.DateFrom != nil && b.DateFrom != nil {
		out.DateFrom = new(min(*a.DateFrom, *b.DateFrom))
	}
	if a.DateTo != nil && b.DateTo != nil {
		out.DateTo = new(max(*a.DateTo, *b.DateTo))
	}
	return out
}

// followRule journals a rule and derives the prices of the nights of a scope.
func (t *tx) followRule(kind Kind, r *hotel.PricingRule, scope hotel.RuleScope) error {
	t.rebuilt(r.PropertyID)
	s, err := t.structure(r.PropertyID)
	if err != nil {
		return err
	}
	span := s.property.Sells(t.now)
	if scope.DateFrom != nil {
		span.From = max(span.From, *scope.DateFrom)
	}
	if scope.DateTo != nil {
		span.To = min(span.To, *scope.DateTo)
	}
	body := Founding[hotel.PricingRule]{Resource: *r}
	if span.Days() > 0 {
		body.Ranges = []hotel.Span{span}
	}
	seq, err := t.append(entry{property: r.PropertyID, kind: kind, subject: r.ID, nights: body.Ranges, body: body})
	if err != nil || span.Days() == 0 {
		return err
	}
	a := affected{property: r.PropertyID, products: s.selling(product{}), prices: true, nights: nightSet{}, patched: true}
	a.nights.addSpan(span)
	if s.empty.Remembers(r.ID) { // it begins as if it had never acted
		if err := t.turnSwitches(s, a.nights, r.ID); err != nil {
			return err
		}
	}
	return t.follow(s, a, seq)
}

// checkRule refuses a rule that cannot be, telling everything that is wrong with
// it.
func (s *structure) checkRule(r *hotel.PricingRule) error {
	faults := price.CheckRule(r)
	add := func(pointer, code, format string, args ...any) {
		faults = append(faults, hotel.Wrong(pointer, code, format, args...))
	}
	for i, id := range r.Scope.RatePlanIDs {
		if s.plan(id) == nil {
			add(fmt.Sprintf("/scope/rate_plan_ids/%d", i), "unknown_rate_plan", "the property has no rate plan of that id")
		}
	}
	for i, id := range r.Scope.RoomTypeIDs {
		if s.room(id) == nil {
			add(fmt.Sprintf("/scope/room_type_ids/%d", i), "unknown_room_type", "the property has no room type of that id")
		}
	}
	if r.Floor != nil && r.Floor.Currency != s.property.Currency {
		add("/floor", "currency_mismatch", "must be in %s", s.property.Currency)
	}
	if r.Ceiling != nil && r.Ceiling.Currency != s.property.Currency {
		add("/ceiling", "currency_mismatch", "must be in %s", s.property.Currency)
	}
	if len(faults) == 0 {
		return nil
	}
	refusal := hotel.Refuse("validation_failed", "%s %s", faults[0].Pointer, faults[0])
	refusal.Items = faults
	return refusal
}

// PricingRule returns one rule, or [ErrNotFound].
func (l *Ledger) PricingRule(ctx context.Context, id string) (hotel.PricingRule, error) {
	return readOne[hotel.PricingRule](l.read.GetPricingRule(ctx, id))
}

// PricingRules lists a property's rules in the order in which they act.
func (l *Ledger) PricingRules(ctx context.Context, property string) ([]hotel.PricingRule, error) {
	return readAll[hotel.PricingRule](l.read.ListPricingRules(ctx, property))
}

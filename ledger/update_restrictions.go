package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
)

// UpdateRestrictions stores a bulk update of restrictions.
func (l *Ledger) UpdateRestrictions(ctx context.Context, by hotel.By, once hotel.Once, u hotel.RestrictionUpdate) (upd hotel.AriUpdate, replayed bool, err error) {
	return l.update(ctx, by, once, ruleRequest(u))
}

func ruleRequest(u hotel.RestrictionUpdate) request {
	in := request{kind: "restrictions", property: u.PropertyID, source: u.Source, partial: u.Partial, dryRun: u.DryRun}
	for _, e := range u.Entries {
		in.count(e.Dates, 1)
	}
	in.draw = func(ctx context.Context, p *proposal) error {
		rules, err := proposeFacts[hotel.Restriction](ctx, p, ruleSheet)
		if err != nil {
			return err
		}
		for i, e := range u.Entries {
			err := p.enter(i, e.Dates, e.ExpectedVersion, e.Faults(), func() ([]target, error) {
				if err := p.s.checkLevel(i, e); err != nil {
					return nil, err
				}
				return []target{rules.subject(product{e.RoomTypeID, e.RatePlanID}.subject(), func(night hotel.Date, r hotel.Restriction) (hotel.Restriction, error) {
					layOver(&r, e)
					return r, contradiction(i, night, r)
				})}, nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	return in
}

func layOver(r *hotel.Restriction, e hotel.RestrictionEntry) {
	r.Closed = e.Closed.Over(r.Closed)
	r.ClosedToArrival = e.ClosedToArrival.Over(r.ClosedToArrival)
	r.ClosedToDeparture = e.ClosedToDeparture.Over(r.ClosedToDeparture)
	r.MinStayArrival = e.MinStayArrival.Over(r.MinStayArrival)
	r.MinStayThrough = e.MinStayThrough.Over(r.MinStayThrough)
	r.MaxStayArrival = e.MaxStayArrival.Over(r.MaxStayArrival)
	r.MaxStayThrough = e.MaxStayThrough.Over(r.MaxStayThrough)
	r.MinAdvance = e.MinAdvance.Over(r.MinAdvance)
	r.MaxAdvance = e.MaxAdvance.Over(r.MaxAdvance)
}

// checkLevel compares an entry with the level that it names: a product, a room
// type, a plan, or the property.
func (s *structure) checkLevel(i int, e hotel.RestrictionEntry) error {
	switch {
	case e.RoomTypeID != "" && e.RatePlanID != "":
		_, err := s.checkProduct(i, e.RoomTypeID, e.RatePlanID)
		return err
	case e.RoomTypeID != "":
		_, err := s.checkRoom(i, e.RoomTypeID)
		return err
	case e.RatePlanID != "" && s.plan(e.RatePlanID) == nil:
		return hotel.Invalid(fmt.Sprintf("/entries/%d/rate_plan_id", i), "unknown_rate_plan", "the property has no rate plan of that id")
	}
	return nil
}

// contradiction refuses a minimum above the maximum at the same level.
func contradiction(i int, night hotel.Date, r hotel.Restriction) error {
	for _, pair := range []struct {
		name     string
		low, top *int
	}{
		{"min_stay_arrival", r.MinStayArrival, r.MaxStayArrival},
		{"min_stay_through", r.MinStayThrough, r.MaxStayThrough},
		{"min_advance_days", r.MinAdvance, r.MaxAdvance},
	} {
		if pair.low != nil && pair.top != nil && *pair.low > *pair.top {
			return hotel.Invalid(fmt.Sprintf("/entries/%d/values/%s", i, pair.name), "restriction_contradiction",
				"on %s the minimum %d is above the maximum %d: no stay would be allowed", night, *pair.low, *pair.top)
		}
	}
	return nil
}

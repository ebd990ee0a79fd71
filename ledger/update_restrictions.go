package ledger

import (
	"context"
	"encoding/json"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// ruleFact is what one level says about one night, as JSON text: comparable,
// and journalled as it is.
type ruleFact string

func ruleText(r hotel.Restriction) (ruleFact, error) {
	b, err := json.Marshal(r)
	return ruleFact(b), err
}

// MarshalJSON writes the restriction itself, not a string that holds it.
func (f ruleFact) MarshalJSON() ([]byte, error) { return []byte(f), nil }

// UpdateRestrictions stores a bulk update of restrictions.
func (l *Ledger) UpdateRestrictions(ctx context.Context, by hotel.By, once hotel.Once, u hotel.RestrictionUpdate) (hotel.AriUpdate, bool, error) {
	dates := make([]hotel.Dates, len(u.Entries))
	for i, e := range u.Entries {
		dates[i] = e.Dates
	}
	return l.update(ctx, by, once, u.PropertyID, "restrictions", dates, func(b *bulkUpdate) error {
		return b.storeRules(u)
	})
}

func (u *bulkUpdate) storeRules(in hotel.RestrictionUpdate) error {
	t, id := u.t, u.s.property.ID
	rows, err := t.q.RestrictionNights(t.ctx, ledgerdb.RestrictionNightsParams{PropertyID: id, First: int64(u.first), Last: int64(u.last)})
	if err != nil {
		return fmt.Errorf("read restrictions: %w", err)
	}
	rules, texts := map[nightKey]hotel.Restriction{}, newFacts[ruleFact]()
	for _, r := range rows {
		k := nightKey{hotel.Date(r.Night), product{r.RoomTypeID, r.RatePlanID}}
		rules[k], texts.version[k] = restrictionOf(r), r.Version
		if texts.stored[k], err = ruleText(rules[k]); err != nil {
			return err
		}
	}
	for i, e := range in.Entries {
		if err := u.checkRule(i, e); err != nil {
			return err
		}
		for _, d := range e.Nights() {
			k := nightKey{d, product{e.RoomTypeID, e.RatePlanID}}
			if err := checkVersion(i, e.ExpectedVersion, texts.version[k], d); err != nil {
				return err
			}
			r := rules[k]
			before, err := ruleText(r)
			if err != nil {
				return err
			}
			layOver(&r, e)
			if err := contradiction(i, r); err != nil {
				return err
			}
			rules[k] = r
			if texts.now[k], err = ruleText(r); err != nil {
				return err
			}
			if texts.now[k] != before {
				u.upd.Changed[i]++
			}
		}
	}
	nothing, err := ruleText(hotel.Restriction{})
	if err != nil {
		return err
	}
	for p, nights := range texts.changed(func(product) ruleFact { return nothing }) {
		value := func(d hotel.Date) ruleFact { return texts.now[nightKey{d, p}] }
		err := journalFacts(u, RestrictionsChanged, p.subject(), "level", nights, value, func(d hotel.Date, _ ruleFact, version int64) error {
			r := rules[nightKey{d, p}]
			return t.q.PutRestrictionNight(t.ctx, ledgerdb.PutRestrictionNightParams{
				PropertyID: id, Night: int64(d), RoomTypeID: p.room, RatePlanID: p.plan,
				Closed: columnOf(r.Closed), ClosedToArrival: columnOf(r.ClosedToArrival), ClosedToDeparture: columnOf(r.ClosedToDeparture),
				MinStayArrival: columnOf(r.MinStayArrival), MinStayThrough: columnOf(r.MinStayThrough),
				MaxStayArrival: columnOf(r.MaxStayArrival), MaxStayThrough: columnOf(r.MaxStayThrough),
				MinAdvance: columnOf(r.MinAdvance), MaxAdvance: columnOf(r.MaxAdvance),
				Version: version, Source: in.Source, UpdatedAt: t.micros(),
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func layOver(r *hotel.Restriction, e hotel.RestrictionEntry) {
	setPointer(&r.Closed, e.Closed)
	setPointer(&r.ClosedToArrival, e.ClosedToArrival)
	setPointer(&r.ClosedToDeparture, e.ClosedToDeparture)
	setPointer(&r.MinStayArrival, e.MinStayArrival)
	setPointer(&r.MinStayThrough, e.MinStayThrough)
	setPointer(&r.MaxStayArrival, e.MaxStayArrival)
	setPointer(&r.MaxStayThrough, e.MaxStayThrough)
	setPointer(&r.MinAdvance, e.MinAdvance)
	setPointer(&r.MaxAdvance, e.MaxAdvance)
}

func (u *bulkUpdate) checkRule(i int, e hotel.RestrictionEntry) error {
	switch {
	case e.RoomTypeID != "" && e.RatePlanID != "":
		_, err := u.s.checkProduct(i, e.RoomTypeID, e.RatePlanID)
		return err
	case e.RoomTypeID != "":
		_, err := u.s.checkRoom(i, e.RoomTypeID)
		return err
	case e.RatePlanID != "" && u.s.plan(e.RatePlanID) == nil:
		return hotel.Invalid(fmt.Sprintf("/entries/%d/rate_plan_id", i), "unknown_rate_plan", "the property has no rate plan %q", e.RatePlanID)
	}
	return nil
}

// contradiction refuses a minimum above the maximum at the same level.
func contradiction(i int, r hotel.Restriction) error {
	for _, pair := range []struct {
		name     string
		low, top *int
	}{
		{"min_stay_arrival", r.MinStayArrival, r.MaxStayArrival},
		{"min_stay_through", r.MinStayThrough, r.MaxStayThrough},
		{"min_advance_days", r.MinAdvance, r.MaxAdvance},
	} {
		if pair.low != nil && pair.top != nil && *pair.low > *pair.top {
			return hotel.Invalid(fmt.Sprintf("/entries/%d/values/%s", i, pair.name), "restriction_contradiction", "the minimum %d is above the maximum %d: no stay would be allowed", *pair.low, *pair.top)
		}
	}
	return nil
}

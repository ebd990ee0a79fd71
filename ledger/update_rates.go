package ledger

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"ostler.example/hotel"
)

// UpdateRates stores a bulk update of prices.
func (l *Ledger) UpdateRates(ctx context.Context, by hotel.By, once hotel.Once, u hotel.RateUpdate) (upd hotel.AriUpdate, replayed bool, err error) {
	in := request{kind: "rates", property: u.PropertyID, source: u.Source, partial: u.Partial, dryRun: u.DryRun}
	for _, e := range u.Entries {
		in.count(e.Dates, max(1, len(e.Occupancies)))
	}
	in.draw = func(ctx context.Context, p *proposal) error {
		prices, err := proposeFacts[priceFact](ctx, p, priceSheet)
		if err != nil {
			return err
		}
		for i, e := range u.Entries {
			err := p.enter(i, e.Dates, e.ExpectedVersion, e.Faults(), func() ([]target, error) {
				if err := p.s.checkPrices(i, e); err != nil {
					return nil, err
				}
				return []target{prices.subject(product{e.RoomTypeID, e.RatePlanID}.subject(), func(_ hotel.Date, v priceFact) (priceFact, error) {
					return v.with(e), nil
				})}, nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	return l.update(ctx, by, once, in)
}

// with returns the prices of a night as an entry leaves them.
func (f priceFact) with(e hotel.RateEntry) priceFact {
	f.Amount = minorOf(e.Amount).Over(f.Amount)
	f.Occupancies = laid(f.Occupancies, e.Occupancies)
	f.ExtraAdult = minorOf(e.ExtraAdult).Over(f.ExtraAdult)
	f.ExtraChild = laid(f.ExtraChild, e.ExtraChild)
	f.Lock = e.Lock.Over(f.Lock)
	return f
}

func minorOf(o hotel.Optional[hotel.Money]) hotel.Optional[int64] {
	return hotel.Optional[int64]{Set: o.Set, Null: o.Null, Value: o.Value.Minor}
}

// laid returns the amounts with the members of an entry laid over them; null
// takes an amount away.
func laid[K comparable](amounts map[K]int64, over map[K]hotel.Optional[hotel.Money]) map[K]int64 {
	if len(over) == 0 {
		return amounts
	}
	next := maps.Clone(amounts)
	if next == nil {
		next = make(map[K]int64, len(over))
	}
	for k, o := range over {
		if o.Null {
			delete(next, k)
		} else {
			next[k] = o.Value.Minor
		}
	}
	if len(next) == 0 {
		return nil // none, not an empty map: equal facts look alike
	}
	return next
}

// checkPrices compares an entry with the product that it names.
func (s *structure) checkPrices(i int, e hotel.RateEntry) error {
	plan, err := s.checkProduct(i, e.RoomTypeID, e.RatePlanID)
	if err != nil {
		return err
	}
	at := fmt.Sprintf("/entries/%d/values", i)
	if err := checkCurrency(at+"/amount", plan, e.Amount); err != nil {
		return err
	}
	for guests, o := range e.Occupancies {
		pointer := fmt.Sprintf("%s/occupancy_amounts/%d", at, guests)
		if plan.Pricing != hotel.PerOccupancy {
			return hotel.Invalid(pointer, "type", "rate plan %s has one price for the room: set amount", plan.ID)
		}
		if most := s.room(e.RoomTypeID).MaxOccupancy; guests < 1 || guests > most {
			return hotel.Invalid(pointer, "occupancy_exceeded", "room type %s takes 1 to %d guests", e.RoomTypeID, most)
		}
		if err := checkCurrency(pointer, plan, o); err != nil {
			return err
		}
	}
	if err := checkCurrency(at+"/extra_adult", plan, e.ExtraAdult); err != nil {
		return err
	}
	for band, o := range e.ExtraChild {
		pointer := at + "/extra_child/" + band
		if !o.Null && !slices.ContainsFunc(s.property.AgeBands, func(b hotel.AgeBand) bool { return b.Code == band && b.CountsAs != hotel.Adult }) {
			return hotel.Invalid(pointer, "enum", "the property has no age band %q of children or infants", band)
		}
		if err := checkCurrency(pointer, plan, o); err != nil {
			return err
		}
	}
	return nil
}

func checkCurrency(pointer string, plan *hotel.RatePlan, o hotel.Optional[hotel.Money]) error {
	if !o.Set || o.Null || o.Value.Currency == plan.Currency {
		return nil
	}
	return hotel.Invalid(pointer, "currency_mismatch", "rate plan %s is in %s, not in %s", plan.ID, plan.Currency, o.Value.Currency)
}

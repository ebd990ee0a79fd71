package ledger

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

// UpdateRates stores a bulk update of prices.
func (l *Ledger) UpdateRates(ctx context.Context, by hotel.By, once hotel.Once, u hotel.RateUpdate) (upd hotel.AriUpdate, replayed bool, err error) {
	return l.update(ctx, by, once, rateRequest(u))
}

func rateRequest(u hotel.RateUpdate) request {
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
				plan, err := p.s.checkPrices(i, e)
				if err != nil {
					return nil, err
				}
				return []target{prices.subject(product{e.RoomTypeID, e.RatePlanID}.subject(), func(night hotel.Date, v priceFact) (priceFact, error) {
					if e.Adjust != nil {
						return v.with(e).step(i, night, plan.Currency, *e.Adjust)
					}
					return v.with(e), nil
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

// step returns the prices of a night, each one step further.
func (f priceFact) step(i int, night hotel.Date, c hotel.Currency, by hotel.PriceStep) (priceFact, error) {
	at := fmt.Sprintf("/entries/%d/values/adjust", i)
	if f.Amount == nil && len(f.Occupancies) == 0 {
		return f, hotel.Invalid(at, "required", "no price is typed on %s that could be adjusted: set amount there, or adjust the plan that this one is derived from", night)
	}
	further := func(minor int64) (int64, error) {
		m, ok := price.Step(hotel.Money{Minor: minor, Currency: c}, by)
		if !ok {
			return 0, hotel.Invalid(at, "min", "takes the price of %s below 0, or higher than can be typed", night)
		}
		return m.Minor, nil
	}
	stepped := f
	stepped.Occupancies = nil
	if f.Amount != nil {
		minor, err := further(*f.Amount)
		if err != nil {
			return f, err
		}
		stepped.Amount = &minor
	}
	for guests, amount := range f.Occupancies {
		minor, err := further(amount)
		if err != nil {
			return f, err
		}
		if stepped.Occupancies == nil {
			stepped.Occupancies = map[int]int64{}
		}
		stepped.Occupancies[guests] = minor
	}
	return stepped, nil
}

// checkPrices compares an entry with the product that it names, and returns its
// plan.
func (s *structure) checkPrices(i int, e hotel.RateEntry) (*hotel.RatePlan, error) {
	plan, err := s.checkProduct(i, e.RoomTypeID, e.RatePlanID)
	if err != nil {
		return nil, err
	}
	at := fmt.Sprintf("/entries/%d/values", i)
	if e.Adjust != nil {
		if err := price.Check(e.Adjust.Kind, e.Adjust.Value); err != nil {
			return nil, hotel.Invalid(at+"/adjust/value", "format", "%v", err)
		}
	}
	if err := checkCurrency(at+"/amount", plan, e.Amount); err != nil {
		return nil, err
	}
	for guests, o := range e.Occupancies {
		pointer := fmt.Sprintf("%s/occupancy_amounts/%d", at, guests)
		if plan.Pricing != hotel.PerOccupancy {
			return nil, hotel.Invalid(pointer, "type", "rate plan %s has one price for the room: set amount", plan.ID)
		}
		if most := s.room(e.RoomTypeID).MaxOccupancy; guests < 1 || guests > most {
			return nil, hotel.Invalid(pointer, "occupancy_exceeded", "room type %s takes 1 to %d guests", e.RoomTypeID, most)
		}
		if err := checkCurrency(pointer, plan, o); err != nil {
			return nil, err
		}
	}
	if err := checkCurrency(at+"/extra_adult", plan, e.ExtraAdult); err != nil {
		return nil, err
	}
	for band, o := range e.ExtraChild {
		pointer := at + "/extra_child/" + band
		if !o.Null && !slices.ContainsFunc(s.property.AgeBands, func(b hotel.AgeBand) bool { return b.Code == band && b.CountsAs != hotel.Adult }) {
			return nil, hotel.Invalid(pointer, "enum", "the property has no age band of that code of children or infants")
		}
		if err := checkCurrency(pointer, plan, o); err != nil {
			return nil, err
		}
	}
	return plan, nil
}

func checkCurrency(pointer string, plan *hotel.RatePlan, o hotel.Optional[hotel.Money]) error {
	if !o.Set || o.Null || o.Value.Currency == plan.Currency {
		return nil
	}
	return hotel.Invalid(pointer, "currency_mismatch", "rate plan %s is in %s, not in %s", plan.ID, plan.Currency, o.Value.Currency)
}

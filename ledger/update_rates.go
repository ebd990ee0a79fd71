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
		by := terms{p.source, hotel.RateRankOf(&p.s.property), p.today}
		prices, err := proposePrices(ctx, p)
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
					e := e
					if e.Adjust != nil {
						var err error
						if e, err = v.step(i, night, plan.Currency, e, p.source); err != nil {
							return v, err
						}
					}
					return v.with(e, by), nil
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

// proposePrices is the prices as a proposal has them. A cell has the version since which
// what counts there is as it is: what waits behind a rank or a lock makes no other one.
func proposePrices(ctx context.Context, p *proposal) (*proposedFacts[priceFact], error) {
	prices, err := proposeFacts[priceFact](ctx, p, priceSheet)
	if err != nil {
		return nil, err
	}
	prices.same = priceFact.same
	for k, f := range prices.stored {
		f.V = f.V.settled(f.version, f.at)
		f.version = f.V.stands(f.version, f.at).Sequence
		prices.stored[k] = f
	}
	return prices, nil
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

// step returns an entry with the prices of a night one step further: those that its
// source has said, else those that count.
func (f priceFact) step(i int, night hotel.Date, c hotel.Currency, e hotel.RateEntry, source string) (hotel.RateEntry, error) {
	at := fmt.Sprintf("/entries/%d/values/adjust", i)
	now := f.words()[source].prices
	if now.Amount == nil && len(now.Occupancies) == 0 {
		now = f.prices
	}
	if now.Amount == nil && len(now.Occupancies) == 0 {
		return e, hotel.Invalid(at, "required", "no price is typed on %s that could be adjusted: set amount there, or adjust the plan that this one is derived from", night)
	}
	further := func(minor int64) (hotel.Optional[hotel.Money], error) {
		m, ok := price.Step(hotel.Money{Minor: minor, Currency: c}, *e.Adjust)
		if !ok {
			return hotel.Optional[hotel.Money]{}, hotel.Invalid(at, "min", "takes the price of %s below 0, or higher than can be typed", night)
		}
		return hotel.Given(m), nil
	}
	var err error
	if now.Amount != nil {
		if e.Amount, err = further(*now.Amount); err != nil {
			return e, err
		}
	}
	e.Occupancies = make(map[int]hotel.Optional[hotel.Money], len(now.Occupancies))
	for guests, amount := range now.Occupancies {
		if e.Occupancies[guests], err = further(amount); err != nil {
			return e, err
		}
	}
	return e, nil
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

package ledger

import (
	"context"
	"fmt"
	"maps"

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
	minor := hotel.Optional[int64]{Set: e.Amount.Set, Null: e.Amount.Null, Value: e.Amount.Value.Minor}
	f.Amount = minor.Over(f.Amount)
	if len(e.Occupancies) == 0 {
		return f
	}
	occupancies := maps.Clone(f.Occupancies)
	if occupancies == nil {
		occupancies = map[int]int64{}
	}
	for guests, o := range e.Occupancies {
		if o.Null {
			delete(occupancies, guests)
		} else {
			occupancies[guests] = o.Value.Minor
		}
	}
	f.Occupancies = nil // none, not an empty map: equal facts look alike
	if len(occupancies) > 0 {
		f.Occupancies = occupancies
	}
	return f
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
	return nil
}

func checkCurrency(pointer string, plan *hotel.RatePlan, o hotel.Optional[hotel.Money]) error {
	if !o.Set || o.Null || o.Value.Currency == plan.Currency {
		return nil
	}
	return hotel.Invalid(pointer, "currency_mismatch", "rate plan %s is in %s, not in %s", plan.ID, plan.Currency, o.Value.Currency)
}

package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// rateKey names the price of a product for so many guests.
type rateKey struct {
	nightKey
	occupancy int
}

// UpdateRates stores a bulk update of prices.
func (l *Ledger) UpdateRates(ctx context.Context, by hotel.By, once hotel.Once, u hotel.RateUpdate) (hotel.AriUpdate, bool, error) {
	dates := make([]hotel.Dates, len(u.Entries))
	for i, e := range u.Entries {
		dates[i] = e.Dates
	}
	return l.update(ctx, by, once, u.PropertyID, "rates", dates, func(b *bulkUpdate) error {
		return b.storeRates(u)
	})
}

func (u *bulkUpdate) storeRates(in hotel.RateUpdate) error {
	stored, versions, err := u.loadRates()
	if err != nil {
		return err
	}
	now := map[rateKey]int64{}
	at := func(k rateKey) int64 {
		if v, ok := now[k]; ok {
			return v
		}
		if v, ok := stored[k]; ok {
			return v
		}
		return board.None
	}
	for i, e := range in.Entries {
		plan, err := u.s.checkProduct(i, e.RoomTypeID, e.RatePlanID)
		if err != nil {
			return err
		}
		amounts, err := u.amounts(i, plan, e)
		if err != nil {
			return err
		}
		for _, d := range e.Nights() {
			k := rateKey{nightKey: nightKey{d, product{e.RoomTypeID, e.RatePlanID}}}
			if err := checkVersion(i, e.ExpectedVersion, versions[k.nightKey], d); err != nil {
				return err
			}
			changed := false
			for occupancy, amount := range amounts {
				k.occupancy = occupancy
				changed = changed || at(k) != amount
				now[k] = amount
			}
			if changed {
				u.upd.Changed[i]++
			}
		}
	}
	return u.commitRates(in, stored, now)
}

// amounts checks what an entry sets, by occupancy, and returns minor units;
// board.None takes a price away.
func (u *bulkUpdate) amounts(i int, plan *hotel.RatePlan, e hotel.RateEntry) (map[int]int64, error) {
	out := map[int]int64{}
	put := func(pointer string, occupancy int, o hotel.Optional[hotel.Money]) error {
		switch {
		case !o.Set:
		case o.Null:
			out[occupancy] = board.None
		case o.Value.Currency != plan.Currency:
			return hotel.Invalid(pointer, "currency_mismatch", "rate plan %s is in %s, not in %s", plan.ID, plan.Currency, o.Value.Currency)
		case o.Value.Minor < 0:
			return hotel.Invalid(pointer, "min", "a price cannot be below 0")
		default:
			out[occupancy] = o.Value.Minor
		}
		return nil
	}
	if err := put(fmt.Sprintf("/entries/%d/values/amount", i), 0, e.Amount); err != nil {
		return nil, err
	}
	for occupancy, o := range e.Occupancies {
		pointer := fmt.Sprintf("/entries/%d/values/occupancy_amounts/%d", i, occupancy)
		if plan.Pricing != hotel.PerOccupancy {
			return nil, hotel.Invalid(pointer, "type", "rate plan %s has one price for the room: set amount", plan.ID)
		}
		if most := u.s.room(e.RoomTypeID).MaxOccupancy; occupancy < 1 || occupancy > most {
			return nil, hotel.Invalid(pointer, "occupancy_exceeded", "room type %s takes 1 to %d guests", e.RoomTypeID, most)
		}
		if err := put(pointer, occupancy, o); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (u *bulkUpdate) loadRates() (map[rateKey]int64, map[nightKey]int64, error) {
	rows, err := u.t.q.RateNights(u.t.ctx, ledgerdb.RateNightsParams{PropertyID: u.s.property.ID, First: int64(u.first), Last: int64(u.last)})
	if err != nil {
		return nil, nil, fmt.Errorf("read prices: %w", err)
	}
	stored, versions := make(map[rateKey]int64, len(rows)), make(map[nightKey]int64, len(rows))
	for _, r := range rows {
		k := nightKey{hotel.Date(r.Night), product{r.RoomTypeID, r.RatePlanID}}
		stored[rateKey{k, int(r.Occupancy)}] = r.Amount
		versions[k] = max(versions[k], r.Version)
	}
	return stored, versions, nil
}

func (u *bulkUpdate) commitRates(in hotel.RateUpdate, stored, now map[rateKey]int64) error {
	nights := map[product]nightSet{}
	amounts := map[nightKey]map[int]int64{} // what changed, by occupancy
	for k, v := range now {
		was, ok := stored[k]
		if !ok {
			was = board.None
		}
		if v == was {
			continue
		}
		if nights[k.product] == nil {
			nights[k.product] = nightSet{}
		}
		nights[k.product][k.night] = struct{}{}
		if amounts[k.nightKey] == nil {
			amounts[k.nightKey] = map[int]int64{}
		}
		amounts[k.nightKey][k.occupancy] = v
	}
	for p, set := range nights {
		// The text of a night's changes makes neighbours comparable; map keys
		// are printed in order.
		said := func(d hotel.Date) string { return fmt.Sprint(amounts[nightKey{d, p}]) }
		err := journalFacts(u, PricesChanged, p.subject(), "product", set.sorted(), said, func(d hotel.Date, _ string, version int64) error {
			for occupancy, amount := range amounts[nightKey{d, p}] {
				if err := u.putRate(in.Source, d, p, occupancy, amount, version); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (u *bulkUpdate) putRate(source string, d hotel.Date, p product, occupancy int, amount, version int64) error {
	if amount == board.None {
		return u.t.q.DeleteRateNight(u.t.ctx, ledgerdb.DeleteRateNightParams{
			PropertyID: u.s.property.ID, Night: int64(d), RoomTypeID: p.room, RatePlanID: p.plan, Occupancy: int64(occupancy),
		})
	}
	return u.t.q.PutRateNight(u.t.ctx, ledgerdb.PutRateNightParams{
		PropertyID: u.s.property.ID, Night: int64(d), RoomTypeID: p.room, RatePlanID: p.plan, Occupancy: int64(occupancy),
		Amount: amount, Version: version, Source: source, UpdatedAt: u.t.micros(),
	})
}

package console

import (
	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// alteredRun is the nights of a line that have the same version.
type alteredRun struct {
	alteredLine
	dates  hotel.Dates
	guests map[int]bool // for so many, other than the usual number, prices are typed there
}

type alteredLine struct {
	room, plan string
	version    int64
}

// runsOf puts the cells together by line and version, which is how entries can say what
// they expect.
func runsOf(cells []altered) []alteredRun {
	var runs []alteredRun
	at := map[alteredLine]int{}
	for _, c := range cells {
		line := alteredLine{c.room, c.plan, c.version}
		i, known := at[line]
		if !known {
			i = len(runs)
			at[line], runs = i, append(runs, alteredRun{line, hotel.Dates{Span: hotel.Span{From: c.night, To: c.night - 1}}, map[int]bool{}})
		}
		d := &runs[i].dates
		for n := d.To + 1; n < c.night; n++ {
			d.Except = append(d.Except, n)
		}
		d.To = c.night
		for _, guests := range c.guests {
			runs[i].guests[guests] = true
		}
	}
	return runs
}

// alter sends the bulk update, that stores nothing when it is dry. It is refused where a
// cell has another version than it had when it was read.
func (v *visit) alter(caller desk.Caller, f *alterForm, cells []altered, dry bool) (made hotel.AriUpdate, err error) {
	u, err := v.bulk(f, cells)
	if err != nil {
		return made, err
	}
	switch ctx := v.r.Context(); {
	case u.Inventory != nil:
		u.Inventory.DryRun = dry
		made, _, err = v.c.desk.UpdateInventory(ctx, caller, *u.Inventory)
	case u.Rates != nil:
		u.Rates.DryRun = dry
		made, _, err = v.c.desk.UpdateRates(ctx, caller, *u.Rates)
	default:
		u.Restrictions.DryRun = dry
		made, _, err = v.c.desk.UpdateRestrictions(ctx, caller, *u.Restrictions)
	}
	return made, err
}

// bulk is the bulk update that the form asks for.
func (v *visit) bulk(f *alterForm, cells []altered) (u hotel.AnyUpdate, err error) {
	runs := runsOf(cells)
	switch {
	case f.What.needs == auth.InventoryWrite:
		u.Inventory = &hotel.InventoryUpdate{PropertyID: v.house.ID}
		for _, r := range runs {
			e := hotel.InventoryEntry{RoomTypeID: r.room, Dates: r.dates, ExpectedVersion: &r.version}
			value, err := f.taken()
			if err != nil {
				return u, err
			}
			if f.What.field == fieldSellLimit {
				e.SellLimit = value
			} else {
				e.OutOfOrder = value
			}
			u.Inventory.Entries = append(u.Inventory.Entries, e)
		}
	case f.What.field == hotel.FieldAmount:
		u.Rates = &hotel.RateUpdate{PropertyID: v.house.ID}
		for _, r := range runs {
			e := hotel.RateEntry{RoomTypeID: r.room, RatePlanID: r.plan, Dates: r.dates, ExpectedVersion: &r.version}
			to, step, err := f.priced(r.plan)
			if err != nil {
				return u, err
			}
			switch e.Adjust = step; {
			case to != nil:
				e.Amount = hotel.Given(*to)
			case step == nil:
				e.Amount, e.Occupancies = hotel.Optional[hotel.Money]{Set: true, Null: true}, map[int]hotel.Optional[hotel.Money]{}
				for guests := range r.guests {
					e.Occupancies[guests] = e.Amount
				}
			}
			u.Rates.Entries = append(u.Rates.Entries, e)
		}
	default:
		u.Restrictions = &hotel.RestrictionUpdate{PropertyID: v.house.ID}
		for _, r := range runs {
			e := hotel.RestrictionEntry{RoomTypeID: r.room, RatePlanID: r.plan, Dates: r.dates, ExpectedVersion: &r.version}
			if err := f.restrict(&e); err != nil {
				return u, err
			}
			u.Restrictions.Entries = append(u.Restrictions.Entries, e)
		}
	}
	return u, nil
}

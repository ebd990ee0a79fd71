package console

import (
	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// alteredRun is the nights of a line that have the same version.
type alteredRun struct {
	alteredLine
	dates hotel.Dates
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
			at[line], runs = i, append(runs, alteredRun{line, hotel.Dates{Span: hotel.Span{From: c.night, To: c.night - 1}}})
		}
		d := &runs[i].dates
		for n := d.To + 1; n < c.night; n++ {
			d.Except = append(d.Except, n)
		}
		d.To = c.night
	}
	return runs
}

// alter sends the bulk update, that stores nothing when it is dry. It is refused where a
// cell has another version than it had when it was read.
func (v *visit) alter(f *alterForm, cells []altered, dry bool) (u hotel.AriUpdate, err error) {
	ctx, runs := v.r.Context(), runsOf(cells)
	switch {
	case f.What.needs == auth.InventoryWrite:
		in := hotel.InventoryUpdate{PropertyID: v.house.ID, DryRun: dry}
		for _, r := range runs {
			e := hotel.InventoryEntry{RoomTypeID: r.room, Dates: r.dates, ExpectedVersion: &r.version}
			value := hotel.Optional[int]{Set: true, Null: f.Value == ""}
			if !value.Null {
				if value.Value, err = f.number(); err != nil {
					return u, err
				}
			}
			if f.What.field == fieldSellLimit {
				e.SellLimit = value
			} else {
				e.OutOfOrder = value
			}
			in.Entries = append(in.Entries, e)
		}
		u, _, err = v.c.desk.UpdateInventory(ctx, v.caller, in)
	case f.What.field == hotel.FieldAmount:
		in := hotel.RateUpdate{PropertyID: v.house.ID, DryRun: dry}
		for _, r := range runs {
			e := hotel.RateEntry{RoomTypeID: r.room, RatePlanID: r.plan, Dates: r.dates, ExpectedVersion: &r.version}
			to, step, err := f.priced(r.plan)
			if err != nil {
				return u, err
			}
			if e.Adjust = step; to != nil {
				e.Amount = hotel.Given(*to)
			}
			in.Entries = append(in.Entries, e)
		}
		u, _, err = v.c.desk.UpdateRates(ctx, v.caller, in)
	default:
		in := hotel.RestrictionUpdate{PropertyID: v.house.ID, DryRun: dry}
		for _, r := range runs {
			e := hotel.RestrictionEntry{RoomTypeID: r.room, RatePlanID: r.plan, Dates: r.dates, ExpectedVersion: &r.version}
			if err := f.restrict(&e); err != nil {
				return u, err
			}
			in.Entries = append(in.Entries, e)
		}
		u, _, err = v.c.desk.UpdateRestrictions(ctx, v.caller, in)
	}
	return u, err
}

// restrict has an entry say what the form says.
func (f *alterForm) restrict(e *hotel.RestrictionEntry) (err error) {
	switch f.What.field {
	case hotel.FieldClosed:
		e.Closed = hotel.Given(*f.What.flag)
	case hotel.FieldClosedToArrival:
		e.ClosedToArrival = hotel.Given(*f.What.flag)
	case hotel.FieldClosedToDeparture:
		e.ClosedToDeparture = hotel.Given(*f.What.flag)
	default:
		e.MinStayArrival.Set = true
		e.MinStayArrival.Value, err = f.number()
	}
	return err
}

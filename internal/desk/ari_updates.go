package desk

import (
	"context"
	"strconv"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// sourceAPI marks what was written through the API.
const sourceAPI = "api"

// The limits of one bulk update.
const (
	maxEntries    = 1000
	maxEntryDates = 500
	maxFaults     = 100 // reported at once
)

// AriUpdate returns a bulk update and how far the channels are with it.
func (d *Desk) AriUpdate(ctx context.Context, c Caller, id string) (hotel.AriUpdate, error) {
	if !c.Scopes.Has(auth.RatesRead) {
		if err := c.need(auth.InventoryRead); err != nil {
			return hotel.AriUpdate{}, err
		}
	}
	u, err := d.ledger.AriUpdate(ctx, id)
	if err != nil {
		return hotel.AriUpdate{}, said(err)
	}
	if err := c.find(u.PropertyID); err != nil {
		return hotel.AriUpdate{}, err
	}
	return u, nil
}

// enterUpdate checks what holds for every bulk update. Dates, rooms and plans
// are the ledger's to check, in the transaction that stores them.
func (d *Desk) enterUpdate(ctx context.Context, c Caller, scope auth.Scope, propertyID string, entries int) (hotel.Property, error) {
	if err := c.enter(scope, propertyID); err != nil {
		return hotel.Property{}, err
	}
	if entries < 1 || entries > maxEntries {
		return hotel.Property{}, hotel.Invalid("/entries", "length", "must have 1 to %d entries", maxEntries)
	}
	return d.property(ctx, propertyID)
}

// faults collects everything that is wrong with an update, so that its sender
// hears it all at once.
type faults struct{ items []hotel.RefusedItem }

// entryFaults adds faults of one entry.
type entryFaults struct {
	all *faults
	at  string
}

func (f *faults) entry(i int) entryFaults { return entryFaults{f, "/entries/" + strconv.Itoa(i)} }

// refusal is nil when nothing is wrong.
func (f *faults) refusal() error {
	if len(f.items) == 0 {
		return nil
	}
	r := hotel.Refuse("validation_failed", "%d things are wrong with the update; nothing was stored", len(f.items))
	r.Items = f.items[:min(len(f.items), maxFaults)]
	return r
}

func (e entryFaults) add(member, code, detail string) {
	e.all.items = append(e.all.items, hotel.RefusedItem{Pointer: e.at + member, Code: code, Detail: detail})
}

// dates refuses a span that is too long to be counted out.
func (e entryFaults) dates(dates hotel.Dates) {
	if dates.Days() > maxEntryDates {
		e.add("/date_to", "max", "an entry covers at most "+strconv.Itoa(maxEntryDates)+" dates")
	}
}

func (e entryFaults) within(member string, v hotel.Optional[int], least, most int) {
	switch {
	case !v.Set || v.Null:
	case v.Value < least:
		e.add(member, "min", "must be at least "+strconv.Itoa(least))
	case v.Value > most:
		e.add(member, "max", "must be at most "+strconv.Itoa(most))
	}
}

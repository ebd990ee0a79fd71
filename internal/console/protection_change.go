package console

import (
	"net/http"
	"slices"
	"strconv"

	"ostler.example/hotel"
)

// protectDraft is a way of protecting a pool that somebody has chosen, before it is so.
type protectDraft struct {
	Card    poolCard
	Way     protectWay
	From    []string // the channels that rooms are kept from; ids
	Names   []string // likewise
	Nights  int      // nights of room types on which what is kept back becomes another
	Changes bool     // anything does
}

// protectDraft reads the form, and works out what it would do.
func (v *visit) protectDraft() (d protectDraft, err error) {
	cards, err := v.poolCards()
	if err != nil {
		return d, err
	}
	i := slices.IndexFunc(cards, func(c poolCard) bool { return c.ID == v.r.PathValue("id") })
	if i < 0 {
		return d, hotel.Refuse("not_found", "there is no such pool in this house")
	}
	d.Card = cards[i]
	r, err := readForm(v.r)
	if err != nil {
		return d, err
	}
	way := r.text("way")
	if !slices.Contains([]string{protectOpen, protectKeep, protectLast, protectAll}, way) {
		return d, hotel.Invalid("/way", "enum", "say how the rooms are to be protected")
	}
	n := 0
	if way == protectKeep || way == protectLast {
		if n = count(r.number("n_" + way)); n < 1 || n > hotel.MaxUnits {
			return d, hotel.Invalid("/n_"+way, "range", "is a number from 1 to %d", hotel.MaxUnits)
		}
	}
	d.Way = v.protectWay(d.Card, way, n)
	if d.Way.MayNot {
		return d, hotel.Refuse("insufficient_scope", "your role may not protect rooms in this way")
	}
	for _, s := range d.Card.Sellers {
		if slices.Contains(r.Values["from"], s.ID) {
			d.From, d.Names = append(d.From, s.ID), append(d.Names, s.Name)
		}
	}
	if way == protectKeep && len(d.From) == 0 && len(d.Card.Sellers) > 0 {
		return d, hotel.Invalid("/from", "required", "choose the channels that the rooms are kept from")
	}
	if way == protectKeep || kept(d.Card) {
		update, _, err := v.c.desk.UpdateInventory(v.r.Context(), v.caller, d.keeping(v, true))
		if err != nil {
			return d, err
		}
		d.Nights = update.CellsChanged
	}
	d.Changes = d.Nights > 0 || d.protection() != d.Card.Protection
	return d, nil
}

// protection is that of the pool.
func (d protectDraft) protection() hotel.Protection {
	switch d.Way.Name {
	case protectLast:
		return hotel.Protection{Kind: hotel.GuardedLast, N: d.Way.N}
	case protectAll:
		return hotel.Protection{Kind: hotel.Guarded}
	}
	if k := d.Card.Protection.Kind; k == "" {
		return d.Card.Protection
	}
	return hotel.Protection{Kind: hotel.Shared}
}

// keeping has the rooms kept back from the channels that were chosen, on every night that
// the house sells, and from no others.
func (d protectDraft) keeping(v *visit, dry bool) hotel.InventoryUpdate {
	today := v.c.desk.Today(v.house)
	last := today + hotel.Date(v.house.HorizonDays)
	in := hotel.InventoryUpdate{PropertyID: v.house.ID, DryRun: dry}
	for _, r := range d.Card.Types {
		e := hotel.InventoryEntry{RoomTypeID: r.ID}
		e.KeepBack = hotel.Optional[hotel.ChannelQuantities]{Set: true, Null: true}
		if d.Way.Name == protectKeep {
			units := unitsOf(r, d.Card.ID)
			rooms := hotel.Given((d.Way.N + units - 1) / units)
			each := hotel.ChannelQuantities{}
			if len(d.From) == len(d.Card.Sellers) {
				each["*"] = rooms
			}
			for id := range d.Card.kept {
				if _, said := each[id]; !said {
					each[id] = hotel.Optional[int]{Set: true, Null: true}
				}
			}
			if len(d.From) < len(d.Card.Sellers) {
				for _, id := range d.From {
					each[id] = rooms
				}
			}
			e.KeepBack = hotel.Given(each)
		}
		for _, e.Span = range hotel.EntryDates(hotel.Span{From: today, To: last}) {
			in.Entries = append(in.Entries, e)
		}
	}
	return in
}

// tryProtection shows what a way of protecting a pool would do.
func (c *Console) tryProtection(v *visit) error {
	d, err := v.protectDraft()
	if err != nil {
		return err
	}
	return v.show("protect", http.StatusOK, d)
}

// protect protects a pool as a form says.
func (c *Console) protect(v *visit) error {
	d, err := v.protectDraft()
	if err != nil {
		return err
	}
	revision, err := strconv.ParseInt(v.r.PostFormValue("revision"), 10, 64)
	if err != nil {
		return hotel.Invalid("/revision", "type", "the form does not say which state of the pool it is about")
	}
	if to := d.protection(); to != d.Card.Protection {
		_, _, err := c.desk.ChangePool(v.r.Context(), v.caller, d.Card.ID, hotel.Change[hotel.Pool]{IfRevision: revision, Apply: func(p *hotel.Pool) error {
			p.Protection = to
			return nil
		}})
		if err != nil {
			return err
		}
	}
	if d.Nights > 0 {
		if _, _, err := c.desk.UpdateInventory(v.r.Context(), v.caller, d.keeping(v, false)); err != nil {
			return err
		}
	}
	http.Redirect(v.w, v.r, v.path("rates/protection")+"?done=saved", http.StatusSeeOther)
	return nil
}

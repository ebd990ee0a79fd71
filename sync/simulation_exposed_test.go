package sync_test

import (
	"context"
	"fmt"

	"ostler.example/hotel"
)

// exposed is how many units of a guarded pool channels can sell on a night beyond those that
// there are and that the ledger has sold, by what they show and have sold.
func (w *world) exposed(pool int, d hotel.Date, heard int) int {
	room, onSale := 2*pool, 0
	for other := range w.facts.house.Rooms {
		for _, f := range w.far {
			if of, units := poolOf(other); of == pool {
				onSale += units * f.Book().OnSale(w.facts.house.RemoteRoom(other), d)
			}
		}
	}
	if onSale == 0 {
		return 0
	}
	taken, sold := 0, sold(w.staysIn(room), d)
	for other, n := range sold {
		if of, units := poolOf(other); of == pool {
			taken += units * n
		}
	}
	return taken + onSale - max(w.facts.free(room, d, sold)+taken, heard)
}

// bookedUnits is how many units of a pool the ledger has sold on each night of a span.
func (w *world) bookedUnits(pool int, nights hotel.Span) map[hotel.Date]int {
	inv, err := w.ldg.Inventory(context.Background(), hotel.InventoryQuery{PropertyID: w.facts.house.Property.ID, Span: nights})
	if err != nil {
		w.t.Error(err)
	}
	units := map[hotel.Date]int{}
	for _, c := range inv.Cells {
		for room, r := range w.facts.house.Rooms {
			if of, each := poolOf(room); of == pool && c.RoomTypeID == r.ID {
				units[c.Date] += each * c.Sold
			}
		}
	}
	return units
}

// told is how many open conflicts tell of each night of a pool that granted rooms are gone.
func (w *world) told() map[poolNight]int {
	told := map[poolNight]int{}
	for _, n := range toldOfLosses(w.t, w.ldg, w.facts.house.Property.ID) {
		for room, r := range w.facts.house.Rooms {
			if pool, _ := poolOf(room); r.ID == n.room {
				told[poolNight{pool, n.night}]++
			}
		}
	}
	return told
}

// checkTold checks that a fact which has taken rooms of a guarded pool that channels can sell is
// told of at once, by one conflict a night. What channels sell again of bookings of which not all
// was heard, nobody can know yet.
func (w *world) checkTold(room int, nights hotel.Span) {
	pool, _ := poolOf(room)
	if !w.guarded(room) {
		return
	}
	told, heard, unheard := w.told(), w.bookedUnits(pool, nights), w.unheard()
	for d := nights.From; d <= nights.To; d++ {
		more, n := w.exposed(pool, d, heard[d]), told[poolNight{pool, d}]
		if more > 0 && !w.unmapped(d) {
			w.count("granted rooms are gone")
		}
		if n > 1 || n == 0 && more > 0 && !w.unmapped(d) && !unheard[d] {
			w.wrong(5, "channels can sell %d units of pool %d more than there are on %s, of which %d conflicts tell", more, pool, d, n)
		}
	}
}

// toldStill names a night of a guarded pool of which a conflict tells though nothing is missing.
func (w *world) toldStill() string {
	for at := range w.told() {
		room := 2 * at.pool
		if w.facts.nights[at.night] == nil || at.night <= w.today() || w.unmapped(at.night) {
			continue
		}
		if w.facts.free(room, at.night, sold(w.staysIn(room), at.night)) >= 0 && w.exposed(at.pool, at.night, 0) <= 0 {
			return fmt.Sprintf("a conflict tells of pool %d on %s, where nothing is missing", at.pool, at.night)
		}
	}
	return ""
}

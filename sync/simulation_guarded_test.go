package sync_test

import (
	"context"
	"fmt"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// The pools of the house: the doubles, of which a family takes two, and the suites.
const (
	doublesPool = iota
	suitesPool
	pools
)

// poolOf returns the pool out of which a room is sold, and how many units it takes.
func poolOf(room int) (pool, units int) {
	return [...]int{doublesPool, doublesPool, suitesPool}[room], [...]int{1, 2, 1}[room]
}

// guarded reports whether the rooms of a type are granted before they are shown.
func (w *world) guarded(room int) bool {
	pool, _ := poolOf(room)
	return w.habits.guarded[pool]
}

// protect guards the pools that this seed guards.
func (w *world) protect() {
	for room := range w.facts.house.Rooms {
		pool := w.facts.house.Rooms[room].Consumes[0].AnyOf[0]
		if !w.guarded(room) {
			continue
		}
		if _, _, err := w.ldg.ChangePool(context.Background(), testkit.Tester, hotel.Once{}, pool, hotel.Change[hotel.Pool]{
			Apply: func(p *hotel.Pool) error { p.Protection.Kind = hotel.Guarded; return nil },
		}); err != nil {
			w.t.Fatal(err)
		}
	}
}

// checkSold counts the nights of a sale on which the hotel has not got the room.
// In a guarded pool there must be none.
func (w *world) checkSold(room int, nights hotel.Stay, where string) {
	stays := w.stays()
	for d := nights.CheckIn; d < nights.CheckOut; d++ {
		if !w.facts.short(room, d, sold(stays, d)) {
			continue
		}
		kind := "shared"
		if w.guarded(room) {
			kind = "guarded"
			w.wrong(5, "%s sells a guarded %s twice on %s", where, w.facts.house.Rooms[room].Code, d)
		}
		w.mu.Lock()
		w.oversold[kind]++
		w.mu.Unlock()
	}
}

// kept says which guarded room is kept from a channel that could sell it, when
// nothing happens any more, and whether more are on sale or sold than there are.
func (w *world) kept() string {
	stays, today := w.stays(), w.today()
	for d := today + 1; d <= min(today+testkit.HorizonDays, w.facts.last); d++ {
		sold := sold(stays, d)
		for room := 0; room < len(w.facts.house.Rooms); room += 2 { // one of each pool
			if !w.guarded(room) {
				continue
			}
			left, may := w.facts.free(room, d, sold), w.facts.available(room, d, sold)
			for _, f := range w.far {
				may -= w.shows(f, room, d)
				for other := range w.facts.house.Rooms {
					if pool, units := poolOf(other); pool == room/2 {
						left -= units * w.shows(f, other, d)
					}
				}
			}
			if left < 0 {
				w.wrong(5, "%d guarded %ss more are on sale or sold than there are on %s", -left, w.facts.house.Rooms[room].Code, d)
			}
			for _, f := range w.far[:grantable] {
				if left > 0 && may > 0 && w.shows(f, room, d) == 0 {
					return fmt.Sprintf("%s has no %s on %s, of which %d are on sale nowhere", f.channel, w.facts.house.Rooms[room].Code, d, left)
				}
			}
		}
	}
	return ""
}

// grantable is how many of the channels, the first ones, promise what it takes to
// be granted a room.
const grantable = 2

// shows is how many rooms of a type a channel shows on a night.
func (w *world) shows(f *far, room int, d hotel.Date) int {
	o, _ := f.Book().Shown(connectors.Key{Group: hotel.Availability, Room: w.facts.house.RemoteRoom(room), Night: d})
	return o.Available
}

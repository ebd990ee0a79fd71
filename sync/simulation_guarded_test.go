package sync_test

import (
	"context"
	"fmt"
	"slices"

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

// grants reports whether any pool of the house is guarded, if only at the last.
func (w *world) grants() bool {
	return w.habits.guarded != [pools]bool{} || w.habits.last != [pools]int{}
}

// last is how many of the last rooms of a type are granted likewise.
func (w *world) last(room int) int {
	pool, _ := poolOf(room)
	return w.habits.last[pool]
}

// granted reports whether a channel may show fewer rooms of a type on a night than
// there are, for each is with one channel.
func (w *world) granted(room int, d hotel.Date, sold [3]int) bool {
	n := w.last(room)
	return w.guarded(room) || n > 0 && w.facts.free(room&^1, d, sold) <= n+1
}

// poolNight is a night of a pool.
type poolNight struct {
	pool  int
	night hotel.Date
}

// protect guards the pools that this seed guards.
func (w *world) protect() {
	for room := 0; room < len(w.facts.house.Rooms); room += 2 { // one of each pool
		protection := hotel.Protection{Kind: hotel.Guarded}
		switch n := w.last(room); {
		case n > 0:
			protection = hotel.Protection{Kind: hotel.GuardedLast, N: n}
		case !w.guarded(room):
			continue
		}
		if _, _, err := w.ldg.ChangePool(context.Background(), testkit.Tester, hotel.Once{}, w.facts.house.Rooms[room].Consumes[0].AnyOf[0], hotel.Change[hotel.Pool]{
			Apply: func(p *hotel.Pool) error { p.Protection = protection; return nil },
		}); err != nil {
			w.t.Fatal(err)
		}
	}
}

// Where a room night was sold twice, as make sim counts them.
const (
	sharedPools  = "shared pools"
	lastPools    = "pools guarded at the last"
	guardedPools = "guarded pools"
	cutPools     = "guarded pools that a fact has cut" // of rooms that it took away when a channel had been granted them
)

// checkBooked is checkSold of every room of a booking.
func (w *world) checkBooked(b testkit.Booking, f *far) {
	for _, p := range b.Parts() {
		w.checkSold(w.sells(p.Room), p.Stay(), f)
	}
}

// checkSold counts the nights of a sale on which the hotel has not got the room.
// In a guarded pool there must be none but those that a fact has taken away, none of which
// the desk sells, and of the last rooms no more than were missing already when each came
// to be with one channel. f is nil at the desk.
func (w *world) checkSold(room int, nights hotel.Stay, f *far) {
	stays, where := w.staysIn(room), "the desk"
	if f != nil {
		where = f.channel
	}
	defer func() { w.level(w.stays()) }()
	pool, _ := poolOf(room)
	for d := nights.CheckIn; d < nights.CheckOut; d++ {
		if !w.facts.short(room, d, sold(stays, d)) {
			continue
		}
		kind := sharedPools
		most, known := w.zoned[poolNight{pool, d}]
		switch {
		case w.guarded(room):
			kind = cutPools
			most, known = w.lacks[poolNight{pool, d}], true
		case w.last(room) > 0:
			kind = lastPools
		}
		if missing := -w.facts.free(room&^1, d, sold(stays, d)); known && missing > most || w.guarded(room) && f == nil {
			if w.guarded(room) {
				kind = guardedPools
			}
			w.wrong(5, "%s sells a guarded %s twice on %s", where, w.facts.house.Rooms[room].Code, d)
		}
		if f == nil && w.countsOwn(room) && !w.unheard()[d] {
			w.wrong(5, "the desk sells a %s that is gone on %s, and has heard of every sale", w.facts.house.Rooms[room].Code, d)
		}
		w.mu.Lock()
		w.oversold[kind]++
		w.mu.Unlock()
		if !w.guarded(room) {
			w.oversell(kind, f, counter{room, d})
		}
	}
}

// takeAway notes that a fact takes units of a pool that channels were granted.
func (w *world) takeAway(room int, nights hotel.Stay, units int) {
	pool, _ := poolOf(room)
	for d := nights.CheckIn; d < nights.CheckOut; d++ {
		at := poolNight{pool, d}
		if _, known := w.zoned[at]; known {
			w.zoned[at] += units
		} else if w.guarded(room) {
			w.lacks[at] += units
		}
	}
}

// settle has nobody sell what a fact took away before the quiet point; what was sold of it
// by then stays missing.
func (w *world) settle() {
	for _, missing := range []map[poolNight]int{w.lacks, w.zoned} {
		for at := range missing {
			room := 2 * at.pool
			missing[at] = max(0, -w.facts.free(room, at.night, sold(w.staysIn(room), at.night)))
		}
	}
}

// zone follows on which nights the last rooms are guarded: at a quiet point each is
// with one channel, and stays so until there are more.
func (w *world) zone(quiet bool) {
	stays, today := w.stays(), w.today()
	w.level(stays)
	for room := 0; room < len(w.facts.house.Rooms); room += 2 {
		pool, _ := poolOf(room)
		for d := today + 1; d <= min(today+w.habits.days, w.facts.last) && w.last(room) > 0; d++ {
			at, free := poolNight{pool, d}, w.facts.free(room, d, sold(stays, d))
			if free > w.last(room) {
				delete(w.zoned, at)
			} else if _, known := w.zoned[at]; quiet && !known {
				w.zoned[at] = max(0, -free)
			}
		}
	}
}

// kept says which guarded room is kept from a channel that could sell it, when
// nothing happens any more, and whether more are on sale or sold than there are.
func (w *world) kept() string {
	today := w.today()
	stays := [...][]stay{doublesPool: w.staysIn(0), suitesPool: w.staysIn(2)}
	for d := today + 1; d <= min(today+w.habits.days, w.facts.last); d++ {
		for room := 0; room < len(w.facts.house.Rooms); room += 2 { // one of each pool
			owed, sold := "", sold(stays[room/2], d)
			switch left, n := w.facts.free(room, d, sold), w.last(room); {
			case w.guarded(room):
				owed = w.keptOf(room, d, sold, left)
			case n > 0 && left <= n:
				owed = w.keptOf(room, d, sold, max(0, left))
			}
			if owed != "" {
				return owed
			}
		}
	}
	return ""
}

// keptOf is kept of one pool of which so many units are left.
func (w *world) keptOf(room int, d hotel.Date, sold [3]int, left int) string {
	may, free := w.facts.available(room, d, sold, sold), left
	for _, f := range w.far {
		may -= w.shows(f, room, d)
		for other := range w.facts.house.Rooms {
			if pool, units := poolOf(other); pool == room/2 {
				left -= units * w.shows(f, other, d)
			}
		}
	}
	if more := fmt.Sprintf("%d guarded %ss more are on sale or sold than there are on %s", -left, w.facts.house.Rooms[room].Code, d); left < 0 && w.guarded(room) && -left > w.lacks[poolNight{room / 2, d}] {
		w.wrong(5, "%s", more)
	} else if left < min(0, free) || left < 0 && !w.guarded(room) {
		return more // the channel has refused its closing, and will be told again
	}
	if w.unmapped(d) {
		return "" // what it may be of is kept in each pool
	}
	for _, f := range w.far[:grantable] {
		if left > 0 && may > 0 && w.shows(f, room, d) == 0 {
			return fmt.Sprintf("%s has no %s on %s, of which %d are on sale nowhere", f.channel, w.facts.house.Rooms[room].Code, d, left)
		}
	}
	return ""
}

// unmapped reports whether a guest of the night has bought what nobody has mapped.
func (w *world) unmapped(d hotel.Date) bool {
	return slices.ContainsFunc(w.far, func(f *far) bool {
		return slices.ContainsFunc(f.Book().Bookings(), func(b testkit.Booking) bool {
			return slices.ContainsFunc(b.Parts(), func(p testkit.Part) bool { return p.Room == strangeRoom && p.Stay().Contains(d) })
		})
	})
}

// grantable is how many of the channels, the first ones, promise what it takes to
// be granted a room.
const grantable = 2

// shows is how many rooms of a type a channel shows on a night.
func (w *world) shows(f *far, room int, d hotel.Date) int {
	o, _ := f.Book().Shown(connectors.Key{Group: hotel.Availability, Room: w.facts.house.RemoteRoom(room), Night: d})
	return o.Available
}

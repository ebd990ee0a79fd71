package sync_test

import (
	"slices"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// level is how many units of a pool are free on a night from an instant on.
type level struct {
	at   time.Time
	free int
}

// window is the time in which a room that was gone could be sold once more, and was:
// from when there were too few of them for the second sale to when its channel showed
// no more than there are.
type window struct {
	kind    string // of the pool
	f       *far   // nil: the desk
	counter counter
	gone    time.Time
}

// levelled notes how many units of a pool are free on a night.
func (w *world) levelled(at poolNight, free int) {
	if steps := w.levels[at]; len(steps) == 0 || steps[len(steps)-1].free != free {
		w.levels[at] = append(steps, level{time.Now(), free})
	}
}

// goneSince is since when fewer units were free than were needed, up to the last level.
func (w *world) goneSince(at poolNight, last level, needed int) time.Time {
	since := last.at
	for _, l := range slices.Backward(w.levels[at]) {
		if l.free >= needed {
			break
		}
		since = l.at
	}
	return since
}

// oversell follows a sale by which a night has fewer rooms than are sold.
func (w *world) oversell(kind string, f *far, c counter) {
	pool, _ := poolOf(c.room)
	at := poolNight{pool, c.night}
	steps := w.levels[at]
	free := w.facts.free(c.room&^1, c.night, sold(w.stays(), c.night))
	if len(steps) == 0 || free >= steps[len(steps)-1].free {
		return // it takes nothing that it had not before: another room of the booking did, or it was changed
	}
	last := steps[len(steps)-1]
	w.open = append(w.open, window{kind, f, c, w.goneSince(at, last, last.free-free)})
}

// level follows how many units of each pool are free.
func (w *world) level(stays []stay) {
	for d, last := w.today(), min(w.today()+w.habits.days, w.facts.last); d <= last; d++ {
		sold := sold(stays, d)
		for room := 0; room < len(w.facts.house.Rooms); room += 2 { // one of each pool
			pool, _ := poolOf(room)
			w.levelled(poolNight{pool, d}, w.facts.free(room, d, sold))
		}
	}
}

// closeWindows ends the windows of channels that show no more than there is, and the desk's
// when the hotel has heard all.
func (w *world) closeWindows() {
	if len(w.open) == 0 {
		return
	}
	stays, unheard := w.stays(), w.unheard()
	w.open = slices.DeleteFunc(w.open, func(o window) bool {
		c := o.counter
		shuts := !unheard[c.night]
		if o.f != nil && c.night >= w.today() {
			shows, _ := o.f.Book().Shown(connectors.Key{Room: w.facts.house.RemoteRoom(c.room), Group: hotel.Availability, Night: c.night})
			n := sold(stays, c.night)
			shuts = shows.Available <= w.facts.available(c.room, c.night, n, n)
		}
		if shuts {
			w.windows[o.kind] = append(w.windows[o.kind], time.Since(o.gone).Seconds())
		}
		return shuts
	})
}

package sync_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"ostler.example/internal/testkit"
)

// level is how many units of a pool are free on a night from an instant on.
type level struct {
	at   time.Time
	free int
}

// window is the time in which a room that was gone could be sold once more, and was:
// from when there were too few of them for the second sale, and its channel showed more
// than there were, to when the channel showed no more. A channel that showed none for days
// and then sells again what a guest of its own gives back could sell it since then.
type window struct {
	kind    string // of the pool
	f       *far   // nil: the desk
	counter counter
	from    time.Time
}

// lookCounts tells of every count that channels show, and of what each must be.
func (w *world) lookCounts(tell func(f *far, at counter, shows, must int)) {
	h, today := w.facts.house, w.today()
	stays, holds := [...][]stay{doublesPool: w.staysIn(0), suitesPool: w.staysIn(2)}, w.stays()
	for d := today; d <= min(today+w.habits.days, w.facts.last); d++ {
		held := sold(holds, d)
		for room := range h.Rooms {
			pool, _ := poolOf(room)
			must := w.facts.available(room, d, sold(stays[pool], d), held)
			for _, f := range w.far {
				tell(f, counter{room, d}, w.shows(f, room, d), must)
			}
		}
	}
}

// noteOver follows since when each channel shows more than there are: since it was last
// seen to show no more, so that nobody calls a window shorter than it was.
func (w *world) noteOver() {
	before := w.looked
	w.looked = time.Now()
	w.lookCounts(func(f *far, at counter, shows, must int) {
		if _, known := f.over[at]; shows <= must {
			delete(f.over, at)
		} else if !known {
			f.over[at] = before
		}
	})
}

// overSince is since when a channel shows more of a room on a night than there are, if it
// has just sold one of them.
func (w *world) overSince(f *far, at counter) time.Time {
	if f == nil {
		return time.Time{} // the desk sells what the hotel knows of
	}
	if since, known := f.over[at]; known {
		return since
	}
	return w.looked
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
	w.open = append(w.open, window{kind, f, c, later(w.goneSince(at, last, last.free-free), w.overSince(f, c))})
}

// level follows how many units of each pool are free, and what channels show of them.
func (w *world) level(stays []stay) {
	for d, last := w.today(), min(w.today()+w.habits.days, w.facts.last); d <= last; d++ {
		sold := sold(stays, d)
		for room := 0; room < len(w.facts.house.Rooms); room += 2 { // one of each pool
			pool, _ := poolOf(room)
			w.levelled(poolNight{pool, d}, w.facts.free(room, d, sold))
		}
	}
	w.noteOver()
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
			n := sold(stays, c.night)
			shuts = w.shows(o.f, c.room, c.night) <= w.facts.available(c.room, c.night, n, n)
		}
		if shuts {
			w.windows[o.kind] = append(w.windows[o.kind], time.Since(o.from).Seconds())
		}
		return shuts
	})
}

// A night that is sold twice stays so for days. When a guest then cancels, his channel puts
// the room on sale again by itself, and sells it, before it is told otherwise: that window
// is of seconds.
func TestAWindowBeginsWhenItsChannelShowsTooMuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, end := calmWorld(t)
		defer end()
		night := w.today() + 5
		sell := func(f *far) {
			w.sell(f, testkit.Request{
				Room: w.facts.house.RemoteRoom(suiteRoom), Rate: w.facts.house.RemoteRate(0), CheckIn: night, CheckOut: night + 1, Adults: 2, LastName: "Guest",
			})
		}
		measured := func(n int) {
			t.Helper()
			w.quiet()
			s := w.windows[sharedPools]
			if len(s) != n || len(w.open) > 0 {
				t.Fatalf("%d windows of %d are measured, and %d are open", len(s), n, len(w.open))
			}
			if s[n-1] <= 0 || s[n-1] > 10 {
				t.Errorf("the window is %.3f s", s[n-1])
			}
		}
		for range testkit.Suites - 1 {
			sell(w.far[0])
		}
		w.quiet()
		sell(w.far[0])
		w.zone(false)
		sell(w.far[1])
		measured(1)

		w.rest(36 * time.Hour)
		b := w.far[1].Book().Bookings()[0]
		if _, err := w.far[1].Book().Cancel(b.Reference); err != nil {
			t.Fatal(err)
		}
		sell(w.far[0])
		if len(w.open) > 0 {
			t.Fatal("the other channel sells a room that it does not show")
		}
		w.zone(false)
		sell(w.far[1])
		measured(2)
	})
}

// calmWorld is a world in which nothing goes wrong and no pool is guarded, at its first
// quiet point.
func calmWorld(t *testing.T) (w *world, end func()) {
	cryptotest.SetGlobalRandom(t, 1)
	w = newWorld(t, run{seed: 1, without: slices.Sorted(maps.Keys(new(habits).switches()))})
	time.Sleep(worldTurn.after(w.habits.start))
	outside, leave := context.WithCancel(context.Background())
	w.build(outside)
	w.quiet()
	return w, func() {
		w.stop()
		leave()
		w.leave()
	}
}

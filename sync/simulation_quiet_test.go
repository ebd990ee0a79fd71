package sync_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// Of coming to rest: how long it may take when nothing happens, the hour of an
// absurd Retry-After and a back-off behind it included, and how many updates.
const (
	patience   = 80 * time.Minute
	forReading = 150 * time.Minute // until what was changed by hand is read, twice where it may have been a sale
	callsToEnd = 200
)

// quiet ends the faults and waits until all is told. Then every channel shows
// what it must, every booking of the world is in the ledger once, and nothing
// more is sent.
func (w *world) quiet() {
	synctest.Wait() // a channel may be telling of the sale that has just been: how long that takes is drawn from how slow it was
	w.slow.Store(int64(20 * time.Millisecond))
	w.mu.Lock()
	w.fuse = 0
	w.mu.Unlock()
	w.relieve()
	w.checkOut(true)
	w.expire()
	began, before, fewest, step, end := time.Now(), w.updates(), w.fewest(), 5*time.Second, patience
	if w.byHand {
		end += forReading
	}
	for n, amiss := 0, 0; ; n++ {
		for _, f := range w.far {
			f.Calm()
		}
		empty := w.bag.empty()
		w.dawn()
		w.pmsReads()
		w.pmsGives()
		w.pass(step)
		if n > 12 { // what is waited for is long, too
			step = min(step*5/4, 2*time.Minute)
			w.beat = step / 2
		}
		owed := w.unsettled()
		if owed == "" && empty { // the ledger thinks that all is told
			if owed = w.differs(); owed == "" {
				break
			}
			// A night that was closed for want of a count opens some seconds behind the count.
			if amiss++; !w.byHand && amiss > 2 || w.byHand && time.Since(began) > end-patience {
				w.mend()
				break
			}
		}
		if time.Since(began) > end {
			w.wrong(4, "after %v without anything happening: %s", end, owed)
			break
		}
	}
	w.rested(fewest, before, w.updates())
	w.beat, w.byHand, w.mended = busyBeat, w.mended, false // what people have set is found when it is read
	maps.DeleteFunc(w.edited, func(_ edit, at time.Time) bool { return time.Since(at) > 25*time.Hour })
	w.mine()
	w.checkShown()
	w.zone(true)
	w.settle()
	w.checkBookings()
	w.checkLedger()
	after := w.updates()
	for i, f := range w.far {
		if n := after[i] - before[i]; n > callsToEnd {
			w.wrong(4, "%s was called %d times to come to rest", f.channel, n)
		}
	}
	w.pass(65 * time.Second)
	for i, n := range w.updates() {
		if n != after[i] && !w.grants() && // which has times of its own to wait for
			time.Now().After(w.far[i].again) && w.today() == w.facts.house.Property.Today(clock{&w.ahead, w.lives}.Now().Add(-2*time.Minute)) {
			w.wrong(4, "%s is told more although nothing has changed", w.far[i].channel)
		}
	}
	w.calmWatch()
}

// updates counts the updates that every channel was sent.
func (w *world) updates() []int {
	w.mu.Lock()
	defer w.mu.Unlock()
	var n []int
	for _, f := range w.far {
		n = append(n, f.updates)
	}
	return n
}

// unsettled says what the hotel and its channels still have to tell each other.
func (w *world) unsettled() string {
	for _, f := range w.far {
		if n := len(f.Book().Events(0, 1)); n > 0 {
			return f.channel + " has messages that are not taken"
		}
	}
	if len(w.bag.carries()) > 0 {
		return "messages are on their way"
	}
	states, err := w.ldg.Channels(context.Background(), "")
	if err != nil {
		return err.Error()
	}
	newest, err := w.ldg.Sequence(context.Background())
	if err != nil {
		return err.Error()
	}
	for _, s := range states {
		if s.Lag > 0 {
			return fmt.Sprintf("%s: %d cells to be told", s.ID, s.Lag)
		}
		if s.SyncedThrough != newest {
			return fmt.Sprintf("%s is told up to %d of %d", s.ID, s.SyncedThrough, newest)
		}
	}
	return cmp.Or(w.asked(), w.pmsOwes(), w.kept(), w.toldStill())
}

// mend is what people do about values that a channel has refused, which wait for
// others: they go there and set them by hand. They know of no others than those that
// the ledger calls refused, and nothing is where no channel refused anything.
func (w *world) mend() {
	refused, byHand := map[*far]map[connectors.Key]bool{}, map[*far][]connectors.Change{}
	known := w.refuse
	w.differ(func(d difference) bool {
		if refused[d.f] == nil {
			refused[d.f] = w.refused(d.f)
		}
		count := connectors.Key{Room: d.key.Room, Group: hotel.Availability, Night: d.key.Night}
		known = known && (refused[d.f][d.key] ||
			d.key.Group == hotel.Closures && refused[d.f][count]) // a night is closed while a count for it that is lower is not taken
		byHand[d.f] = append(byHand[d.f], connectors.Change{Key: d.key, Offer: d.want})
		return known
	})
	if !known {
		return
	}
	for _, f := range w.far {
		_, _ = f.Book().Take(byHand[f], testkit.Receipt{}) // without a version nothing is refused
	}
	w.mended = true
	w.count("set by hand")
}

// refused returns what a channel has refused, as the ledger knows it.
func (w *world) refused(f *far) map[connectors.Key]bool {
	today, keys := w.today(), map[connectors.Key]bool{}
	seen, err := w.ldg.Sights(context.Background(), hotel.SightQuery{
		ChannelID: f.channel, Span: hotel.Span{From: today, To: today + w.habits.days}, AtLeast: 100000,
	})
	if err != nil {
		w.t.Error(err)
	}
	for _, s := range seen.Cells {
		for _, g := range s.Groups {
			if g.State == hotel.Rejected {
				k := connectors.Key{Room: s.RemoteRoom, Rate: s.RemoteRate, Group: g.Group, Occupancy: g.Occupancy, Night: s.Night}
				if g.Group == hotel.Availability {
					k.Rate = ""
				}
				keys[k] = true
				if g.Group == hotel.Price { // a night is closed while its price is not confirmed
					keys[connectors.Key{Room: k.Room, Rate: k.Rate, Group: hotel.Closures, Night: k.Night}] = true
				}
			}
		}
	}
	for _, s := range seen.Cells { // one that was closed for want of a count stays so while that is refused
		if keys[connectors.Key{Room: s.RemoteRoom, Group: hotel.Availability, Night: s.Night}] && s.RemoteRate != "" {
			keys[connectors.Key{Room: s.RemoteRoom, Rate: s.RemoteRate, Group: hotel.Closures, Night: s.Night}] = true
		}
	}
	return keys
}

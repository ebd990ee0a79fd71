package sync_test

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
)

// Of coming to rest: how long it may take when nothing happens, the hour of an
// absurd Retry-After and a back-off behind it included, and how many updates.
const (
	patience   = 80 * time.Minute
	callsToEnd = 200
)

// quiet ends the faults and waits until all is told. Then every channel shows
// what it must, every booking of the world is in the ledger once, and nothing
// more is sent.
func (w *world) quiet() {
	w.slow.Store(int64(20 * time.Millisecond))
	w.mu.Lock()
	w.fuse = 0
	w.mu.Unlock()
	began, before, step, nudged := time.Now(), w.updates(), 5*time.Second, false
	for n := 0; ; n++ {
		for _, f := range w.far {
			f.Calm()
		}
		empty := w.bag.empty()
		w.dawn()
		w.pass(step)
		if n > 12 {
			step, w.beat = 30*time.Second, 15*time.Second
		}
		why := w.differs()
		if why == "" || time.Since(began) > patience || !nudged {
			if owed := w.unsettled(); owed != "" {
				why = owed
			} else if why != "" && w.rejected() && !nudged {
				w.nudge() // what a channel has refused waits for another value
				nudged = true
				continue
			} else if why != "" {
				break // the ledger thinks that all is told
			}
		}
		if why == "" && empty {
			break
		}
		if time.Since(began) > patience {
			w.wrong(4, "after %v without anything happening: %s", patience, why)
			break
		}
	}
	w.beat = busyBeat
	w.mine()
	w.checkShown()
	w.checkBookings()
	w.checkLedger()
	after := w.updates()
	for i, f := range w.far {
		if n := after[i] - before[i]; n > callsToEnd && !nudged {
			w.wrong(4, "%s was called %d times to come to rest", f.channel, n)
		}
	}
	w.pass(65 * time.Second)
	for i, n := range w.updates() {
		if n != after[i] && w.today() == hotel.Date(w.facts.house.Property.Today(clock{&w.ahead}.Now().Add(-2*time.Minute))) {
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
	return ""
}

// rejected reports whether a channel has refused something that waits for another
// value.
func (w *world) rejected() bool {
	states, err := w.ldg.Channels(context.Background(), "")
	if err != nil {
		w.t.Error(err)
	}
	for _, s := range states {
		if s.Rejected > 0 {
			return true
		}
	}
	return false
}

// nudge says everything once more, by way of something else.
func (w *world) nudge() {
	w.count("said once more")
	today := w.today()
	for room := range w.facts.house.Rooms {
		all := hotel.Span{From: today, To: w.facts.last}
		var was []fact
		for d := all.From; d <= all.To; d++ {
			was = append(was, w.facts.nights[d][room])
		}
		w.shut(room, all, true)
		w.price(room, all, 4321)
		w.rule(room, all, hotel.Closed{Closed: true}, hotel.LengthLimits{MinStayArrival: 9})
		w.pass(10 * time.Second)
		for from := 0; from < len(was); {
			to := from
			for to+1 < len(was) && was[to+1] == was[from] {
				to++
			}
			nights := hotel.Span{From: all.From + hotel.Date(from), To: all.From + hotel.Date(to)}
			w.shut(room, nights, was[from].shut)
			w.price(room, nights, was[from].price)
			w.rule(room, nights, was[from].closed, was[from].lengths)
			from = to + 1
		}
	}
}

// shut closes a room type, or opens it.
func (w *world) shut(room int, nights hotel.Span, closed bool) {
	w.mine()
	w.facts.house.Stock(w.t, w.ldg, room, nights, hotel.InventoryEntry{Closed: hotel.Given(closed)})
	w.facts.set(room, nights, func(f *fact) { f.shut = closed })
}

package sync_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/sync/gate"
)

// pass lets time go by and tells the engine of it every few seconds.
func (w *world) pass(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		next := w.ticks.Add(3 * time.Second)
		if now := time.Now(); next.Before(now) {
			next = now
		}
		if next.After(end) {
			time.Sleep(time.Until(end))
			return
		}
		time.Sleep(time.Until(next))
		w.ticks = next
		if w.eng != nil {
			if err := w.eng.Tick(context.Background()); err != nil {
				w.t.Error(err)
			}
		}
	}
}

// busy lets things happen for a while, each time in another manner.
func (w *world) busy() {
	pick := func(of ...time.Duration) time.Duration { return of[w.dice.IntN(len(of))] }
	w.profile = profile{
		gap:    pick(20*time.Millisecond, 300*time.Millisecond, 3*time.Second),
		slow:   pick(5*time.Millisecond, 400*time.Millisecond, 4*time.Second),
		nights: []int{1, 3, 30}[w.dice.IntN(3)],
		faults: []int{0, 5, 25}[w.dice.IntN(3)],
		kills:  []int{0, 3, 10}[w.dice.IntN(3)],
	}
	w.slow.Store(int64(w.profile.slow))
	for range 20 + w.dice.IntN(60) {
		w.pass(time.Duration(1 + w.dice.Int64N(2*int64(w.profile.gap))))
		w.act()
		if w.unsettled() == "" {
			w.checkShown()
		}
		if w.t.Failed() {
			return
		}
	}
}

// act lets one thing happen.
func (w *world) act() {
	switch roll := w.dice.IntN(100); {
	case roll < w.profile.faults:
		w.fault()
		return
	case roll >= 100-w.profile.kills:
		if w.dice.IntN(2) == 0 {
			w.kill()
		} else {
			w.restart()
		}
		return
	}
	switch roll := w.dice.IntN(20); {
	case roll < 8:
		w.guest()
	case roll < 10:
		w.direct()
	case roll < 13:
		w.duel()
	case roll < 16:
		w.restock()
	case roll < 18:
		w.price(w.dice.IntN(3), w.nights(5), 5000+1000*w.dice.Int64N(20))
	default:
		w.restrict()
	}
}

// nights draws a span of at most so many nights, starting on a busy one.
func (w *world) nights(most int) hotel.Span {
	from := w.facts.first + 1 + hotel.Date(w.dice.IntN(w.profile.nights))
	return hotel.Span{From: from, To: min(from+hotel.Date(w.dice.IntN(most)), w.facts.last)}
}

// guest books, changes or cancels at one of the channels.
func (w *world) guest() {
	f := w.far[w.dice.IntN(len(w.far))]
	var live []testkit.Booking
	for _, b := range f.Book().Bookings() {
		if b.Status != testkit.CancelledAtFarSide {
			live = append(live, b)
		}
	}
	wish := func() testkit.Request {
		nights := w.nights(3)
		return testkit.Request{
			Room: w.facts.house.RemoteRoom(w.dice.IntN(3)), Rate: w.facts.house.RemoteRate(w.dice.IntN(2)), CheckIn: nights.From, CheckOut: nights.To + 1,
			Adults: 1 + w.dice.IntN(2), LastName: "Guest",
		}
	}
	q := wish()
	for range 5 {
		if f.Book().Sellable(q) == nil {
			break
		}
		q = wish()
	}
	var err error
	switch roll := w.dice.IntN(10); {
	case roll < 6 || len(live) == 0:
		_, err = f.Book().Sell(q)
	case roll < 8:
		q.Reference = live[w.dice.IntN(len(live))].Reference
		_, err = f.Book().Modify(q)
	default:
		_, err = f.Book().Cancel(live[w.dice.IntN(len(live))].Reference)
	}
	if err != nil && !errors.Is(err, testkit.ErrNotSellable) {
		w.t.Error(err)
	}
}

// direct books or cancels at the hotel itself.
func (w *world) direct() {
	if n := len(w.facts.direct); n > 0 && w.dice.IntN(2) == 0 {
		w.giveBack(w.dice.IntN(n))
		return
	}
	w.book(w.dice.IntN(3), w.nights(3))
}

// giveBack cancels a direct booking.
func (w *world) giveBack(at int) {
	if _, _, err := w.ldg.CancelReservation(context.Background(), testkit.Tester, hotel.Once{}, w.facts.direct[at].id, hotel.CancelRequest{}); err != nil {
		w.t.Error(err)
	}
	w.facts.direct = slices.Delete(w.facts.direct, at, at+1)
}

// book books directly, if the hotel has such a room.
func (w *world) book(room int, nights hotel.Span) {
	r, _, err := w.ldg.CreateReservation(context.Background(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
		PropertyID: w.facts.house.Property.ID, RoomTypeID: w.facts.house.Rooms[room].ID, RatePlanID: w.facts.house.Plans[0].ID,
		Stay: hotel.Stay{CheckIn: nights.From, CheckOut: nights.To + 1}, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
	})
	if refusal := (*hotel.Refusal)(nil); errors.As(err, &refusal) {
		return // full, closed or too short
	}
	if err != nil {
		w.t.Error(err)
		return
	}
	w.facts.direct = append(w.facts.direct, stay{id: r.ID, room: room, nights: r.Stay})
}

// duel lets a channel sell a room while it is told of another sale, which is
// taken back at once. What it was told is then what is wanted again, and only
// the channel's own sale tells that it does not show it.
func (w *world) duel() {
	night := w.nights(1)
	room, had := w.dice.IntN(3), len(w.facts.direct)
	moment := func(most time.Duration) { w.pass(1 + time.Duration(w.dice.Int64N(int64(most)))) }
	w.book(room, night)
	moment(w.profile.slow / 2)
	f := w.far[w.dice.IntN(2)*w.dice.IntN(len(w.far))] // mostly the one that tells at once
	_, err := f.Book().Sell(testkit.Request{
		Room: w.facts.house.RemoteRoom(room), Rate: w.facts.house.RemoteRate(0), CheckIn: night.From, CheckOut: night.To + 1, Adults: 2, LastName: "Guest",
	})
	if err != nil && !errors.Is(err, testkit.ErrNotSellable) {
		w.t.Error(err)
	}
	moment(w.profile.slow / 8)
	if len(w.facts.direct) > had {
		w.giveBack(had)
	}
}

// restock changes a fact of the stock.
func (w *world) restock() {
	nights, room := w.nights(4), w.dice.IntN(3)
	var e hotel.InventoryEntry
	switch roll := w.dice.IntN(4); {
	case roll == 0 && room != 1: // family has no pool of its own
		n := w.dice.IntN(4)
		e.OutOfOrder = hotel.Given(n)
		w.facts.set(room, nights, func(f *fact) { f.outOfOrder = n })
	case roll == 1:
		n := w.dice.IntN(12)
		e.SellLimit = hotel.Given(n)
		w.facts.set(room, nights, func(f *fact) { f.limit = n })
	case roll == 2:
		e.SellLimit = hotel.Optional[int]{Set: true, Null: true}
		w.facts.set(room, nights, func(f *fact) { f.limit = -1 })
	default:
		closed := w.dice.IntN(5) == 0
		e.Closed = hotel.Given(closed)
		w.facts.set(room, nights, func(f *fact) { f.shut = closed })
	}
	w.facts.house.Stock(w.t, w.ldg, room, nights, e)
}

func (w *world) price(room int, nights hotel.Span, amount int64) {
	w.facts.house.Price(w.t, w.ldg, room, nights, amount)
	w.facts.set(room, nights, func(f *fact) { f.price = amount })
}

// restrict says something of the stays of one room type.
func (w *world) restrict() {
	nights, room := w.nights(4), w.dice.IntN(3)
	closed, arrival, least := w.dice.IntN(5) == 0, w.dice.IntN(5) == 0, 1+w.dice.IntN(3)
	_, _, err := w.ldg.UpdateRestrictions(context.Background(), testkit.Tester, hotel.Once{}, hotel.RestrictionUpdate{
		PropertyID: w.facts.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{{
			RoomTypeID: w.facts.house.Rooms[room].ID, Dates: hotel.Dates{Span: nights},
			Closed: hotel.Given(closed), ClosedToArrival: hotel.Given(arrival), MinStayArrival: hotel.Given(least),
		}},
	})
	if err != nil {
		w.t.Error(err)
	}
	w.facts.set(room, nights, func(f *fact) {
		f.closed = hotel.Closed{Closed: closed, Arrival: arrival}
		f.lengths = hotel.LengthLimits{MinStayArrival: least}
	})
}

// fault plants one at a channel.
func (w *world) fault() {
	kinds := []testkit.Fault{{Kind: testkit.Timeout}, {Kind: testkit.Cut}, {Kind: testkit.TooManyRequests}, {Kind: testkit.ServerError}, {Kind: testkit.LostAnswer}}
	f := kinds[w.dice.IntN(len(kinds))]
	f.Count = 1 + w.dice.IntN(3)
	if w.dice.IntN(6) == 0 {
		f.Count, f.Seconds = 0, 20+w.dice.IntN(200)
	}
	w.far[w.dice.IntN(len(w.far))].Plant(w.t, f)
}

// kill ends the hotel's side between two durable steps: what is in its files now
// is all that the next one has.
func (w *world) kill() {
	synctest.Wait() // nothing is being written
	from := w.folder()
	w.lives++
	w.copyFiles(from, w.folder())
	w.end() // and nothing that it does from now on reaches anybody
	w.stop()
	_ = os.RemoveAll(from)
	w.again()
}

// restart ends the hotel's side in good order.
func (w *world) restart() {
	w.stop()
	w.again()
}

// again starts the hotel's side after a while.
func (w *world) again() {
	w.mu.Lock()
	for _, f := range w.far {
		f.open = false // a new engine begins with its breakers closed
	}
	w.mu.Unlock()
	if w.dice.IntN(2) == 0 {
		for range w.dice.IntN(6) {
			w.pass(time.Duration(w.dice.IntN(20_000)) * time.Millisecond)
			w.guest()
		}
	}
	w.openLedger()
	w.start()
}

func (w *world) stop() {
	if w.eng == nil {
		return
	}
	if err := w.eng.Stop(); err != nil {
		w.t.Error(err)
	}
	w.end()
	w.eng = nil
	if err := w.ldg.Close(); err != nil {
		w.t.Error(err)
	}
}

func (w *world) copyFiles(from, to string) {
	if err := os.MkdirAll(to, 0o700); err != nil {
		w.t.Fatal(err)
	}
	for _, name := range []string{"ledger.db", "ledger.db-wal"} {
		b, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), b, 0o600)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// leaves sees every call when it is made.
func (w *world) leaves(r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.far {
		if r.URL.Host != f.Host {
			continue
		}
		if f.open {
			w.t.Errorf("%s: %s is called while its breaker is open", time.Now().Format(time.TimeOnly), f.channel)
		}
		operation := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		if operation != "availability" && operation != "rates" {
			continue
		}
		f.updates++
		sent := append(f.sent[operation], time.Now())
		if n := len(sent); n > f.calls && sent[n-1].Sub(sent[n-1-f.calls]) < time.Minute {
			w.t.Errorf("%s: %s of %s called more than %d times in a minute", time.Now().Format(time.TimeOnly), operation, f.channel, f.calls)
		}
		f.sent[operation] = sent[max(0, len(sent)-f.calls):]
	}
}

// circuit follows the breakers.
func (w *world) circuit(channel string, t gate.Transition) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.far {
		if f.channel == channel {
			f.open = t.To == gate.Open
		}
	}
}

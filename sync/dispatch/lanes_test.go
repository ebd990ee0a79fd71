package dispatch

import (
	"cmp"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/sync/lane"
)

func TestClosingsGoAtOnceAndTheRestIsCollected(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*bench, hotel.Date)
		lane   lane.Lane
		after  time.Duration
	}{
		{"fewer rooms", func(b *bench, d hotel.Date) { b.suites(d, 1) }, lane.Lower, 0},
		{"more rooms", func(b *bench, d hotel.Date) { b.suites(d+1, 3) }, lane.Raise, collect},
		{"a price", func(b *bench, d hotel.Date) { b.price(d, 12000) }, lane.Rates, collect},
		{"a price that is taken away closes", func(b *bench, d hotel.Date) { b.unprice(d) }, lane.Lower, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				b.suites(b.today+6, 1)
				n := b.rest()
				before := time.Now()
				c.change(b, b.today+5)
				b.rest()
				calls := b.far.since(n)
				if len(calls) == 0 || calls[0].at.Sub(before) != c.after {
					t.Fatalf("calls %+v, want the first after %v", calls, c.after)
				}
				if told := b.toldSince(n)[0]; told.Lane != c.lane {
					t.Errorf("it goes in lane %v, want %v", told.Lane, c.lane)
				}
			})
		})
	}
}

func TestBurstIsOneCall(t *testing.T) {
	run(t, nil, func(b *bench) {
		n, before := b.rest(), time.Now()
		for i := range hotel.Date(4) {
			b.price(b.today+3+i, 12000)
			time.Sleep(100 * time.Millisecond)
		}
		b.suites(b.today+3, 1) // goes before them, and does not start the wait again
		b.rest()
		calls := b.far.since(n)
		if len(calls) != 2 || calls[0].Operation != opStock || calls[0].at.Sub(before) != 400*time.Millisecond {
			t.Fatalf("calls %+v, want first the closing, at once", calls)
		}
		if wait := calls[1].at.Sub(before); wait != collect {
			t.Errorf("the prices went after %v, want %v after the first of them", wait, collect)
		}
		if got := len(calls[1].Keys); got != 24 {
			t.Errorf("the one call carries %d cells, want 4 nights of 2 plans, of the room and for 1 and 2 guests", got)
		}
	})
}

func TestChangeDuringFlightIsSentAfterIt(t *testing.T) {
	run(t, nil, func(b *bench) {
		n, night := b.rest(), b.today+5
		b.far.set(func() { b.far.took = 2 * time.Second })
		b.suites(night, 2)
		time.Sleep(time.Second)
		b.suites(night, 1)
		time.Sleep(500 * time.Millisecond)
		if got := b.far.count() - n; got != 1 {
			t.Errorf("%d calls while the first is under way, want 1", got)
		}
		b.rest()
		calls := b.far.since(n)
		if len(calls) != 2 || calls[1].at.Sub(calls[0].at) != 2*time.Second {
			t.Fatalf("calls %+v, want a second one when the first is answered", calls)
		}
		if got := b.far.shows(b.suiteKey(night)).Available; got != 1 {
			t.Errorf("%d are shown, want 1", got)
		}
	})
}

func TestCallsInFlight(t *testing.T) {
	for _, c := range []struct {
		name    string
		inOrder bool
		most    int
	}{{"one where the order matters", true, 1}, {"four where it does not", false, callsInFlight}} {
		t.Run(c.name, func(t *testing.T) {
			run(t, func(b *bench) { b.caps.InOrder, b.far.perCall, b.far.took = c.inOrder, 20, time.Second }, func(b *bench) {
				b.rest()
				if b.far.most != c.most {
					t.Errorf("%d calls were under way at once, want %d", b.far.most, c.most)
				}
				seen := map[connectors.Key]hotel.Offer{}
				for _, call := range b.far.since(0) {
					for k, sent := range call.sends {
						if was, before := seen[k]; before && was == sent {
							t.Fatalf("%+v was sent twice", k)
						}
						seen[k] = sent
					}
				}
			})
		})
	}
}

func TestCollectedChangesDoNotWaitForOthers(t *testing.T) {
	run(t, func(b *bench) { b.caps.InOrder = false }, func(b *bench) {
		n := b.rest()
		b.far.set(func() { b.far.took = 20 * time.Second })
		b.price(b.today+3, 12000)
		time.Sleep(time.Second)
		b.far.set(func() { b.far.took = 0 })
		before := time.Now()
		b.price(b.today+4, 12000)
		time.Sleep(5 * time.Second)
		calls := b.far.since(n)
		if len(calls) != 2 {
			t.Fatalf("%d calls, want the price's beside the one that hangs", len(calls))
		}
		if wait := calls[1].at.Sub(before); wait > collect {
			t.Errorf("the price went after %v, want at most %v", wait, collect)
		}
		b.rest()
	})
}

func TestClosingOvertakesFullSync(t *testing.T) {
	buckets := []connectors.Bucket{
		{Operation: opStock, Scope: connectors.PerProperty, N: 10, Per: time.Minute},
		{Operation: opRates, Scope: connectors.PerProperty, N: 10, Per: time.Minute},
	}
	for _, c := range []struct {
		name  string
		close func(*bench, hotel.Date)
		key   func(*bench, hotel.Date) connectors.Key
	}{
		{"of rooms", func(b *bench, d hotel.Date) { b.suites(d, 0) }, (*bench).suiteKey},
		{"of a rate", (*bench).unprice, func(b *bench, d hotel.Date) connectors.Key {
			return connectors.Key{Room: b.house.RemoteRoom(2), Rate: b.house.RemoteRate(0), Group: hotel.Closures, Night: d}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, func(b *bench) { b.caps.Buckets = buckets }, func(b *bench) {
				// Everything is told anew, which takes many minutes.
				all := hotel.Span{From: b.today, To: b.today + testkit.HorizonDays - 1}
				limit := func(rooms int) {
					for room := range b.house.Rooms {
						b.house.Stock(t, b.ldg, room, all, hotel.InventoryEntry{SellLimit: hotel.Given(rooms)})
					}
				}
				limit(1)
				b.rest()
				b.far.set(func() { b.far.perCall = 1 })
				for room := range b.house.Rooms {
					b.house.Price(t, b.ldg, room, all, 20000)
				}
				limit(2)
				time.Sleep(5 * time.Minute)
				night, n := b.today, b.far.count()
				c.close(b, night)
				k := c.key(b, night)
				time.Sleep(2 * time.Minute)
				for _, call := range b.far.since(n) {
					if call.Operation == operationOf(k) {
						if call.Keys[0] != k {
							t.Errorf("the next call is about %+v, want %+v", call.Keys[0], k)
						}
						return
					}
				}
				t.Errorf("no call in two minutes")
			})
		})
	}
}

var errCut = errors.New("cut")

func operationOf(k connectors.Key) string {
	if k.Group == hotel.Availability {
		return opStock
	}
	return opRates
}

// clock counts how often it is read.
type clock struct {
	hotel.SystemClock
	reads atomic.Int64
}

func (c *clock) Now() time.Time {
	c.reads.Add(1)
	return c.SystemClock.Now()
}

func TestPauseIsSpentAsleep(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*bench)
	}{
		{"after a closing", func(b *bench) { b.suites(b.today+3, 0) }},
		{"with a price that is due", func(b *bench) {
			b.price(b.today+3, 12000)
			b.suites(b.today+3, 0)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			counted := &clock{}
			run(t, func(b *bench) { b.clock = counted }, func(b *bench) {
				b.rest()
				b.far.set(func() {
					b.far.answer = func(int, connectors.Call) (connectors.Answer, error) { return connectors.Answer{}, errCut }
				})
				c.change(b)
				time.Sleep(10 * time.Second)
				before := counted.reads.Load()
				time.Sleep(10 * time.Minute)
				if n := counted.reads.Load() - before; n > 2000 {
					t.Errorf("the clock was read %d times in ten minutes of a failing far side", n)
				}
			})
		})
	}
}

// Of what closes something, an operation that is well waits for none that fail, however
// many those are, and each of them is tried again.
func TestOperationsThatFailKeepNoOtherBack(t *testing.T) {
	run(t, func(b *bench) {
		b.far.apart = func(c connectors.Change) string { return c.Key.Room }
	}, func(b *bench) {
		rooms := []int{0, 1, 2}
		slices.SortFunc(rooms, func(x, y int) int { return cmp.Compare(b.house.RemoteRoom(y), b.house.RemoteRoom(x)) })
		well := b.house.RemoteRoom(rooms[2]) // which the connector names last
		n := b.rest()
		b.far.set(func() {
			b.far.answer = func(_ int, c connectors.Call) (connectors.Answer, error) {
				if c.Operation == well {
					return connectors.Answer{Rest: connectors.Applied}, nil
				}
				return connectors.Answer{}, errCut
			}
		})
		for _, room := range rooms {
			b.house.Stock(t, b.ldg, room, hotel.Span{From: b.today + 3, To: b.today + 3}, hotel.InventoryEntry{SellLimit: hotel.Given(0)})
		}
		time.Sleep(time.Minute)
		var order []string
		for _, c := range b.far.since(n) {
			order = append(order, c.Operation)
		}
		if len(order) < 4 || order[2] != well || order[0] == order[1] || order[3] != order[0] {
			t.Errorf("tried %q, of which %q is well", order, well)
		}
	})
}

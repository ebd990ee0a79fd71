package readback

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/gate"
)

func TestWhenAChannelIsRead(t *testing.T) {
	for _, c := range []struct {
		name     string
		rooms    int64
		after    time.Duration
		prepare  func(*bench)
		min, max int // calls
	}{
		{"everything at once when it never was", 2, time.Minute, nil, 1, 1},
		{"everything by the hour", 2, 3*time.Hour + time.Minute, nil, 3, 4},
		{"nights without rooms every ten minutes besides", 0, time.Hour + time.Minute, nil, 6, 8},
		{"by its own schedule", 2, 3 * time.Hour, func(b *bench) { b.r.Channel.ReadBack = "@every 24h" }, 1, 1},
		{"a far side that fails is not chased", 2, 10 * time.Minute, func(b *bench) { b.far.err = &connectors.Error{Kind: connectors.Temporary} }, 2, 20},
		{"on demand", 2, time.Minute, func(b *bench) { b.r.Now() }, 1, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(12 * time.Hour)
				b := newBench(t)
				defer b.close(t)
				today := b.house.Property.Today(time.Now())
				b.desire(t, c.rooms, hotel.Span{From: today + 1, To: today + 5})
				if c.prepare != nil {
					c.prepare(b)
					if err := b.r.Start(); err != nil {
						t.Fatal(err)
					}
				}
				b.pass(t, c.after)
				if n := b.far.calls(); n < c.min || n > c.max {
					t.Errorf("%d calls, want %d to %d", n, c.min, c.max)
				}
			})
		})
	}
}

// Whoever sets the clock back keeps nothing from being read, or told again.
func TestReadsWhereTheClockIsSetBack(t *testing.T) {
	for _, c := range []struct {
		name  string
		rooms int64
		err   error
		after time.Duration
		least int
	}{
		{"everything", 2, nil, 90 * time.Minute, 2},
		{"nights without rooms", 0, nil, 25 * time.Minute, 2},
		{"after a read that failed", 2, &connectors.Error{Kind: connectors.Invalid}, 5 * time.Minute, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(12 * time.Hour)
				b := newBench(t)
				defer b.close(t)
				today := b.house.Property.Today(time.Now())
				b.desire(t, c.rooms, hotel.Span{From: today + 1, To: today + 5})
				b.far.err = c.err
				b.pass(t, time.Second)
				b.clock.Set(-3 * time.Hour)
				n := b.far.calls()
				b.pass(t, c.after)
				if got := b.far.calls() - n; got < c.least {
					t.Errorf("%d calls in %v after the clock was set back, want %d or more", got, c.after, c.least)
				}
			})
		})
	}
}

// Reads that fail stop everything that is told to the account as calls that tell do, and
// a far side that asks for a pause has it from everybody.
func TestFailedReadsCountForTheBreaker(t *testing.T) {
	for _, c := range []struct {
		name    string
		err     error
		silent  bool // it does not answer in time
		breaker gate.State
		held    time.Duration
	}{
		{"it is ill", &connectors.Error{Kind: connectors.Temporary}, false, gate.Open, 0},
		{"it does not answer", &connectors.Error{Kind: connectors.Invalid}, true, gate.Open, 0},
		{"it does not answer, and the connector says that it was cancelled", context.Canceled, true, gate.Open, 0},
		{"it is asked too often", &connectors.Error{Kind: connectors.RateLimited, RetryAfter: 40 * time.Minute}, false, gate.Closed, 40 * time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(12 * time.Hour)
				b := newBench(t)
				defer b.close(t)
				today := b.house.Property.Today(time.Now())
				b.desire(t, 2, hotel.Span{From: today + 1, To: today + 5})
				b.far.err, b.far.silent = c.err, c.silent
				b.pass(t, 20*time.Minute)
				s := b.gate.Status()
				breaker := s.Breaker
				if breaker == gate.HalfOpen {
					breaker = gate.Open // another read is the probe
				}
				if breaker != c.breaker {
					t.Errorf("the breaker is %s with %d failures, want %s", s.Breaker, s.Failures, c.breaker)
				}
				if left := time.Until(s.HeldUntil); c.held > 0 && (left <= 0 || left > c.held || b.far.calls() != 1) {
					t.Errorf("it is left alone for %v yet, want the rest of %v, after %d calls", left, c.held, b.far.calls())
				}
			})
		})
	}
}

func TestALongHorizonIsReadInPieces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(12 * time.Hour)
		b := newBench(t)
		defer b.close(t)
		today := b.house.Property.Today(time.Now())
		b.desire(t, 2, hotel.Span{From: today, To: today + 199})
		b.pass(t, time.Minute)
		want := []hotel.Span{{From: today, To: today + 91}, {From: today + 92, To: today + 183}, {From: today + 184, To: today + 199}}
		if len(b.far.asked) != len(want) {
			t.Fatalf("asked for %v", b.far.asked)
		}
		for i, s := range want {
			if b.far.asked[i] != s {
				t.Errorf("call %d asked for %v, want %v", i, b.far.asked[i], s)
			}
		}
	})
}

// A far side that shows all rooms at once is asked for each night once, and all that it
// shows of mapped rooms is taken.
func TestAllRoomsAreReadAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(12 * time.Hour)
		b := newBench(t)
		defer b.close(t)
		b.r.Whole = wholly{b.far}
		today := b.house.Property.Today(time.Now())
		b.desire(t, 2, hotel.Span{From: today, To: today + 49})
		known := connectors.Key{Room: b.house.RemoteRoom(0), Group: hotel.Availability, Night: today}
		strange := known
		strange.Room = "nobody's"
		b.far.shown = []connectors.Change{{Key: known, Offer: hotel.Offer{Available: 1}}, {Key: strange, Offer: hotel.Offer{Available: 9}}}
		b.pass(t, time.Minute)
		if want := []hotel.Span{{From: today, To: today + 30}, {From: today + 31, To: today + 49}}; !slices.Equal(b.far.asked, want) {
			t.Errorf("asked for %v, want %v", b.far.asked, want)
		}
	})
}

func TestWholeNights(t *testing.T) {
	span := func(from, to hotel.Date) hotel.Span { return hotel.Span{From: from, To: to} }
	got := whole([]ledger.RemoteNights{{Room: "a", Nights: span(10, 12)}, {Room: "a", Nights: span(30, 31)}, {Room: "b", Nights: span(1, 4)}, {Room: "b", Nights: span(5, 5)}, {Room: "c", Nights: span(11, 20)}})
	want := []ledger.RemoteNights{{Nights: span(1, 5)}, {Nights: span(10, 20)}, {Nights: span(30, 31)}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A schedule that nobody can read is told, not taken for another.
func TestAScheduleThatIsNone(t *testing.T) {
	r := &Reader{Channel: hotel.Channel{ReadBack: "now and then"}}
	if err := r.Start(); err == nil {
		t.Error("it is taken")
	}
}

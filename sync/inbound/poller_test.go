package inbound

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/backoff"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
	"ostler.example/sync/call"
	"ostler.example/sync/gate"
)

// feed is a far side that is polled.
type feed struct {
	poll func(ctx context.Context, cursor string, sink connectors.Sink) (string, error)

	mu      sync.Mutex
	pulls   []time.Duration // since the bubble began
	cursors []string
	began   time.Time
}

func (f *feed) Poll(ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
	f.mu.Lock()
	f.pulls, f.cursors = append(f.pulls, time.Since(f.began)), append(f.cursors, cursor)
	f.mu.Unlock()
	if f.poll == nil {
		return cursor, nil
	}
	return f.poll(ctx, cursor, sink)
}

// polling is a poller that is told the time every second.
type polling struct {
	*Poller
	t    *testing.T
	ldg  *ledger.Ledger
	gate *gate.Gate
	feed *feed
	stop func()

	clock testkit.Clock
}

func newPolling(t *testing.T, l *ledger.Ledger, property, schedule string, f *feed) *polling {
	t.Helper()
	clock := testkit.NewClock()
	g, err := gate.New(gate.Options{Account: "acc", InOrder: true, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := newSink(l)
	f.began = time.Now()
	c := hotel.Channel{Entity: hotel.Entity{ID: channel}, PropertyID: property, Schedule: schedule}
	p := &polling{t: t, ldg: l, gate: g, feed: f, clock: clock, Poller: &Poller{
		Ledger: l, Channel: c, Poll: f, Sink: s, Calls: call.Maker{Ledger: l, Channel: c, Gate: g, Timeout: 10 * time.Second},
		Clock: clock, Log: zap.NewNop(),
	}}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- p.Run(ctx) }()
	p.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		g.Close()
	}
	return p
}

// pass lets time go by.
func (p *polling) pass(d time.Duration) {
	p.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); {
		beats, err := p.ldg.Beats(context.Background())
		if err != nil {
			p.t.Fatal(err)
		}
		p.Tick(beats[channel].LastPull)
		time.Sleep(time.Second)
	}
}

func (p *polling) pulls() []time.Duration {
	p.feed.mu.Lock()
	defer p.feed.mu.Unlock()
	return slices.Clone(p.feed.pulls)
}

func TestSchedule(t *testing.T) {
	for _, c := range []struct {
		name, schedule string
		during         time.Duration
		want           []time.Duration
	}{
		{"at once, then every 20 s", "@every 20s", 50 * time.Second, []time.Duration{0, 20 * time.Second, 40 * time.Second}},
		{"a cron line", "*/5 * * * *", 11 * time.Minute, []time.Duration{0, 5 * time.Minute, 10 * time.Minute}},
		{"a cron line is in UTC", "30 0 * * *", 40 * time.Minute, []time.Duration{0, 30 * time.Minute}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, h, _ := newLedger(t)
				defer func() { _ = l.Close() }()
				p := newPolling(t, l, h.Property.ID, c.schedule, &feed{})
				defer p.stop()
				p.pass(c.during)
				if got := p.pulls(); !slices.Equal(got, c.want) {
					t.Errorf("pulled at %v, want %v", got, c.want)
				}
			})
		})
	}
}

// Whoever sets the clock back keeps no feed from being fetched, whether its pulls go well
// or fail.
func TestPullsWhereTheClockIsSetBack(t *testing.T) {
	for name, failure := range map[string]error{"pulls that go well": nil, "one that failed": errors.New("down")} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(12 * time.Hour)
				l, h, _ := newLedger(t)
				defer func() { _ = l.Close() }()
				fails := failure
				p := newPolling(t, l, h.Property.ID, "@every 1m", &feed{poll: func(_ context.Context, cursor string, _ connectors.Sink) (string, error) {
					err := fails
					fails = nil
					return cursor, err
				}})
				defer p.stop()
				p.pass(10 * time.Second)
				n := len(p.pulls())
				p.clock.Set(-3 * time.Hour)
				p.pass(5 * time.Minute)
				if got := len(p.pulls()) - n; got < 4 || got > 6 {
					t.Errorf("pulled at %v, want every minute though the clock was set back after 10 s", p.pulls())
				}
			})
		})
	}
}

func TestScheduleIsRefused(t *testing.T) {
	for _, schedule := range []string{"", "often", "@every", "* * *", "61 * * * *"} {
		if err := (&Poller{Channel: hotel.Channel{Schedule: schedule}}).Start(); err == nil {
			t.Errorf("schedule %q is taken", schedule)
		}
	}
}

func TestMissedRunHappensOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, h, _ := newLedger(t)
		defer func() { _ = l.Close() }()
		p := newPolling(t, l, h.Property.ID, "@every 60s", &feed{})
		p.pass(30 * time.Second)
		p.stop()
		time.Sleep(3 * time.Hour) // the program is down
		p = newPolling(t, l, h.Property.ID, "@every 60s", &feed{})
		defer p.stop()
		p.pass(90 * time.Second)
		if got, want := p.pulls(), []time.Duration{0, time.Minute}; !slices.Equal(got, want) {
			t.Errorf("pulled at %v after the downtime, want %v", got, want)
		}
	})
}

// A pull that hangs is given up, counts as failed, and is not doubled meanwhile.
func TestPullThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, h, _ := newLedger(t)
		defer func() { _ = l.Close() }()
		f := &feed{poll: func(ctx context.Context, cursor string, _ connectors.Sink) (string, error) {
			<-ctx.Done()
			return cursor, ctx.Err()
		}}
		p := newPolling(t, l, h.Property.ID, "@every 5s", f)
		p.pass(9 * time.Second)
		if got := p.pulls(); len(got) != 1 {
			t.Errorf("pulled at %v, want one that hangs", got)
		}
		p.pass(3 * time.Second)
		if got := p.gate.Status().Failures; got != 1 {
			t.Errorf("the breaker counts %d failures, want 1", got)
		}
		p.stop()
		if open, err := l.Recover(context.Background()); err != nil || open != 0 {
			t.Errorf("%d calls are open behind the end (%v), want none", open, err)
		}
	})
}

func TestCursorIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, h, _ := newLedger(t)
		defer func() { _ = l.Close() }()
		n := 0
		f := &feed{poll: func(ctx context.Context, _ string, sink connectors.Sink) (string, error) {
			if n++; n == 2 {
				return "b", errors.New("cut")
			}
			return string(rune('a' + n)), sink.Deliver(ctx, message(h))
		}}
		p := newPolling(t, l, h.Property.ID, "@every 1m", f)
		p.pass(3 * time.Minute)
		p.stop()
		f.mu.Lock()
		defer f.mu.Unlock()
		if want := []string{"", "b", "b"}; len(f.cursors) < 3 || !slices.Equal(f.cursors[:3], want) {
			t.Errorf("polled from %q, want to begin with %q", f.cursors, want)
		}
	})
}

// A far side that fails is asked again soon, but less and less often.
func TestFailingPullBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, h, _ := newLedger(t)
		defer func() { _ = l.Close() }()
		var good atomic.Bool
		f := &feed{poll: func(_ context.Context, cursor string, _ connectors.Sink) (string, error) {
			if good.Load() {
				return cursor, nil
			}
			return cursor, &connectors.Error{Kind: connectors.Temporary, Err: errors.New("down")}
		}}
		p := newPolling(t, l, h.Property.ID, "@every 5s", f)
		defer p.stop()
		p.pass(10 * time.Minute)
		got := p.pulls()
		if len(got) < 4 {
			t.Fatalf("pulled at %v, want more tries", got)
		}
		for i := range got[1:] {
			if gap, least := got[i+1]-got[i], backoff.Delay(backoff.Delivery, i+1, channel); gap < least {
				t.Errorf("try %d came %v after the one before, want at least %v", i+2, gap, least)
			}
		}
		good.Store(true)
		p.pass(10 * time.Minute)
		n := len(p.pulls())
		p.pass(20 * time.Second)
		if got := len(p.pulls()) - n; got != 4 {
			t.Errorf("%d pulls in 20 s of a far side that is well again, want 4", got)
		}
	})
}

// What fails for want of the ledger says nothing about the far side: its breaker stays as
// it is. What the far side itself asks for counts all the same.
func TestOurOwnFailureIsNotTheFarSides(t *testing.T) {
	limited := &connectors.Error{Kind: connectors.RateLimited, RetryAfter: 7 * time.Minute}
	for _, c := range []struct {
		name   string
		beside error // of the far side, beside that of the ledger
		held   bool
	}{{"alone", nil, false}, {"beside a pause that is asked for", limited, true}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, h, _ := newLedger(t)
				defer func() { _ = l.Close() }()
				f := &feed{poll: func(ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
					err := sink.Deliver(ctx, message(h))
					if err == nil {
						t.Error("a message is taken though nothing can be stored")
					}
					return cursor, cmp.Or(c.beside, errors.New("a program's words for "+err.Error()))
				}}
				p := newPolling(t, l, h.Property.ID, "@every 5s", f)
				p.Sink.Ledger = full{p.Sink.Ledger}
				p.pass(time.Second)
				s := p.gate.Status()
				if s.Failures != 0 || !s.HeldUntil.IsZero() != c.held {
					t.Errorf("the breaker counts %d failures, want none; the account is held until %v", s.Failures, s.HeldUntil)
				}
				if len(p.pulls()) != 1 {
					t.Errorf("pulled at %v", p.pulls())
				}
				p.stop()
			})
		})
	}
}

// full is a ledger that cannot take a message.
type full struct{ Ledger }

// Receive implements [Ledger].
func (full) Receive(context.Context, ledger.Receipt) (ledger.Received, error) {
	return ledger.Received{}, errors.New("the disk is full")
}

// A cursor that is longer than any can be is not kept, and the channel is flagged;
// what the pull has brought is.
func TestCursorWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, h, _ := newLedger(t)
		defer func() { _ = l.Close() }()
		long := true
		f := &feed{poll: func(ctx context.Context, _ string, sink connectors.Sink) (string, error) {
			if long {
				return strings.Repeat("x", maxCursor+1), sink.Deliver(ctx, message(h))
			}
			return strings.Repeat("y", maxCursor), nil
		}}
		p := newPolling(t, l, h.Property.ID, "@every 1m", f)
		p.pass(90 * time.Second)
		state, err := l.Channel(t.Context(), channel)
		if err != nil || len(state.Flags) != 1 || state.Flags[0].Fault.Kind != hotel.FaultOversized || state.Flags[0].Part != string(ledger.Pull) {
			t.Errorf("flags %+v: %v", state.Flags, err)
		}
		if cursor, err := l.PollCursor(t.Context(), channel); err != nil || cursor != "" {
			t.Errorf("kept is a cursor of %d bytes: %v", len(cursor), err)
		}
		if rs, err := l.Reservations(t.Context(), hotel.ReservationFilter{ChannelIDs: []string{channel}, Limit: 10}); err != nil || len(rs) != 1 {
			t.Errorf("%d reservations: %v", len(rs), err)
		}
		long = false
		p.pass(10 * time.Minute)
		p.stop()
		if state, err = l.Channel(t.Context(), channel); err != nil || len(state.Flags) != 0 {
			t.Errorf("flags %+v: %v", state.Flags, err)
		}
	})
}

// A hint has the feed fetched at once, also one that comes while a pull is under way;
// a feed that fails is left alone all the same.
func TestHintedPull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, h, _ := newLedger(t)
		defer func() { _ = l.Close() }()
		var bad atomic.Bool
		f := &feed{poll: func(_ context.Context, cursor string, _ connectors.Sink) (string, error) {
			time.Sleep(time.Second)
			if bad.Load() {
				return cursor, errors.New("down")
			}
			return cursor, nil
		}}
		p := newPolling(t, l, h.Property.ID, "@every 1h", f)
		defer p.stop()
		p.Sink.Hinted = p.Hint
		p.Sink.Hint()
		time.Sleep(500 * time.Millisecond)
		p.Sink.Hint()
		p.Sink.Hint()
		time.Sleep(10 * time.Second)
		if got := len(p.pulls()); got != 2 {
			t.Errorf("%d pulls, want the one under way and one more", got)
		}
		bad.Store(true)
		for range 20 {
			p.Sink.Hint()
			time.Sleep(100 * time.Millisecond)
		}
		synctest.Wait()
		if got := len(p.pulls()); got > 4 {
			t.Errorf("%d pulls of a feed that fails", got)
		}
	})
}

// A hinted pull that fails is tried again with back-off, however far the schedule is, and
// what is hinted meanwhile is fetched with it.
func TestHintedPullThatFailsIsOwed(t *testing.T) {
	for name, hints := range map[string]int{"one hint": 1, "another while it waits": 2} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, h, _ := newLedger(t)
				defer func() { _ = l.Close() }()
				var bad atomic.Bool
				f := &feed{poll: func(_ context.Context, cursor string, _ connectors.Sink) (string, error) {
					if bad.Load() {
						return cursor, errors.New("down")
					}
					return cursor, nil
				}}
				p := newPolling(t, l, h.Property.ID, "0 * * * *", f)
				defer p.stop()
				p.pass(5 * time.Minute) // the first pull is at once
				bad.Store(true)
				for range hints {
					p.Hint()
					synctest.Wait()
				}
				bad.Store(false)
				p.pass(10 * time.Second)
				if got := p.pulls(); len(got) != 3 || got[2]-got[1] > 3*time.Second {
					t.Errorf("pulled at %v, want one that fails and one soon after", got)
				}
				p.pass(time.Minute)
				if got := p.pulls(); len(got) != 3 {
					t.Errorf("pulled at %v: what went well is owed still", got)
				}
			})
		})
	}
}

package inbound

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/call"
	"ostler.example/sync/contain"
	"ostler.example/sync/gate"
)

// lagging is a ledger with one counter that nobody has seen for long: its count is read,
// and a list that begins so long afterwards settles it. Others may be closed meanwhile.
type lagging struct {
	Ledger
	lag     time.Duration
	counter ledger.Doubt
	read    time.Time // when the count was; zero: it was not
	settled time.Time
	closes  time.Duration // so often another counter is closed; 0: none is
	counts  int
	lists   int
	listed  bool // the call that is under way is a list
}

func (l *lagging) OffersChanged(string) <-chan struct{} { return nil }

func (l *lagging) Unlisted(context.Context, string) (u ledger.Unlisted, ok bool, err error) {
	if l.read.IsZero() {
		return u, false, nil
	}
	u = ledger.Unlisted{Nights: hotel.Span{From: l.counter.Night, To: l.counter.Night}, First: l.read, Last: l.read}
	if l.closes > 0 {
		u.Last = l.read.Add(time.Since(l.read).Truncate(l.closes))
	}
	return u, true, nil
}

func (l *lagging) NextDoubt(context.Context, string, time.Duration, time.Duration) (time.Time, error) {
	if l.settled.IsZero() && l.read.IsZero() {
		return time.Now(), nil
	}
	return time.Time{}, nil
}

func (l *lagging) Doubts(context.Context, string, time.Time, time.Time) ([]ledger.Doubt, error) {
	return []ledger.Doubt{l.counter}, nil
}

func (l *lagging) BeginCount(context.Context, string, []ledger.Doubt) error { return nil }

func (l *lagging) Counted(_ context.Context, _ string, counts map[ledger.Doubt]int) error {
	if len(counts) == 1 {
		l.counts, l.read = l.counts+1, time.Now()
	}
	return nil
}

func (l *lagging) Begin(_ context.Context, d ledger.NewDelivery) (ledger.Begun, error) {
	if l.listed = d.Kind == ledger.List; l.listed {
		l.lists++
	}
	return ledger.Begun{}, nil
}

func (l *lagging) Settle(context.Context, ledger.Settlement) error {
	if l.listed && time.Since(l.read) >= l.lag {
		l.read, l.settled = time.Time{}, time.Now()
	}
	return nil
}

// counts is what a channel shows of a room.
type counts []connectors.Change

func (c counts) Read(context.Context, string, hotel.Date, hotel.Date) ([]connectors.Change, error) {
	return c, nil
}

// Where bookings are listed late, the list that settles a count begins when those that
// came before it are in it: once, and however many counters are closed meanwhile.
func TestTheListBehindACountWaitsForTheLag(t *testing.T) {
	for _, c := range []struct {
		name        string
		lag, closes time.Duration
		from, until time.Duration // within which the counter is settled
	}{
		{"no lag", 0, 0, 0, time.Second},
		{"a lag", 10 * time.Minute, 0, 10 * time.Minute, 11 * time.Minute},
		{"a lag, and counters are closed all the time", 10 * time.Minute, time.Minute, 10 * time.Minute, 21 * time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g, err := gate.New(gate.Options{Account: "acc", InOrder: true, Clock: hotel.SystemClock{}})
				if err != nil {
					t.Fatal(err)
				}
				defer g.Close()
				night := hotel.DateIn(time.Now(), time.UTC)
				of := &lagging{lag: c.lag, closes: c.closes, counter: ledger.Doubt{Line: 1, Night: night, RemoteRoom: "D"}}
				shown := connectors.Change{Key: connectors.Key{Room: "D", Group: hotel.Availability, Night: night}, Offer: hotel.Offer{Available: 1}}
				ch := hotel.Channel{Entity: hotel.Entity{ID: channel}}
				lister := &Lister{
					Ledger: of, Channel: ch, List: bookings{}, Read: counts{shown}, Sink: &Sink{},
					Calls: call.Maker{Ledger: of, Channel: ch, Box: &contain.Box{}, Gate: g, Timeout: 10 * time.Second}, Clock: hotel.SystemClock{}, Log: zap.NewNop(), Lag: c.lag, Idle: time.Minute,
				}
				began := time.Now()
				ctx, stop := context.WithTimeout(t.Context(), time.Hour)
				defer stop()
				if err := lister.Run(ctx); err != nil {
					t.Fatal(err)
				}
				if took := of.settled.Sub(began); of.settled.IsZero() || took < c.from || took > c.until {
					t.Errorf("settled after %v, want from %v to %v", took, c.from, c.until)
				}
				if of.counts != 1 || of.lists != 1 {
					t.Errorf("%d counts and %d lists were read, want one of each", of.counts, of.lists)
				}
			})
		})
	}
}

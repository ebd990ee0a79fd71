package sync_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// asked is a house that has asked a channel to cancel a booking of the channel's.
type asked struct {
	*bench
	far     testkit.FarSide
	booking testkit.Booking
	id      string   // of the reservation
	keys    []string // that the calls carried
}

func newAsked(t *testing.T, preset string, fault testkit.FaultKind) *asked {
	t.Helper()
	b, f := driftBench(t, preset)
	a := &asked{bench: b, far: f}
	p := &pained{bench: b}
	night := b.first + 3
	var err error
	if a.booking, err = f.Book().Sell(p.wish(suite, 0, night)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.eng.Sync(t.Context(), testkit.Tester, hotel.Once{}, "a", hotel.SyncOrder{Kind: hotel.SyncReservations, Nights: hotel.Span{From: night, To: night}}); err != nil {
		t.Fatal(err)
	}
	b.pass(10 * time.Second)
	kept := p.kept()
	if len(kept) != 1 {
		t.Fatalf("kept are %+v", kept)
	}
	a.id = kept[0].ID
	b.net.Leaves = func(r *http.Request, _ []byte) {
		if r.Method == http.MethodPost && r.URL.Path == "/hotels/H1/bookings/"+a.booking.Reference+"/cancel" {
			a.keys = append(a.keys, r.Header.Get("Idempotency-Key"))
		}
	}
	if fault != "" {
		f.Plant(t, testkit.Fault{Kind: fault})
	}
	if _, _, err := b.ldg.CancelReservation(t.Context(), testkit.Tester, hotel.Once{}, a.id, hotel.CancelRequest{Reason: "repairs"}); err != nil {
		t.Fatal(err)
	}
	return a
}

// stands is the booking here and what was last asked of its channel. It is never free
// before the channel has given it up.
func (a *asked) stands() (hotel.ReservationStatus, hotel.ActionState) {
	a.t.Helper()
	r, err := a.ldg.Reservation(a.t.Context(), a.id)
	if err != nil {
		a.t.Fatal(err)
	}
	if there, _ := a.far.Book().Booking(a.booking.Reference); r.Status == hotel.Cancelled && there.Status != "cancelled" {
		a.t.Errorf("its room is free, and the channel has it %s", there.Status)
	}
	return r.Status, r.LastAction(hotel.ActionCancel).State
}

// killed breaks the program off and starts it anew: what it had not stored is lost.
func (a *asked) killed() {
	a.t.Helper()
	if err := a.ldg.Close(); err != nil {
		a.t.Fatal(err)
	}
	_ = a.eng.Stop() // which finds nothing to store its answers in
	var err error
	if a.ldg, err = ledger.Open(a.t.Context(), ledger.Options{Path: a.path, Clock: hotel.SystemClock{}}); err != nil {
		a.t.Fatal(err)
	}
	a.newEngine()
	if err := a.eng.Start(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
}

// TestChannelIsAskedToCancel tells what becomes of a cancellation, whatever becomes of
// its call: the room is free when the channel has said so and no earlier, and where a
// second call may do harm there is none.
func TestChannelIsAskedToCancel(t *testing.T) {
	for _, c := range []struct {
		name   string
		preset string
		fault  testkit.FaultKind
		kill   bool // while the call is under way
		wait   time.Duration
		state  hotel.ActionState
		calls  int
		asks   bool // somebody
	}{
		{name: "it does", preset: "push", wait: 5 * time.Second, state: hotel.ActionAccepted, calls: 1},
		{name: "its answer is lost, and it notices repeats", preset: "push", fault: testkit.LostAnswer, wait: time.Minute, state: hotel.ActionAccepted, calls: 2},
		{name: "killed while it is asked, and it notices repeats", preset: "push", fault: testkit.Timeout, kill: true, wait: time.Minute, state: hotel.ActionAccepted, calls: 2},
		{name: "its answer is lost, and its own message comes", preset: "pull", fault: testkit.LostAnswer, wait: 2 * time.Minute, state: hotel.ActionAccepted, calls: 1},
		{name: "it does it late, and its own message comes", preset: "pull", fault: testkit.Late, wait: 3 * time.Minute, state: hotel.ActionAccepted, calls: 1},
		{name: "killed while it is asked, and nothing comes", preset: "pull", fault: testkit.Timeout, kill: true, wait: 17 * time.Minute, state: hotel.ActionAsked, calls: 1, asks: true},
		{name: "it never answers", preset: "pull", fault: testkit.Timeout, wait: 17 * time.Minute, state: hotel.ActionAsked, calls: 1, asks: true},
		{name: "it refuses", preset: "pull", fault: testkit.Reject, wait: 5 * time.Second, state: hotel.ActionRefused, calls: 1, asks: true},
		{name: "it has too much to do", preset: "pull", fault: testkit.TooManyRequests, wait: 2 * time.Minute, state: hotel.ActionAccepted, calls: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAsked(t, c.preset, c.fault)
				defer func() { a.stop() }()
				if c.kill {
					a.pass(2 * time.Second)
					a.killed()
				}
				for range int(c.wait / time.Second) {
					a.pass(time.Second)
					a.stands()
				}
				status, state := a.stands()
				if state != c.state || (status == hotel.Cancelled) != (state == hotel.ActionAccepted) || len(a.keys) != c.calls {
					t.Fatalf("the booking is %s, the action %s after %d calls", status, state, len(a.keys))
				}
				for _, key := range a.keys {
					if key != a.keys[0] {
						t.Errorf("it was asked under the keys %q", a.keys)
					}
				}
				if there, _ := a.far.Book().Booking(a.booking.Reference); there.Revision > 2 {
					t.Errorf("the channel has done it %d times", there.Revision-1)
				}
				a.settle(c.asks)
			})
		})
	}
}

// settle has the channel asked again where somebody was asked; it does what it is told
// this time.
func (a *asked) settle(asks bool) {
	a.t.Helper()
	open, err := a.ldg.Conflicts(a.t.Context(), hotel.ConflictFilter{PropertyID: a.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictCancelAsked}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 10})
	if err != nil || (len(open) == 1) != asks {
		a.t.Fatalf("open are %+v (%v)", open, err)
	}
	if !asks {
		return
	}
	if _, _, err := a.ldg.ResolveConflict(a.t.Context(), testkit.Tester, hotel.Once{}, open[0].ID, hotel.ConflictDecision{Option: hotel.OptionRetry}); err != nil {
		a.t.Fatal(err)
	}
	a.pass(5 * time.Second)
	if status, state := a.stands(); status != hotel.Cancelled || state != hotel.ActionAccepted {
		a.t.Errorf("asked again, the booking is %s and the action %s", status, state)
	}
}

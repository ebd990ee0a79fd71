package sync_test

import (
	"crypto/sha256"
	"net/http"
	"strconv"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
	"ostler.example/sync/gate"
)

// watched is what the oracle follows of one channel, call by call.
type watched struct {
	open    bool                   // the breaker, as it was told
	sent    map[string][]time.Time // the newest updates by operation
	updates int

	failures  int             // calls in a row without an answer
	restUntil time.Time       // after five of them
	heldUntil time.Time       // as the far side asked
	stands    ledger.Standing // the newest that was stored: what a restart may know

	distrusted time.Time // until then nobody believes that it is who it says

	sick  time.Time         // until then it may be late
	again time.Time         // until then it may be told again what it refused
	above map[counter]above // where it shows more rooms than it must

	over map[counter]time.Time // since when it shows more rooms than there are, whoever could know
}

// counter is a count on one night.
type counter struct {
	room  int
	night hotel.Date
}

// above is a count that is too high.
type above struct {
	must  int
	since time.Time
}

func newWatched() watched {
	return watched{sent: map[string][]time.Time{}, above: map[counter]above{}, over: map[counter]time.Time{}}
}

// The promises of the gate, as its documentation has them.
const (
	failuresToOpen = 5
	openFor        = time.Minute
	longestHold    = time.Hour
)

// leaves sees every call when it is made.
func (w *world) leaves(r *http.Request, body []byte) {
	w.trace.add("call %s %s %x", r.Method, r.URL, sha256.Sum256(body))
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.at(r.URL.Host)
	if f == nil {
		return
	}
	w.leaks("a call to "+f.channel, append([]byte(r.URL.String()+"\n"), body...))
	now := time.Now()
	if f.open {
		w.wrong(7, "%s is called while its breaker is open", f.channel)
	}
	if now.Before(f.restUntil) {
		w.wrong(7, "%s is called %v too early after %d failures", f.channel, f.restUntil.Sub(now), f.failures)
	}
	if now.Before(f.heldUntil) {
		w.wrong(6, "%s is called %v before it asked us to", f.channel, f.heldUntil.Sub(now))
	}
	operation := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	if operation != "availability" && operation != "rates" {
		return
	}
	w.notesCounts(f, body)
	f.updates++
	sent := append(f.sent[operation], now)
	if n := len(sent); n > f.calls && sent[n-1].Sub(sent[n-1-f.calls]) < time.Minute {
		w.wrong(6, "%s of %s called more than %d times in a minute", operation, f.channel, f.calls)
	}
	f.sent[operation] = sent[max(0, len(sent)-f.calls):]
}

// returns sees what comes of it.
func (w *world) returns(r *http.Request, status int, header http.Header) {
	if status != 0 || !w.killed() { // what a kill breaks off ends all at once, in no order
		w.trace.add("back %s %s %d", r.Method, r.URL, status)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.at(r.URL.Host)
	if f == nil {
		return
	}
	now := time.Now()
	switch {
	case status == http.StatusTooManyRequests:
		f.sick = later(f.sick, now.Add(6*time.Minute))
		if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil {
			f.heldUntil = later(f.heldUntil, now.Add(min(time.Duration(seconds)*time.Second, longestHold)-time.Millisecond))
			f.sick = later(f.sick, f.heldUntil.Add(2*time.Minute))
		}
	case status == 0, status >= 300:
		f.sick = later(f.sick, now.Add(11*time.Minute))
		if f.failures++; f.failures >= failuresToOpen {
			f.restUntil = now.Add(openFor - time.Millisecond)
		}
	default:
		f.failures = 0
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (w *world) at(host string) *far {
	for _, f := range w.far {
		if f.Host == host {
			return f
		}
	}
	return nil
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

// stored follows what the ledger keeps of how an account stands.
func (w *world) stored(channel string, s ledger.Standing) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.far {
		if f.channel == channel && s.Turn > f.stands.Turn {
			f.stands = s
		}
	}
}

// turnedDown notes that a channel has refused some of what it was told: it is told again
// some ten minutes later, however long ago it was made to.
func (w *world) turnedDown(channel string) {
	for _, f := range w.far {
		if f.channel == channel {
			w.sicken(f, 0)
			w.mu.Lock()
			f.again = time.Now().Add(11 * time.Minute)
			w.mu.Unlock()
		}
	}
}

// forget is what a new engine does not know any more: of failures and pauses what
// was not stored.
func (w *world) forget() {
	clear(w.stale.cells)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.far {
		f.open, f.failures = false, f.stands.Failures
		ahead := time.Duration(w.ahead.Load()) + time.Millisecond
		f.restUntil, f.heldUntil = f.stands.ProbeAt.Add(-ahead), f.stands.HeldUntil.Add(-ahead)
		f.stands.Turn = 0 // what calls left as it was is not counted in the ledger
		f.sick = later(f.sick, time.Now().Add(2*time.Minute))
		if time.Since(w.stepped) < 2*time.Minute { // how long ago calls were made it knows by its clock
			clear(f.sent)
		}
	}
}

// calmWatch begins anew to look at how long things take, after time went by in
// another way: the clocks of both sides need not agree on it.
func (w *world) calmWatch() {
	clear(w.stale.cells)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.far {
		clear(f.above)
		f.sick = later(f.sick, time.Now().Add(2*time.Minute))
		f.heldUntil, f.restUntil, f.stands = time.Time{}, time.Time{}, ledger.Standing{Turn: f.stands.Turn}
	}
}

// sicken notes that a far side was made to fail.
func (w *world) sicken(f *far, lasts time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f.sick = later(f.sick, time.Now().Add(lasts+11*time.Minute))
}

// watchCounts checks that a healthy channel shows no count that is too high for
// longer than telling it takes: by then whatever overtakes must have overtaken.
func (w *world) watchCounts() {
	unheard, now := w.unheard(), time.Now()
	w.lookCounts(func(f *far, at counter, shows, must int) {
		w.mu.Lock()
		defer w.mu.Unlock()
		was, known := f.above[at]
		switch {
		case shows <= must, unheard[at.night], now.Before(f.sick):
			delete(f.above, at)
		case !known || was.must != must:
			f.above[at] = above{must, now}
		case now.Sub(was.since) > f.latest():
			w.wrong(5, "%s shows %d rooms of %s on %s for %v, there are %d", f.channel, shows, w.facts.house.Rooms[at.room].Code, at.night, now.Sub(was.since), must)
		}
	})
}

// latest is how long a lower count may take to arrive: calls under way, what the
// world looks away, and two calls at the far side's limit, the one that was about
// to go when the count fell and the one that tells it.
func (f *far) latest() time.Duration {
	return 25*time.Second + 2*time.Minute*12/10/time.Duration(f.calls)
}

// unheard are the nights of bookings of which the hotel has not heard all.
func (w *world) unheard() map[hotel.Date]bool {
	nights, carried := map[hotel.Date]bool{}, w.bag.carries()
	note := func(b testkit.Booking) {
		for _, p := range b.Parts() {
			for d := p.CheckIn; d < p.CheckOut; d++ {
				nights[d] = true
			}
		}
	}
	all := func(b testkit.Booking) {
		note(b)
		for _, was := range w.moved[b.Reference] { // whose nights the channel sells again
			note(was)
		}
	}
	for _, f := range w.far {
		for _, e := range f.Book().Events(0, 1000) {
			all(e.Booking)
		}
		if len(carried) > 0 {
			for _, b := range f.Book().Bookings() {
				if carried[b.Reference] {
					all(b)
				}
			}
		}
	}
	return nights
}

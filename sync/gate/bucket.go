package gate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/lane"
)

// bucket is one published limit. How much of it is used is metered apart for
// each property where the limit is per property.
//
// A token bucket with a burst of b and a rate of r lets through at most
// b + r·w calls, rounded down, in any window of length w. We choose
//
//	b = N/10, rounded up              r = (N + 1 − b) / span      span = Per + Per/20
//
// so a window holds more than N calls only when it is longer than span. No
// window of Per does, not even when calls reach the far side up to a twentieth
// of Per closer together than they left us. A small burst is the better bargain:
// it leaves more for the rate at which a full sync goes out, and since the last
// token of a burst of two or more is kept for closings and lowerings, these
// need no large one.
//
//	published       burst   then one each      in the long run
//	60 in 1 min     6       1.15 s             52 in 1 min
//	10 in 1 min     1       6.3 s              9.5 in 1 min
//	1 in 1 min      1       63 s               1 in 63 s
//
// It is kept in steady time, so that a clock that is set ahead lets nothing through.
type bucket struct {
	connectors.Bucket
	meters map[string]*meter // by property; "" when the whole account shares it
}

// meter counts the calls that share one bucket.
type meter struct {
	limiter *rate.Limiter
	per     time.Duration
	recent  []time.Time // the calls of the last Per, oldest first
	fresh   time.Time   // nothing goes out before; see replay
	pulled  bool        // nothing less urgent than a pull has gone since one did
}

// span is the length of window for which the promise of a bucket is kept.
func span(b connectors.Bucket) time.Duration { return b.Per + b.Per/20 }

// Window returns how far back the recorded calls must reach that a new gate is
// told of: the longest span over which one of the buckets counts.
func Window(buckets []connectors.Bucket) time.Duration {
	var longest time.Duration
	for _, b := range buckets {
		longest = max(longest, span(b))
	}
	return longest
}

func newBucket(limit connectors.Bucket) (*bucket, error) {
	if limit.N < 1 || limit.Per <= 0 {
		return nil, fmt.Errorf("bucket %q of %d calls in %v lets nothing through", limit.Operation, limit.N, limit.Per)
	}
	b := &bucket{Bucket: limit, meters: map[string]*meter{}}
	switch limit.Scope {
	case connectors.PerAccount:
		b.meter("") // shown from the start
	case connectors.PerProperty:
	default:
		return nil, fmt.Errorf("bucket %q does not say what shares it", limit.Operation)
	}
	return b, nil
}

// applies reports whether calls of the operation count.
func (b *bucket) applies(operation string) bool {
	return b.Operation == "" || b.Operation == operation
}

// meter returns the meter that a call for the property is counted by.
func (b *bucket) meter(property string) *meter {
	if b.Scope == connectors.PerAccount {
		property = ""
	}
	m := b.meters[property]
	if m == nil {
		m = &meter{limiter: b.limiter(), per: b.Per}
		b.meters[property] = m
	}
	return m
}

func (b *bucket) limiter() *rate.Limiter {
	burst := (b.N + 9) / 10
	return rate.NewLimiter(rate.Limit(float64(b.N+1-burst)/span(b.Bucket).Seconds()), burst)
}

// replay charges the calls that went out before the gate was made, or the limit was new to
// it; out are those that the gate let through itself. Only those
// within the span matter: a window that reaches past now holds no older ones,
// and from a full bucket these are charged as they were when they went out. How long ago
// that was is known only by the clock: since then nobody may have set it ahead.
func (b *bucket) replay(sent []Sent, out passed, clock hotel.Clock) {
	now, steady := clock.Now(), clock.Steady()
	type charge struct {
		at       time.Time // steady
		property string
		permit   *Permit
	}
	var all []charge
	for _, s := range out.unrecorded(sent) {
		if b.applies(s.Operation) && now.Sub(s.At) <= span(b.Bucket) {
			all = append(all, charge{at: steady.Add(-max(0, now.Sub(s.At))), property: s.Property}) // it may have been set back
		}
	}
	for _, p := range out {
		if !p.unsent && b.applies(p.ticket.Operation) && steady.Sub(p.steady) <= span(b.Bucket) {
			all = append(all, charge{at: p.steady, property: p.ticket.Property, permit: p})
		}
	}
	slices.SortStableFunc(all, func(x, y charge) int { return x.at.Compare(y.at) })
	for _, c := range all {
		m := b.meter(c.property)
		m.limiter.ReserveN(c.at, 1) // never refused: what is too much becomes debt
		m.recent = append(m.recent, c.at)
		if c.permit != nil {
			c.permit.meters = append(c.permit.meters, m) // one that is given back is taken off here too
		}
	}
	for _, m := range b.meters {
		if len(m.recent) == 0 {
			continue
		}
		// A limit that was lowered meanwhile can leave a debt of many spans; but one
		// span after the last of the old calls no window holds any of them.
		fresh := m.recent[len(m.recent)-1].Add(span(b.Bucket))
		if m.delay(steady, true) > fresh.Sub(steady) {
			m.limiter, m.fresh = b.limiter(), fresh
		}
	}
}

// delay returns how long a call must wait, 0 when it may go now. Only closings
// and lowerings may take the last token of a burst of two or more.
func (m *meter) delay(now time.Time, last bool) time.Duration {
	tokens := 2
	if last || m.limiter.Burst() < tokens {
		tokens = 1
	}
	r := m.limiter.ReserveN(now, tokens)
	d := r.DelayFrom(now)
	r.CancelAt(now)
	return max(d, m.fresh.Sub(now), 0)
}

// take charges a call that delay allowed.
func (m *meter) take(now time.Time, of lane.Lane) {
	if of != lane.Lower { // a closing is nobody's turn
		m.pulled = of == lane.Pull
	}
	m.limiter.ReserveN(now, 1)
	m.prune(now)
	m.recent = append(m.recent, now)
}

// giveBack takes off the charge of a call that was not made.
func (m *meter) giveBack(at, now time.Time) {
	m.limiter.ReserveN(now, -1) // a reservation in the past cannot be cancelled, but outweighed
	if i := slices.Index(m.recent, at); i >= 0 {
		m.recent = slices.Delete(m.recent, i, i+1)
	}
}

// prune forgets the calls that left the window of Per.
func (m *meter) prune(now time.Time) {
	m.recent = slices.DeleteFunc(m.recent, func(at time.Time) bool { return now.Sub(at) > m.per })
}

// meters returns the meters of every bucket that a call counts in.
func (g *Gate) meters(t Ticket) []*meter {
	var all []*meter
	for _, b := range g.buckets {
		if b.applies(t.Operation) {
			all = append(all, b.meter(t.Property))
		}
	}
	return all
}

// ask returns how long a call must wait for the first of its meters that is short, when
// it, or one behind it that needs no other, is to be looked at again; and whether it
// stands behind a more urgent call that waits for one of them. Those meters are the
// ones in short; they are not asked, and a meter found short joins them.
func ask(meters []*meter, short map[*meter]bool, now time.Time, of lane.Lane) (wait time.Duration, behind bool) {
	for _, m := range meters {
		if short[m] {
			behind = true
			continue
		}
		if d := m.delay(now, of == lane.Lower); d > 0 {
			short[m] = true
			if wait == 0 || d < wait {
				wait = d
			}
		}
	}
	return wait, behind
}

// compareLimits orders buckets for display.
func compareLimits(a, b BucketStatus) int {
	return cmp.Or(
		cmp.Compare(a.Operation, b.Operation),
		cmp.Compare(a.Property, b.Property),
		cmp.Compare(a.Per, b.Per),
		cmp.Compare(a.Limit, b.Limit),
	)
}

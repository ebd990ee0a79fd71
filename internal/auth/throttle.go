package auth

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// throttleSweep is the number of keys from which a throttle forgets those that
// have recovered.
const throttleSweep = 10_000

// Throttle lets each key do something n times at once and then n times in each
// period, evenly spread. It guards what can be asked without a token.
type Throttle struct {
	limit rate.Limit
	burst int

	mu      sync.Mutex
	keys    map[string]*rate.Limiter
	sweepAt int
}

// NewThrottle returns a throttle of n in each period.
func NewThrottle(n int, period time.Duration) *Throttle {
	return &Throttle{
		limit:   rate.Every(period / time.Duration(n)),
		burst:   n,
		keys:    map[string]*rate.Limiter{},
		sweepAt: throttleSweep,
	}
}

// Take counts one attempt of the key. When there is none left it returns a
// [Throttled].
func (t *Throttle) Take(key string, now time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.limiter(key, now)
	if l.AllowN(now, 1) {
		return nil
	}
	return t.wait(l, now)
}

// Give returns what Take counted: the attempt was none that is guarded against.
func (t *Throttle) Give(key string, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l, ok := t.keys[key]; ok {
		l.AllowN(now, -1) // never beyond the burst
	}
}

// Check is Take without counting.
func (t *Throttle) Check(key string, now time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	l, ok := t.keys[key]
	if !ok || l.TokensAt(now) >= 1 {
		return nil
	}
	return t.wait(l, now)
}

func (t *Throttle) wait(l *rate.Limiter, now time.Time) error {
	missing := 1 - l.TokensAt(now)
	return &Throttled{After: time.Duration(missing / float64(t.limit) * float64(time.Second))}
}

func (t *Throttle) limiter(key string, now time.Time) *rate.Limiter {
	if l, ok := t.keys[key]; ok {
		return l
	}
	if len(t.keys) >= t.sweepAt {
		for k, l := range t.keys {
			if l.TokensAt(now) >= float64(t.burst) {
				delete(t.keys, k)
			}
		}
		t.sweepAt = max(throttleSweep, 2*len(t.keys))
	}
	l := rate.NewLimiter(t.limit, t.burst)
	t.keys[key] = l
	return l
}

// Address reduces the remote address of a connection to what is counted as one
// caller: an IPv4 address, or the /64 network of an IPv6 one, of which a single
// subscriber has 2^64.
func Address(remote string) string {
	ap, err := netip.ParseAddrPort(remote)
	if err != nil {
		return remote // a unix socket, or a test
	}
	ip := ap.Addr().Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	network, err := ip.Prefix(64)
	if err != nil {
		return ip.String()
	}
	return network.String()
}

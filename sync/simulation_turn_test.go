package sync_test

import (
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// turn is the nanosecond of every microsecond at which a goroutine acts. Each has
// one of its own, so no two act at the same instant, and what one seed does does
// not hang on which of them the machine happens to run first.
type turn int64

// turns is how many there are. Times are stored in microseconds, so nobody sees
// them.
const turns = 1000

// The turns. What belongs to a channel is counted from channelTurn on.
const (
	worldTurn turn = iota
	houseTurn
	channelTurn turn = 10
	wayTurn     turn = 500 // what calls take to arrive, and answers
)

// The goroutines of one channel.
const (
	workerTurn turn = iota
	senderTurn
	pollerTurn
	sinkTurn
	listerTurn
	readerTurn
	actorTurn
	channelTurns
)

// take waits for the turn, which is never now.
func (n turn) take() { time.Sleep(n.after(1)) }

// after returns d, or a little more, so that it ends in the turn.
func (n turn) after(d time.Duration) time.Duration {
	end := time.Now().Add(d).UnixNano() % turns
	return d + time.Duration((int64(n)-end+turns)%turns)
}

// turn is that of one of a channel's goroutines.
func (w *world) turn(channel string, of turn) turn {
	for i, f := range w.far {
		if f.channel == channel {
			return channelTurn + turn(i)*channelTurns + of
		}
	}
	return worldTurn
}

// delay is how long one way of a call takes: drawn from what it is and when, so
// that a call more or less elsewhere moves no other.
func (w *world) delay(r *http.Request, back bool) time.Duration {
	h := fnv.New64a()
	for _, s := range []string{r.URL.Host, r.URL.Path, time.Now().String()} {
		_, _ = h.Write([]byte(s))
	}
	most, host := w.slow.Load(), -1
	for i, f := range w.far {
		if r.URL.Host == f.Host || strings.HasPrefix(r.URL.Path, "/inbound/"+f.channel+"/") {
			host = i
		}
	}
	if !back {
		most /= 4 // answers are what is slow
	}
	way := wayTurn + turn(host+1)*20
	for i, ending := range []string{"/availability", "/rates", "/feed", "/acknowledge", "/bookings", "/shown", "/cancel", "/shorten", "/no-show", "/"} {
		if strings.HasSuffix(r.URL.Path, ending) {
			way += turn(2 * i)
		}
	}
	if r.Header.Get(lateHeader) != "" {
		way += 200
	}
	if back {
		way++
	}
	return way.after(1 + time.Duration(rand.New(rand.NewPCG(w.seed, h.Sum64())).Int64N(most)))
}

// clock is the hotel's, in one life of the program. Now and then somebody sets it.
type clock struct {
	ahead *atomic.Int64
	life  int
}

// Now implements [hotel.Clock].
func (c clock) Now() time.Time {
	return time.Now().Add(time.Duration(c.ahead.Load())).UTC().Truncate(time.Microsecond)
}

// Steady implements [hotel.Clock]. It is far from what the clock says, and from what it
// told in the lives before and behind.
func (c clock) Steady() time.Time {
	return time.Now().Add(-time.Duration(29*365+90*(c.life%2)) * 24 * time.Hour).UTC().Truncate(time.Microsecond)
}

// Until implements [hotel.Clock].
func (c clock) Until(t time.Time) time.Duration {
	return t.Sub(time.Now().Add(time.Duration(c.ahead.Load()))) // which does not overflow for an instant long ago
}

// Package backoff says how long to wait before something that failed is tried
// again. It is a pure function of its arguments: it keeps no state, reads no
// clock and waits for nothing. What a channel account waits for, and a webhook, is stored
// by whoever waits, so that a restart neither forgets it nor begins again; what one
// worker, poller or reader waits for beside that begins anew with it.
package backoff

import (
	"hash/fnv"
	"math/rand/v2"
	"time"
)

// Kind says what is tried again, and so which schedule it follows.
type Kind uint8

// The kinds, and the longest wait before each attempt.
//
//	kind      1st   2nd   3rd   4th   …  never above
//	Delivery  1 s   2 s   4 s   8 s      5 min
//	Account   5 s   10 s  20 s  40 s     5 min
const (
	Delivery Kind = iota + 1 // a call to a channel that failed for the moment
	Account                  // a channel account that was told "too many calls", and not for how long
)

// schedule doubles the longest wait from base up to ceiling.
type schedule struct{ base, ceiling time.Duration }

var schedules = [...]schedule{
	Delivery: {base: time.Second, ceiling: 5 * time.Minute},
	Account:  {base: 5 * time.Second, ceiling: 5 * time.Minute},
}

// Delay returns how long to wait before attempt number attempt, 1 being the
// first repetition; smaller numbers count as 1. The wait is drawn evenly from
// more than nothing up to and including the longest wait of the attempt (full
// jitter), so that things which failed together do not come back together. The
// seed is the id of what is tried again: the same arguments give the same wait.
func Delay(k Kind, attempt int, seed string) time.Duration {
	longest := schedules[k].longest(attempt)
	return 1 + time.Duration(source(seed, uint64(k), attempt).Int64N(int64(longest)))
}

// source draws for one attempt of one thing.
func source(seed string, kind uint64, attempt int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(seed)) // a hash never fails to write
	return rand.New(rand.NewPCG(h.Sum64(), kind<<32|uint64(uint32(max(attempt, 1)))))
}

// longest returns the upper bound of the wait before an attempt.
func (s schedule) longest(attempt int) time.Duration {
	wait := s.base
	for range attempt - 1 {
		if wait >= s.ceiling/2 {
			return s.ceiling
		}
		wait *= 2
	}
	return wait
}

// calls are the waits before each call of a webhook, the first included: the
// schedule that Standard Webhooks recommends.
var calls = [...]time.Duration{
	0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

// Calls is how often a webhook is called at most.
const Calls = len(calls)

// Call returns how long to wait before a webhook is called for the nth time, 1
// being the first, of at most [Calls]. Partners are told the schedule, so the
// wait is drawn from a tenth around its length only. The same arguments give the
// same wait.
func Call(n int, seed string) time.Duration {
	wait := calls[n-1]
	if wait == 0 {
		return 0
	}
	fifth := int64(wait / 5)
	return wait - wait/10 + time.Duration(source(seed, uint64(len(schedules)), n).Int64N(fifth+1))
}

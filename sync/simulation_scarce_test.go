package sync_test

import (
	"math/rand/v2"
	"time"

	"ostler.example/hotel"
)

// What a channel that takes few calls is told by the desk of a world.
const (
	repricings    = 8                // one after the other: a world looks away for two minutes when it has been quiet
	repricesEvery = 50 * time.Second // sooner than the prices before are told, at one call a minute
	repricesAgain = time.Hour        // between two times of that
)

// scarcity is a channel that may be called once a minute for each kind of update, and how
// the desk keeps it busy.
type scarcity struct {
	scarce   bool
	scarceAt int       // which of the channels
	repriced time.Time // when the desk last did
}

func newScarcity(dice *rand.Rand) scarcity {
	return scarcity{scarce: dice.IntN(100) < 20, scarceAt: dice.IntN(2)}
}

// starve gives one channel few calls and much to be told of, in worlds in which one has:
// a price list of two weeks is more than a call takes, and the last nights are in its second.
func (h *habits) starve() {
	if h.scarce {
		h.calls[h.scarceAt], h.days = 1, 14
	}
}

// reprice has the desk give every night another price, again and again before the
// channel with few calls has been told of the last, while rooms on a late night are sold: what
// lowers their counts must pass all that waits, or it waits as long as that goes on.
func (w *world) reprice() {
	if time.Since(w.habits.repriced) < repricesAgain {
		return
	}
	w.habits.repriced = time.Now()
	w.count("repricing")
	late := w.facts.last - hotel.Date(w.more.IntN(2))
	for n := range repricings {
		w.storm()
		for room := range 3 {
			if n == 0 { // how long a count is too high is timed from its last change
				w.book(room, hotel.Span{From: late, To: late})
			}
		}
		w.pass(repricesEvery)
		if w.t.Failed() {
			return
		}
	}
}

package dispatch

import (
	"slices"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
	"ostler.example/sync/lane"
)

// Whoever sets the clock back has nothing wait for longer than it would have: neither what
// is collected, nor what waits because calls have failed.
func TestNothingWaitsForAClockThatIsSetBack(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(*bench) // the clock is set back behind it
		within time.Duration
	}{
		{"behind a plan of many calls", func(b *bench) {
			b.far.set(func() { b.far.perCall, b.far.took = 5, time.Second })
			for night := range hotel.Date(15) {
				b.price(b.today+10+night, 12300)
			}
			time.Sleep(2 * time.Second)
		}, 3 * time.Second},
		{"behind a closing that failed", func(b *bench) {
			b.far.set(func() {
				b.far.answer = func(int, connectors.Call) (connectors.Answer, error) { return connectors.Answer{}, errCut }
			})
			b.suites(b.today+9, 1)
			time.Sleep(5 * time.Second)
			b.far.set(func() { b.far.answer = nil })
		}, mostPause + time.Second},
	} {
		t.Run("a closing "+c.name, func(t *testing.T) {
			clock := testkit.NewClock()
			run(t, func(b *bench) { b.clock = clock }, func(b *bench) {
				time.Sleep(12 * time.Hour)
				b.rest()
				c.before(b)
				clock.Set(-3 * time.Hour)
				n, night := len(b.toldSince(0)), b.today+5
				b.unprice(night) // by a person: no room is sold
				time.Sleep(c.within)
				for _, told := range b.toldSince(n) {
					if told.Lane == lane.Lower && slices.ContainsFunc(told.Cells, func(c ledger.SentCell) bool { return c.Cell.Night == night }) {
						return
					}
				}
				t.Errorf("not closed within %v", c.within)
			})
		})
	}
}

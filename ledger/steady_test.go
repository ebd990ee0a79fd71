package ledger

import (
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
)

// Whoever sets the clock ends no wait of a guarded pool and makes none longer: a closing
// counts when what was told before can act no more, and is settled by a list that begins
// when the channel's lag is over, both in time that has really passed. A program that is
// started anew waits as long once more, whatever its clock says.
func TestAClockThatIsSetEndsNoWait(t *testing.T) {
	const lifetime, lag = 2 * time.Minute, 10 * time.Minute
	for _, c := range []struct {
		name    string
		by      time.Duration
		restart bool
	}{
		{"ahead", time.Hour, false},
		{"back", -time.Hour, false},
		{"ahead, and started anew", time.Hour, true},
		{"back, and started anew", -time.Hour, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			f := h.newFarSide(t, 0)
			f.promises(t, promising(func(terms *hotel.Terms) { terms.Lifetime, terms.SaleSettle = lifetime, lag }))
			f.goLive(t)
			f.catchUp(t)
			h.protect(t, hotel.Guarded) // what it was told until now may still act
			h.drain(t)
			night := h.today + 2
			set := func() {
				h.clock.by(c.by)
				if c.restart {
					h.reopen(t)
					must(h.Recover(t.Context()))(t)
				}
			}
			closes := func() {
				t.Helper()
				if v := f.tells(t, night); v != 0 {
					t.Fatalf("it is told %d", v)
				}
				f.settle(t, 0, Settlement{State: DeliveryApplied})
			}
			due := func() {
				t.Helper()
				if err := h.DealDue(t.Context()); err != nil {
					t.Fatal(err)
				}
				for f.derive(t) {
				}
			}
			expect := func(when string, doing exposure.Doing, clean bool) {
				t.Helper()
				if p := f.party(t, night); p.Doing != doing || p.Clean != clean {
					t.Fatalf("%s it is at %+v", when, p)
				}
			}

			closes()
			set()
			due()
			for _, told := range f.dirty(t) {
				if told.Cell == (hotel.Cell{Line: f.counters[0].Line, Group: hotel.Availability, Night: night}) {
					t.Fatalf("when the clock was set it is told %d", told.Value)
				}
			}
			expect("when the clock was set", exposure.Closed, false)
			h.clock.move(lifetime + time.Second)
			due()
			closes()
			expect("closed again", exposure.Closed, true)

			h.clock.move(lag / 2)
			set()
			f.list(t)
			expect("listed when the clock was set", exposure.Closed, true)
			h.clock.move(lag / 2)
			if f.list(t); c.restart {
				expect("listed before the lag was over once more", exposure.Closed, true)
				h.clock.move(lag / 2)
				f.list(t)
			}
			expect("listed", exposure.Drained, true)
		})
	}
}

package ledger

import (
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
)

// A calendar takes a closing when it lies ready, and its site sells on until it has read it.
// Nothing of the pool is dealt before it has had the time to, unless a policy accepts that; and
// what it had sold by then is never passed over in silence.
func TestACalendarIsClosedWhenItHasBeenRead(t *testing.T) {
	for _, c := range []struct {
		name   string
		terms  func(*hotel.Terms)
		policy hotel.RiskPolicy
		waits  bool
	}{
		{"a calendar", nil, "", true},
		{"a calendar whose risk is accepted", nil, hotel.AcceptRisk, false},
		{"a relay", func(terms *hotel.Terms) { terms.TheirPollInterval, terms.Acknowledges = 0, hotel.ByRelay }, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			h.policies(t, hotel.Policies{GuardedUnreachable: c.policy})
			f := h.newFarSide(t, 0)
			f.promises(t, promising(func(terms *hotel.Terms) {
				terms.Acknowledges, terms.Versions, terms.ListsByDate, terms.SaleSettle, terms.TheirPollInterval = hotel.ByQueue, true, false, hotel.Never, 3*time.Hour
				if c.terms != nil {
					c.terms(terms)
				}
			}))
			f.goLive(t)
			f.catchUp(t)
			h.protect(t, hotel.Guarded)
			f.catchUp(t)
			night := h.today + 2
			dealDue := func() {
				t.Helper()
				if err := h.DealDue(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if p := f.party(t, night); p.Unknown != c.waits || p.Unknown && p.Doing != exposure.Closed {
				t.Fatalf("its closing lies ready: %+v", p)
			}
			if noted := len(h.conflicts(t, hotel.ConflictExposed)); noted > 0 == c.waits {
				t.Errorf("%d notes tell of it", noted)
			}
			if cell := h.stock(t, h.double, night, night)[0]; cell.Exposed != 0 {
				t.Errorf("a channel that may show all %d rooms that are free exposes %d", cell.Free, cell.Exposed)
			}
			if c.waits {
				h.clock.move(3*time.Hour - time.Minute)
				dealDue()
				if p := f.party(t, night); !p.Unknown {
					t.Fatalf("it has not read it yet: %+v", p)
				}
				h.clock.move(time.Minute)
				dealDue()
			}
			if p := f.party(t, night); p.Unknown {
				t.Fatalf("it has read it: %+v", p)
			}
			note := h.conflicts(t, hotel.ConflictExposed)[0]
			facts, err := exposedFactsOf(&note)
			if err != nil || note.Status != hotel.ConflictResolved || facts.Reason != exposedUnproven || len(facts.Nights) == 0 || facts.Nights[0].Shown != nil {
				t.Errorf("the note tells %+v (%v): %s", facts, err, note.Status)
			}
		})
	}
}

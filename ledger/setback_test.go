package ledger

import (
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// TestOnePropertyThatFailsStopsNoOther: what follows from the writes of others is
// derived and dealt meanwhile; its own is told of each time it is tried again, which
// is less and less often.
func TestOnePropertyThatFailsStopsNoOther(t *testing.T) {
	h := newHouse(t)
	h.exec(t, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 99)")
	h.property.HorizonDays = 99
	h.deriveAll(t)
	f := h.newFarSide(t, 2)
	f.goLive(t)
	for f.derive(t) {
	}
	h.protect(t, hotel.Guarded)
	must(h.setPrice(h.double, h.flex, h.today, h.today+98, 9000))(t)
	h.exec(t, "INSERT INTO deal_due (property_id, night) VALUES ('a_ghost', 1)")
	h.exec(t, "INSERT INTO cursor (reader, sequence, position) VALUES ('house:stock:a_ghost:1', 0, 0)")

	rounds := func() (failed int) {
		t.Helper()
		for range 1000 {
			more, err := h.DeriveDue(t.Context())
			if err != nil {
				failed++
				if !strings.Contains(err.Error(), "a_ghost") {
					t.Fatal(err)
				}
			}
			if !more {
				return failed
			}
		}
		t.Fatal("there is no end of it")
		return 0
	}
	if failed := rounds(); failed != 1 {
		t.Errorf("told of %d times, want once", failed)
	}
	if got := h.guarded(t); got != 100 {
		t.Errorf("%d nights of the other property are guarded, want all", got)
	}
	if n := h.number(t, "SELECT COUNT(*) FROM cursor WHERE reader GLOB 'house:*' AND reader NOT GLOB '*a_ghost*'"); n > 0 {
		t.Errorf("%d writes of the other property are not derived", n)
	}
	tried := 0
	for range 600 {
		h.clock.move(time.Second)
		tried += min(1, rounds())
	}
	if tried < 3 || tried > 40 {
		t.Errorf("tried again %d times in ten minutes", tried)
	}
	h.exec(t, "DELETE FROM deal_due WHERE property_id = 'a_ghost'")
	h.exec(t, "DELETE FROM cursor WHERE reader = 'house:stock:a_ghost:1'")
	h.clock.move(5 * time.Minute)
	if failed := rounds(); failed > 0 || len(h.setbacks.resting(derivals, h.clock.Now())) > 0 {
		t.Errorf("told of %d times when nothing fails any more", failed)
	}
}

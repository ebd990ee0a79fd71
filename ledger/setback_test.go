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

// TestAStartDoesNotFailForOneProperty: its rooms are dealt when they can be.
func TestAStartDoesNotFailForOneProperty(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 2)
	f.goLive(t)
	h.protect(t, hotel.Guarded)
	f.catchUp(t)
	h.exec(t, "UPDATE party SET doing = 'drained'")
	h.exec(t, "DELETE FROM deal_due")
	if err := h.write(t.Context(), urgent, tester, func(t *tx) error { return t.b.w.exec("UPDATE channel SET terms = '?'") }); err != nil {
		t.Fatal(err)
	}
	h.reopen(t)
	must(h.Recover(t.Context()))(t)
	if n := h.number(t, "SELECT COUNT(*) FROM deal_due"); n == 0 {
		t.Error("nothing is noted to be dealt")
	}
	h.exec(t, "UPDATE channel SET terms = ''")
	h.clock.move(time.Minute)
	h.deriveAll(t)
	if n := h.number(t, "SELECT COUNT(*) FROM deal_due"); n > 0 {
		t.Errorf("%d nights are never dealt", n)
	}
}

// TestAnItemThatFailsForgetsNoneThatWaited: the nights kept for them are dealt with the
// next one.
func TestAnItemThatFailsForgetsNoneThatWaited(t *testing.T) {
	h := newHouse(t)
	h.protect(t, hotel.Guarded)
	stay := hotel.Stay{CheckIn: h.today + 2, CheckOut: h.today + 4}
	if err := h.Recall(t.Context(), tester, h.property.ID, wanted(h.double.ID, stay), h.clock.Now().Add(time.Second), h.clock.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	h.deriveAll(t)
	h.exec(t, "CREATE TRIGGER broken BEFORE INSERT ON deal_due BEGIN SELECT RAISE(ABORT, 'broken'); END")
	h.clock.move(time.Minute)
	if err := h.DealDue(t.Context()); err == nil {
		t.Fatal("it does not fail")
	}
	h.exec(t, "DROP TRIGGER broken")
	if err := h.DealDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := h.number(t, "SELECT COUNT(*) FROM deal_due"); n != 2 {
		t.Errorf("%d nights are to be dealt again, want 2", n)
	}
	if h.recalls.due(h.clock.Now()) {
		t.Error("they wait for ever")
	}
}

// TestOneChannelThatFailsStopsNoOther: what is followed every minute is followed at the
// others.
func TestOneChannelThatFailsStopsNoOther(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	h.newChannel(t, "a_first")
	const spread = "INSERT INTO spread (channel_id, change, sequence, until, state, stock, rates, sample) VALUES "
	h.exec(t, spread+"('a_first', '1', 1, 1, 'held', '?', '{}', '[]'), ('ch', '1', 1, 1, 'counting', '{}', '{}', '[]')")
	if err := h.FollowChanges(t.Context()); err == nil || !strings.Contains(err.Error(), "a_first") {
		t.Errorf("told of the first: %v", err)
	}
	if n := h.number(t, "SELECT COUNT(*) FROM spread WHERE channel_id = 'ch'"); n > 0 {
		t.Error("the change is kept at the other channel")
	}
}

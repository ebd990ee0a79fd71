package sync_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// TestWhatCannotBeAskedForIsConfirmedByName: a channel that lists no bookings by date
// goes live when somebody says that those which it may have sold are stored: the first
// time, at another place, and after a restore, but not after a pause, in which they were
// received.
func TestWhatCannotBeAskedForIsConfirmedByName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer func() { b.stop() }()
		patient = &ill{shown: map[connectors.Key]hotel.Offer{}, release: make(chan struct{})}
		b.house.Connect(t, b.ldg, hotel.Channel{
			Entity: hotel.Entity{ID: "ill"}, Connector: "ill", Name: "Ill", Settings: []byte(`{"unlisted":true}`), Account: "ill", Schedule: "@every 1m", Status: hotel.Testing,
		}, hotel.PerRoom)
		if _, _, err := b.ldg.DisconnectChannel(t.Context(), testkit.Tester, hotel.Once{}, "ill", 0, true); err != nil {
			t.Fatal(err)
		}
		if _, err := b.ldg.ChannelReached(t.Context(), testkit.Tester, "ill"); err != nil {
			t.Fatal(err)
		}
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		activate := func(by string, names ...hotel.Unchecked) error {
			t.Helper()
			plan, err := b.eng.Plan(t.Context(), "ill", hotel.PlanQuery{Kind: hotel.PlanLive})
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = b.eng.Activate(t.Context(), testkit.Tester, hotel.Once{}, "ill", hotel.Approval{PlanID: plan.ID, Accept: plan.Raises, AcceptedBy: by, Unchecked: names})
			b.pass(10 * time.Second)
			return err
		}
		confirmed := func(when string) {
			t.Helper()
			for _, names := range [][]hotel.Unchecked{nil, {hotel.UncheckedBookings}, {hotel.UncheckedAcknowledged, hotel.UncheckedBookings}} {
				err := activate("Ada", names...)
				r, refused := errors.AsType[*hotel.Refusal](err)
				if !refused || r.Code != "unchecked_need_confirmation" || !slices.Equal(r.Members["unchecked"].([]hotel.Unchecked), []hotel.Unchecked{hotel.UncheckedAcknowledged}) {
					t.Errorf("%s, %v accepted: %v", when, names, err)
				}
			}
			if err := activate("", hotel.UncheckedAcknowledged); err == nil {
				t.Errorf("%s, nobody answers for it", when)
			}
			if err := activate("Ada", hotel.UncheckedAcknowledged); err != nil {
				t.Errorf("%s: %v", when, err)
			}
		}
		b.pass(5 * time.Second)
		confirmed("the first time")

		if _, _, err := b.ldg.PauseChannel(t.Context(), testkit.Tester, hotel.Once{}, "ill", 0, false); err != nil {
			t.Fatal(err)
		}
		b.pass(5 * time.Second)
		if err := activate("Ada"); err != nil {
			t.Errorf("after a pause: %v", err)
		}

		if _, _, err := b.ldg.PauseChannel(t.Context(), testkit.Tester, hotel.Once{}, "ill", 0, false); err != nil {
			t.Fatal(err)
		}
		b.pass(10 * time.Second)
		if _, _, err := b.ldg.ChangeChannel(t.Context(), testkit.Tester, hotel.Once{}, "ill", 0, func(c *hotel.Channel) error {
			c.Place = "another"
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		b.pass(5 * time.Second)
		confirmed("at another place")

		if err := b.eng.Stop(); err != nil {
			t.Fatal(err)
		}
		if err := b.ldg.Restored(t.Context(), testkit.Tester, ledger.Head{}); err != nil {
			t.Fatal(err)
		}
		b.newEngine()
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.pass(15 * time.Minute)
		c, err := b.ldg.Channel(t.Context(), "ill")
		if err != nil || c.Audit.Running() {
			t.Fatalf("the audit is not over: %+v, %v", c.Audit, err)
		}
		confirmed("after a restore")
	})
}

package sync_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// The audit of a channel ends after a restore, also where the journal was written by a
// clock that stood ahead, and where one is set back while it lasts.
func TestAnAuditEndsWhateverTheClockSays(t *testing.T) {
	for name, set := range map[string]func(testkit.Clock, *bench){
		"written by a clock that stood ahead": func(c testkit.Clock, _ *bench) { c.Set(-3 * time.Hour) },
		"set back in the audit": func(c testkit.Clock, b *bench) {
			b.pass(5 * time.Second)
			c.Set(-3 * time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				clock := testkit.NewClock()
				b := newBenchBy(t, clock)
				defer func() { b.stop() }()
				f := b.far("a")
				defer func() { _ = f.Close() }()
				b.channel("a", f.Settings(300))
				if err := b.ldg.GoLive(t.Context(), testkit.Tester, "a", 0); err != nil {
					t.Fatal(err)
				}
				if err := b.ldg.Restored(t.Context(), testkit.Tester, ledger.Head{}); err != nil {
					t.Fatal(err)
				}
				stage := func() hotel.AuditStage {
					c, err := b.ldg.Channel(t.Context(), "a")
					if err != nil || c.Audit == nil {
						t.Fatalf("%+v, %v", c.Audit, err)
					}
					return c.Audit.Stage
				}
				if at := stage(); at != hotel.AuditClosing {
					t.Fatalf("it is at %s", at)
				}
				if err := b.eng.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				set(clock, b)
				b.pass(20 * time.Minute)
				if at := stage(); at != hotel.Audited {
					t.Errorf("after 20 minutes it is at %s", at)
				}
			})
		})
	}
}

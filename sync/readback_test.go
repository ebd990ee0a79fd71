package sync_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// Whoever asks what a channel shows is told when it was read.
func TestReadBackOnDemand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		f := b.far("a")
		b.channel("a", f.Settings(300))
		if err := b.ldg.GoLive(t.Context(), testkit.Tester, "a", 0); err != nil {
			t.Fatal(err)
		}
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.pass(time.Minute)
		asked := time.Now()
		run, _, err := b.eng.Sync(t.Context(), testkit.Tester, hotel.Once{}, "a", hotel.SyncOrder{Kind: hotel.SyncReadBack})
		if err != nil {
			t.Fatal(err)
		}
		b.pass(5 * time.Second)
		if run, err = b.ldg.SyncRun(t.Context(), run.ID); err != nil || run.Status != hotel.SyncCompleted {
			t.Errorf("the run is %s: %v", run.Status, err)
		}
		state, err := b.ldg.Channel(t.Context(), "a")
		if err != nil || state.LastReadAt.Before(asked) {
			t.Errorf("last read at %v, asked at %v: %v", state.LastReadAt, asked, err)
		}
	})
}

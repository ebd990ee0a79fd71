package ledger

import (
	"testing"

	"ostler.example/hotel"
)

// TestARunIsQueuedUntilItsChannelIsCalled, and one that nobody need be called for ends
// from there.
func TestARunIsQueuedUntilItsChannelIsCalled(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	f := h.newFarSide(t, 2)
	f.goLive(t)
	f.catchUp(t)
	status := func(run hotel.SyncRun, want hotel.SyncStatus) {
		t.Helper()
		if got := must(h.SyncRun(ctx, run.ID))(t); got.Status != want || got.Status.Over() != !got.EndedAt.IsZero() {
			t.Errorf("%s until %v, want %s", got.Status, got.EndedAt, want)
		}
	}
	h.clock.move(1e9)
	idle := must2(h.BeginSyncRun(ctx, tester, hotel.Once{}, f.id, hotel.SyncOrder{Kind: hotel.SyncDelta}))(t)
	status(idle, hotel.SyncQueued)
	if called := must(h.StartSyncRun(ctx, idle))(t); called {
		t.Error("nobody was called")
	}
	idle.Status = hotel.SyncCompleted
	if err := h.EndSyncRun(ctx, idle); err != nil {
		t.Fatal(err)
	}
	status(idle, hotel.SyncCompleted)

	run := must2(h.BeginSyncRun(ctx, tester, hotel.Once{}, f.id, hotel.SyncOrder{Kind: hotel.SyncFull}))(t)
	status(run, hotel.SyncQueued)
	f.begin(t, f.dirty(t))
	if called := must(h.StartSyncRun(ctx, run))(t); !called {
		t.Error("the call is not seen")
	}
	status(run, hotel.SyncRunning)
	h.reopen(t)
	if err := h.EndStaleSyncRuns(ctx); err != nil {
		t.Fatal(err)
	}
	status(run, hotel.SyncFailed)
	status(idle, hotel.SyncCompleted)
}

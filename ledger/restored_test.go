package ledger

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"ostler.example/hotel"
)

// restoredFrom goes on with a copy, as if it had been restored.
func (h *house) restoredFrom(t *testing.T, file string) {
	t.Helper()
	instead := must(h.Head(context.Background()))(t)
	h.close(t)
	h.path = file
	h.open(t)
	if err := h.Restored(context.Background(), tester, instead); err != nil {
		t.Fatal(err)
	}
	h.reopen(t)
}

func (h *house) backedUp(t *testing.T) string {
	t.Helper()
	file := filepath.Join(folder(t), "copy.db")
	if err := Copy(context.Background(), h.path, file, func(float64) {}); err != nil {
		t.Fatal(err)
	}
	return file
}

// Nothing that outsiders know numbers by goes back with a backup, however often one is
// restored, and whoever has read what is lost is told.
func TestNumbersGoOnBehindARestore(t *testing.T) {
	h, ctx := newHouse(t), context.Background()
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	at := func() (Head, int64) {
		return must(h.Head(ctx))(t), must(h.read.GetChannel(ctx, f.id))(t).Version
	}
	kept, _ := at()
	for round, file := range []string{h.backedUp(t), h.backedUp(t)} {
		if _, _, err := h.book(h.double, h.today+5, h.today+7, hotel.Once{}); err != nil {
			t.Fatal(err)
		}
		f.catchUp(t)
		lost, told := at()
		h.clock.now = h.clock.now.Add(time.Minute)
		h.restoredFrom(t, file)
		is, version := at()
		if is.Epoch != lost.Epoch+1 || is.Sequence <= lost.Sequence || version <= told {
			t.Errorf("restore %d: from %+v and call %d to %+v and call %d", round, lost, told, is, version)
		}
		for after, want := range map[int64]bool{kept.Sequence: false, lost.Sequence: true, is.Sequence: false} {
			if got := must(h.Lost(ctx, after))(t); got != want {
				t.Errorf("restore %d: entry %d is lost: %v", round, after, got)
			}
		}
		if v := must(h.Verify(ctx, VerifyOptions{Report: quietly, Stage: asTheyAre}))(t); len(v.Differences) > 0 {
			t.Errorf("restore %d: %v", round, v.Differences)
		}
	}
}

// What a restore does to each kind of channel.
func TestChannelsAfterARestore(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(t *testing.T, h *house, f *farSide)
		status hotel.ChannelStatus
		audit  bool
	}{
		{"a live one is closed and audited", func(*testing.T, *house, *farSide) {}, hotel.Paused, true},
		{"one that is closed may have been opened since", func(t *testing.T, h *house, f *farSide) {
			t.Helper()
			must2(h.PauseChannel(t.Context(), tester, hotel.Once{}, f.id, 0, false))(t)
		}, hotel.Paused, true},
		{"one that is frozen is closed too", func(t *testing.T, h *house, f *farSide) {
			t.Helper()
			must2(h.PauseChannel(t.Context(), tester, hotel.Once{}, f.id, 0, true))(t)
		}, hotel.Paused, true},
		{"one in shadow is told nothing", func(t *testing.T, h *house, f *farSide) {
			t.Helper()
			must2(h.ShadowChannel(t.Context(), tester, hotel.Once{}, f.id, 0))(t)
		}, hotel.ChannelActive, false},
		{"one that has ended stays so", func(t *testing.T, h *house, f *farSide) {
			t.Helper()
			must2(h.DisconnectChannel(t.Context(), tester, hotel.Once{}, f.id, 0, true))(t)
		}, hotel.Disconnected, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, ctx := newHouse(t), context.Background()
			f := h.newFarSide(t, 5)
			f.goLive(t)
			f.catchUp(t)
			c.before(t, h, f)
			h.restoredFrom(t, h.backedUp(t))
			is := must(h.Channel(ctx, f.id))(t)
			if is.Status != c.status || is.Audit.Running() != c.audit || is.Frozen {
				t.Fatalf("it is %+v", is.Channel)
			}
			if !c.audit {
				return
			}
			open := must(h.OnSale(ctx, f.id))(t)
			if open.Cells == 0 {
				t.Error("what nobody knows is taken to be closed")
			}
			if stage, _, err := h.AdvanceAudit(ctx, f.id, AuditMeans{Stage: hotel.AuditClosing}); err != nil || stage != hotel.AuditClosing {
				t.Errorf("an audit goes on to %s beside open counters, %v", stage, err)
			}
			f.catchUp(t)
			for _, want := range []struct {
				was   hotel.AuditStage
				after time.Duration // of its stage
				stage hotel.AuditStage
			}{
				{hotel.AuditClosing, 0, hotel.AuditClosing},                     // a call of before may act still
				{hotel.AuditClosing, unpromised, hotel.AuditClosingAgain},       // it is to be told again
				{hotel.AuditClosingAgain, time.Second, hotel.AuditClosingAgain}, // and has not been told yet
			} {
				h.clock.by(want.after + time.Hour) // whatever the clock says
				if stage, _, err := h.AdvanceAudit(ctx, f.id, AuditMeans{Stage: want.was, Waited: want.after}); err != nil || stage != want.stage {
					t.Errorf("after %s the audit is at %s, %v", want.after, stage, err)
				}
			}
			calls := must(h.read.GetChannel(ctx, f.id))(t).Version
			f.catchUp(t)
			if must(h.read.GetChannel(ctx, f.id))(t).Version == calls {
				t.Error("no counter is closed again")
			}
			for _, want := range []struct {
				means AuditMeans
				stage hotel.AuditStage
			}{
				{AuditMeans{Stage: hotel.AuditClosing, Waited: unpromised}, hotel.AuditClosingAgain}, // of a stage that is over
				{AuditMeans{Stage: hotel.AuditClosingAgain, Reads: true}, hotel.AuditListing},
				{AuditMeans{Stage: hotel.AuditClosingAgain, Waited: time.Hour, Listed: true}, hotel.AuditListing},
				{AuditMeans{Stage: hotel.AuditListing, Waited: time.Hour, Reads: true}, hotel.AuditListing},
				{AuditMeans{Stage: hotel.AuditListing, Listed: true, Reads: true}, hotel.AuditReading},
				{AuditMeans{Stage: hotel.AuditReading, Waited: time.Hour}, hotel.AuditReading},
				{AuditMeans{Stage: hotel.AuditReading, Read: true}, hotel.Audited},
			} {
				if is, _, err := h.AdvanceAudit(ctx, f.id, want.means); err != nil || is != want.stage {
					t.Errorf("found out %+v, the audit is at %s, %v, want %s", want.means, is, err, want.stage)
				}
			}
			if _, _, err := h.ActivateChannel(ctx, tester, hotel.Once{}, f.id, must(h.Sequence(ctx))(t), hotel.Approval{AcceptedBy: "Ada"}); err != nil {
				t.Error(err)
			}
			if is := must(h.Channel(ctx, f.id))(t); is.Audit != nil {
				t.Errorf("once it is live, its audit is %+v", is.Audit)
			}
		})
	}
}

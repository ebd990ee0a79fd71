package ledger

import (
	"strconv"
	"testing"

	"ostler.example/hotel"
)

// A channel in shadow is worked out like any other, and told nothing.
func TestAChannelInShadow(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	ctx := t.Context()
	if _, err := h.ChannelReached(ctx, tester, f.id); err != nil {
		t.Fatal(err)
	}
	c := must2(h.ShadowChannel(ctx, tester, hotel.Once{}, f.id, 0))(t)
	if c.Status != hotel.ChannelActive || !c.Shadow || c.Told() || !c.InShadow() {
		t.Fatalf("in shadow: %+v", c)
	}
	for f.derive(t) {
	}
	got := f.sight(t, f.mappings[0], h.today+1, hotel.Availability)
	if got.State != hotel.HeldBack || got.Code != "shadow" || got.Desired.Value.Available != 5 || got.Sent != nil {
		t.Errorf("%+v", got)
	}
	if cells := f.dirty(t); len(cells) != 0 {
		t.Errorf("%d cells are to be sent", len(cells))
	}
	if _, _, err := h.BeginSyncRun(ctx, tester, hotel.Once{}, f.id, hotel.SyncOrder{Kind: hotel.SyncFull}); refusedAs(err) != "channel_in_shadow" {
		t.Errorf("a run: %v", err)
	}
	if _, err := h.Begin(ctx, NewDelivery{ChannelID: f.id, Kind: Push, Operation: "set", SentAt: h.clock.Now()}); err == nil {
		t.Error("a call was stored")
	}
	live := must2(h.ActivateChannel(ctx, tester, hotel.Once{}, f.id, f.state(t).DerivedThrough, hotel.Approval{AcceptedBy: "Ada"}))(t)
	if live.Shadow || !live.Told() {
		t.Errorf("live: %+v", live)
	}
	f.catchUp(t)
	if _, _, err := h.ActivateChannel(ctx, tester, hotel.Once{}, f.id, f.state(t).DerivedThrough, hotel.Approval{AcceptedBy: "Ada"}); refusedAs(err) != "invalid_transition" {
		t.Errorf("live twice: %v", err)
	}
	back := must2(h.ChangeChannel(ctx, tester, hotel.Once{}, f.id, 0, func(c *hotel.Channel) error { c.Shadow = true; return nil }))(t)
	if state := f.state(t); !back.InShadow() || state.RoomsAtRisk == 0 {
		t.Errorf("back in shadow: %+v", state)
	}
	if _, _, err := h.DisconnectChannel(ctx, tester, hotel.Once{}, f.id, 0, false); refusedAs(err) != "closing_unacknowledged" {
		t.Errorf("disconnected while it shows rooms: %v", err)
	}
}

// One that was never live has nothing of ours on sale.
func TestAShadowEndsWithoutAClosing(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	ctx := t.Context()
	if _, err := h.ChannelReached(ctx, tester, f.id); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.ShadowChannel(ctx, tester, hotel.Once{}, f.id, 7); refusedAs(err) != "precondition_failed" {
		t.Errorf("another revision: %v", err)
	}
	must2(h.ShadowChannel(ctx, tester, hotel.Once{}, f.id, 0))(t)
	for f.derive(t) {
	}
	if c := must2(h.DisconnectChannel(ctx, tester, hotel.Once{}, f.id, 0, false))(t); c.Status != hotel.Disconnected {
		t.Errorf("%+v", c)
	}
	if _, _, err := h.ShadowChannel(ctx, tester, hotel.Once{}, f.id, 0); refusedAs(err) != "invalid_transition" {
		t.Errorf("what is disconnected: %v", err)
	}
}

// What a channel showed before it was paused is remembered as long as that pause lasts, and
// forgotten once somebody else may run it; what is read meanwhile and is not the closing
// counts for more.
func TestWhatWasShownBeforeAPause(t *testing.T) {
	ctx := t.Context()
	freeze := func(t *testing.T, f *farSide) {
		must2(f.h.PauseChannel(ctx, tester, hotel.Once{}, f.id, 0, true))(t)
	}
	for name, c := range map[string]struct {
		then          func(t *testing.T, f *farSide)
		before, least string
	}{
		"closed":                   {func(t *testing.T, f *farSide) {}, "5", "0"},
		"closed, and seen so":      {func(t *testing.T, f *farSide) { f.looks(t) }, "5", "0"},
		"closed, and seen open":    {func(t *testing.T, f *farSide) { f.typed(t, hotel.Availability, f.h.today+1, 1) }, "none", "0"},
		"frozen, and closed again": {func(t *testing.T, f *farSide) { freeze(t, f); f.pause(t); f.catchUp(t) }, "5", "0"},
		"in shadow":                {func(t *testing.T, f *farSide) { must2(f.h.ShadowChannel(ctx, tester, hotel.Once{}, f.id, 0))(t) }, "none", "0"},
		"in shadow, and paused there": {func(t *testing.T, f *farSide) {
			must2(f.h.ShadowChannel(ctx, tester, hotel.Once{}, f.id, 0))(t)
			f.pause(t)
		}, "none", "0"},
		"in shadow where it stands": {func(t *testing.T, f *farSide) {
			must2(f.h.ChangeChannel(ctx, tester, hotel.Once{}, f.id, 0, func(c *hotel.Channel) error { c.Shadow = true; return nil }))(t)
		}, "none", "0"},
		"tested anew": {func(t *testing.T, f *farSide) {
			must2(f.h.DisconnectChannel(ctx, tester, hotel.Once{}, f.id, 0, false))(t)
			must(f.h.ChannelReached(ctx, tester, f.id))(t)
		}, "none", "none"},
		"tested anew, in shadow": {func(t *testing.T, f *farSide) {
			must2(f.h.DisconnectChannel(ctx, tester, hotel.Once{}, f.id, 0, false))(t)
			must(f.h.ChannelReached(ctx, tester, f.id))(t)
			must2(f.h.ShadowChannel(ctx, tester, hotel.Once{}, f.id, 0))(t)
		}, "none", "0"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			f := h.newFarSide(t, 0)
			f.goLive(t)
			f.catchUp(t)
			f.pause(t)
			f.catchUp(t)
			c.then(t, f)
			o := must(h.Outlook(ctx, f.id, Reach{}, nil))(t)
			got := o.Shown[hotel.Cell{Line: f.counters[0].Line, Group: hotel.Availability, Night: h.today + 1}]
			text := func(n *int64) string {
				if n == nil {
					return "none"
				}
				return strconv.FormatInt(*n, 10)
			}
			if text(got.Before) != c.before || text(got.Least) != c.least {
				t.Errorf("it showed %s before, and shows %s at the least: want %s and %s", text(got.Before), text(got.Least), c.before, c.least)
			}
		})
	}
}

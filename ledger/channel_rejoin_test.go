package ledger

import (
	"context"
	"errors"
	"testing"
	"time"

	"ostler.example/hotel"
)

// rejoin gives the channel settings of another hotel at its far side.
func (f *farSide) rejoin() error {
	_, _, err := f.h.ChangeChannel(context.Background(), tester, hotel.Once{}, f.id, 0, func(c *hotel.Channel) error {
		c.Place, c.Settings = "other", []byte(`{"hotel":"other"}`)
		return nil
	})
	return err
}

func (f *farSide) pause(t tb) {
	t.Helper()
	must2(f.h.PauseChannel(context.Background(), tester, hotel.Once{}, f.id, 0, false))(t)
}

func TestAnotherPlaceIsToldEverything(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	ctx := t.Context()

	err := f.rejoin()
	if r, ok := errors.AsType[*hotel.Refusal](err); !ok || r.Code != "closing_unacknowledged" || r.Members["rooms_at_risk"] == 0 {
		t.Fatalf("joined to another place while it sells at the first: %v", err)
	}
	f.pause(t)
	if err := f.rejoin(); err == nil {
		t.Fatal("joined to another place before the first has taken its closing")
	}
	f.catchUp(t)
	if err := f.rejoin(); err != nil {
		t.Fatal(err)
	}
	if left := f.groups(t); len(left) > 0 {
		t.Fatalf("%d cells are known at a place that was never told anything", len(left))
	}

	// The other place shows whatever somebody typed there.
	f.shown, f.opening = map[hotel.Cell]int64{}, 9
	must2(h.ActivateChannel(ctx, tester, hotel.Once{}, f.id, must(h.read.NewestEntry(t.Context()))(t).Sequence, hotel.Approval{AcceptedBy: "somebody"}))(t)
	for f.derive(t) {
	}
	for cell, g := range f.groups(t) {
		if cell.Group == hotel.Availability && (g.held != nil || g.may != nil) {
			t.Fatalf("%+v is taken to show %v, at most %v", cell, g.held, g.may)
		}
		if cell.Group == hotel.Closures && !hotel.DecodeOffer(hotel.Closures, *g.want, "").Closed.Closed {
			t.Fatalf("%+v is wanted open before a price is confirmed there", cell)
		}
	}
	f.catchUp(t)
	f.check(t)
}

func TestAnAnswerFromTheFormerPlaceSettlesNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	f.pause(t)
	f.catchUp(t)
	ctx := t.Context()
	pull := must(h.Begin(ctx, NewDelivery{ChannelID: f.id, Kind: Pull, Operation: "poll", SentAt: h.clock.Now()}))(t)
	seen := must(h.Channel(ctx, f.id))(t).Revision
	if err := f.rejoin(); err != nil {
		t.Fatal(err)
	}
	h.clock.move(time.Second)
	if err := h.Polled(ctx, f.id, pull.ID, "page 7"); err != nil {
		t.Fatal(err)
	}
	if got := must(h.PollCursor(ctx, f.id))(t); got != "" {
		t.Errorf("the next pull begins at %q, a place in the former feed", got)
	}
	if err := h.Settle(ctx, Settlement{DeliveryID: pull.ID, State: DeliveryApplied}); err != nil {
		t.Fatal(err)
	}
	must2(h.ActivateChannel(ctx, tester, hotel.Once{}, f.id, must(h.read.NewestEntry(t.Context()))(t).Sequence, hotel.Approval{AcceptedBy: "somebody"}))(t)
	for f.derive(t) {
	}
	call := NewDelivery{ChannelID: f.id, Revision: seen, Kind: Push, Operation: "set", SentAt: h.clock.Now(), Cells: f.dirty(t)[:1]}
	if _, err := h.Begin(ctx, call); !errors.Is(err, ErrOutrun) {
		t.Errorf("a call of whoever knows the former place: %v", err)
	}
}

func TestNothingIsGrantedAtAnotherPlace(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.goLive(t)
	pool := must(h.RoomType(t.Context(), h.double.ID))(t).Consumes[0].AnyOf[0]
	must2(h.ChangePool(t.Context(), tester, hotel.Once{}, pool, hotel.Change[hotel.Pool]{Apply: func(p *hotel.Pool) error {
		p.Protection = hotel.Protection{Kind: hotel.Guarded}
		return nil
	}}))(t)
	f.pause(t)
	f.catchUp(t)
	if err := f.rejoin(); err != nil {
		t.Fatal(err)
	}
	var known, strange int
	const count = "SELECT COUNT(*) FILTER (WHERE account IS NOT NULL), COUNT(*) FILTER (WHERE account IS NULL AND raised) FROM party WHERE channel_id = ?"
	if err := h.readDB.QueryRowContext(t.Context(), count, f.id).Scan(&known, &strange); err != nil || known > 0 || strange == 0 {
		t.Errorf("of %d accounts something is known, of %d nothing, %v", known, strange, err)
	}
}

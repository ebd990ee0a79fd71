package ledger

import (
	"context"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
)

// TestALargeChangeIsCountedBeforeItIsTold: in pieces, whatever else the channel has to
// do meanwhile; and it is taken back as it came, also in pieces.
func TestALargeChangeIsCountedBeforeItIsTold(t *testing.T) {
	ctx := context.Background()
	h := newHouse(t)
	h.longer(t)
	f := h.newFarSide(t, 5)
	nights := hotel.Span{From: h.today + 5, To: h.today + 244}
	price := func(minor int64) {
		t.Helper()
		u := hotel.RateUpdate{PropertyID: h.property.ID, Source: "api"}
		for _, room := range []hotel.RoomType{h.double, h.twin, h.suite} {
			u.Entries = append(u.Entries, hotel.RateEntry{RoomTypeID: room.ID, RatePlanID: h.flex.ID, Dates: hotel.Dates{Span: nights}, Amount: h.euros(minor)})
		}
		must2(h.UpdateRates(ctx, tester, hotel.Once{}, u))(t)
	}
	price(9000)
	f.goLive(t)
	f.catchUp(t)
	h.policies(t, hotel.Policies{BlastRadius: &hotel.BlastRadiusPolicy{Cells: 500}})
	f.catchUp(t)
	before := f.groups(t)

	news := func() (n int) { // cells that are told something else than they show
		for _, d := range must(h.Brake(ctx, f.id, must(h.Dirty(ctx, f.id, h.today, 20000))(t)))(t) {
			n += int(flag(!same(before[d.Cell].held, &d.Want)))
		}
		return n
	}
	price(90)
	steps := 0
	for more := true; more; {
		more = must(h.DeriveDue(ctx))(t)
		for f.derive(t) {
			steps++
		}
		if n := news(); n != 0 {
			t.Fatalf("%d cells are told in step %d", n, steps)
		}
	}
	c := h.conflict(t, hotel.ConflictBlastRadius)
	if lag := f.state(t); steps < 3 || lag.Lag != 0 || lag.Held < 700 {
		t.Errorf("%d steps, %d owed, %d held", steps, lag.Lag, lag.Held)
	}
	h.sound(t)

	// Somebody sets one of the prices again meanwhile, and it is theirs.
	must(h.setPrice(h.twin, h.flex, nights.To, nights.To, 7777))(t)
	h.resolve(t, c, hotel.OptionUndo, "")
	for more := true; more; {
		more = must(h.DeriveDue(ctx))(t)
		if n := news(); n > 1 {
			t.Fatalf("%d cells are told before all is taken back", n)
		}
		for f.derive(t) {
		}
	}
	f.catchUp(t)
	for range 2 {
		if err := h.FollowChanges(ctx); err != nil {
			t.Fatal(err)
		}
		f.catchUp(t)
	}
	if rows := must(h.read.ListSpreads(ctx))(t); len(rows) != 0 {
		t.Errorf("kept are %+v", rows)
	}
	// Who looked before that was decided keeps nothing back any more.
	must(h.setPrice(h.twin, h.flex, nights.From, nights.From, 8888))(t)
	for f.derive(t) {
	}
	stale := must(h.Dirty(ctx, f.id, h.today, 20000))(t)
	if err := h.write(ctx, urgent, tester, func(t *tx) error { return t.brake(f.id, stale) }); err != nil {
		t.Fatal(err)
	}
	if held := f.state(t).Held; len(stale) == 0 || held != 0 {
		t.Errorf("%d of %d cells are kept back by nobody", held, len(stale))
	}
	must(h.setPrice(h.twin, h.flex, nights.From, nights.From, 9000))(t)
	f.catchUp(t)
	after := f.groups(t)
	others := 0
	for cell, g := range after {
		if !same(g.want, before[cell].want) || !same(g.held, g.want) {
			others++
		}
	}
	if others != 1 {
		t.Errorf("%d cells are others than before", others)
	}
	if n := len(h.conflicts(t, hotel.ConflictBlastRadius)); n != 1 {
		t.Errorf("asked %d times", n)
	}
	h.sound(t)
}

// TestAChangeIsTakenBackAsItIsByThen: what takes a change back is drawn up beside the
// writer, and drawn up again when somebody writes one of its nights meanwhile: that is
// theirs.
func TestAChangeIsTakenBackAsItIsByThen(t *testing.T) {
	ctx := context.Background()
	for name, settle := range map[string]func(h *house, c hotel.Conflict, undo *undoDraft) error{
		"by somebody": func(h *house, c hotel.Conflict, undo *undoDraft) error {
			_, _, err := h.resolveConflict(ctx, tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: hotel.OptionUndo}, undo)
			return err
		},
		"by its deadline": func(h *house, c hotel.Conflict, undo *undoDraft) error {
			return h.write(ctx, urgent, tester, func(t *tx) error {
				t.undo = undo
				return t.take(&c, hotel.ByPolicy, hotel.ConflictDecision{Option: hotel.OptionUndo})
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			f := h.newFarSide(t, 5)
			must(h.setPrice(h.twin, h.flex, h.today, h.today+9, 9000))(t)
			f.goLive(t)
			f.catchUp(t)
			h.policies(t, hotel.Policies{BlastRadius: &hotel.BlastRadiusPolicy{Cells: 5}})
			must(h.setPrice(h.twin, h.flex, h.today, h.today+9, 90))(t)
			f.catchUp(t)
			c := h.conflict(t, hotel.ConflictBlastRadius)

			drafts := 0
			undo := func(*hotel.Conflict) string { return hotel.OptionUndo }
			err := h.settling(ctx, c.ID, undo, func(d *undoDraft) error {
				if drafts++; drafts == 1 {
					must(h.setPrice(h.twin, h.flex, h.today+3, h.today+3, 7777))(t)
				}
				return settle(h, c, d)
			})
			if err != nil || drafts != 2 {
				t.Fatalf("drawn up %d times: %v", drafts, err)
			}
			f.catchUp(t)
			var got []int64
			for ahead := range hotel.Date(10) {
				got = append(got, h.price(t, h.twin, ahead).Base.Minor)
			}
			if want := []int64{9000, 9000, 9000, 7777, 9000, 9000, 9000, 9000, 9000, 9000}; !slices.Equal(got, want) {
				t.Errorf("the prices are %v, want %v", got, want)
			}
			h.sound(t)
		})
	}
}

// TestADeadlineWaitsForThoseWhoWrite: what others kept from being taken back is taken back
// when they have done. What cannot be is left to somebody.
func TestADeadlineWaitsForThoseWhoWrite(t *testing.T) {
	ctx := context.Background()
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	must(h.setPrice(h.twin, h.flex, h.today, h.today+9, 9000))(t)
	f.goLive(t)
	f.catchUp(t)
	h.policies(t, hotel.Policies{
		BlastRadius: &hotel.BlastRadiusPolicy{Cells: 5},
		OnDeadline:  map[hotel.ConflictKind]hotel.DeadlinePolicy{hotel.ConflictBlastRadius: {After: 60, Option: hotel.OptionUndo}},
	})
	must(h.setPrice(h.twin, h.flex, h.today, h.today+9, 90))(t)
	f.catchUp(t)
	c := h.conflict(t, hotel.ConflictBlastRadius)
	h.clock.move(time.Hour)

	drafts := hotel.Date(0)
	err := h.Ledger.decideDue(ctx, c.ID, func(d *undoDraft) error {
		drafts++
		must(h.setPrice(h.twin, h.flex, h.today+drafts, h.today+drafts, 7777))(t) // one that nobody has written since
		return h.atDeadline(ctx, c.ID, d, (*tx).takeDue)
	})
	if refusedAs(err) != busy || drafts != mostTries {
		t.Errorf("drawn up %d times: %v", drafts, err)
	}
	if now := h.conflict(t, hotel.ConflictBlastRadius); now.Status != hotel.ConflictOpen || now.Deadline == nil || now.OnDeadline != hotel.OptionUndo {
		t.Fatalf("left as %+v", now)
	}
	if n := must(h.DecideDue(ctx))(t); n != 1 {
		t.Errorf("%d are decided when the others have done", n)
	}
	if now := h.conflict(t, hotel.ConflictBlastRadius); now.Status != hotel.ConflictResolved || now.Resolution.Option != hotel.OptionUndo {
		t.Errorf("settled as %+v", now)
	}
	if got := h.price(t, h.twin, 9).Base.Minor; got != 9000 {
		t.Errorf("the price is %d", got)
	}
	h.sound(t)
}

// TestWhichChangesAreCounted: those that somebody makes, and no more.
func TestWhichChangesAreCounted(t *testing.T) {
	for _, kind := range []Kind{ReservationCreated, ReservationCancelled, ClockTick, PricesAged, SwitchesChanged, BlockReleased, ChannelActivated, ChannelMapped, ChannelPaused} {
		if slices.Contains(changeKinds, kind) {
			t.Errorf("%s is counted", kind)
		}
	}
}

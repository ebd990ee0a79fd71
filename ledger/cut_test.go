package ledger

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// A cut takes away what was overwritten before it and nothing that can still be
// asked for: the present, every point behind the cut, and verification.
func TestCutKeepsWhatCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		ctx := context.Background()
		f := h.newFarSide(t, 5)
		if rapid.Bool().Draw(t, "live") {
			f.goLive(t)
		}
		var made []hotel.Reservation
		var instants []time.Time
		seen := map[time.Time]cells{}
		for range rapid.IntRange(2, 10).Draw(t, "writes") {
			h.clock.move(time.Minute)
			h.drawWrite(t, &made)
			h.deriveAll(t)
			for range rapid.IntRange(0, 3).Draw(t, "looks of the channel") {
				f.derive(t)
			}
			at := h.clock.Now()
			instants, seen[at] = append(instants, at), h.cells(t, hotel.AsOf{})
		}
		entries := must(h.Sequence(ctx))(t)
		at := rapid.IntRange(0, len(instants)-1).Draw(t, "cut")
		h.clock.move(time.Minute)
		h.interruptedCut(t, instants[at])
		if rapid.Bool().Draw(t, "restarted") {
			h.reopen(t)
		}
		for range rapid.IntRange(0, 2).Draw(t, "resumed") { // the second time there is nothing to do
			if err := h.CutJournal(ctx, instants[at]); err != nil {
				t.Fatal(err)
			}
		}
		if left := len(must(h.Entries(ctx, 0, 100_000))(t)); int64(left) > entries+2 {
			t.Errorf("%d entries left of %d", left, entries)
		}
		for i, instant := range instants {
			if i < at {
				h.expired(t, hotel.AsOf{At: instant}, 0)
				continue
			}
			if diff := cmp.Diff(seen[instant], h.cells(t, hotel.AsOf{At: instant}), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("as of %s (-seen then +seen now):\n%s", instant, diff)
			}
		}
		for _, d := range h.verified(t).Differences {
			t.Errorf("%s", d)
		}
		if bad := must(h.VerifyChain(ctx, h.property.ID))(t); bad != 0 {
			t.Errorf("chain broken at %d", bad)
		}
		must2(h.book(h.suite, h.today+20, h.today+21, hotel.Once{}))(t)
		for _, d := range h.verified(t).Differences {
			t.Errorf("after another booking: %s", d)
		}
	})
}

// interruptedCut cuts the property's chain and removes some of what is to go.
func (h *house) interruptedCut(t *rapid.T, before time.Time) {
	ctx := context.Background()
	gone := must(h.beginCut(ctx, h.property.ID, before))(t)
	gone = gone[:rapid.IntRange(0, len(gone)).Draw(t, "removed before the crash")]
	if err := h.write(ctx, bulk, tester, func(t *tx) error { return t.q.DeleteEntries(t.ctx, gone) }); err != nil {
		t.Fatal(err)
	}
}

// expired expects a look at a night, counted from today, to be refused.
func (h *house) expired(t tb, at hotel.AsOf, night hotel.Date) {
	t.Helper()
	_, err := h.Inventory(context.Background(), hotel.InventoryQuery{PropertyID: h.property.ID, AsOf: at, Span: h.span(night, night).Span})
	if refusal, ok := errors.AsType[*hotel.Refusal](err); !ok || refusal.Code != "as_of_expired" {
		t.Errorf("as of %+v, night %d: %v", at, night, err)
	}
}

// What is there to look at begins with the instant of the cut, and with the night
// that was not over then.
func TestCutAtItsEdges(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	h.clock.move(time.Hour)
	must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.suite.ID, Dates: h.span(0, 9), SellLimit: hotel.Given(1)}))(t)
	last := must(h.Sequence(ctx))(t)
	h.clock.move(time.Hour)
	cut := h.clock.Now()
	h.clock.move(time.Hour)
	must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.suite.ID, Dates: h.span(0, 9), SellLimit: hotel.Given(2)}))(t)
	if err := h.CutJournal(ctx, cut); err != nil {
		t.Fatal(err)
	}
	for _, at := range []hotel.AsOf{{At: cut.Add(-time.Microsecond)}, {At: opening.Add(-time.Hour)}, {Sequence: last}, {Sequence: 1}} {
		h.expired(t, at, 0)
	}
	h.expired(t, hotel.AsOf{At: cut}, -2)
	for limit, at := range map[int]hotel.AsOf{1: {At: cut}, 2: {Sequence: last + 1}} {
		for night := hotel.Date(-1); night < 2; night++ { // it may still be yesterday somewhere
			seen := must(h.Inventory(ctx, hotel.InventoryQuery{PropertyID: h.property.ID, AsOf: at, Span: h.span(night, night).Span, RoomTypeIDs: []string{h.suite.ID}}))(t).Cells
			if got := seen[0].SellLimit; night >= 0 && (got == nil || *got != limit) {
				t.Errorf("as of %+v the limit of night %d is %v, want %d", at, night, got, limit)
			}
		}
	}
}

// A rule that asks how many rooms were booked in a week is answered behind a cut
// as it was before.
func TestCutKeepsThePickup(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	day := 24 * time.Hour
	h.addRule(t, hotel.RuleCondition{Metric: hotel.Pickup7d, Op: "gte", Value: []string{"1"}})
	r := must2(h.book(h.double, h.today+20, h.today+22, hotel.Once{}))(t)
	h.clock.move(3 * day)
	must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{Tags: &[]string{"vip"}}))(t)
	h.clock.move(day)
	cut := h.clock.Now()
	rates := func(at hotel.AsOf) []hotel.RateCell {
		t.Helper()
		return must(h.RateCells(ctx, hotel.CellQuery{PropertyID: h.property.ID, AsOf: at, Span: h.span(20, 20).Span}))(t)
	}
	seen := map[time.Time][]hotel.RateCell{}
	for range 5 { // in whose middle the booking leaves the week
		if err := h.Tick(ctx); err != nil {
			t.Fatal(err)
		}
		h.deriveAll(t)
		seen[h.clock.Now()] = rates(hotel.AsOf{})
		h.clock.move(day)
	}
	if cmp.Equal(seen[cut], seen[cut.Add(4*day)]) {
		t.Fatal("the rule has moved no price")
	}
	if err := h.CutJournal(ctx, cut); err != nil {
		t.Fatal(err)
	}
	for at, want := range seen {
		if diff := cmp.Diff(want, rates(hotel.AsOf{At: at}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("as of %s (-seen then +seen now):\n%s", at, diff)
		}
	}
	for _, d := range h.verified(t).Differences {
		t.Errorf("%s", d)
	}
}

// A reservation keeps its whole history, with whoever acknowledged it, however old
// it is, and every line of it is still verified.
func TestCutKeepsTheHistoryOfReservations(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	day := 24 * time.Hour
	must2(h.ChangeRoomType(ctx, tester, hotel.Once{}, h.suite.ID, hotel.Change[hotel.RoomType]{Apply: func(r *hotel.RoomType) error { r.Mode = hotel.GivenMode; return nil }}))(t)
	h.give(t, h.suite, 1, 5, 2)
	r := must2(h.book(h.suite, h.today+1, h.today+3, hotel.Once{}))(t)
	must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{Tags: &[]string{"vip"}}))(t)
	h.acknowledge(t, r.ID)
	must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{CheckOut: new(h.today + 4)}))(t)
	before := must(h.ReservationRevisions(ctx, r.ID))(t)
	for range 3 { // the stay is long over
		h.clock.move(100 * day)
		h.deriveAll(t)
		if err := h.CutJournal(ctx, h.clock.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(before, must(h.ReservationRevisions(ctx, r.ID))(t)); len(before) != 3 || diff != "" {
		t.Errorf("%d revisions before the cut (-before +after):\n%s", len(before), diff)
	}
	h.checkVerified(t)
	for _, test := range []struct{ plant, told string }{
		{"DELETE FROM reservation_revision WHERE revision = 1", "revision of res_"},
		{"UPDATE reservation SET acknowledged = 0", "reservation res_"},
		{"DELETE FROM journal WHERE kind = 'reservation.created'", "checkpoint of the journal"},
	} {
		h.exec(t, test.plant)
		if v := h.verified(t); !slices.ContainsFunc(v.Differences, func(d Difference) bool { return strings.Contains(d.Where, test.told) }) {
			t.Errorf("%s: not told, but %v", test.plant, v.Differences)
		}
	}
}

// What a live channel has not read yet is not cut.
func TestCutWaitsForChannels(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	f := h.newFarSide(t, 5)
	f.goLive(t)
	h.clock.move(time.Hour)
	must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.suite.ID, Dates: h.span(0, 3), SellLimit: hotel.Given(1)}))(t)
	cursor := must(h.read.GetCursor(ctx, soldStrand.reader(f.id)))(t)
	stock := func(after int64) (n int) {
		t.Helper()
		for _, e := range must(h.read.OffersAfter(ctx, ledgerdb.OffersAfterParams{PropertyID: h.property.ID, After: after, AtMost: 1000}))(t) {
			if e.Kind == string(InventoryUpdated) {
				n++
			}
		}
		return n
	}
	unread := stock(cursor.Sequence)
	h.clock.move(time.Hour)
	cut := func() (left int) {
		t.Helper()
		if err := h.CutJournal(ctx, h.clock.Now()); err != nil {
			t.Fatal(err)
		}
		return stock(0)
	}
	if left := cut(); unread == 0 || left < unread {
		t.Errorf("%d entries left of %d that the channel has not read", left, unread)
	}
	for f.derive(t) {
	}
	if left := cut(); left > 0 {
		t.Errorf("%d entries left that everybody has read", left)
	}
}

// What a cut has kept cannot be changed unseen.
func TestCheckpointTellsOfTampering(t *testing.T) {
	for _, test := range []struct{ plant, told string }{
		{"UPDATE journal SET actor = 'client:x' WHERE sequence = 1", "checkpoint of the journal"},
		{"DELETE FROM journal WHERE kind = 'rate_plan.created'", "checkpoint of the journal"},
		{"UPDATE journal_cut SET sequence = sequence - 1", "checkpoint of the journal"},
		{"UPDATE journal_cut SET hash = zeroblob(32)", "(journal.cut)"},
		{"DELETE FROM journal_cut", "of the journal (room_type.created)"},
	} {
		t.Run(test.plant, func(t *testing.T) {
			h := newHouse(t)
			h.clock.move(time.Hour)
			if err := h.CutJournal(context.Background(), h.clock.Now()); err != nil {
				t.Fatal(err)
			}
			if v := h.verified(t); len(v.Differences) > 0 {
				t.Fatalf("before anything was planted: %s", v.Differences[0])
			}
			h.exec(t, test.plant)
			for _, d := range h.verified(t).Differences {
				if strings.Contains(d.Where, test.told) {
					return
				}
			}
			t.Errorf("not told, but %v", h.verified(t).Differences)
		})
	}
}

// Whole months go, once a day, with what nobody asks for any more.
func TestRetainRemovesWholeMonths(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	f := h.newFarSide(t, 5)
	for f.derive(t) {
	}
	rows := func(table string) (n int) {
		t.Helper()
		if err := h.readDB.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := rows("journal")
	retain := func(months int) {
		t.Helper()
		if err := h.Retain(ctx, months); err != nil {
			t.Fatal(err)
		}
	}
	h.clock.move(24 * time.Hour * 65) // from 21 November to 25 January
	retain(0)
	if rows("journal") != before {
		t.Error("something was removed although everything is kept")
	}
	retain(2) // what was before 1 November
	if got := rows("journal"); got != before {
		t.Errorf("%d entries of %d, none is old enough", got, before)
	}
	h.clock.move(24 * time.Hour * 10)
	cells := rows("stock_cell")
	retain(2) // what was before 1 December
	after := rows("journal")
	if after >= before || rows("stock_cell") >= cells {
		t.Errorf("%d entries of %d, %d cells of %d", after, before, rows("stock_cell"), cells)
	}
	if stray := rows("touch WHERE sequence NOT IN (SELECT sequence FROM journal)"); stray > 0 {
		t.Errorf("%d touches of entries that are gone", stray)
	}
	retain(1) // not twice a day
	if rows("journal") != after {
		t.Error("it worked twice on one day")
	}
}

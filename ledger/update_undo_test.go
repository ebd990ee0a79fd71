package ledger

import (
	"context"
	"errors"
	"testing"

	"ostler.example/hotel"
)

// What an update wrote is as it was before, but where somebody has written since; and
// there is nothing to be taken back twice.
func TestUpdateIsTakenBack(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	set := func(from, to hotel.Date, minor int64) hotel.AriUpdate {
		return must(h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(from, to), Amount: h.euros(minor)}))(t)
	}
	was := h.price(t, h.double, 4).Base
	set(1, 2, 9000)
	upd := set(1, 4, 12000)
	set(2, 2, 15000)
	undo := func(key string) (hotel.AriUpdate, bool, error) {
		return h.UndoUpdate(ctx, tester, hotel.Once{Client: "c", Method: "POST", Path: "/undo", Key: key}, upd.ID, 0)
	}
	would, err := h.RehearseUndo(ctx, upd.ID, 0)
	if err != nil || would.CellsChanged != 3 || len(would.Lines) != 2 || would.Lines[0] != (hotel.UndoneLine{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Span: h.span(1, 1).Span}) {
		t.Fatalf("it would be %+v: %v", would, err)
	}
	if got := h.price(t, h.double, 4).Base; got.Minor != 12000 {
		t.Fatalf("a rehearsal has written %v", got)
	}
	back, _, err := undo("k")
	if err != nil || back.Kind != "rates" || back.CellsChanged != 3 || back.ID == upd.ID {
		t.Fatalf("%+v: %v", back, err)
	}
	for night, want := range map[hotel.Date]int64{1: 9000, 2: 15000, 3: was.Minor, 4: was.Minor} {
		if got := h.price(t, h.double, night).Base; got == nil || got.Minor != want {
			t.Errorf("night %d: %v, want %d", night, got, want)
		}
	}
	if again, replayed, err := undo("k"); err != nil || !replayed || again.ID != back.ID {
		t.Errorf("repeated: %+v %v %v", again, replayed, err)
	}
	refusal := (*hotel.Refusal)(nil)
	if _, _, err := undo("other"); !errors.As(err, &refusal) || refusal.Code != "nothing_to_undo" {
		t.Errorf("taken back twice: %v", err)
	}
	if _, _, err := h.UndoUpdate(ctx, tester, hotel.Once{}, "ari_none", 0); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// TestLargeUpdateIsTakenBackBesideTheWriter: the item that stores it draws nothing up,
// and what others write of the same nights meanwhile stays theirs.
func TestLargeUpdateIsTakenBackBesideTheWriter(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	one := func(from, to hotel.Date, minor int64) hotel.RateEntry {
		return hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(from, to), Amount: h.euros(minor)}
	}
	was := h.price(t, h.double, 7).Base
	upd := must(h.updateRates(one(0, 9, 12000)))(t)
	in := undoRequest(must(h.read.GetAriUpdate(ctx, upd.ID))(t), 0, &undoing{})
	if in.cells != upd.CellsChanged {
		t.Errorf("to take %d cells back counts as %d", upd.CellsChanged, in.cells)
	}
	in.cells = deriveAtOnce + 1 // as if there were more
	draws := 0
	draw := in.draw
	in.draw = func(ctx context.Context, p *proposal) error {
		err := draw(ctx, p)
		if draws++; draws == 1 { // somebody changes one of the nights before it is stored
			must(h.updateRates(one(5, 5, 15000)))(t)
		}
		return err
	}
	back, _, err := h.update(ctx, tester, hotel.Once{}, in)
	if err != nil || draws != 2 || back.CellsChanged != upd.CellsChanged-1 {
		t.Fatalf("drawn up %d times: %+v %v", draws, back, err)
	}
	for night, want := range map[hotel.Date]int64{5: 15000, 7: was.Minor} {
		if got := h.price(t, h.double, night).Base; got == nil || got.Minor != want {
			t.Errorf("night %d: %v, want %d", night, got, want)
		}
	}
}

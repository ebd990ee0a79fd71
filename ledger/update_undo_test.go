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
		return h.UndoUpdate(ctx, tester, hotel.Once{Client: "c", Method: "POST", Path: "/undo", Key: key}, upd.ID)
	}
	would, err := h.RehearseUndo(ctx, upd.ID)
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
	if _, _, err := undo("other"); !errors.As(err, &refusal) || refusal.Code != "conflict" {
		t.Errorf("taken back twice: %v", err)
	}
	if _, _, err := h.UndoUpdate(ctx, tester, hotel.Once{}, "ari_none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
}

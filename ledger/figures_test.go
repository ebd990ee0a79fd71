package ledger

import (
	"testing"

	"ostler.example/hotel"
)

// TestFigures follows a channel from where all is well through everything that the
// figures tell.
func TestFigures(t *testing.T) {
	f, cell := told(t)
	figures := func() (Figures, ChannelFigures) {
		t.Helper()
		got := must(f.h.Figures(t.Context()))(t)
		if len(got.Channels) != 1 {
			t.Fatalf("%d channels", len(got.Channels))
		}
		return got, got.Channels[0]
	}
	all, c := figures()
	if !c.Behind.IsZero() || c.Lag != 0 || c.Unread != 0 || all.Readers["channel:ch"] != 0 || all.Readers["house"] != 0 {
		t.Errorf("all is told: %+v, readers %v", c, all.Readers)
	}
	if all.Sequence != must(f.h.Sequence(t.Context()))(t) || all.Files["database"] == 0 || len(all.Conflicts) != len(hotel.ConflictKinds()) {
		t.Errorf("%+v", all)
	}

	began := f.h.clock.Now()
	f.short(t, cell.Night) // takes ten minutes
	all, c = figures()
	if !c.Behind.Equal(began) || c.Lag == 0 {
		t.Errorf("behind since %v with %d cells, want %v", c.Behind, c.Lag, began)
	}
	f.h.look(t)
	if all, _ = figures(); all.Conflicts[hotel.ConflictExposed] != 1 {
		t.Errorf("conflicts: %v", all.Conflicts)
	}
	f.catchUp(t)
	f.h.look(t)
	if all, c = figures(); all.Conflicts[hotel.ConflictExposed] != 0 || !c.Behind.IsZero() {
		t.Errorf("when it is told: %v, behind since %v", all.Conflicts, c.Behind)
	}

	must(f.h.Receive(t.Context(), Receipt{ChannelID: "ch", Key: "odd", Problem: "no end tag", Raw: []byte("<x>")}))(t)
	if _, c = figures(); c.Unread != 1 {
		t.Errorf("%d messages are unread", c.Unread)
	}
}

// TestFiguresOfExposedRooms: the sum is that of all nights and room types.
func TestFiguresOfExposedRooms(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 2)
	f.goLive(t)
	for f.derive(t) {
	}
	h.protect(t, hotel.Guarded)
	h.deriveAll(t)
	f.catchUp(t)
	exposed := func() int {
		t.Helper()
		return must(h.Figures(t.Context()))(t).Exposed[h.property.ID]
	}
	if n := exposed(); n != 0 {
		t.Errorf("%d rooms are exposed though all are there", n)
	}
	nights := hotel.Span{From: h.today + 1, To: h.today + 3}
	must2(h.UpdateInventory(t.Context(), tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.InventoryEntry{{
		PoolID: must(h.RoomType(t.Context(), h.double.ID))(t).Consumes[0].AnyOf[0], Dates: hotel.Dates{Span: nights}, Total: hotel.Given(0),
	}}}))(t)
	h.deriveAll(t)
	want := 0
	for _, c := range must(h.Inventory(t.Context(), hotel.InventoryQuery{PropertyID: h.property.ID, Span: h.property.Shows(h.clock.Now())}))(t).Cells {
		want += c.Exposed
	}
	if n := exposed(); n != want || want == 0 {
		t.Errorf("%d rooms are exposed, the nights have %d", n, want)
	}
}

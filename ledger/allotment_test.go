package ledger

import (
	"testing"

	"ostler.example/hotel"
)

// allot promises doubles of a night, so many days ahead, to the far side by contract.
func (f *farSide) allot(t *testing.T, ahead hotel.Date, units int) hotel.Block {
	t.Helper()
	return must2(f.h.CreateBlock(t.Context(), tester, hotel.Once{}, hotel.Block{
		PropertyID: f.h.property.ID, Name: "contract", BlockStatus: hotel.Definite, ChannelID: f.id,
		Lines: []hotel.BlockLine{f.h.line(f.h.double, ahead, ahead, units)},
	}))(t)
}

// What a channel sells is sold of what a contract promises it: the rooms are taken
// once, today and as of then, and a release gives the rest back.
func TestAllotmentIsSoldByItsChannel(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 3)
	f.goLive(t)
	f.catchUp(t)
	night := h.today + 2
	before := must(h.read.NewestEntry(t.Context()))(t).Sequence
	b := f.allot(t, 2, 2)
	allotted := must(h.read.NewestEntry(t.Context()))(t).Sequence
	if got := h.free(t, h.double, 2, 2); got != "[3]" {
		t.Errorf("%s doubles are free beside a contract of two of five", got)
	}
	f.sell(f.counters[0], night)
	f.hear(t, len(f.mail)-1)
	if got := h.free(t, h.double, 2, 2); got != "[3]" {
		t.Errorf("%s doubles are free after the channel has sold one of the contract", got)
	}
	if n := must(h.Block(t.Context(), b.ID))(t).Lines[0].Nights[0]; n.PickedUp != 1 || n.Remaining != 1 {
		t.Errorf("the contract stands at %+v", n)
	}
	sold := must(h.read.NewestEntry(t.Context()))(t).Sequence
	for _, c := range []struct {
		sequence int64
		free     int
	}{{before, 5}, {allotted, 3}, {sold, 3}} {
		inv := must(h.Inventory(t.Context(), hotel.InventoryQuery{
			PropertyID: h.property.ID, RoomTypeIDs: []string{h.double.ID}, Span: hotel.Span{From: night, To: night}, AsOf: hotel.AsOf{Sequence: c.sequence},
		}))(t)
		if got := inv.Cells[0].Free; got != c.free {
			t.Errorf("as of %d, %d doubles were free, want %d", c.sequence, got, c.free)
		}
	}
	h.checkMemory(t)
	must2(h.ReleaseBlock(t.Context(), tester, hotel.Once{}, b.ID, 0, nil))(t)
	if got := h.free(t, h.double, 2, 2); got != "[4]" {
		t.Errorf("%s doubles are free after the release, one of five is sold", got)
	}
	h.checkMemory(t)
}

// In a guarded pool a contract is a grant that no closing takes back, and its end does
// not say what was sold of it: of a channel that can prove no more its closing is
// taken at its word.
func TestAllotmentOfAGuardedPool(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.goLive(t)
	f.catchUp(t)
	h.protect(t, hotel.Guarded)
	f.catchUp(t)
	night := h.today + 2
	undealt := func() int {
		t.Helper()
		n := 0
		if err := h.write(t.Context(), urgent, tester, func(t *tx) error {
			s, err := t.structure(h.property.ID)
			if err != nil {
				return err
			}
			b, err := t.spanBoard(s, night, night)
			if err == nil {
				room, _ := b.Room(h.double.ID)
				n = b.Undealt(night)[room].Net
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if got := undealt(); got != 5 {
		t.Fatalf("%d doubles are dealt to nobody, want 5", got)
	}
	b := f.allot(t, 2, 2)
	if got := undealt(); got != 3 {
		t.Errorf("%d doubles are dealt to nobody beside a contract of two of five", got)
	}
	f.shown[hotel.Cell{Line: f.counters[0].Line, Group: hotel.Availability, Night: night}] = 1 // it was told none
	f.sell(f.counters[0], night)
	f.hear(t, len(f.mail)-1)
	if got := undealt(); got != 3 {
		t.Errorf("%d doubles are dealt to nobody after the channel has sold one of the contract", got)
	}
	must2(h.ReleaseBlock(t.Context(), tester, hotel.Once{}, b.ID, 0, nil))(t)
	if got := undealt(); got > 0 {
		t.Errorf("%d doubles are dealt to nobody, though the channel may have sold what it was promised", got)
	}
	f.catchUp(t)
	if got := undealt(); got != 4 {
		t.Errorf("%d doubles are dealt to nobody after it has acknowledged its closing, want all but the one that it is known to have sold", got)
	}
	h.checkMemory(t)
}

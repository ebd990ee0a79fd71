package ledger

import (
	"context"
	"testing"
	"time"

	"ostler.example/hotel"
)

// told is a live channel that has everything, and a night of one of its counters.
func told(t *testing.T) (*farSide, hotel.Cell) {
	t.Helper()
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.goLive(t)
	f.catchUp(t)
	h.clock.move(time.Minute)
	return f, hotel.Cell{Line: f.counters[0].Line, Group: hotel.Availability, Night: h.today + 3}
}

// group returns what is known of a cell.
func (f *farSide) group(t *testing.T, c hotel.Cell) group {
	t.Helper()
	g, ok := f.groups(t)[c]
	if !ok {
		t.Fatalf("there is no cell %+v", c)
	}
	return g
}

// What is read is kept beside what was confirmed.
func TestWhatIsReadIsAFactOfItsOwn(t *testing.T) {
	f, cell := told(t)
	f.beginRead(t)
	f.endRead(t)
	g := f.group(t, cell)
	if !same(g.shown, g.held) || g.state != settled {
		t.Fatalf("shown %v, held %v, state %d", g.shown, g.held, g.state)
	}
}

func TestDoubtSettledByARead(t *testing.T) {
	for _, c := range []struct {
		name    string
		took    bool // the call that nobody answered
		during  bool // it ended while the far side was asked
		settled bool
		dirty   bool
	}{
		{"it took effect: nothing is to be sent", true, false, true, false},
		{"it had none: the value is to be sent still", false, false, true, true},
		{"it ended while the far side was asked: what was shown may be older", true, true, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, cell := told(t)
			f.h.closeNights(t, cell.Night, cell.Night, true)
			f.h.deriveAll(t)
			f.derive(t)
			f.begin(t, f.dirty(t))
			if c.took {
				f.take(0, nil)
			}
			if c.during {
				f.beginRead(t)
			}
			lost := f.calls[0].cells[0].Cell
			f.settle(t, 0, Settlement{State: DeliveryUnknown})
			if !c.during {
				f.beginRead(t)
			}
			f.endRead(t)
			g := f.group(t, lost)
			if (g.state == seen) != c.settled || g.dirty() != c.dirty {
				t.Errorf("state %d, dirty %t", g.state, g.dirty())
			}
			if held := g.held; same(held, g.want) {
				t.Errorf("what was read is taken for confirmed: %v", held)
			}
		})
	}
}

// What a channel has refused somebody sets there by hand: when it is seen, nothing
// is amiss any more.
func TestWhatWasRefusedIsSetByHand(t *testing.T) {
	f, cell := told(t)
	f.h.closeNights(t, cell.Night, cell.Night, true)
	f.h.deriveAll(t)
	f.derive(t)
	f.begin(t, f.dirty(t))
	refused := f.calls[0].cells[0]
	f.settle(t, 0, Settlement{State: DeliveryRejected})
	f.beginRead(t)
	f.endRead(t)
	if g := f.group(t, refused.Cell); g.state != rejected {
		t.Fatalf("state %d while it shows something else", g.state)
	}
	f.shown[refused.Cell] = refused.Value
	f.beginRead(t)
	f.endRead(t)
	if g := f.group(t, refused.Cell); g.state != seen || g.dirty() {
		t.Errorf("state %d, dirty %t", g.state, g.dirty())
	}
}

// Beyond its lifetime, and only then, a request without an answer is known to do
// nothing any more.
func TestARequestThatMayStillActKeepsItsDoubt(t *testing.T) {
	f, cell := told(t)
	if err := f.h.KeepTerms(context.Background(), f.id, hotel.Terms{StockPer: hotel.PerRoom, Lifetime: time.Minute}); err != nil {
		t.Fatal(err)
	}
	f.h.closeNights(t, cell.Night, cell.Night, true)
	f.h.deriveAll(t)
	f.derive(t)
	f.begin(t, f.dirty(t))
	lost := f.calls[0].cells[0].Cell
	f.settle(t, 0, Settlement{State: DeliveryUnknown})
	for _, after := range []time.Duration{30 * time.Second, 31 * time.Second} {
		f.h.clock.move(after)
		f.beginRead(t)
		f.endRead(t)
		if got, want := f.group(t, lost).state == seen, after > 30*time.Second; got != want {
			t.Errorf("settled: %t, want %t", got, want)
		}
	}
}

func TestWhatIsToBeRead(t *testing.T) {
	f, cell := told(t)
	ctx := context.Background()
	all := must(f.h.ToRead(ctx, f.id, ReadAll, f.h.today))(t)
	if len(all) != 2 || all[0].Room != "D" || all[0].Nights.From != f.h.today || all[0].Nights.Days() < 30 {
		t.Errorf("all: %+v", all)
	}
	if list := must(f.h.ToRead(ctx, f.id, ReadDoubts, f.h.today))(t); len(list) != 0 {
		t.Errorf("in doubt: %+v", list)
	}
	f.h.closeNights(t, cell.Night, cell.Night, true)
	f.h.deriveAll(t)
	f.derive(t)
	f.begin(t, f.dirty(t))
	f.settle(t, 0, Settlement{State: DeliveryUnknown})
	list := must(f.h.ToRead(ctx, f.id, ReadDoubts, f.h.today))(t)
	if len(list) == 0 || list[0].Nights != (hotel.Span{From: cell.Night, To: cell.Night}) {
		t.Errorf("in doubt: %+v", list)
	}
}

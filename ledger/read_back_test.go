package ledger

import (
	"context"
	"slices"
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

// A call without an answer is taken for dead, a read settles what it left open, and then it
// acts after all. lateCall has told a count, had a read settle it, and returns the cell with
// what such a call leaves there.
func lateCall(t *testing.T, terms hotel.Terms) (*farSide, SentCell) {
	t.Helper()
	f, cell := told(t)
	if err := f.h.KeepTerms(context.Background(), f.id, terms); err != nil {
		t.Fatal(err)
	}
	f.h.closeNights(t, cell.Night, cell.Night, true)
	f.h.deriveAll(t)
	f.derive(t)
	f.begin(t, f.dirty(t))
	late := f.calls[0].cells[0]
	f.settle(t, 0, Settlement{State: DeliveryUnknown})
	f.h.closeNights(t, cell.Night, cell.Night, false)
	f.h.deriveAll(t)
	f.derive(t)
	f.h.clock.move(10 * time.Minute)
	f.beginRead(t)
	f.endRead(t)
	if g := f.group(t, late.Cell); g.state != seen || g.dirty() {
		t.Fatalf("state %d, dirty %t, behind a read when the call was dead", g.state, g.dirty())
	}
	return f, late
}

// toldAgain reports whether a cell is to be told again once it has been read.
func (f *farSide) toldAgain(t *testing.T, c hotel.Cell) bool {
	t.Helper()
	f.beginRead(t)
	f.endRead(t)
	return slices.ContainsFunc(f.dirty(t), func(s SentCell) bool { return s.Cell == c })
}

// A count that is lower than what was read looks like a sale that is yet to be heard of, and
// is told again when none is.
func TestALateCallLooksLikeASale(t *testing.T) {
	f, late := lateCall(t, hotel.Terms{StockPer: hotel.PerRoom, AdjustsOn: hotel.Adjusts{Book: hotel.AdjustYes}})
	f.shown[late.Cell] = late.Value
	if f.toldAgain(t, late.Cell) {
		t.Error("what may have been sold is raised again at once")
	}
	f.h.clock.move(leastHeard)
	if !f.toldAgain(t, late.Cell) {
		t.Errorf("nobody has bought, %d is shown and nothing is sent", late.Value)
	}
}

// By a clock that was ahead the call was dead; when the clock is right again it acts. What a
// read shows then is no settlement.
func TestALateCallActsBehindAClockThatWasSetBack(t *testing.T) {
	f, late := lateCall(t, hotel.Terms{StockPer: hotel.PerRoom, Lifetime: time.Minute})
	f.h.clock.move(-10*time.Minute + time.Second)
	f.shown[late.Cell] = late.Value
	f.toldAgain(t, late.Cell)
	f.h.clock.move(10 * time.Minute)
	if !f.toldAgain(t, late.Cell) {
		t.Errorf("%d is shown and nothing is sent", late.Value)
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

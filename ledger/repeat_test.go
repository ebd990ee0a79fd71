package ledger

import (
	"context"
	"testing"
	"time"

	"ostler.example/hotel"
)

// The same words as in the newest call, of which nobody knows what became, go under
// its key, however often. Anything else is told anew.
func TestWhatIsToldAgainUnderItsKey(t *testing.T) {
	ctx := context.Background()
	lose := func(t *testing.T, f *farSide) Begun {
		t.Helper()
		b := must(f.h.Begin(ctx, NewDelivery{ChannelID: f.id, Kind: Push, Operation: "set", SentAt: f.h.clock.Now(), Cells: f.dirty(t)}))(t)
		if err := f.h.Settle(ctx, Settlement{DeliveryID: b.ID, State: DeliveryUnknown}); err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, c := range []struct {
		name    string
		terms   hotel.Terms
		between func(t *testing.T, f *farSide, cell hotel.Cell)
		same    bool
	}{
		{"the same again", hotel.Terms{RepeatKey: true}, func(*testing.T, *farSide, hotel.Cell) {}, true},
		{"by a channel that does not notice", hotel.Terms{}, func(*testing.T, *farSide, hotel.Cell) {}, false},
		{"after longer than keys are remembered", hotel.Terms{RepeatKey: true}, func(_ *testing.T, f *farSide, _ hotel.Cell) {
			f.h.clock.move(repeatFor + time.Minute)
		}, false},
		{"when something else was seen there since", hotel.Terms{RepeatKey: true}, func(t *testing.T, f *farSide, cell hotel.Cell) {
			f.beginRead(t)
			for i := range f.read.cells {
				if f.read.cells[i].Cell == cell {
					f.read.cells[i].Value = 7 // somebody set it by hand
				}
			}
			f.endRead(t)
		}, false},
		{"with another value", hotel.Terms{RepeatKey: true}, func(t *testing.T, f *farSide, cell hotel.Cell) {
			f.h.closeNights(t, cell.Night+1, cell.Night+1, true)
			f.h.deriveAll(t)
			f.derive(t)
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, cell := told(t)
			c.terms.StockPer = hotel.PerRoom
			if err := f.h.KeepTerms(ctx, f.id, c.terms); err != nil {
				t.Fatal(err)
			}
			f.h.closeNights(t, cell.Night, cell.Night, true)
			f.h.deriveAll(t)
			f.derive(t)
			first := lose(t, f)
			if first.Key != first.ID {
				t.Errorf("the first is told under %s, it is %s", first.Key, first.ID)
			}
			c.between(t, f, cell)
			for range 2 {
				again := lose(t, f)
				if got := again.Key == first.ID; got != c.same {
					t.Errorf("under the key of the first: %t, want %t", got, c.same)
				}
			}
		})
	}
}

// A far side remembers the first call under a key for a while, however often it is
// repeated.
func TestAKeyIsNotTakenForEver(t *testing.T) {
	ctx := context.Background()
	f, cell := told(t)
	if err := f.h.KeepTerms(ctx, f.id, hotel.Terms{RepeatKey: true, StockPer: hotel.PerRoom}); err != nil {
		t.Fatal(err)
	}
	f.h.closeNights(t, cell.Night, cell.Night, true)
	f.h.deriveAll(t)
	f.derive(t)
	keys := map[string]int{}
	for range 3 {
		b := must(f.h.Begin(ctx, NewDelivery{ChannelID: f.id, Kind: Push, Operation: "set", SentAt: f.h.clock.Now(), Cells: f.dirty(t)}))(t)
		if err := f.h.Settle(ctx, Settlement{DeliveryID: b.ID, State: DeliveryUnknown}); err != nil {
			t.Fatal(err)
		}
		keys[b.Key]++
		f.h.clock.move(repeatFor * 2 / 3)
	}
	if len(keys) != 2 {
		t.Errorf("three calls within 80 minutes have the keys %v", keys)
	}
}

// What was confirmed after a call without an outcome may be put in doubt, and is
// told again then, once.
func TestWhatALateCallMayHaveUndone(t *testing.T) {
	ctx := context.Background()
	f, cell := told(t)
	f.h.closeNights(t, cell.Night, cell.Night, true)
	f.h.deriveAll(t)
	f.derive(t)
	before := f.h.clock.Now()
	f.begin(t, f.dirty(t))
	f.settle(t, 0, Settlement{State: DeliveryUnknown})
	f.h.clock.move(time.Minute)
	f.begin(t, f.dirty(t))
	f.settle(t, 0, Settlement{State: DeliveryApplied})
	cells := must(f.h.EndedUnclear(ctx, f.id, before.Add(-time.Second), before.Add(time.Second)))(t)
	if later := must(f.h.EndedUnclear(ctx, f.id, before.Add(time.Second), f.h.clock.Now()))(t); len(cells) == 0 || len(later) != 0 {
		t.Fatalf("%d cells are unclear, %d later", len(cells), len(later))
	}
	if n := len(f.dirty(t)); n != 0 {
		t.Fatalf("%d cells are to be told", n)
	}
	for range 2 { // what is in doubt already stays so
		if err := f.h.DoubtCells(ctx, f.id, cells); err != nil {
			t.Fatal(err)
		}
		if n := len(f.dirty(t)); n != len(cells) {
			t.Errorf("%d cells are told again, want %d", n, len(cells))
		}
	}
	state := must(f.h.Channel(ctx, f.id))(t)
	if state.Unknown == 0 || state.SyncedThrough >= state.DerivedThrough {
		t.Errorf("%d are in doubt, synced through %d of %d", state.Unknown, state.SyncedThrough, state.DerivedThrough)
	}
}

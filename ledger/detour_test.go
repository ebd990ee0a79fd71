package ledger

import (
	"testing"
	"time"

	"ostler.example/hotel"
)

// detoured is a channel one night of which is short, and closed by another route.
func detoured(t *testing.T) (*farSide, hotel.Cell) {
	t.Helper()
	f, cell := told(t)
	if err := f.h.KeepTerms(t.Context(), f.id, hotel.Terms{ClosesApart: true}); err != nil {
		t.Fatal(err)
	}
	f.short(t, cell.Night)
	f.h.look(t)
	f.takesClosings(t)
	return f, cell
}

// takesClosings tells the channel its closings, and nothing else.
func (f *farSide) takesClosings(t *testing.T) {
	t.Helper()
	var closings []SentCell
	for _, c := range f.dirty(t) {
		if c.Cell.Group == hotel.Closures {
			closings = append(closings, c)
		}
	}
	f.begin(t, closings)
	f.take(0, nil)
	f.settle(t, 0, Settlement{State: DeliveryApplied})
}

// cuts counts the products that are closed on a night for want of a count.
func (f *farSide) cuts(t *testing.T, night hotel.Date) int {
	t.Helper()
	return f.h.number(t, "SELECT COUNT(*) FROM price_cell WHERE cut_at IS NOT NULL AND closures_want & 1 AND night = ?", int64(night))
}

// What is closed for want of a count stays closed while the channel is paused or frozen, and
// is nothing at risk: who resumes it opens nothing whose count it does not know.
func TestPauseOpensNothingThatIsClosedForWantOfACount(t *testing.T) {
	for name, frozen := range map[string]bool{"paused": false, "frozen": true} {
		f, cell := detoured(t)
		must2(f.h.PauseChannel(t.Context(), tester, hotel.Once{}, f.id, 0, frozen))(t)
		f.h.clock.move(10 * time.Minute)
		for _, c := range f.h.look(t) {
			if facts := must(exposedFactsOf(&c))(t); facts.Nights[0].From <= cell.Night && cell.Night <= facts.Nights[0].To {
				t.Errorf("%s: at risk though it is closed: %s", name, c.Facts)
			}
		}
		if n := f.cuts(t, cell.Night); n != 2 {
			t.Errorf("%s: %d of 2 products are closed", name, n)
		}
		must2(f.h.ActivateChannel(t.Context(), tester, hotel.Once{}, f.id, must(f.h.read.NewestEntry(t.Context()))(t).Sequence, hotel.Approval{AcceptedBy: "somebody"}))(t)
		for f.derive(t) {
		}
		f.h.look(t)
		if n := f.cuts(t, cell.Night); n != 2 {
			t.Errorf("%s and resumed: %d of 2 products are closed", name, n)
		}
		f.catchUp(t)
		f.h.look(t)
		if n := f.cuts(t, cell.Night); n != 0 {
			t.Errorf("%s and resumed: %d products are closed though the count is confirmed", name, n)
		}
	}
}

// Somebody is called about what is short and cannot be closed, also where it fails here.
func TestWhatCannotBeStoredAsClosedIsAtRisk(t *testing.T) {
	f, cell := told(t)
	if err := f.h.KeepTerms(t.Context(), f.id, hotel.Terms{ClosesApart: true}); err != nil {
		t.Fatal(err)
	}
	f.short(t, cell.Night)
	f.h.exec(t, "CREATE TRIGGER ill BEFORE UPDATE OF cut_at ON price_cell WHEN NEW.cut_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'ill'); END")
	if _, err := f.h.NoteStale(t.Context()); err == nil {
		t.Error("nothing is said of what failed")
	}
	if got := f.h.conflicts(t, hotel.ConflictExposed); len(got) != 1 || got[0].Status != hotel.ConflictOpen {
		t.Fatalf("%d conflicts", len(got))
	}
	f.h.exec(t, "DROP TRIGGER ill")
	if got := f.h.look(t); len(got) != 1 || got[0].DecidedBy != hotel.ByItself || f.cuts(t, cell.Night) != 2 {
		t.Errorf("once it can be closed: %+v", got)
	}
}

// What is left closed as the channel shows it stays so: nothing is at risk there, and it is not
// opened with what was closed for want of a count.
func TestWhatIsLeftClosedIsClosedByNoOtherRoute(t *testing.T) {
	for name, shown := range map[string]int64{"all of it is left": closedHere, "some of it is left": closedHere | noArrival} {
		t.Run(name, func(t *testing.T) {
			b := newInbox(t)
			b.asks(t, fieldPolicies(map[hotel.Field]hotel.DriftPolicy{hotel.FieldClosed: hotel.AskOwner, hotel.FieldClosedToArrival: hotel.Ours}))
			if err := b.KeepTerms(t.Context(), b.f.id, hotel.Terms{ClosesApart: true}); err != nil {
				t.Fatal(err)
			}
			night, at := b.today+3, hotel.Cell{}
			b.live(t)
			b.f.beginRead(t)
			b.f.endRead(t)
			for _, m := range b.f.mappings {
				if m.RoomTypeID == b.double.ID {
					at = hotel.Cell{Line: m.Line, Group: hotel.Closures, Night: night}
					b.f.shown[at] = shown
				}
			}
			b.f.beginRead(t)
			b.f.endRead(t)
			b.f.catchUp(t)
			if got := b.f.shown[at]; got != closedHere {
				t.Fatalf("before: shown as %d", got)
			}
			b.f.short(t, night)
			for range 2 {
				for _, c := range b.look(t) {
					t.Errorf("at risk: %s", c.Facts)
				}
				if n := b.f.cuts(t, night); n != 0 {
					t.Errorf("%d products are closed anew", n)
				}
				b.clock.move(time.Minute)
			}
			b.f.catchUp(t)
			b.look(t)
			b.f.catchUp(t)
			if got := b.f.shown[at]; got != closedHere {
				t.Errorf("shown as %d once the count is confirmed", got)
			}
		})
	}
}

// TestCountersAreReadOnce: a look at a channel that is out of date judges what it may sell
// by the counters that were read for what is to be closed there.
func TestCountersAreReadOnce(t *testing.T) {
	f, cell := told(t)
	if err := f.h.KeepTerms(t.Context(), f.id, hotel.Terms{ClosesApart: true}); err != nil {
		t.Fatal(err)
	}
	f.short(t, cell.Night)
	row := must(f.h.read.GetChannel(t.Context(), f.id))(t)
	stale := must(f.h.staleNow(t.Context(), f.h.read, row))(t)
	way := must(f.h.detourOf(t.Context(), f.h.read, row, stale))(t)
	if a := must(f.h.alarmOf(t.Context(), f.h.read, row, stale, way))(t); a.is == nil {
		t.Fatal("a night is short, and nobody is called")
	}
	way.sold.cells = nil
	if a := must(f.h.alarmOf(t.Context(), f.h.read, row, stale, way))(t); a.is != nil {
		t.Errorf("without counters somebody is called about %s", a.is.Facts)
	}
}

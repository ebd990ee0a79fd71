package ledger

import (
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// look has the ledger look for channels that are out of date, twice: what is found
// the second time is what was found the first time.
func (h *house) look(t *testing.T) []hotel.Conflict {
	t.Helper()
	for range 2 {
		if _, err := h.NoteStale(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return h.conflicts(t, hotel.ConflictExposed)
}

// short leaves one double on a night, of which the channel does not know, and lets
// ten minutes pass.
func (f *farSide) short(t *testing.T, night hotel.Date) {
	t.Helper()
	f.h.oneDouble(t, night)
	f.derive(t)
	f.h.clock.move(10 * time.Minute)
}

// oneDouble leaves one double on a night.
func (h *house) oneDouble(t *testing.T, night hotel.Date) {
	t.Helper()
	must2(h.UpdateInventory(t.Context(), tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.InventoryEntry{{
		RoomTypeID: h.double.ID, Dates: hotel.Dates{Span: hotel.Span{From: night, To: night}}, SellLimit: hotel.Given(1),
	}}}))(t)
	h.deriveAll(t)
}

// Somebody is called when a channel does not know for ten minutes how few rooms are
// left, with what it may sell, and no more once it knows.
func TestShortNightsAtAChannelOutOfDate(t *testing.T) {
	f, cell := told(t)
	f.short(t, cell.Night)
	f.h.clock.move(-time.Second)
	if got := f.h.look(t); len(got) != 0 {
		t.Fatalf("before its time: %s", got[0].Facts)
	}
	f.h.clock.move(time.Second)
	got := f.h.look(t)
	if len(got) != 1 || got[0].Status != hotel.ConflictOpen || got[0].Severity != hotel.Critical || got[0].Applied.Level != "default" {
		t.Fatalf("after ten minutes: %+v", got)
	}
	want := `"unavailable":["other_route"],"nights":[{"room_type_id":"` + f.h.double.ID + `","from":"` + cell.Night.String() + `","to":"` + cell.Night.String() + `","shown":`
	if facts := string(got[0].Facts); !strings.Contains(facts, want) || !strings.HasSuffix(facts, `"free":1}]}`) {
		t.Errorf("facts %s, want %s", facts, want)
	}
	f.catchUp(t)
	if got = f.h.look(t); len(got) != 1 || got[0].DecidedBy != hotel.ByItself {
		t.Errorf("once it knows: %+v", got)
	}
	if v := f.h.live(t, quietly); len(v.Differences) != 0 {
		t.Errorf("%+v", v.Differences)
	}
}

// What somebody has decided holds for the outage; the next one is another.
func TestShortNightsAreDecidedOnceAnOutage(t *testing.T) {
	for _, option := range []string{hotel.OptionAccept, hotel.OptionCloseAll} {
		f, cell := told(t)
		f.short(t, cell.Night)
		f.h.look(t)
		f.h.resolve(t, f.h.conflict(t, hotel.ConflictExposed), option, "")
		f.h.deriveAll(t)
		free := f.h.number(t, "SELECT available FROM house_stock WHERE night = ? AND room_type_id = ?", int64(cell.Night), f.h.double.ID)
		if want := map[string]int{hotel.OptionAccept: 1}[option]; free != want {
			t.Errorf("%s: %d free, want %d", option, free, want)
		}
		f.h.clock.move(time.Minute)
		if got := f.h.look(t); len(got) != 1 {
			t.Errorf("%s: asked again", option)
		}
		f.catchUp(t)
		f.short(t, cell.Night+1)
		if got := f.h.look(t); len(got) != 2 {
			t.Errorf("%s: not asked in the next outage", option)
		}
	}
}

// Where a policy says so, the nights are closed when nobody has decided in time.
func TestShortNightsAreClosedAtADeadline(t *testing.T) {
	f, cell := told(t)
	f.h.policies(t, hotel.Policies{OnDeadline: map[hotel.ConflictKind]hotel.DeadlinePolicy{hotel.ConflictExposed: {After: 5, Option: hotel.OptionCloseAll}}})
	f.catchUp(t)
	f.short(t, cell.Night)
	f.h.look(t)
	f.h.clock.move(5 * time.Minute)
	if f.h.decideDue(t) != 1 {
		t.Fatal("not decided at its deadline")
	}
	f.h.deriveAll(t)
	if f.h.number(t, "SELECT SUM(available) FROM house_stock WHERE night = ? AND room_type_id = ?", int64(cell.Night), f.h.double.ID) != 0 {
		t.Error("the night is on sale")
	}
}

// Or at once; and what becomes short later in the same outage, too.
func TestShortNightsAreClosedOut(t *testing.T) {
	f, cell := told(t)
	f.h.policies(t, hotel.Policies{Staleness: &hotel.StalenessPolicy{AfterMinutes: 10, FreeAtMost: 2, Then: []hotel.StaleStep{hotel.StaleOtherRoute, hotel.StaleCloseOut, hotel.StaleCall}}})
	f.catchUp(t)
	for i, night := range []hotel.Date{cell.Night, cell.Night + 1} {
		f.short(t, night)
		f.h.look(t)
		if n := f.h.decideDue(t); n != 1 {
			t.Fatalf("%d decided", n)
		}
		got := f.h.look(t)
		if len(got) != i+1 || got[0].DecidedBy != hotel.ByPolicy || got[0].Resolution.Option != hotel.OptionCloseAll || got[0].Applied.Field != "staleness" {
			t.Errorf("decided %+v", got)
		}
		f.h.deriveAll(t)
		f.derive(t)
		if f.h.number(t, "SELECT SUM(available) FROM house_stock WHERE night = ? AND room_type_id = ?", int64(night), f.h.double.ID) != 0 {
			t.Errorf("%s is on sale", night)
		}
		if f.h.decideDue(t) != 0 {
			t.Error("decided again")
		}
	}
}

// Policies say when, how few rooms are few, and whether anybody is called.
func TestStalenessPolicies(t *testing.T) {
	for name, c := range map[string]struct {
		p    hotel.StalenessPolicy
		want int
	}{
		"later":         {hotel.StalenessPolicy{AfterMinutes: 11, FreeAtMost: 2, Then: []hotel.StaleStep{hotel.StaleCall}}, 0},
		"fewer rooms":   {hotel.StalenessPolicy{AfterMinutes: 10, Then: []hotel.StaleStep{hotel.StaleCall}}, 0},
		"nothing":       {hotel.StalenessPolicy{AfterMinutes: 10, FreeAtMost: 2}, 0},
		"no other way":  {hotel.StalenessPolicy{AfterMinutes: 10, FreeAtMost: 2, Then: []hotel.StaleStep{hotel.StaleOtherRoute}}, 0},
		"sooner, a few": {hotel.StalenessPolicy{AfterMinutes: 1, FreeAtMost: 1, Then: []hotel.StaleStep{hotel.StaleCall}}, 1},
	} {
		f, cell := told(t)
		f.h.policies(t, hotel.Policies{Staleness: &c.p})
		f.catchUp(t)
		f.short(t, cell.Night)
		if got := f.h.look(t); len(got) != c.want {
			t.Errorf("%s: %d conflicts, want %d", name, len(got), c.want)
		}
	}
}

// Where closings go another way than counts, the nights are closed at the channel itself.
// Somebody is called when it has not confirmed that within a minute, and they are open again
// once it has confirmed the counts.
func TestShortNightsAreClosedByAnotherRoute(t *testing.T) {
	f, cell := told(t)
	if err := f.h.KeepTerms(t.Context(), f.id, hotel.Terms{ClosesApart: true}); err != nil {
		t.Fatal(err)
	}
	f.short(t, cell.Night)
	if got := f.h.look(t); len(got) != 0 {
		t.Fatalf("called at once: %s", got[0].Facts)
	}
	closed := func() (n int) {
		for _, m := range f.mappings {
			if m.RoomTypeID == f.h.double.ID {
				n += f.h.number(t, "SELECT closures_want & 1 FROM price_cell WHERE line = ? AND night = ?", m.Line, int64(cell.Night))
			}
		}
		return n
	}
	if n := closed(); n != 2 || f.h.number(t, "SELECT COUNT(*) FROM price_cell WHERE cut_at IS NOT NULL") != 2 {
		t.Errorf("%d of 2 products are to be closed", n)
	}
	f.h.clock.move(time.Minute)
	got := f.h.look(t)
	if len(got) != 1 || got[0].Status != hotel.ConflictOpen || !strings.Contains(string(got[0].Facts), `"tried":["other_route"],"nights":[{"room_type_id":"`+f.h.double.ID+`"`) {
		t.Fatalf("not confirmed for a minute: %+v", got)
	}

	var closings []SentCell
	for _, c := range f.dirty(t) {
		if c.Cell.Group == hotel.Closures {
			closings = append(closings, c)
		}
	}
	f.begin(t, closings)
	f.take(0, nil)
	f.settle(t, 0, Settlement{State: DeliveryApplied})
	if got = f.h.look(t); len(got) != 1 || got[0].DecidedBy != hotel.ByItself {
		t.Errorf("once it is closed there: %+v", got)
	}
	if v := f.h.live(t, quietly); len(v.Differences) != 0 {
		t.Errorf("%+v", v.Differences)
	}

	f.catchUp(t)
	f.h.look(t)
	if n := closed(); n != 0 {
		t.Errorf("%d products are still to be closed though the count is confirmed", n)
	}
}

// What a channel is to show is worked out where it lives. Where it does not, the nights are
// closed all the same, and somebody is called when that is not confirmed either.
func TestShortNightsAtAChannelThatDoesNotLive(t *testing.T) {
	f, cell := told(t)
	if err := f.h.KeepTerms(t.Context(), f.id, hotel.Terms{ClosesApart: true}); err != nil {
		t.Fatal(err)
	}
	f.h.oneDouble(t, cell.Night)
	f.h.clock.move(10 * time.Minute)
	if got := f.h.look(t); len(got) != 0 {
		t.Fatalf("called at once: %s", got[0].Facts)
	}
	if n := f.h.number(t, "SELECT COUNT(*) FROM price_cell WHERE cut_at IS NOT NULL AND night = ?", int64(cell.Night)); n != 2 {
		t.Errorf("%d of 2 products are to be closed", n)
	}
	f.h.clock.move(time.Minute)
	if got := f.h.look(t); len(got) != 1 || got[0].Status != hotel.ConflictOpen {
		t.Fatalf("not confirmed for a minute: %+v", got)
	}
	f.catchUp(t)
	if got := f.h.look(t); len(got) != 1 || got[0].DecidedBy != hotel.ByItself {
		t.Errorf("once it lives: %+v", got)
	}
	if n := f.h.number(t, "SELECT COUNT(*) FROM price_cell WHERE cut_at IS NOT NULL"); n != 0 {
		t.Errorf("%d products are still to be closed", n)
	}
}

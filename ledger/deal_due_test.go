package ledger

import (
	"fmt"
	"testing"
	"time"

	"ostler.example/hotel"
)

// protect changes how the doubles are guarded.
func (h *house) protect(t *testing.T, kind hotel.ProtectionKind) {
	t.Helper()
	h.protectPool(t, h.double, kind)
}

// protectPool protects the pool of a room type.
func (h *house) protectPool(t *testing.T, room hotel.RoomType, kind hotel.ProtectionKind) {
	t.Helper()
	pool := must(h.RoomType(t.Context(), room.ID))(t).Consumes[0].AnyOf[0]
	must2(h.ChangePool(t.Context(), tester, hotel.Once{}, pool, hotel.Change[hotel.Pool]{Apply: func(p *hotel.Pool) error {
		p.Protection = hotel.Protection{Kind: kind}
		return nil
	}}))(t)
}

// guarded is how many nights have parties.
func (h *house) guarded(t *testing.T) int {
	t.Helper()
	return h.number(t, "SELECT COUNT(DISTINCT night) FROM party")
}

// A change of protection holds the writer for a few nights at a time, the nearest
// first. What is not dealt yet is sold as before; a start of the program goes on
// where the last life was.
func TestProtectionIsDealtInPieces(t *testing.T) {
	h := newHouse(t)
	h.exec(t, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 99)")
	h.property.HorizonDays = 99
	h.deriveAll(t)
	f := h.newFarSide(t, 2)
	f.goLive(t)
	for f.derive(t) {
	}
	most := must(nightsAtOnce(t.Context(), h.read, h.property.ID))(t)
	h.protect(t, hotel.Guarded)
	before := h.guarded(t)
	if first := h.number(t, "SELECT COUNT(DISTINCT night) FROM party WHERE night < ?", h.today+hotel.Date(most)); before != most || first != most {
		t.Fatalf("the change itself guards %d nights, %d of them among the first %d", before, first, most)
	}
	h.reopen(t)
	for must(h.DeriveDue(t.Context()))(t) {
		got := h.guarded(t)
		if got > before+most {
			t.Fatalf("one item guards %d nights, want at most %d", got-before, most)
		}
		before = got
	}
	if before != 100 {
		t.Fatalf("%d nights are guarded in the end, want all", before)
	}
	// What a channel showed on a night that was never told anything is what was stated.
	if n := h.number(t, "SELECT COUNT(*) FROM party WHERE account IS NOT 2"); n > 0 {
		t.Errorf("of %d parties it is forgotten what they were stated to show", n)
	}
	h.protect(t, hotel.Shared)
	if got := h.guarded(t); got != 100-most {
		t.Errorf("%d nights are guarded after the first piece is given back, want %d", got, 100-most)
	}
	must(h.setPrice(h.double, h.flex, h.today+98, h.today+98, 9000))(t)
	must2(h.book(h.double, h.today+98, h.today+99, hotel.Once{}))(t)
	for must(h.DeriveDue(t.Context()))(t) {
	}
	if got := h.guarded(t); got > 0 {
		t.Errorf("%d nights are guarded after the pool is shared again", got)
	}
}

// A room that comes free while somebody waits for one is kept from the channels. Whoever
// waited is gone with the program: the next life deals the room, though nothing else
// happens on that night.
func TestARoomKeptForNobodyIsDealtAfterAStart(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.promises(t, promising(nil))
	h.protect(t, hotel.Guarded)
	f.goLive(t)
	f.catchUp(t)
	h.exec(t, "UPDATE party SET account = 0, raised = 0, doing = ''")
	h.reopen(t)
	night := h.today + 2
	var last hotel.Reservation
	for {
		r, _, err := h.book(h.double, night, night+1, hotel.Once{})
		if err != nil {
			break
		}
		last = r
	}
	h.drain(t)
	wait := h.clock.Now().Add(20 * time.Second)
	if err := h.Recall(t.Context(), tester, h.property.ID, wanted(h.double.ID, hotel.Stay{CheckIn: night, CheckOut: night + 1}), wait, wait); err != nil {
		t.Fatal(err)
	}
	must2(h.CancelReservation(t.Context(), tester, hotel.Once{}, last.ID, hotel.CancelRequest{}))(t)
	ordered := func() int {
		h.drain(t)
		for f.derive(t) {
		}
		return h.number(t, "SELECT COALESCE(SUM(ordered), 0) FROM stock_cell WHERE line = ? AND night = ?", f.counters[0].Line, night)
	}
	if n := ordered(); n != 0 {
		t.Fatalf("%d rooms are dealt while somebody waits for the one that is free", n)
	}
	h.reopen(t)
	must(h.Recover(t.Context()))(t)
	if n := ordered(); n != 1 {
		t.Errorf("%d rooms are dealt after the start, want the one that is free", n)
	}
}

// New cells are dealt with the item that stores them, so that none is told before it
// is known to be guarded; such items take whole nights, and few of them.
func TestNewCellsAreGuardedAtOnce(t *testing.T) {
	h := newHouse(t)
	h.exec(t, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 99)")
	h.property.HorizonDays = 99
	h.protect(t, hotel.Guarded)
	h.deriveAll(t)
	f := h.newFarSide(t, 0)
	f.goLive(t)
	must(h.dealNext(t.Context()))(t)
	for f.derive(t) {
		if n := h.number(t, "SELECT COUNT(*) FROM stock_cell c JOIN counter l ON l.id = c.line WHERE c.dirty AND NOT c.guarded AND l.remote_room IN ('D', 'T')"); n > 0 {
			t.Fatalf("%d cells of a guarded pool may be told as if it were shared", n)
		}
	}
	if got := h.guarded(t); got != 100 {
		t.Errorf("%d nights are guarded, want all", got)
	}
}

// What somebody left standing, and what waited for somebody, is closed all the same when
// its pool comes to be guarded: otherwise nothing of the pool could ever be dealt.
func TestWhatWaitedIsClosedWhenItIsGuarded(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 2)
	f.goLive(t)
	f.catchUp(t)
	for i, s := range []state{withheld, seen, left} {
		h.exec(t, fmt.Sprintf("UPDATE stock_cell SET state = %d, shown = 4, shown_at = 1 WHERE night = %d", s, int64(h.today)+int64(i)))
	}
	h.protect(t, hotel.Guarded)
	h.deriveAll(t)
	told := map[hotel.Date]int{}
	for _, c := range f.dirty(t) {
		if c.Value == 0 && c.Cell.Line == f.counters[0].Line {
			told[c.Cell.Night]++
		}
	}
	for i := range hotel.Date(4) {
		if told[h.today+i] != 1 {
			t.Errorf("of day %d it is told %d times that it is closed, want once", i, told[h.today+i])
		}
	}
}

func TestPiecesOfWanted(t *testing.T) {
	wanted := func(nights ...hotel.Date) (list []Wanted) {
		for _, d := range nights {
			list = append(list, Wanted{Cell: hotel.Cell{Night: d}})
		}
		return list
	}
	for _, c := range []struct {
		name          string
		wanted        []Wanted
		nights, first int
	}{
		{"nothing", nil, 2, 0},
		{"any number of nights", wanted(1, 2, 3, 4), 0, 4},
		{"whole nights", wanted(1, 1, 2, 3, 3), 2, 3},
		{"fewer than it takes", wanted(1, 2), 2, 2},
		{"no more cells than one item takes in", make([]Wanted, DeriveAtMost+1), 1, DeriveAtMost},
	} {
		now, later := piece(c.wanted, c.nights)
		if len(now) != c.first || len(now)+len(later) != len(c.wanted) {
			t.Errorf("%s: %d of %d, want %d", c.name, len(now), len(c.wanted), c.first)
		}
	}
}

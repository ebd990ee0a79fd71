package ledger

import (
	"context"
	"errors"
	"testing"

	"ostler.example/hotel"
)

// totals is a far side that is told the most that it sells in all, and has sold a
// double on a night.
func totals(t *testing.T) (*farSide, hotel.Date) {
	t.Helper()
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.total = true
	if err := h.KeepTerms(context.Background(), f.id, hotel.Terms{StockPer: hotel.PerRoom, TotalLimit: true}); err != nil {
		t.Fatal(err)
	}
	f.goLive(t)
	f.catchUp(t)
	night := h.today + 3
	f.sell(f.counters[0], night)
	f.catchUp(t)
	f.check(t)
	return f, night
}

// What a sale of its own leaves is what it shows by itself, so that it is told nothing
// whenever it was told last; and what it is told next has the sale in it.
func TestTotalsHaveTheirSalesInThem(t *testing.T) {
	f, night := totals(t)
	cell := hotel.Cell{Line: f.counters[0].Line, Group: hotel.Availability, Night: night}
	f.sell(f.counters[0], night)
	for len(f.mail) > 0 {
		f.hear(t, 0)
	}
	f.h.deriveAll(t)
	for f.derive(t) {
	}
	for _, c := range f.dirty(t) {
		if c.Cell == cell {
			t.Errorf("after its own sale it is told %+v", c)
		}
	}
	f.catchUp(t)
	f.check(t)
	must2(f.h.book(f.h.double, night, night+1, hotel.Once{}))(t)
	f.h.deriveAll(t)
	for f.derive(t) {
	}
	told := f.dirty(t)
	for _, c := range told {
		if c.Cell == cell && (c.Sold != 2 || c.Value != f.expected(t)[cell]) {
			t.Errorf("after a direct sale it is told %+v", c)
		}
	}
	if len(told) == 0 {
		t.Error("it is told nothing of a direct sale")
	}
	f.catchUp(t)
	f.check(t)
}

// What was planned before the channel was heard to have sold another room of the same
// pool in place of one is not sent: it says a total that has the wrong one in it.
func TestTotalsThatWereOutrun(t *testing.T) {
	f, night := totals(t)
	f.h.closeNights(t, night, night, true)
	f.catchUp(t)
	f.h.closeNights(t, night, night, false)
	f.h.deriveAll(t)
	for f.derive(t) {
	}
	var planned []SentCell
	for _, c := range f.dirty(t) {
		if c.Cell.Group == hotel.Availability {
			planned = append(planned, c)
		}
	}
	f.rebook(0, f.counters[1])
	f.shown[hotel.Cell{Line: f.counters[1].Line, Group: hotel.Availability, Night: night}]--
	for len(f.mail) > 0 {
		f.hear(t, 0)
	}
	f.h.deriveAll(t)
	for f.derive(t) {
	}
	_, err := f.h.Begin(context.Background(), NewDelivery{ChannelID: f.id, Kind: Push, Operation: "set", Lane: 1, SentAt: f.h.clock.Now(), Cells: planned})
	if len(planned) == 0 || !errors.Is(err, ErrOutrun) {
		t.Errorf("%+v is sent: %v", planned, err)
	}
}

// A message that somebody is asked about may be true or not: until it is decided no
// night that it touches is taken for sold, and afterwards the numbers follow from the
// decision, though the message itself has long been answered.
func TestTotalsFollowDecisions(t *testing.T) {
	for option, line := range map[string]int{hotel.OptionApply: 1, hotel.OptionIgnore: 0} {
		f, night := totals(t)
		before := f.bookings[0]
		f.rebook(0, f.counters[1])
		f.mail[0].Revision, f.mail[0].Order = "", hotel.OrderRevisionNumber
		f.hear(t, 0)
		if option == hotel.OptionIgnore { // it is not true
			f.shown[hotel.Cell{Line: f.counters[0].Line, Group: hotel.Availability, Night: night}]--
			f.shown[hotel.Cell{Line: f.counters[1].Line, Group: hotel.Availability, Night: night}]++
			f.bookings[0] = before
		}
		f.catchUp(t)
		want := f.expected(t)
		for _, c := range f.counters {
			cell := hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: night}
			if shown := *f.at(cell); shown > want[cell] {
				t.Errorf("%s: while it is asked %s shows %d, %d are free", option, c.RemoteRoom, shown, want[cell])
			}
		}
		f.h.resolve(t, f.h.conflict(t, hotel.ConflictStale), option, "")
		f.catchUp(t)
		f.check(t)
		sold := must((&tx{ctx: context.Background(), q: f.h.read, l: f.h.Ledger}).inAllOf(must(f.h.read.GetChannel(context.Background(), f.id))(t), hotel.Span{From: night, To: night}))(t)
		for i, c := range f.counters {
			n := sold.of(hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: night}, 1)
			if (n == 1) != (i == line) {
				t.Errorf("%s: %s counts as having sold %d", option, c.RemoteRoom, n)
			}
		}
	}
}

// What a channel is told is told again when it turns out to mean something else.
func TestATotalThatWasTakenForWhatIsLeft(t *testing.T) {
	f, night := totals(t)
	f.total = false
	if err := f.h.KeepTerms(context.Background(), f.id, hotel.Terms{StockPer: hotel.PerRoom}); err != nil {
		t.Fatal(err)
	}
	f.shown[hotel.Cell{Line: f.counters[0].Line, Group: hotel.Availability, Night: night}] = 7
	f.catchUp(t)
	f.check(t)
}

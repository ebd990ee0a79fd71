package ledger

import (
	"context"
	"testing"

	"ostler.example/hotel"
)

// TestImportedSalesAreInTheTotal: what a channel is told in all has the rooms in it that
// a file says it has sold, at once and once; those of others are not.
func TestImportedSalesAreInTheTotal(t *testing.T) {
	f, night := totals(t)
	cell := hotel.Cell{Line: f.counters[0].Line, Group: hotel.Availability, Night: night}
	from := int(night - f.h.today)
	sold := func() int {
		t.Helper()
		row := must(f.h.read.GetChannel(context.Background(), f.id))(t)
		all := must((&tx{ctx: context.Background(), q: f.h.read, l: f.h.Ledger}).inAllOf(row, hotel.Span{From: night, To: night}))(t)
		return all.of(cell, 1)
	}
	if n := sold(); n != 1 {
		t.Fatalf("%d are sold before", n)
	}
	want := f.expected(t)[cell]
	rows := []hotel.ImportRow{
		f.h.row(from, 1, of(f.id, "FILE1", "1")),
		f.h.row(from, 1, func(r *hotel.ImportRow) { of(f.id, "FILE2", "1")(r); r.Status = hotel.Cancelled }),
		f.h.row(from, 1, nil), // sold directly
	}
	f.h.outcomes(t, false, rows...)
	f.h.outcomes(t, false, rows...)
	f.h.deriveAll(t)
	for f.derive(t) {
	}
	if n := sold(); n != 2 {
		t.Errorf("%d are sold with the file", n)
	}
	for _, c := range f.dirty(t) {
		if c.Cell == cell && (c.Sold != 2 || c.Value != want-2) {
			t.Errorf("it is told %+v, it was to show %d", c, want)
		}
	}
}

// TestATotalStaysWithinWhatTheChannelTakes: where the channel takes numbers up to a bound,
// what it has sold leaves so much less of it.
func TestATotalStaysWithinWhatTheChannelTakes(t *testing.T) {
	f, night := totals(t)
	must2(f.h.book(f.h.double, night, night+1, hotel.Once{}))(t)
	f.h.deriveAll(t)
	looked := 0
	for _, s := range must(f.h.Work(context.Background(), f.id, Reach{}, Turn{}))(t).Stock {
		if s.Line != f.counters[0].Line {
			continue
		}
		want := 0
		if s.Night == night {
			want = 1
			looked++
		}
		if s.Channel.Sold != want {
			t.Errorf("%d are sold on %s, expected %d", s.Channel.Sold, s.Night, want)
		}
	}
	if looked != 1 {
		t.Errorf("the night is looked at %d times", looked)
	}
}

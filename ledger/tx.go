package ledger

import (
	"context"
	"maps"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// tx is one item while it runs: its statements, its instant, and what is to
// follow when its batch is committed. Everything in it but the database is
// dropped when the item fails.
type tx struct {
	ctx context.Context // never cancelled: a batch belongs to all its callers
	q   *ledgerdb.Queries
	l   *Ledger
	b   *batch
	now time.Time
	by  hotel.By

	steady time.Time // now, by the clock that nobody sets

	heads   heads
	effects effects
	parties map[string]bool              // whether a property had any when the item first asked
	sold    map[string][]hotel.RoomNight // what the item has sold directly, in order, by property

	soldDealt map[string]nightSet // nights on which it has sold rooms knowingly that channels were granted, by property

	newGuests []string // profiles that the item has made of whom bookings name
	touched   []string // groups that it has made or changed

	undo *undoDraft // what the decision of the item may take back

	once     hotel.Once // the key under which the effect is kept, if any
	replayed bool       // the effect had happened before
}

func newTx(b *batch, by hotel.By) *tx {
	return &tx{ctx: context.Background(), q: b.w.q, l: b.w.l, b: b, now: b.now, steady: b.w.l.clock.Steady(), by: by, heads: b.heads.over()}
}

// micros returns the item's instant as it is stored.
func (t *tx) micros() int64 { return t.now.UnixMicro() }

// nightSet is a set of nights.
type nightSet map[hotel.Date]struct{}

func setOf(nights ...hotel.Date) nightSet {
	s := make(nightSet, len(nights))
	for _, d := range nights {
		s[d] = struct{}{}
	}
	return s
}

func (s nightSet) addStay(stay hotel.Stay) {
	for d := stay.CheckIn; d < stay.CheckOut; d++ {
		s[d] = struct{}{}
	}
}

func (s nightSet) addSpan(span hotel.Span) {
	for d := span.From; d <= span.To; d++ {
		s[d] = struct{}{}
	}
}

// sorted lists the nights in ascending order.
func (s nightSet) sorted() []hotel.Date { return slices.Sorted(maps.Keys(s)) }

// spans lists the nights as inclusive ranges, in ascending order.
func (s nightSet) spans() []hotel.Span {
	var spans []hotel.Span
	for _, d := range s.sorted() {
		if n := len(spans) - 1; n >= 0 && spans[n].To+1 == d {
			spans[n].To = d
			continue
		}
		spans = append(spans, hotel.Span{From: d, To: d})
	}
	return spans
}

func instant(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

func instantOrZero(micros *int64) time.Time {
	if micros == nil {
		return time.Time{}
	}
	return instant(*micros)
}

func microsOrNil(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	v := t.UnixMicro()
	return &v
}

func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func numberOrNil(n *int) *int64 {
	if n == nil {
		return nil
	}
	v := int64(*n)
	return &v
}

func numberOf(n *int64) *int {
	if n == nil {
		return nil
	}
	v := int(*n)
	return &v
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

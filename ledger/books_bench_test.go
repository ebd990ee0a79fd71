package ledger

import (
	"context"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
)

// BenchmarkYearOfBooks reads the books of a year of a hotel with a hundred rooms,
// three quarters of which are taken for two nights each, and works out its revenue by
// day and seller: as they are, and as they stood.
func BenchmarkYearOfBooks(b *testing.B) {
	ctx, h := context.Background(), newHouse(b)
	must2(h.ChangePool(ctx, tester, hotel.Once{}, h.double.Consumes[0].AnyOf[0], changed(func(p *hotel.Pool) { p.TotalUnits = 98 })))(b)
	const nights, rooms = 364, 75
	var rows []hotel.ImportRow
	flush := func() {
		must(h.ImportReservations(ctx, tester, hotel.Import{PropertyID: h.property.ID, Rows: rows}))(b)
		rows = rows[:0]
	}
	for d := -nights; d < 0; d += 2 {
		for range rooms {
			rows = append(rows, h.row(d, 2, func(r *hotel.ImportRow) {
				total := hotel.Money{Minor: 20000, Currency: "EUR"}
				r.RoomTotal = &total
			}))
		}
		if len(rows) > 4000 {
			flush()
		}
	}
	flush()
	h.clock.move(time.Second)
	for name, at := range map[string]time.Time{"now": {}, "as it stood": h.clock.Now()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				q := BooksQuery{PropertyID: h.property.ID, Span: hotel.Span{From: h.today - nights, To: h.today - 1}, Known: at, Stock: at}
				books := must(h.Books(ctx, q))(b)
				r := report.Named("revenue").Make(report.Query{
					Span: q.Span, Currency: "EUR", GroupBy: []report.Dimension{report.ByDay, report.BySeller},
				}, report.Set{Books: []report.Books{books}}, nil, nil)
				if len(r.Rows) != nights {
					b.Fatalf("%d rows of %d bookings", len(r.Rows), len(books.Bookings))
				}
			}
		})
	}
}

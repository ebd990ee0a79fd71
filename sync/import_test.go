package sync_test

import (
	"net/http"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// A file is imported twice that has a booking of a channel in it, which the channel tells of
// later, moves and cancels: there is one reservation all along, it holds its nights and no
// others, and nothing is sent to anybody but counts.
func TestAnImportedBookingAndItsChannel(t *testing.T) {
	hurts(t, func(p *pained) {
		p.pass(11 * time.Minute)
		night, calls := p.first+3, map[string]int{}
		p.listen(func(r *http.Request, _ []byte) {
			if r.Method != http.MethodGet {
				calls[r.URL.Path]++
			}
		})
		q := p.wish(suite, 0, night)
		q.CheckOut = night + 2
		sold := p.sell(p.a, q)
		row := func(ref, last string) hotel.ImportRow {
			return hotel.ImportRow{NewReservation: hotel.NewReservation{
				RoomTypeID: p.house.Rooms[suite].ID, RatePlanID: p.house.Plans[0].ID, Stay: hotel.Stay{CheckIn: night, CheckOut: night + 2}, Adults: 2,
				Guest: hotel.Guest{LastName: last}, Source: hotel.Source{ChannelID: map[bool]string{true: "a"}[ref != ""], Reference: ref},
			}}
		}
		file := []hotel.ImportRow{row(sold.Reference, "Guest"), row("", "Walker")}
		for _, want := range []hotel.ImportOutcome{hotel.RowCreated, hotel.RowDuplicate} {
			out, err := p.ldg.ImportReservations(p.t.Context(), testkit.Tester, hotel.Import{PropertyID: p.house.Property.ID, Rows: file})
			if err != nil || out.Rows[0].Outcome != want || out.Rows[1].Outcome != want {
				p.t.Fatalf("imported %+v, %v, want %s", out, err, want)
			}
		}
		id := p.kept()[0].ID
		holds := func(when string, rooms ...int) {
			p.t.Helper()
			p.pass(2 * time.Minute)
			for i, want := range rooms {
				for _, f := range []testkit.FarSide{p.a, p.b} {
					if n := p.shows(f, suite, night+hotel.Date(i)); n != testkit.Suites-want {
						p.t.Errorf("%s %d suites are shown on day %d, and %d are held", when, n, i, want)
					}
				}
			}
			if kept := p.kept(); len(kept) != 2 || kept[0].ID != id && kept[1].ID != id {
				p.t.Errorf("%s there are %+v", when, kept)
			}
		}
		holds("told of by its channel", 2, 2, 0)
		q.Reference, q.CheckIn, q.CheckOut = sold.Reference, night+1, night+3
		if _, err := p.a.Book().Modify(q); err != nil {
			p.t.Fatal(err)
		}
		holds("moved", 1, 2, 1)
		if _, err := p.a.Book().Cancel(sold.Reference); err != nil {
			p.t.Fatal(err)
		}
		holds("cancelled", 1, 1, 0)
		for call := range calls {
			if call != "/hotels/H1/availability" && call != "/hotels/H1/feed/acknowledge" {
				p.t.Errorf("a channel is sent %s", call)
			}
		}
		if len(calls) != 2 {
			p.t.Errorf("sent was %v", calls)
		}
	})
}

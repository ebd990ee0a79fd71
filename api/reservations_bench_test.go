package api

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/testkit/figures"
)

// BenchmarkFiguresOfBookings prints the row of `make bench` about what the API adds to a
// booking. How the ledger does beside bare SQLite is measured there.
func BenchmarkFiguresOfBookings(b *testing.B) {
	const turns, sales, callers = 5, 320, 64 // sales of each turn
	h := newHouse(b)
	h.serve(auth.Tiers{auth.Standard: 1 << 40})
	h.update("inventory", `{"room_type_id":"`+h.standard.ID+`","date_from":"2026-12-01","date_to":"2026-12-28","values":{"total":9999}}`).want(b, 200, "")
	n := 0
	crowd := func(sell func(n int, in hotel.Date)) func(int) time.Duration {
		return func(int) time.Duration {
			started, from := time.Now(), n
			n += sales
			var all sync.WaitGroup
			for caller := range callers {
				all.Go(func() {
					for i := from + caller; i < from+sales; i += callers {
						sell(i, hotel.DateOf(2026, 12, 1)+hotel.Date(i*7%26))
					}
				})
			}
			all.Wait()
			return time.Since(started)
		}
	}
	name := func(n int) string { return fmt.Sprintf("Guest %d", n) }
	mailbox := func(n int) string { return fmt.Sprintf("guest%d@", n) } // each is somebody else, and nobody's twin
	over := crowd(func(n int, in hotel.Date) {
		body := strings.NewReplacer("Lovelace", name(n), "ada@", mailbox(n)).Replace(h.booking(in.String(), (in + 2).String()))
		req := httptest.NewRequest("POST", "/v1/reservations", strings.NewReader(body))
		req.Header["Authorization"] = []string{"Bearer " + h.token}
		req.Header["Content-Type"] = []string{mediaJSON}
		req.Header["Idempotency-Key"] = []string{name(n)[6:]}
		rec := httptest.NewRecorder()
		h.handler.ServeHTTP(rec, req)
		if rec.Code != 201 {
			b.Error(rec.Code, rec.Body)
		}
	})
	below := crowd(func(n int, in hotel.Date) {
		_, _, err := h.ledger.CreateReservation(b.Context(), tester, hotel.Once{Client: h.client.ID, Method: "POST", Path: "/v1/reservations", Key: name(n)}, hotel.NewReservation{
			PropertyID: "hotel_123", RoomTypeID: h.standard.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: in, CheckOut: in + 2}, Adults: 2,
			Guest: hotel.Guest{FirstName: "Ada", LastName: name(n), Email: mailbox(n) + "example.com"},
		})
		if err != nil {
			b.Error(err)
		}
	})
	for b.Loop() {
		ratio := figures.Ratio(turns, over, below)
		figures.Row("POST /reservations, over the API", fmt.Sprintf("%.2f of asking the ledger", ratio), "", "64 callers without limit, whole middleware, no socket; who reads guests is written down beside")
	}
}

package api

import (
	"context"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/testkit"
	"ostler.example/internal/testkit/figures"
	"ostler.example/ledger"      //nolint:depguard // which is measured as well
	"ostler.example/ledger/bare" //nolint:depguard // and what both are measured by
)

// unlimited lets callers ask as often as they like.
var unlimited = auth.Tiers{auth.Standard: 1 << 40}

// newLodge opens a house for measuring: 380 nights, and rooms that do not run out.
func newLodge(b *testing.B) *house {
	h := newHouse(b)
	h.serve(unlimited)
	h.call("PATCH", "/v1/properties/hotel_123", `{"booking_horizon_days":400}`).want(b, 200, "")
	for _, r := range []hotel.RoomType{h.standard, h.deluxe} {
		night := `{"room_type_id":"` + r.ID + `",%s"date_from":"2026-11-21","date_to":"2027-12-06","values":{%s}}`
		h.update("inventory", fmt.Sprintf(night, "", `"total":9999`)).want(b, 200, "")
		h.update("rates", fmt.Sprintf(night, `"rate_plan_id":"`+h.flex.ID+`",`, `"amount":{"amount":"100.00","currency":"EUR"}`)).want(b, 200, "")
	}
	for more := true; more; {
		more = must(h.ledger.DeriveDue(b.Context()))(b)
	}
	return h
}

// copied opens a copy of the house, with its board in memory; ran is told what its writer
// runs.
func (h *house) copied(b *testing.B, ran *bare.Recorder) *house {
	c := *h
	c.dir = testkit.Folder(b)
	path := filepath.Join(c.dir, "production.db")
	if err := ledger.Copy(b.Context(), filepath.Join(h.dir, "production.db"), path, func(float64) {}); err != nil {
		b.Fatal(err)
	}
	o := ledger.Options{Path: path, Clock: h.clock}
	if ran != nil {
		o.Ran = ran.Ran
	}
	c.ledger = must(ledger.Open(b.Context(), o))(b)
	c.serve(unlimited)
	must(c.ledger.Board(b.Context(), "hotel_123"))(b)
	return &c
}

// sale is the n-th booking of a run: two nights somewhere in the year, of a guest who is
// nobody's twin.
type sale struct {
	n    int
	room hotel.RoomType
	in   hotel.Date
}

func (h *house) sale(n int) sale {
	return sale{n, []hotel.RoomType{h.standard, h.deluxe}[n%2], hotel.DateOf(2026, 11, 22) + hotel.Date(n*7%370)}
}

// overTheAPI asks for a booking as a client does.
func (h *house) overTheAPI(n int) error {
	s := h.sale(n)
	body := strings.NewReplacer("Lovelace", fmt.Sprintf("Guest %d", n), "ada@", fmt.Sprintf("guest%d@", n), h.standard.ID, s.room.ID).Replace(h.booking(s.in.String(), (s.in + 2).String()))
	req := httptest.NewRequest("POST", "/v1/reservations", strings.NewReader(body))
	req.Header["Authorization"] = []string{"Bearer " + h.token}
	req.Header["Content-Type"] = []string{mediaJSON}
	req.Header["Idempotency-Key"] = []string{itoa(int64(n))}
	rec := httptest.NewRecorder()
	if h.handler.ServeHTTP(rec, req); rec.Code != 201 {
		return fmt.Errorf("%d: %s", rec.Code, rec.Body)
	}
	return nil
}

// ofTheLedger asks the ledger for it.
func (h *house) ofTheLedger(n int) error {
	s := h.sale(n)
	_, _, err := h.ledger.CreateReservation(context.Background(), tester, hotel.Once{Client: h.client.ID, Method: "POST", Path: "/v1/reservations", Key: itoa(int64(n))}, hotel.NewReservation{
		PropertyID: "hotel_123", RoomTypeID: s.room.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: s.in, CheckOut: s.in + 2}, Adults: 2,
		Guest: hotel.Guest{FirstName: "Ada", LastName: fmt.Sprintf("Guest %d", n), Email: fmt.Sprintf("guest%d@example.com", n)},
	})
	return err
}

// sales are those of each turn.
const sales = 320

// crowd has so many callers do it, each after its own, and says how long it took.
func crowd(b *testing.B, callers int, do func(n int) error) func(turn int) time.Duration {
	return func(turn int) time.Duration {
		started := time.Now()
		var all sync.WaitGroup
		for caller := range callers {
			all.Go(func() {
				for n := turn*sales + caller; n < (turn+1)*sales; n += callers {
					if err := do(n); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		return time.Since(started)
	}
}

// BenchmarkFiguresOfBookings prints the rows of `make bench` about bookings: over the API
// and by the ledger, each beside a bare loop that runs the statements of just these
// bookings, and beside each other.
func BenchmarkFiguresOfBookings(b *testing.B) {
	const turns = 7
	for b.Loop() {
		base := newLodge(b)
		shut := func(h *house) {
			if err := h.ledger.Close(); err != nil {
				b.Error(err)
			}
		}
		// beside measures a way to book beside its statements in a bare loop.
		beside := func(callers int, way func(*house) func(n int) error) (ratio float64, items, statements int) {
			var rec bare.Recorder
			recorded := base.copied(b, &rec)
			ran := make([][]bare.Item, turns*sales)
			for n := range ran {
				rec.Take()
				if err := way(recorded)(n); err != nil {
					b.Fatal(err)
				}
				ran[n] = rec.Take()
			}
			shut(recorded)
			ours, under := base.copied(b, nil), base.copied(b, nil)
			shut(under)
			loop := must(bare.Open(b.Context(), filepath.Join(under.dir, "production.db"), time.Now))(b)
			ratio = figures.Ratio(turns, crowd(b, callers, way(ours)), crowd(b, callers, func(n int) error {
				for _, item := range ran[n] {
					if err := loop.Run(item); err != nil {
						return err
					}
				}
				return nil
			}))
			shut(ours)
			if err := loop.Close(); err != nil {
				b.Error(err)
			}
			for _, item := range ran[9] {
				statements += len(item)
			}
			return ratio, len(ran[9]), statements
		}
		for _, callers := range []int{1, 64} {
			for _, w := range []struct {
				name string
				way  func(*house) func(n int) error
			}{
				{"POST /reservations", func(h *house) func(int) error { return h.overTheAPI }},
				{"a booking in the ledger", func(h *house) func(int) error { return h.ofTheLedger }},
			} {
				ratio, items, statements := beside(callers, w.way)
				figures.Row(fmt.Sprintf("%s, callers: %d", w.name, callers), fmt.Sprintf("%.2f of bare SQLite", ratio), figures.AtLeast(0.5, ratio),
					fmt.Sprintf("2 nights, key, %d statements in %d items; tmpfs, synchronous=FULL; the API with its whole middleware, no socket", statements, items))
			}
		}
		over, below := base.copied(b, nil), base.copied(b, nil)
		ratio := figures.Ratio(turns, crowd(b, 64, over.overTheAPI), crowd(b, 64, below.ofTheLedger))
		figures.Row("POST /reservations, over the API", fmt.Sprintf("%.2f of asking the ledger", ratio), "", "64 callers without limit; who reads guests is written down beside")
		shut(over)
		shut(below)
	}
}

package ledger

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit/figures"
)

// bigHouse has so many room types under each of ten plans, of which the last
// nine follow from the first and all of which the sellers sell, and two years ahead.
func bigHouse(b *testing.B, rooms int, sellers ...string) (h *house, products []product) {
	b.Helper()
	h = newHouse(b)
	h.exec(b, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 730)")
	h.property.HorizonDays = 730
	ctx := context.Background()
	var ids []string
	for i := range rooms {
		r := must2(h.CreateRoomType(ctx, tester, hotel.Once{}, hotel.RoomType{
			PropertyID: h.property.ID, Code: fmt.Sprintf("room%d", i), Name: "Room", TotalUnits: 100, BaseOccupancy: 2, MaxAdults: 2, MaxOccupancy: 2, Position: 10 + i, Status: hotel.Active,
		}))(b)
		ids = append(ids, r.ID)
	}
	var base string
	for i := range 10 {
		p := hotel.RatePlan{
			PropertyID: h.property.ID, Code: fmt.Sprintf("plan%d", i), Name: "Plan", Currency: "EUR", Pricing: hotel.PerRoomPrice, TaxMode: "inclusive",
			RoomTypeIDs: ids, Audience: hotel.Public, SoldBy: sellers, Position: 10 + i, Status: hotel.Active,
		}
		if i > 0 {
			p.DerivedFrom = &hotel.Derivation{RatePlanID: base, Kind: hotel.Percent, Value: "-10"}
		}
		made := must2(h.CreateRatePlan(ctx, tester, hotel.Once{}, p))(b)
		if i == 0 {
			base = made.ID
		}
		for _, id := range ids {
			products = append(products, product{id, made.ID})
		}
	}
	h.deriveAll(b)
	must(h.Board(ctx, h.property.ID))(b)
	return h, products
}

// priceEntries sets the prices of so many products, each on so many nights; the
// weekends have a price of their own where there are entries left for it.
func (h *house) priceEntries(products []product, nights, round int) []hotel.RateEntry {
	var list []hotel.RateEntry
	for i, p := range products {
		list = append(list, hotel.RateEntry{
			RoomTypeID: p.room, RatePlanID: p.plan, Dates: h.span(0, hotel.Date(nights-1)),
			Amount: hotel.Given(hotel.Money{Minor: int64(10000 + 10*i + round), Currency: "EUR"}),
		})
	}
	return list
}

// benchBulk stores a year of prices of ten products, and then 500 nights of two
// hundred.
func benchBulk(b *testing.B) {
	for b.Loop() {
		h, products := bigHouse(b, 1)
		var times []time.Duration
		for round := range 7 {
			times = append(times, h.storePrices(b, products, 365, round))
			h.deriveAll(b)
		}
		figures.Row("bulk update of 3,650 prices", figures.Millis(figures.Quantile(times, 0.5)), "", "10 products, 365 nights, until answered; "+onFolder(h.path))

		h, products = bigHouse(b, 20)
		var stored, derived, waits []time.Duration
		for round := range 3 {
			waits = append(waits, h.longestWait(b, func() {
				stored = append(stored, h.storePrices(b, products, 500, round))
				begun := time.Now()
				h.deriveAll(b)
				derived = append(derived, time.Since(begun))
			}))
		}
		longest := slices.Min(waits) // what the ledger itself does comes in every round
		figures.Row("bulk update of 100,000 prices", figures.Millis(figures.Quantile(stored, 0.5)), "", "200 products, 500 nights, until answered")
		figures.Row("its house values derived", figures.Millis(figures.Quantile(derived, 0.5)), "", "100,000 cells")
		figures.Row("a booking waited for them", "longest "+figures.Millis(longest), "", "an empty urgent item every millisecond from begin to end, behind two batches at most; the least of 3 rounds")
	}
}

// storePrices returns how long a bulk update takes that changes all of its prices.
func (h *house) storePrices(b *testing.B, products []product, nights, round int) time.Duration {
	begun := time.Now()
	upd := must(h.updateRates(h.priceEntries(products, nights, round)...))(b)
	took := time.Since(begun)
	if upd.CellsChanged != len(products)*nights {
		b.Fatal(upd)
	}
	return took
}

// longestWait runs f, and returns the longest that an urgent item took from its
// submission to its answer meanwhile.
func (h *house) longestWait(t tb, f func()) time.Duration {
	t.Helper()
	stop, done := make(chan struct{}), make(chan time.Duration)
	go func() {
		longest := time.Duration(0)
		for {
			select {
			case <-stop:
				done <- longest
				return
			case <-time.After(time.Millisecond): // a caller that comes again and again, so that the others run too
			}
			begun := time.Now()
			if err := h.write(context.Background(), urgent, tester, func(*tx) error { return nil }); err != nil {
				t.Errorf("write: %v", err)
			}
			longest = max(longest, time.Since(begun))
		}
	}()
	f()
	close(stop)
	return <-done
}

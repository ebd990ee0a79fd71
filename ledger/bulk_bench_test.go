package ledger

import (
	"context"
	"fmt"
	"testing"
	"time"

	"ostler.example/hotel"
)

// bigHouse has so many room types under each of ten plans, of which the last
// nine follow from the first, and two years ahead.
func bigHouse(b *testing.B, rooms int) (h *house, products []product) {
	b.Helper()
	h = newHouse(b)
	h.exec(b, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 730)")
	h.property.HorizonDays = 730
	ctx := context.Background()
	var ids []string
	for i := range rooms {
		r := must2(h.CreateRoomType(ctx, tester, hotel.Once{}, hotel.RoomType{
			PropertyID: h.property.ID, Code: fmt.Sprintf("room%d", i), Name: "Room", TotalUnits: 10, BaseOccupancy: 2, MaxAdults: 2, MaxOccupancy: 2, Position: 10 + i, Status: hotel.Active,
		}))(b)
		ids = append(ids, r.ID)
	}
	var base string
	for i := range 10 {
		p := hotel.RatePlan{
			PropertyID: h.property.ID, Code: fmt.Sprintf("plan%d", i), Name: "Plan", Currency: "EUR", Pricing: hotel.PerRoomPrice, TaxMode: "inclusive",
			RoomTypeIDs: ids, Audience: hotel.Public, Position: 10 + i, Status: hotel.Active,
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

// BenchmarkBulkPrices stores 3,650 prices: a year of ten products.
func BenchmarkBulkPrices(b *testing.B) {
	h, products := bigHouse(b, 1)
	b.ReportAllocs()
	for round := range b.N {
		if upd := must(h.updateRates(h.priceEntries(products, 365, round)...))(b); upd.CellsChanged != 3650 {
			b.Fatal(upd)
		}
		b.StopTimer()
		h.deriveAll(b)
		b.StartTimer()
	}
}

// BenchmarkBulkHold stores 100,000 prices, and then all that follows from them,
// while somebody else writes without a pause. It reports the longest time that
// this other one had to wait: that is how long an item held the writer.
func BenchmarkBulkHold(b *testing.B) {
	h, products := bigHouse(b, 20)
	for round := range b.N {
		begun := time.Now()
		wait := h.longestWait(b, func() {
			if upd := must(h.updateRates(h.priceEntries(products, 500, round)...))(b); upd.CellsChanged != 100_000 {
				b.Fatal(upd)
			}
			b.ReportMetric(time.Since(begun).Seconds()*1000, "ms/update")
		})
		begun = time.Now()
		b.ReportMetric(wait.Seconds()*1000, "ms/longest-hold")
		chunk := h.longestWait(b, func() { h.deriveAll(b) })
		b.ReportMetric(chunk.Seconds()*1000, "ms/longest-chunk")
		b.ReportMetric(time.Since(begun).Seconds()*1000, "ms/derived")
	}
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
			default:
			}
			begun := time.Now()
			if err := h.write(context.Background(), urgent, tester, func(*tx) error { return nil }); err != nil {
				t.Errorf("write: %v", err)
			}
			longest = max(longest, time.Since(begun))
			time.Sleep(time.Millisecond) // a caller that comes again and again, so that the others run too
		}
	}()
	f()
	close(stop)
	return <-done
}

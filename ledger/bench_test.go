package ledger

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit/figures"
)

// newLodge opens a house for measuring: 400 nights, and rooms that do not run out.
func newLodge(b *testing.B) *house {
	h := newHouse(b)
	h.exec(b, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 400)")
	for _, r := range []hotel.RoomType{h.double, h.suite} {
		must(h.updateStock(hotel.InventoryEntry{RoomTypeID: r.ID, Dates: h.span(0, 400), Total: hotel.Given(9999)}))(b)
	}
	for _, r := range []hotel.RoomType{h.double, h.twin, h.suite} {
		must(h.setPrice(r, h.flex, h.today, h.today+400, 10000))(b)
	}
	h.deriveAll(b)
	h.checkBoards = false
	must(h.Board(context.Background(), h.property.ID))(b)
	return h
}

// sale is the n-th reservation of a run: two nights, somewhere in the year.
func (h *house) sale(n int) error {
	room := []hotel.RoomType{h.double, h.twin, h.suite}[n%3]
	in := h.today + hotel.Date(n*7%390)
	_, _, err := h.book(room, in, in+2, hotel.Once{Client: "c", Method: "POST", Path: "/v1/reservations", Key: fmt.Sprint(n)})
	return err
}

// callers runs f for from to to-1 from so many callers and returns how long it
// took.
func callers(b *testing.B, count, from, to int, f func(i int) error) time.Duration {
	var next atomic.Int64
	next.Store(int64(from))
	var all sync.WaitGroup
	started := time.Now()
	for range count {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < to; i = int(next.Add(1)) - 1 {
				if err := f(i); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(started)
}

// BenchmarkFigures prints the ledger's rows of `make bench`.
func BenchmarkFigures(b *testing.B) {
	b.Run("bulk", benchBulk)
	b.Run("derive", benchDerive)
	b.Run("difference", benchDifference)
	b.Run("night", benchNight)
	b.Run("forget", benchForget)
}

// copied opens a copy of the house's file, with its board in memory.
func (h *house) copied(b *testing.B) *house {
	c := *h
	c.path = filepath.Join(folder(b), "ledger.db")
	if err := os.WriteFile(c.path, must(os.ReadFile(h.path))(b), 0o600); err != nil {
		b.Fatal(err)
	}
	c.open(b)
	c.checkBoards = false
	must(c.Board(context.Background(), h.property.ID))(b)
	return &c
}

// onFolder says on what kind of file system the file lies.
func onFolder(path string) string {
	if strings.HasPrefix(path, "/dev/shm") {
		return "tmpfs, synchronous=FULL"
	}
	return "disk, synchronous=FULL"
}

func benchDerive(b *testing.B) {
	const nights, plans = 1000, 34
	for b.Loop() {
		h := newLodge(b)
		ctx := context.Background()
		h.exec(b, fmt.Sprintf("UPDATE property SET body = json_set(body, '$.booking_horizon_days', %d)", nights))
		for i := range plans - 2 {
			must2(h.CreateRatePlan(ctx, tester, hotel.Once{}, hotel.RatePlan{
				PropertyID: h.property.ID, Code: fmt.Sprint("plan", i), Name: "Plan", Currency: "EUR", Pricing: hotel.PerRoomPrice, MealPlan: "room_only", TaxMode: "inclusive",
				RoomTypeIDs: []string{h.double.ID, h.twin.ID, h.suite.ID}, Audience: hotel.Public, Position: 3 + i, Status: hotel.Active,
				DerivedFrom: &hotel.Derivation{RatePlanID: h.flex.ID, Kind: hotel.Percent, Value: fmt.Sprint(-i)},
			}))(b)
		}
		h.deriveAll(b)
		must(h.Board(ctx, h.property.ID))(b)
		var holds, longest, took []time.Duration
		for round := range 3 {
			for _, r := range []hotel.RoomType{h.double, h.twin, h.suite} {
				for from := h.today; from < h.today+nights; from += nights / 2 { // a call takes so many
					must(h.setPrice(r, h.flex, from, from+nights/2-1, int64(12345+round)))(b)
				}
			}
			holds = nil
			started := time.Now()
			for more := true; more; {
				begun := time.Now()
				more = must(h.DeriveDue(ctx))(b)
				holds = append(holds, time.Since(begun))
			}
			took = append(took, time.Since(started))
			longest = append(longest, slices.Max(holds))
		}
		conditions := fmt.Sprintf("3 types, %d plans, %d nights, one price changed; %s", plans, nights, onFolder(h.path))
		figures.Row("house values of 102,000 cells", figures.Millis(figures.Quantile(took, 0.5)), "", conditions)
		hold := slices.Min(longest) // what the ledger itself does comes in every round
		figures.Row("one item held the writer", "p50 "+figures.Millis(figures.Quantile(holds, 0.5))+", longest "+figures.Millis(hold), figures.AtMost(20*time.Millisecond, hold),
			fmt.Sprintf("of those %d items, commit included; the least of 3 rounds", len(holds)))
	}
}

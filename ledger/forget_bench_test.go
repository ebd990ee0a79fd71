package ledger

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit/figures"
)

// benchForget measures how long somebody takes to be forgotten in a ledger of some 200 MB,
// and how long others wait to write meanwhile: the longest wait of each time.
func benchForget(b *testing.B) {
	const size = 200 << 20
	for b.Loop() {
		h := newLodge(b)
		var next int
		for fileSize(b, h.path) < size {
			callers(b, 64, next, next+2000, h.sale)
			next += 2000
			if _, err := h.w.between(context.Background(), "PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
				b.Fatal(err)
			}
		}
		var waits, took []time.Duration
		for range 3 {
			p := must2(h.CreateGuest(context.Background(), tester, hotel.Once{}, hotel.GuestProfile{PropertyID: h.property.ID, Guest: hotel.Guest{LastName: "Lee"}}))(b)
			waits = append(waits, h.longestWait(b, func() {
				begun := time.Now()
				must(h.forget(p.ID))(b)
				took = append(took, time.Since(begun))
			}))
		}
		figures.Row("somebody is forgotten", figures.Millis(figures.Quantile(took, 0.5))+", a write waited "+figures.Millis(figures.Quantile(waits, 0.5)), "",
			fmt.Sprintf("%d MB, %d bookings; medians of 3; %s", fileSize(b, h.path)>>20, next, onFolder(h.path)))
	}
}

func fileSize(b *testing.B, path string) int64 {
	return must(os.Stat(path))(b).Size()
}

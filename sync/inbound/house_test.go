package inbound

import (
	"fmt"
	"testing"
	"time"

	"ostler.example/hotel"
)

// TestHouseTellsAllReservations: page by page, each is told once, and a guest whose name
// was handed out is written down for each.
func TestHouseTellsAllReservations(t *testing.T) {
	l, h, _ := newLedger(t)
	t.Cleanup(func() { _ = l.Close() })
	in := h.Property.Today(time.Now()) + 3
	const all = mostReservations + 5
	h.Stock(t, l, 0, hotel.Span{From: in, To: in}, hotel.InventoryEntry{Total: hotel.Given(all)})
	by := hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: "tester"}}
	for n := range all {
		if _, _, err := l.CreateReservation(t.Context(), by, hotel.Once{}, hotel.NewReservation{
			PropertyID: h.Property.ID, RoomTypeID: h.Rooms[0].ID, RatePlanID: h.Plans[0].ID, Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 1, Free: true,
			Guest: hotel.Guest{LastName: fmt.Sprint("Guest ", n)},
		}); err != nil {
			t.Fatal(err)
		}
	}
	house := &House{Ledger: l, Channel: hotel.Channel{Entity: hotel.Entity{ID: channel}, PropertyID: h.Property.ID}, Clock: hotel.SystemClock{}}
	for name, since := range map[string]time.Time{"not acknowledged": {}, "since the beginning": time.Unix(1, 0)} {
		told := map[string]int{}
		for after, pages := "", 0; pages == 0 || after != ""; pages++ {
			list, next, err := house.Reservations(t.Context(), since, after)
			if err != nil || pages > 2 || len(list) > mostReservations {
				t.Fatalf("%s: page %d has %d, %v", name, pages, len(list), err)
			}
			for _, r := range list {
				told[r.ID]++
			}
			after = next
		}
		for id, n := range told {
			if n != 1 {
				t.Errorf("%s: %s is told %d times", name, id, n)
			}
		}
		if len(told) != all {
			t.Errorf("%s: %d of %d are told", name, len(told), all)
		}
	}
}

package sync_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// A house with more rooms than a channel takes a number for is told the largest, and told it once:
// what the channel sells and takes back meanwhile, and what it shows when it is asked, changes nothing.
func TestMoreRoomsThanAChannelTakesANumberFor(t *testing.T) {
	for _, preset := range []string{"total", "pull"} {
		t.Run(preset, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, f := driftBench(t, preset)
				defer b.stop()
				night := b.first + 3
				b.house.Stock(t, b.ldg, 0, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(1003)})
				b.pass(2 * time.Minute)
				b.readBack()
				for range 3 { // what it has sold, and what is left, is more than that in all
					var last string
					for range 3 {
						sold, err := f.Book().Sell(testkit.Request{
							Room: b.house.RemoteRoom(0), Rate: b.house.RemoteRate(0), CheckIn: night, CheckOut: night + 1, Adults: 1, LastName: "Guest",
						})
						if err != nil {
							t.Fatal(err)
						}
						last = sold.Reference
					}
					b.pass(2 * time.Minute)
					b.readBack()
					if _, err := f.Book().Cancel(last); err != nil {
						t.Fatal(err)
					}
					b.pass(2 * time.Minute)
					b.readBack()
				}
				told := b.told(t)
				for range 4 {
					b.pass(10 * time.Minute)
					b.readBack()
				}
				if again := b.told(t) - told; again != 0 {
					t.Errorf("told %d times more of what it knows", again)
				}
				want := 997 // of the house, six of which it has sold
				if preset == "total" {
					want = 993 // of 999 that it may sell in all
				}
				if rooms, _ := b.cell(f, night); rooms != want {
					t.Errorf("it shows %d rooms, want %d", rooms, want)
				}
				b.wantConflicts()
			})
		})
	}
}

// told is how often the channel a was told anything.
func (b *bench) told(t *testing.T) (n int) {
	t.Helper()
	calls, err := b.ldg.SentSince(t.Context(), "mock:a", time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		if c.Operation == "update_availability" || c.Operation == "update_rates" {
			n++
		}
	}
	return n
}

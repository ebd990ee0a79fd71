package sync_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// A call that breaks off and takes effect a minute later, when the channel was told
// something else, is made good by what the channel promises about calls: who goes by
// versions turns it down, and who ends all calls within a time is looked at again
// when that is over. Who promises nothing is found out when everything is read.
func TestCallThatComesLate(t *testing.T) {
	for _, c := range []struct {
		preset   string
		undone   bool          // by the late call
		within   time.Duration // it is right again
		notYet   time.Duration // and not before
		promises string
	}{
		{"push", false, 0, 0, "versions"},
		{"pull", true, 5 * time.Minute, 30 * time.Second, "a lifetime of two minutes"},
		{"lean", true, 70 * time.Minute, 20 * time.Minute, "nothing"},
	} {
		t.Run(c.preset+" promises "+c.promises, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, f := driftBench(t, c.preset)
				defer b.stop()
				night := b.first + 5
				shows := func() int {
					o, _ := f.Book().Shown(connectors.Key{Group: hotel.Availability, Room: b.house.RemoteRoom(2), Night: night})
					return o.Available
				}
				f.Plant(t, testkit.Fault{Kind: testkit.Late})
				b.house.Stock(t, b.ldg, 2, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(9)})
				b.pass(2 * time.Second)
				b.house.Stock(t, b.ldg, 2, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(1)})
				b.pass(30 * time.Second)
				if got := shows(); got != 1 {
					t.Fatalf("it shows %d before the late call comes, want 1", got)
				}
				b.pass(40 * time.Second)
				if got := shows(); got != 1 != c.undone {
					t.Errorf("the late call came, and it shows %d", got)
				}
				if c.undone {
					b.pass(c.notYet)
					if got := shows(); got != 9 {
						t.Errorf("nobody can know yet, and it shows %d", got)
					}
				}
				b.pass(c.within)
				if got := shows(); got != 1 {
					t.Errorf("it shows %d in the end, want 1", got)
				}
			})
		})
	}
}

// What a channel that notices repeats was told without an answer is told again under
// the same key: where it has sold a room in between, the count is not set a second
// time. With other words, or anything else told in between, it is another call.
func TestCallIsRepeatedUnderItsKey(t *testing.T) {
	for _, c := range []struct {
		preset string
		shows  int // of four rooms, after the call and a sale that nobody has heard of
	}{
		{"push", 3}, {"lean", 4},
	} {
		t.Run(fmt.Sprint(c.preset, " shows ", c.shows), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, f := driftBench(t, c.preset)
				defer b.stop()
				night := b.first + 5
				key := connectors.Key{Group: hotel.Availability, Room: b.house.RemoteRoom(2), Night: night}
				sold := false
				f.Plant(t, testkit.Fault{Kind: testkit.LostAnswer})
				b.house.Stock(t, b.ldg, 2, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(4)})
				for range 20 {
					time.Sleep(50 * time.Millisecond)
					synctest.Wait()
					if o, _ := f.Book().Shown(key); o.Available == 4 && !sold {
						sold = true
						if _, err := f.Book().Sell(testkit.Request{Room: key.Room, Rate: b.house.RemoteRate(0), CheckIn: night, CheckOut: night + 1, Adults: 1, LastName: "Ada"}); err != nil {
							t.Fatal(err)
						}
					}
				}
				b.pass(20 * time.Second)
				if o, _ := f.Book().Shown(key); !sold || o.Available != c.shows {
					t.Errorf("sold %t, shows %d, want %d", sold, o.Available, c.shows)
				}
			})
		})
	}
}

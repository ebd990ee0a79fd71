package sync_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// kinds is a house whose suites are guarded, and channels of some kinds, which are
// live. Nothing of the suites is kept for the desk.
type kinds struct {
	*pained
	far []testkit.FarSide
}

// guards tells a story of channels of the presets.
func guards(t *testing.T, presets []string, story func(*kinds)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		k := &kinds{pained: &pained{bench: newBench(t)}}
		defer k.stop()
		zero := 0
		_, _, err := k.ldg.ChangePool(t.Context(), testkit.Tester, hotel.Once{}, k.house.Rooms[suite].Consumes[0].AnyOf[0], hotel.Change[hotel.Pool]{
			Apply: func(pool *hotel.Pool) error {
				pool.Protection, pool.DirectWeight = hotel.Protection{Kind: hotel.Guarded}, &zero
				return nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, preset := range presets {
			id := string(rune('a' + i))
			f := testkit.OpenFarSide(t, preset, id+".test", "", nil, k.house.Remote())
			k.net.Serve(context.Background(), f.Host, f)
			k.far = append(k.far, f)
			k.channel(id, f.Settings(300))
			if err := k.ldg.GoLive(t.Context(), testkit.Tester, id, 0); err != nil {
				t.Fatal(err)
			}
		}
		if err := k.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		k.pass(3 * time.Minute)
		story(k)
	})
}

// sleeps lets much time go by in large steps.
func (k *kinds) sleeps(d time.Duration) {
	k.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(10 * time.Minute) {
		if err := k.eng.Tick(k.t.Context()); err != nil {
			k.t.Fatal(err)
		}
	}
	k.pass(time.Minute)
}

// A counter that shows less than it was granted, at a channel that cannot be asked,
// is closed and opened again behind a list: after a day its rooms are on sale.
func TestAChannelThatCannotBeAskedIsClosedAndOpenedAgain(t *testing.T) {
	guards(t, []string{"blind"}, func(k *kinds) {
		night := k.first + 3
		if n := k.shows(k.far[0], suite, night); n != testkit.Suites {
			k.t.Fatalf("%d suites are on sale, want %d", n, testkit.Suites)
		}
		k.sell(k.far[0], k.wish(suite, 0, night))
		none := 0
		k.far[0].Type(k.t, testkit.Edit{Room: k.house.RemoteRoom(suite), Rate: k.house.RemoteRate(0), From: night, To: night, Available: &none})
		k.sleeps(23 * time.Hour)
		if n := k.shows(k.far[0], suite, night); n != 0 {
			k.t.Fatalf("%d suites are on sale before the day is over: somebody has told it again", n)
		}
		calls := k.far[0].State(k.t).Calls
		k.sleeps(2 * time.Hour)
		if n := k.shows(k.far[0], suite, night); n != testkit.Suites-1 {
			k.t.Errorf("%d suites are on sale, one of %d is sold", n, testkit.Suites)
		}
		if n := k.far[0].State(k.t).Calls - calls; n > 300 {
			k.t.Errorf("it took %d calls", n)
		}
	})
}

// Counters that became known at different times, as those of each day's new night, are
// looked at together: twice an hour at most, however many nights there are.
func TestCountersAreLookedAtTogether(t *testing.T) {
	guards(t, []string{"push"}, func(k *kinds) {
		k.sleeps(4 * 24 * time.Hour)
		calls := k.far[0].State(k.t).Calls
		const hours, rooms = 6, 3
		k.sleeps(hours * time.Hour)
		// An hour has the reading of all rooms, and up to two counts with the list behind each.
		if n := k.far[0].State(k.t).Calls - calls; n > (rooms+2*2)*hours {
			k.t.Errorf("%d calls in %d quiet hours", n, hours)
		}
	})
}

// Rooms that a contract promises to a channel are sold there whatever it shows. The
// desk gets all others, and is not given these though the channel is closed; after the
// contract a closing brings back what is left of them.
func TestAContractedRoomIsNobodyElses(t *testing.T) {
	for _, preset := range []string{"pull", "hub", "relay", "relay/2", "blind", "total"} {
		t.Run(preset, func(t *testing.T) { contracted(t, preset) })
	}
}

func contracted(t *testing.T, preset string) {
	guards(t, []string{"push", preset}, func(k *kinds) {
		night := k.first + 3
		nights := hotel.Stay{CheckIn: night, CheckOut: night + 1}
		block, _, err := k.ldg.CreateBlock(k.t.Context(), testkit.Tester, hotel.Once{}, hotel.Block{
			PropertyID: k.house.Property.ID, Name: "contract", BlockStatus: hotel.Definite, ChannelID: "b",
			Lines: []hotel.BlockLine{{RoomTypeID: k.house.Rooms[suite].ID, DateFrom: night, DateTo: night, Units: 1}},
		})
		if err != nil {
			k.t.Fatal(err)
		}
		desk := func() (sold int) {
			for range testkit.Suites + 1 {
				if err := k.ldg.Recall(k.t.Context(), testkit.Tester, k.house.Property.ID, wanted(k.house.Rooms[suite].ID, nights), time.Now().Add(30*time.Second), time.Now().Add(30*time.Second)); err != nil {
					k.t.Fatal(err)
				}
				k.pass(20 * time.Second)
				_, _, err := k.ldg.CreateReservation(k.t.Context(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
					PropertyID: k.house.Property.ID, RoomTypeID: k.house.Rooms[suite].ID, RatePlanID: k.house.Plans[0].ID,
					Stay: nights, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
				})
				if err == nil {
					sold++
				}
			}
			return sold
		}
		if n := desk(); n != testkit.Suites-1 {
			k.t.Fatalf("the desk sells %d suites, one of %d is promised to a channel", n, testkit.Suites)
		}
		if n := k.shows(k.far[0], suite, night); n != 0 {
			k.t.Errorf("%d suites are on sale at the other channel", n)
		}
		if _, _, err := k.ldg.ReleaseBlock(k.t.Context(), testkit.Tester, hotel.Once{}, block.ID, 0, nil); err != nil {
			k.t.Fatal(err)
		}
		if n := desk(); n != 1 {
			k.t.Errorf("the desk sells %d suites after the contract, want the one that is left", n)
		}
	})
}

// A channel whose count is the most that it sells in all is told what it was granted
// in all: its own sales are in it, and it is never told to sell them again.
func TestATotalHasItsOwnSalesInIt(t *testing.T) {
	guards(t, []string{"total", "push"}, func(k *kinds) {
		night := k.first + 3
		sell := func() (sold []testkit.Booking) {
			for {
				b, err := k.far[0].Book().Sell(k.wish(suite, 0, night))
				if err != nil {
					return sold
				}
				sold = append(sold, b)
			}
		}
		first := sell()
		if len(first) == 0 || len(first) >= testkit.Suites {
			k.t.Fatalf("it sells %d of %d suites, and the other channel is to have one", len(first), testkit.Suites)
		}
		k.pass(2 * time.Minute)
		if again := sell(); len(again) > 0 {
			k.t.Fatalf("it sells %d more, which are the other channel's", len(again))
		}
		if _, err := k.far[0].Book().Cancel(first[0].Reference); err != nil {
			k.t.Fatal(err)
		}
		k.pass(2 * time.Minute)
		if again := sell(); len(again) != 1 {
			k.t.Errorf("it sells %d after a cancellation, want the one that came back", len(again))
		}
		k.house.Stock(k.t, k.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(testkit.Suites + 1)})
		k.pass(5 * time.Minute)
		if again := sell(); len(again) != 1 {
			k.t.Errorf("it sells %d after the house has got one more, want that one", len(again))
		}
	})
}

// Of rooms that are shown to everybody such a channel shows what any other does,
// whatever it has sold: by which counter of the pool, for which guest, and since when.
func TestATotalSellsAllThatIsShared(t *testing.T) {
	guards(t, []string{"total", "push"}, func(k *kinds) {
		night := k.first + 3
		same := func(when string) {
			k.t.Helper()
			k.pass(2 * time.Minute)
			for _, room := range []int{double, family} {
				if is, want := k.shows(k.far[0], room, night), k.shows(k.far[1], room, night); max(0, is) != want {
					k.t.Errorf("%s it shows %d of %s, the other channel %d", when, is, k.house.Rooms[room].Code, want)
				}
			}
		}
		book := k.far[0].Book()
		first := k.sell(k.far[0], k.wish(double, 0, night))
		same("after a sale")
		second := k.sell(k.far[0], k.wish(double, 0, night))
		k.sell(k.far[1], k.wish(double, 0, night))
		same("after a sale at each")
		for _, to := range []int{family, double} {
			if _, err := book.Modify(testkit.Request{Reference: first.Reference, Room: k.house.RemoteRoom(to)}); err != nil {
				k.t.Fatal(err)
			}
			same("after a guest has taken a " + k.house.Rooms[to].Code)
		}
		k.house.Stock(k.t, k.ldg, double, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Closed: hotel.Given(true)})
		same("while it is closed")
		if _, err := book.Cancel(second.Reference); err != nil {
			k.t.Fatal(err)
		}
		if k.shows(k.far[0], double, night) > 0 {
			k.t.Error("a cancellation has opened a closed night")
		}
		same("after a cancellation")
		k.house.Stock(k.t, k.ldg, double, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Closed: hotel.Given(false)})
		same("when it is open again")
		for book.Sellable(k.wish(double, 0, night)) == nil {
			k.sell(k.far[0], k.wish(double, 0, night))
		}
		same("when the last room is sold")
		if k.shows(k.far[1], double, night) > 0 {
			k.t.Error("it has left rooms that it could have sold")
		}
	})
}

// A count that a relay shows at several sellers is on sale at each of them: it is paid as
// often, and all of them together sell no more than there is. One that keeps the sum
// sells as one.
func TestARelayIsAllItsSellers(t *testing.T) {
	for _, c := range []struct {
		preset  string
		sellers int
	}{{"relay/2", 2}, {"relay", 1}} {
		t.Run(c.preset, func(t *testing.T) {
			guards(t, []string{c.preset, "push"}, func(k *kinds) {
				night := k.first + 3
				onSale := func(f testkit.FarSide) int { return f.Book().OnSale(k.house.RemoteRoom(suite), night) }
				shown := k.shows(k.far[0], suite, night)
				if shown == 0 || onSale(k.far[0]) != c.sellers*shown || onSale(k.far[0])+onSale(k.far[1]) != testkit.Suites {
					k.t.Fatalf("the relay shows %d and sells %d, the other channel %d of %d suites", shown, onSale(k.far[0]), onSale(k.far[1]), testkit.Suites)
				}
				sold := 0
				for range 3 {
					for _, f := range k.far {
						for {
							if _, err := f.Book().Sell(k.wish(suite, 0, night)); err != nil {
								break
							}
							sold++
						}
					}
					k.pass(2 * time.Minute)
				}
				if sold != testkit.Suites {
					k.t.Errorf("%d suites are sold, there are %d", sold, testkit.Suites)
				}
			})
		})
	}
}

// A channel that tells late of what it has sold: what it was granted comes back when it has
// told of all that was sold before its closing, and not with the first list behind that.
func TestASaleThatIsToldLateIsWaitedFor(t *testing.T) {
	guards(t, []string{"slow"}, func(k *kinds) {
		night := k.first + 3
		nights := hotel.Stay{CheckIn: night, CheckOut: night + 1}
		if n := k.shows(k.far[0], suite, night); n != testkit.Suites {
			k.t.Fatalf("%d suites are on sale, want all %d", n, testkit.Suites)
		}
		k.sell(k.far[0], k.wish(suite, 0, night))
		sold := 0
		desk := func() {
			for range testkit.Suites {
				if err := k.ldg.Recall(k.t.Context(), testkit.Tester, k.house.Property.ID, wanted(k.house.Rooms[suite].ID, nights), time.Now().Add(3*time.Minute), time.Now().Add(3*time.Minute)); err != nil {
					k.t.Fatal(err)
				}
				if _, _, err := k.ldg.CreateReservation(k.t.Context(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
					PropertyID: k.house.Property.ID, RoomTypeID: k.house.Rooms[suite].ID, RatePlanID: k.house.Plans[0].ID,
					Stay: nights, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
				}); err == nil {
					sold++
				}
			}
		}
		desk()
		k.pass(20 * time.Second)
		if desk(); sold > 0 || k.shows(k.far[0], suite, night) > 0 {
			k.t.Errorf("after 20 s the desk has sold %d suites, and the channel shows %d", sold, k.shows(k.far[0], suite, night))
		}
		k.pass(2 * time.Minute)
		if desk(); sold != testkit.Suites-1 {
			k.t.Errorf("the desk sells %d suites, of %d the channel has sold one", sold, testkit.Suites)
		}
	})
}

// A channel from which nothing comes back is told a number that never arrives. Nobody can know
// whether it shows the rooms, which stay its own; when the call can act no more it is closed,
// and granted others that are left.
func TestALostNumberIsReplacedWhereNothingComesBack(t *testing.T) {
	guards(t, []string{"relay"}, func(k *kinds) {
		night, nights := k.first+3, hotel.Span{From: k.first + 3, To: k.first + 3}
		for k.shows(k.far[0], suite, night) > 0 {
			k.sell(k.far[0], k.wish(suite, 0, night))
		}
		k.pass(2 * time.Minute)
		k.far[0].Plant(k.t, testkit.Fault{Kind: testkit.Half, Seconds: 30})
		k.house.Stock(k.t, k.ldg, suite, nights, hotel.InventoryEntry{Total: hotel.Given(testkit.Suites + 1)})
		k.pass(40 * time.Second)
		if n := k.shows(k.far[0], suite, night); n != 0 {
			k.t.Fatalf("%d suites are on sale, and what was told is lost", n)
		}
		k.house.Stock(k.t, k.ldg, suite, nights, hotel.InventoryEntry{Total: hotel.Given(testkit.Suites + 3)})
		k.pass(15 * time.Minute)
		if n := k.shows(k.far[0], suite, night); n != 2 {
			k.t.Errorf("%d suites are on sale, want the two that are left beside the one that may be", n)
		}
		for k.shows(k.far[0], suite, night) > 0 {
			k.sell(k.far[0], k.wish(suite, 0, night))
		}
		k.pass(2 * time.Minute)
		if n := k.far[0].Book().OnSale(k.house.RemoteRoom(suite), night); n != 0 {
			k.t.Errorf("%d more are on sale", n)
		}
	})
}

package sync_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// Room types that are sold out of several guarded pools, or of any of several, are granted out
// of all of them together: however guests buy at two channels and the desk, no more is sold
// than the house can put up, and in the end nothing is left that could be sold.
func TestRoomsOutOfSeveralPoolsAreNeverSoldTwice(t *testing.T) {
	for _, s := range []shape{connecting, convertible} {
		for seed := range uint64(2) {
			t.Run(fmt.Sprint(s.name, " ", seed), func(t *testing.T) {
				shaped(t, seed, s, func(sold [3]int) bool { return s.fits(sold, 4) })
			})
		}
	}
}

// shape is out of which pools the families of a house are sold: doubles and suites are a
// pool each.
type shape struct {
	name   string
	family func(doubles, suites string) []hotel.Draw
	units  int // that a family takes of the doubles, where it takes of nothing else; 0: it does
}

// The shapes of a house.
var (
	large = shape{name: "two rooms at once", units: 2}
	names = shape{name: "one room under two names", units: 1, family: func(doubles, _ string) []hotel.Draw {
		return []hotel.Draw{{AnyOf: []string{doubles}, Units: 1}}
	}}
	connecting = shape{name: "connecting rooms", family: func(doubles, suites string) []hotel.Draw {
		return []hotel.Draw{{AnyOf: []string{doubles}, Units: 1}, {AnyOf: []string{suites}, Units: 1}}
	}}
	convertible = shape{name: "either of two", family: func(doubles, suites string) []hotel.Draw {
		return []hotel.Draw{{AnyOf: []string{suites, doubles}, Units: 1}}
	}}
)

// fits reports whether a house with so many doubles can put up what is sold of each type.
// Where families take doubles alone nothing is said of suites.
func (s shape) fits(sold [3]int, doubles int) bool {
	switch s.name {
	case connecting.name:
		return sold[0]+sold[1] <= doubles && sold[2]+sold[1] <= testkit.Suites
	case convertible.name:
		return sold[0] <= doubles && sold[2] <= testkit.Suites && sold[0]+sold[1]+sold[2] <= doubles+testkit.Suites
	}
	return sold[0]+s.units*sold[1] <= doubles
}

// several reports whether rooms are sold out of several pools.
func (s shape) several() bool { return s.units == 0 }

// build gives the families of a house that shape, and guards the pools that they are sold from.
func (s shape) build(b *bench) {
	b.t.Helper()
	doubles, suites := b.house.Rooms[double].Consumes[0].AnyOf[0], b.house.Rooms[suite].Consumes[0].AnyOf[0]
	if s.family != nil {
		if _, _, err := b.ldg.ChangeRoomType(b.t.Context(), testkit.Tester, hotel.Once{}, b.house.Rooms[family].ID, hotel.Change[hotel.RoomType]{
			Apply: func(r *hotel.RoomType) error { r.Consumes = s.family(doubles, suites); return nil },
		}); err != nil {
			b.t.Fatal(err)
		}
	}
	pools := []string{doubles}
	if s.several() {
		pools = append(pools, suites)
	}
	for _, pool := range pools {
		if _, _, err := b.ldg.ChangePool(b.t.Context(), testkit.Tester, hotel.Once{}, pool, hotel.Change[hotel.Pool]{
			Apply: func(p *hotel.Pool) error { p.Protection.Kind = hotel.Guarded; return nil },
		}); err != nil {
			b.t.Fatal(err)
		}
	}
}

// types is how many room types are sold here.
func (w *guarded) types() int {
	if w.shape.several() {
		return 3
	}
	return 2
}

// rate is the plan that a guest books.
func (w *guarded) rate() string {
	if !w.rates {
		return w.house.RemoteRate(0)
	}
	return w.house.RemoteRate(w.more.IntN(2))
}

// shapeOf is the shape of the house of a world.
func shapeOf(seed uint64) shape {
	switch seed % 7 {
	case 4:
		return connecting
	case 5:
		return names
	case 6:
		return convertible
	}
	return large
}

func plus(a, b [3]int) [3]int {
	for i := range a {
		a[i] += b[i]
	}
	return a
}

// shaped plays a house whose families are sold out of other pools than doubles, of which there
// are four.
func shaped(t *testing.T, seed uint64, of shape, fits func(sold [3]int) bool) {
	synctest.Test(t, func(t *testing.T) {
		k := &kinds{pained: &pained{bench: newBench(t)}}
		defer k.stop()
		dice, night := rand.New(rand.NewPCG(seed, 9)), k.first+3
		stay := hotel.Stay{CheckIn: night, CheckOut: night + 1}
		rooms := k.house.Rooms
		of.build(k.bench)
		k.house.Stock(t, k.ldg, double, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(4)})
		for i, preset := range []string{"push", "pull"} {
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
		k.pass(5 * time.Minute)
		var sold [3]int
		check := func() {
			t.Helper()
			if !fits(sold) {
				t.Fatalf("%v rooms are sold", sold)
			}
		}
		for range 60 {
			k.pass(time.Duration(1 + dice.Int64N(int64(30*time.Second))))
			room, f := dice.IntN(3), k.far[dice.IntN(2)]
			switch live := k.live(f); {
			case dice.IntN(4) == 0 && len(live) > 0:
				b := live[dice.IntN(len(live))]
				if _, err := f.Book().Cancel(b.Reference); err != nil {
					t.Fatal(err)
				}
				sold[k.roomOf(b)]--
			case dice.IntN(4) == 0:
				if _, _, err := k.ldg.CreateReservation(t.Context(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
					PropertyID: k.house.Property.ID, RoomTypeID: rooms[room].ID, RatePlanID: k.house.Plans[0].ID, Stay: stay, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
				}); err == nil {
					sold[room]++
				}
			default:
				if _, err := f.Book().Sell(k.wish(room, 0, night)); err == nil {
					sold[room]++
				}
			}
			check()
		}
		// Everybody buys what is left, until nobody finds anything.
		for range 12 {
			k.pass(5 * time.Minute)
			for room := range rooms {
				for _, f := range k.far {
					for f.Book().Sellable(k.wish(room, 0, night)) == nil {
						k.sell(f, k.wish(room, 0, night))
						sold[room]++
						check()
					}
				}
			}
		}
		for room := range rooms {
			more := sold
			if more[room]++; fits(more) && k.undealt(room, night) == 0 {
				t.Errorf("%v rooms are sold, and one more %s is on sale nowhere", sold, rooms[room].Code)
			}
		}
	})
}

// live lists the bookings of a far side that stand.
func (k *kinds) live(f testkit.FarSide) (live []testkit.Booking) {
	for _, b := range f.Book().Bookings() {
		if b.Status != testkit.CancelledAtFarSide {
			live = append(live, b)
		}
	}
	return live
}

// roomOf is the room type of a booking.
func (k *kinds) roomOf(b testkit.Booking) int {
	for room := range k.house.Rooms {
		if k.house.RemoteRoom(room) == b.Room {
			return room
		}
	}
	k.t.Fatalf("nobody sells %s", b.Room)
	return 0
}

// undealt is how many rooms of a type the desk may sell on a night.
func (k *kinds) undealt(room int, night hotel.Date) int {
	b, err := k.ldg.Board(k.t.Context(), k.house.Property.ID)
	if err != nil {
		k.t.Fatal(err)
	}
	return b.Undealt(night)[room].Available
}

// Of a channel that keeps a count for each rate of a room every rate is a party: ten of them
// are granted no more rooms together than there are, a sale of one lowers no other, and what
// one has sold and cancelled it sells again. In the end all is sold, and nothing twice.
func TestEveryRateThatHasACountIsAParty(t *testing.T) {
	guards(t, []string{"push"}, func(k *kinds) {
		const rates = 10
		night := k.first + 3
		var sold []connectors.RemoteProduct
		var mappings []hotel.Mapping
		for i := range rates {
			m := hotel.Mapping{RoomTypeID: k.house.Rooms[suite].ID, RatePlanID: k.house.Plans[0].ID, RemoteRoom: k.house.RemoteRoom(suite), RemoteRate: fmt.Sprint("P-", i)}
			mappings = append(mappings, m)
			sold = append(sold, connectors.RemoteProduct{Room: m.RemoteRoom, RoomName: "suite", Rate: m.RemoteRate, RateName: m.RemoteRate})
		}
		f := testkit.OpenFarSide(k.t, "plans", "b.test", "", nil, sold)
		k.net.Serve(context.Background(), f.Host, f)
		k.channelOf("b", f.Settings(300), mappings)
		if err := k.ldg.GoLive(k.t.Context(), testkit.Tester, "b", 0); err != nil {
			k.t.Fatal(err)
		}
		k.house.Stock(k.t, k.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(6)})
		k.pass(5 * time.Minute)
		onSale := func() (n int) {
			for _, f := range []testkit.FarSide{k.far[0], f} {
				n += f.Book().OnSale(k.house.RemoteRoom(suite), night)
			}
			return n
		}
		if n := onSale(); n != 6 {
			k.t.Fatalf("%d suites are on sale in all counts together, there are 6", n)
		}
		buy := func() (sold []testkit.Booking) {
			for rate := range rates {
				q := k.wish(suite, 0, night)
				q.Rate = fmt.Sprint("P-", rate)
				for {
					b, err := f.Book().Sell(q)
					if err != nil {
						break
					}
					sold = append(sold, b)
				}
			}
			return sold
		}
		there := buy()
		if len(there) < 2 || len(there) == 6 {
			k.t.Fatalf("%d of 6 suites are sold at several rates, some of which are the other channel's", len(there))
		}
		k.pass(3 * time.Minute)
		total := len(there) + len(buy())
		nights := hotel.Stay{CheckIn: night, CheckOut: night + 1}
		for range 6 { // whatever is not sold comes back for the desk, and no more
			if err := k.ldg.Recall(k.t.Context(), testkit.Tester, k.house.Property.ID, wanted(k.house.Rooms[suite].ID, nights), time.Now().Add(30*time.Second), time.Now().Add(30*time.Second)); err != nil {
				k.t.Fatal(err)
			}
			k.pass(20 * time.Second)
			if _, _, err := k.ldg.CreateReservation(k.t.Context(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
				PropertyID: k.house.Property.ID, RoomTypeID: k.house.Rooms[suite].ID, RatePlanID: k.house.Plans[0].ID,
				Stay: nights, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
			}); err == nil {
				total++
			}
		}
		if _, err := f.Book().Cancel(there[0].Reference); err != nil {
			k.t.Fatal(err)
		}
		if again := buy(); len(again) != 1 || again[0].Rate != there[0].Rate {
			k.t.Errorf("after a cancellation of %s these are sold: %+v", there[0].Rate, again)
		}
		k.pass(3 * time.Minute)
		if n := onSale(); total != 6 || n != 0 {
			k.t.Errorf("%d suites are sold and %d on sale, there are 6", total, n)
		}
	})
}

package sync_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// Room types that are sold out of several guarded pools, or of any of several, are granted out
// of all of them together: however guests buy at two channels and the desk, no more is sold
// than the house can put up, and in the end nothing is left that could be sold.
func TestRoomsOutOfSeveralPoolsAreNeverSoldTwice(t *testing.T) {
	for name, c := range map[string]struct {
		family func(doubles, suites string) []hotel.Draw
		fits   func(sold [3]int) bool
	}{
		"connecting rooms": {
			func(doubles, suites string) []hotel.Draw {
				return []hotel.Draw{{AnyOf: []string{doubles}, Units: 1}, {AnyOf: []string{suites}, Units: 1}}
			},
			func(sold [3]int) bool { return sold[0]+sold[1] <= 4 && sold[2]+sold[1] <= testkit.Suites },
		},
		"either of two": {
			func(doubles, suites string) []hotel.Draw {
				return []hotel.Draw{{AnyOf: []string{suites, doubles}, Units: 1}}
			},
			func(sold [3]int) bool {
				return sold[0] <= 4 && sold[2] <= testkit.Suites && sold[0]+sold[1]+sold[2] <= 4+testkit.Suites
			},
		},
	} {
		for seed := range uint64(2) {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				shaped(t, seed, c.family, c.fits)
			})
		}
	}
}

// shaped plays a house whose families are sold out of other pools than doubles, of which there
// are four.
func shaped(t *testing.T, seed uint64, family func(doubles, suites string) []hotel.Draw, fits func(sold [3]int) bool) {
	synctest.Test(t, func(t *testing.T) {
		k := &kinds{pained: &pained{bench: newBench(t)}}
		defer k.stop()
		dice, night := rand.New(rand.NewPCG(seed, 9)), k.first+3
		stay := hotel.Stay{CheckIn: night, CheckOut: night + 1}
		rooms := k.house.Rooms
		doubles, suites := rooms[double].Consumes[0].AnyOf[0], rooms[suite].Consumes[0].AnyOf[0]
		if _, _, err := k.ldg.ChangeRoomType(t.Context(), testkit.Tester, hotel.Once{}, rooms[1].ID, hotel.Change[hotel.RoomType]{
			Apply: func(r *hotel.RoomType) error { r.Consumes = family(doubles, suites); return nil },
		}); err != nil {
			t.Fatal(err)
		}
		for _, pool := range []string{doubles, suites} {
			if _, _, err := k.ldg.ChangePool(t.Context(), testkit.Tester, hotel.Once{}, pool, hotel.Change[hotel.Pool]{
				Apply: func(p *hotel.Pool) error { p.Protection.Kind = hotel.Guarded; return nil },
			}); err != nil {
				t.Fatal(err)
			}
		}
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

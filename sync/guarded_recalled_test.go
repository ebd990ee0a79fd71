package sync_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// A room that came back for somebody who waits for it no more is dealt again, also
// when the program has forgotten meanwhile who that was.
func TestARecalledRoomThatNobodyTakesIsDealtAgain(t *testing.T) {
	for _, killed := range []bool{false, true} {
		t.Run(fmt.Sprintf("killed %t", killed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newGuarded(t, 2)
				defer w.leave()
				zero, night := 0, w.first+1
				_, _, err := w.ldg.ChangePool(t.Context(), testkit.Tester, hotel.Once{}, w.house.Rooms[0].Consumes[0].AnyOf[0], hotel.Change[hotel.Pool]{
					Apply: func(p *hotel.Pool) error { p.DirectWeight = &zero; return nil },
				})
				if err != nil {
					t.Fatal(err)
				}
				shown := func() int {
					n := 0
					for _, f := range w.far {
						n += w.shownAt(f, 0, night) + 2*w.shownAt(f, 1, night)
					}
					return n
				}
				w.pass(time.Minute)
				before := shown()
				stay := hotel.Stay{CheckIn: night, CheckOut: night + 1}
				if err := w.ldg.Recall(t.Context(), testkit.Tester, w.house.Property.ID, wanted(w.house.Rooms[0].ID, stay), time.Now().Add(20*time.Second), time.Now().Add(20*time.Second)); err != nil {
					t.Fatal(err)
				}
				w.pass(10 * time.Second)
				if n := shown(); n >= before {
					t.Fatalf("%d of %d units are on sale while somebody waits for one", n, before)
				}
				if killed {
					w.die()
					w.start()
				}
				w.pass(time.Minute)
				if n := shown(); n != before {
					t.Errorf("%d units are on sale after nobody has taken the room, want %d", n, before)
				}
			})
		})
	}
}

// wanted is a room for a stay, as a sale waits for it.
func wanted(room string, stay hotel.Stay) (rooms []hotel.RoomNight) {
	for _, d := range stay.Dates() {
		rooms = append(rooms, hotel.RoomNight{Night: d, RoomTypeID: room})
	}
	return rooms
}

// Whoever waits at the desk for a room that is on sale gets it: a channel that may
// sell most is closed and its bookings are read. Nobody else is given it meanwhile.
func TestDirectSaleRecallsARoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newGuarded(t, 1)
		defer w.leave()
		night := hotel.Stay{CheckIn: w.first + 1, CheckOut: w.first + 2}
		zero := 0
		_, _, err := w.ldg.ChangePool(t.Context(), testkit.Tester, hotel.Once{}, w.house.Rooms[0].Consumes[0].AnyOf[0], hotel.Change[hotel.Pool]{
			Apply: func(p *hotel.Pool) error { p.DirectWeight = &zero; return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		w.pass(time.Minute)
		book := func() error {
			_, _, err := w.ldg.CreateReservation(t.Context(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
				PropertyID: w.house.Property.ID, RoomTypeID: w.house.Rooms[0].ID, RatePlanID: w.house.Plans[0].ID,
				Stay: night, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
			})
			return err
		}
		sold := 0 // what is dealt to nobody
		for book() == nil {
			sold++
		}
		refusal, ok := errors.AsType[*hotel.Refusal](book())
		if !ok || refusal.Members["reason"] != "dealt" || refusal.Members["recallable"] != w.total[night.CheckIn]-sold {
			t.Fatalf("refused as %+v", refusal)
		}
		if err := w.ldg.Recall(t.Context(), testkit.Tester, w.house.Property.ID, wanted(w.house.Rooms[0].ID, night), time.Now().Add(20*time.Second), time.Now().Add(20*time.Second)); err != nil {
			t.Fatal(err)
		}
		w.pass(10 * time.Second)
		if err := book(); err != nil {
			t.Errorf("after 10 s: %v", err)
		}
		w.check()
	})
}

package sync_test

import (
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// The last room of a pool is on sale at one channel; with one more free it is
// shared again after a quiet time, with two more at once.
func TestGuardedAtTheLast(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		_, _, err := p.ldg.ChangePool(p.t.Context(), testkit.Tester, hotel.Once{}, p.house.Rooms[suite].Consumes[0].AnyOf[0], hotel.Change[hotel.Pool]{
			Apply: func(pool *hotel.Pool) error {
				pool.Protection = hotel.Protection{Kind: hotel.GuardedLast, N: 1}
				return nil
			},
		})
		if err != nil {
			p.t.Fatal(err)
		}
		sells := func(when string, a, b int) {
			p.t.Helper()
			if x, y := p.shows(p.a, suite, night), p.shows(p.b, suite, night); x != a || y != b {
				p.t.Errorf("%s %d and %d are on sale, want %d and %d", when, x, y, a, b)
			}
		}
		var guests []string
		for range 2 {
			sells("above the last", testkit.Suites-len(guests), testkit.Suites-len(guests))
			r, _, err := p.ldg.CreateReservation(p.t.Context(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
				PropertyID: p.house.Property.ID, RoomTypeID: p.house.Rooms[suite].ID, RatePlanID: p.house.Plans[0].ID,
				Stay: hotel.Stay{CheckIn: night, CheckOut: night + 1}, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
			})
			if err != nil {
				p.t.Fatal(err)
			}
			guests = append(guests, r.ID)
			p.pass(2 * time.Minute)
		}
		leave := func() {
			p.t.Helper()
			if _, _, err := p.ldg.CancelReservation(p.t.Context(), testkit.Tester, hotel.Once{}, guests[0], hotel.CancelRequest{}); err != nil {
				p.t.Fatal(err)
			}
			guests = guests[1:]
		}
		p.pass(5 * time.Minute) // what was sent before may still act for so long
		sells("of the last", 1, 0)
		leave()
		p.pass(2 * time.Minute)
		sells("with one more", 1, 1)
		p.pass(27 * time.Minute)
		sells("before the quiet time is over", 1, 1)
		p.pass(2 * time.Minute)
		sells("after the quiet time", 2, 2)
		leave()
		p.pass(time.Minute)
		sells("above it again", testkit.Suites, testkit.Suites)
	})
}

package alpinebits

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// gathered are messages as they came.
type gathered struct{ all []connectors.Message }

// Deliver implements [connectors.Sink].
func (g *gathered) Deliver(_ context.Context, m connectors.Message) error {
	g.all = append(g.all, m)
	return nil
}

// Hint implements [connectors.Sink].
func (*gathered) Hint() {}

// TestAFamilyOfTwoRooms is fetched from the portal with each room, its guests and what it
// costs, as it is booked, changed, loses a room and is cancelled; by each version.
func TestAFamilyOfTwoRooms(t *testing.T) {
	for _, preset := range []string{"2024-10", "2022-10", "2020-10"} {
		sim, url := portal(t, preset)
		cfg := sound()
		everything(&cfg)
		cfg.URL = url
		opened, err := open(t.Context(), cfg, env(t))
		if err != nil {
			t.Fatal(err)
		}
		for n := range hotel.Date(3) {
			count, price := free("DBL", 2), of(hotel.Price, 0, euro(12000))
			count.Key.Night, price.Key.Night = night+n, night+n
			tellAll(t, opened, count, price)
		}
		two := hotel.Stay{CheckIn: night, CheckOut: night + 2}
		one := hotel.Stay{CheckIn: night, CheckOut: night + 1}
		b, err := sim.Book().Sell(simkit.Request{
			Room: "DBL", Rate: "BAR", CheckIn: two.CheckIn, CheckOut: two.CheckOut, Adults: 2, Children: []int{9, 4, 9}, LastName: "Hopper",
			Others: []simkit.Part{{Room: "DBL", Rate: "BAR", CheckIn: one.CheckIn, CheckOut: one.CheckOut, Adults: 1, Children: []int{0}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		hears := func(kind connectors.EventKind, want ...string) {
			t.Helper()
			var heard gathered
			if _, err := opened.(connectors.Poller).Poll(t.Context(), "", &heard); err != nil || len(heard.all) != 1 || heard.all[0].Event != kind || heard.all[0].Ref != b.Reference {
				t.Fatalf("%s: of %s is heard %+v, %v", preset, kind, heard.all, err)
			}
			var got []string
			for _, r := range heard.all[0].Booking.Rooms {
				got = append(got, fmt.Sprintf("%s %d %v %s", nights(r.Stay), r.Adults, r.Children, r.Total.Amount()))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: of %s is heard (-want +got):\n%s", preset, kind, diff)
			}
		}
		hears(connectors.Booked, "0-2 2 [4 9 9] 240.00", "0-1 1 [0] 120.00")
		if _, err := sim.Book().Modify(simkit.Request{Reference: b.Reference, CheckOut: night + 3, Children: []int{4}}); err != nil {
			t.Fatal(err)
		}
		hears(connectors.Modified, "0-3 2 [4] 360.00", "0-1 1 [0] 120.00")
		if _, err := sim.Book().Modify(simkit.Request{Reference: b.Reference, Without: 1}); err != nil {
			t.Fatal(err)
		}
		hears(connectors.Modified, "0-1 1 [0] 120.00")
		if _, err := sim.Book().Cancel(b.Reference); err != nil {
			t.Fatal(err)
		}
		hears(connectors.Cancelled, "0-1 1 [0] 120.00")
	}
}

// nights are those of a stay, counted from the one that these tests begin with.
func nights(s hotel.Stay) string { return fmt.Sprintf("%d-%d", s.CheckIn-night, s.CheckOut-night) }

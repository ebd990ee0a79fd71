package simkit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// TestCountsModel plays any sequence of calls and guests: a count is the last
// one set, less what was booked since, plus what was given back.
func TestCountsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := open(t, options("", yes))
		want := make([]int, 10)
		for i := range want {
			want[i] = 2
		}
		live := map[string]hotel.Stay{}
		move := func(stay hotel.Stay, by int) {
			for night := stay.CheckIn; night < stay.CheckOut; night++ {
				want[night-first] += by
			}
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			from, nights := rapid.IntRange(0, 7).Draw(t, "from"), rapid.IntRange(1, 3).Draw(t, "nights")
			stay := ask(from, min(nights, 10-from))
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				rooms := rapid.IntRange(0, 3).Draw(t, "rooms")
				set := []connectors.Change{change(hotel.Availability, 0, first+hotel.Date(from), hotel.Offer{Available: rooms})}
				if _, err := b.Take(set, Receipt{}); err != nil {
					t.Fatal(err)
				}
				want[from] = rooms
			case 1:
				booking, err := b.Sell(stay)
				free := true
				for night := stay.CheckIn; night < stay.CheckOut; night++ {
					free = free && want[night-first] > 0
				}
				if free != (err == nil) {
					t.Fatalf("counts %v, stay %v: %v", want, stay, err)
				}
				if err == nil {
					live[booking.Reference] = booking.Stay()
					move(booking.Stay(), -1)
				}
			case 2:
				for ref, held := range live {
					if changed, err := b.Modify(Request{Reference: ref, CheckIn: stay.CheckIn, CheckOut: stay.CheckOut}); err == nil {
						move(held, 1)
						move(changed.Stay(), -1)
						live[ref] = changed.Stay()
					}
					break
				}
			case 3:
				for ref, held := range live {
					if _, err := b.Cancel(ref); err != nil {
						t.Fatal(err)
					}
					move(held, 1)
					delete(live, ref)
					break
				}
			}
			if diff := cmp.Diff(want, counts(b)); diff != "" {
				t.Fatalf("-want +got:\n%s", diff)
			}
		}
	})
}

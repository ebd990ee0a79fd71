package dispatch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"ostler.example/hotel"
)

// TestWhatIsWantedStandsForItsEntry: in worlds made by chance, whatever is wanted of a
// night is what is worked out as of the entry that it names.
func TestWhatIsWantedStandsForItsEntry(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 21))
			run(t, nil, func(b *bench) {
				b.rest()
				named := map[int64]bool{}
				for range 3 {
					for range 6 {
						b.anyFact(r)
					}
					b.rest()
					for range 15 {
						for _, s := range b.standsFor(r) {
							named[s] = true
						}
					}
				}
				if len(named) < 6 {
					t.Errorf("%d entries are named", len(named))
				}
			})
		})
	}
}

// standsFor compares what is wanted of a night with what is explained as of the entries
// that its groups name.
func (b *bench) standsFor(r *rand.Rand) (named []int64) {
	b.t.Helper()
	of := hotel.ExplainQuery{
		ChannelID: channel, RoomTypeID: b.house.Rooms[r.IntN(len(b.house.Rooms))].ID, RatePlanID: b.house.Plans[r.IntN(len(b.house.Plans))].ID,
		Night: b.today + hotel.Date(r.IntN(7)),
	}
	explain := func(asOf int64) hotel.Explanation {
		of.AsOf.Sequence = asOf
		x, err := New(b.worker.Options).Explain(context.Background(), of)
		if err != nil {
			b.t.Fatal(err)
		}
		return x
	}
	now := explain(0)
	for _, g := range now.Groups {
		if g.Desired == nil {
			continue // a price that there is not
		}
		if g.Desired.Sequence == 0 || g.Desired.Sequence > now.Sequence || g.Desired.At.IsZero() {
			b.t.Fatalf("%s of %s on %s is wanted as %+v", g.Group, of.RatePlanID, of.Night, g.Desired)
		}
		named = append(named, g.Desired.Sequence)
		for _, then := range explain(g.Desired.Sequence).Groups {
			if then.Group == g.Group && then.Occupancy == g.Occupancy && (then.Desired == nil || then.Desired.Value != g.Desired.Value) {
				b.t.Errorf("%s of %s on %s is wanted as %+v, and as of its entry %d as %+v", g.Group, of.RatePlanID, of.Night, g.Desired.Value, g.Desired.Sequence, then.Desired)
			}
		}
	}
	return named
}

// TestWhatIsWantedNamesTheFact: of two changes the newer one is named by what they have
// moved, and neither by anything else.
func TestWhatIsWantedNamesTheFact(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.rest()
		night := b.today + 2
		entry := func(group hotel.Group, room int) int64 {
			t.Helper()
			x, err := New(b.worker.Options).Explain(context.Background(), hotel.ExplainQuery{ChannelID: channel, RoomTypeID: b.house.Rooms[room].ID, RatePlanID: b.house.Plans[0].ID, Night: night})
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range x.Groups {
				if g.Group == group {
					return g.Desired.Sequence
				}
			}
			t.Fatalf("%s is not among %+v", group, x.Groups)
			return 0
		}
		before, priced := entry(hotel.Availability, 2), entry(hotel.Price, 2)
		var limits []int64
		for limit := range 2 { // the first is not told before the second is known
			b.suites(night, 2-limit)
			e, err := b.ldg.Sequence(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			limits = append(limits, e)
		}
		b.rest()
		after := entry(hotel.Availability, 2)
		if after <= limits[0] || after > limits[1] || before >= after {
			t.Errorf("the limits are entries up to %d; wanted stood for %d and stands for %d", limits, before, after)
		}
		if now := entry(hotel.Price, 2); now != priced {
			t.Errorf("a limit made the price stand for entry %d instead of %d", now, priced)
		}
	})
}

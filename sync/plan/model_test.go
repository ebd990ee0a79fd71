package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/lane"
)

// anyKey draws from all that a key can say.
var anyKey = rapid.Custom(func(t *rapid.T) connectors.Key {
	k := connectors.Key{
		Room:  rapid.SampledFrom([]string{"SGL", "DBL", "ATTIC"}).Draw(t, "room"),
		Group: rapid.SampledFrom([]hotel.Group{hotel.Availability, hotel.Closures, hotel.Lengths, hotel.Price}).Draw(t, "group"),
		Night: march + hotel.Date(rapid.IntRange(0, 5).Draw(t, "night")),
	}
	if k.Group != hotel.Availability {
		k.Rate = rapid.SampledFrom([]string{"BAR", "NRF"}).Draw(t, "rate")
	}
	if k.Group == hotel.Price {
		k.Occupancy = rapid.IntRange(0, 2).Draw(t, "occupancy")
	}
	return k
})

// denseKey draws from so few keys that most have a neighbour.
var denseKey = rapid.Custom(func(t *rapid.T) connectors.Key {
	return connectors.Key{
		Room:  rapid.SampledFrom([]string{"SGL", "DBL"}).Draw(t, "room"),
		Group: rapid.SampledFrom([]hotel.Group{hotel.Availability, hotel.Closures}).Draw(t, "group"),
		Night: march + hotel.Date(rapid.IntRange(0, 2).Draw(t, "night")),
	}
})

// drawCells draws dirty cells with different keys, and few enough values that
// neighbours are often equal.
func drawCells(t *rapid.T, key *rapid.Generator[connectors.Key], most int) []Cell {
	keys := rapid.SliceOfNDistinct(key, 0, most, rapid.ID[connectors.Key]).Draw(t, "keys")
	offer := rapid.Custom(func(t *rapid.T) hotel.Offer {
		return hotel.Offer{
			Available: rapid.IntRange(0, 2).Draw(t, "available"),
			Closed:    hotel.Closed{Closed: rapid.Bool().Draw(t, "closed"), Arrival: rapid.Bool().Draw(t, "arrival")},
			Lengths:   hotel.LengthLimits{MinStayArrival: rapid.IntRange(0, 1).Draw(t, "minimum stay")},
			Amount:    hotel.Money{Minor: rapid.Int64Range(1, 2).Draw(t, "amount"), Currency: "EUR"},
		}
	})
	cells := make([]Cell, len(keys))
	for i, k := range keys {
		cells[i] = Cell{
			Ref: hotel.Cell{Line: int64(i), Group: k.Group, Night: k.Night}, Key: k,
			Want: offer.Draw(t, "want"),
			Held: rapid.SliceOfN(offer, 0, 2).Draw(t, "held"),
			Free: rapid.IntRange(0, 3).Draw(t, "free"),
		}
	}
	return cells
}

// sellsLess says, field by field, whether a guest who may see any of the held
// values could book something that the wanted value no longer sells.
func sellsLess(c Cell) bool {
	held := c.Held
	if len(held) == 0 {
		// Not known: take it for open, with one room.
		held = []hotel.Offer{{Available: 1}}
	}
	for _, h := range held {
		switch c.Key.Group {
		case hotel.Availability:
			if c.Want.Available < h.Available {
				return true
			}
		case hotel.Closures:
			if c.Want.Closed.Closed && !h.Closed.Closed || c.Want.Closed.Arrival && !h.Closed.Arrival {
				return true
			}
		case hotel.Lengths, hotel.Price:
		}
	}
	return false
}

func TestPlanModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := drawCells(t, anyKey, 40)
		w := wire{limit: rapid.IntRange(1, 4).Draw(t, "limit")}
		if rapid.Bool().Draw(t, "refuses") {
			w.refuses = "ATTIC"
		}
		p, err := Make(cells, nil, w.encode)
		if err != nil {
			t.Fatal(err)
		}

		where := map[int64]lane.Lane{}
		for i, call := range p.Calls {
			if i > 0 {
				before := p.Calls[i-1]
				if call.Lane < before.Lane {
					t.Fatalf("a call of lane %v follows one of %v", call.Lane, before.Lane)
				}
				if call.Lane == before.Lane && urgency(call.Night, call.Free, before.Night, before.Free) < 0 {
					t.Fatalf("call %d of lane %v is more urgent than the one before it", i, call.Lane)
				}
			}
			for j, c := range call.Cells {
				if c.Key != call.Keys[j] {
					t.Fatalf("cell %d of call %d is not that of its key", j, i)
				}
				if urgency(c.Key.Night, c.Free, call.Night, call.Free) < 0 {
					t.Fatalf("call %d is called less urgent than its cell %v", i, c.Key)
				}
				if _, twice := where[c.Ref.Line]; twice {
					t.Fatalf("%v is planned twice", c.Key)
				}
				where[c.Ref.Line] = call.Lane
			}
		}
		for _, r := range p.Refused {
			if _, twice := where[r.Cell.Ref.Line]; twice || r.Cell.Key.Room != w.refuses || r.Reason == "" {
				t.Fatalf("%v must not be refused (reason %q)", r.Cell.Key, r.Reason)
			}
			where[r.Cell.Ref.Line] = 0
		}
		for _, c := range cells {
			got, planned := where[c.Ref.Line]
			want := lane.Raise
			switch {
			case c.Key.Room == w.refuses:
				want = 0
			case c.Key.Group == hotel.Lengths || c.Key.Group == hotel.Price:
				want = lane.Rates
			case sellsLess(c):
				want = lane.Lower
			}
			if !planned || got != want {
				t.Fatalf("%v to %+v from %+v is in lane %v (planned: %t), want %v", c.Key, c.Want, c.Held, got, planned, want)
			}
		}

		shuffled, err := Make(rapid.Permutation(cells).Draw(t, "shuffled"), nil, w.encode)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p, shuffled); diff != "" {
			t.Fatalf("the order of the cells matters:\n%s", diff)
		}
	})
}

// TestPlanNeedsFewestCalls tries every order in which the changes of a lane
// could be encoded and finds none that needs fewer calls.
func TestPlanNeedsFewestCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := drawCells(t, denseKey, 6)
		for i := range cells { // few lanes and values, so that there is much to join
			cells[i].Want, cells[i].Held = rooms(rapid.IntRange(0, 1).Draw(t, "rooms")), nil
		}
		w := wire{limit: rapid.IntRange(1, 3).Draw(t, "limit")}
		p, err := Make(cells, nil, w.encode)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range []lane.Lane{lane.Lower, lane.Raise, lane.Rates} {
			var changes []connectors.Change
			got := 0
			for _, call := range p.Calls {
				if call.Lane != l {
					continue
				}
				got++
				for _, c := range call.Cells {
					changes = append(changes, connectors.Change{Key: c.Key, Offer: c.Want})
				}
			}
			fewest := got
			permute(changes, len(changes), func() {
				calls, _ := w.encode(changes)
				fewest = min(fewest, len(calls))
			})
			if got != fewest {
				t.Fatalf("lane %v needs %d calls, %d would do", l, got, fewest)
			}
		}
	})
}

// permute calls visit with every order of the first n elements of s.
func permute[T any](s []T, n int, visit func()) {
	if n <= 1 {
		visit()
		return
	}
	for i := range n {
		s[i], s[n-1] = s[n-1], s[i]
		permute(s, n-1, visit)
		s[i], s[n-1] = s[n-1], s[i]
	}
}

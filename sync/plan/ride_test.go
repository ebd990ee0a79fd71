package plan

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/lane"
)

// told is a cell of one product that the channel may not hold as it is wanted.
func told(g hotel.Group, night hotel.Date, want hotel.Offer) Cell {
	k := connectors.Key{Room: "DBL", Group: g, Night: march + night}
	if g != hotel.Availability {
		k.Rate = "BAR"
	}
	return Cell{Ref: hotel.Cell{Line: int64(night), Group: g, Night: k.Night}, Key: k, Want: want}
}

func TestPricesRideWhereEntriesAreJudgedApart(t *testing.T) {
	shut, open := hotel.Offer{Closed: hotel.Closed{Arrival: true}}, hotel.Offer{}
	least := hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: 2}}
	rooms := func(n int) hotel.Offer { return hotel.Offer{Available: n} }
	again := told(hotel.Closures, 3, shut)
	again.Last = &shut
	first := told(hotel.Closures, 4, shut)
	first.Fresh = true
	closing, opening := told(hotel.Closures, 0, shut), told(hotel.Closures, 1, open)
	lengths := []Cell{told(hotel.Lengths, 0, least), told(hotel.Lengths, 2, least)}
	for _, c := range []struct {
		name    string
		apart   bool
		entries int
		cells   []Cell
		want    []string
	}{
		{"a closing and lengths are one call", true, 0, append([]Cell{closing}, lengths...), []string{"lower rates 3"}},
		{"two calls where a refused length would take the closing with it", false, 0, append([]Cell{closing}, lengths...), []string{"lower rates 1", "rates rates 2"}},
		{"what opens goes behind what closes, lengths with the first", true, 0, append([]Cell{closing, opening}, lengths...), []string{"lower rates 3", "raise rates 1"}},
		{"what is closed and told again takes along what opens", true, 0, append([]Cell{again, opening}, lengths...), []string{"lower rates 4"}},
		{"what is closed and told for the first time likewise", true, 0, append([]Cell{first, opening}, lengths...), []string{"lower rates 4"}},
		{"a closing beside it does not", true, 0, append([]Cell{again, closing, opening}, lengths...), []string{"lower rates 4", "raise rates 1"}},
		{"nor where what opens may take it along into a refusal", false, 0, append([]Cell{again, opening}, lengths...), []string{"lower rates 1", "raise rates 1", "rates rates 2"}},
		{"lengths ride with what opens", true, 0, append([]Cell{opening}, lengths...), []string{"raise rates 3"}},
		{"with counts of another operation they do not", true, 0, append([]Cell{told(hotel.Availability, 0, rooms(0))}, lengths...), []string{"lower counts 1", "rates rates 2"}},
		{"what does not fit is sent behind", true, 2, append([]Cell{closing, told(hotel.Lengths, 4, least)}, lengths...), []string{"lower rates 2", "rates rates 2"}},
		{"nothing rides that saves no call", true, 1, append([]Cell{closing}, lengths...), []string{"lower rates 1", "rates rates 1", "rates rates 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rules{[]connectors.Operation{
				{Name: "counts", Groups: []hotel.Group{hotel.Availability}},
				{Name: "rates", Groups: []hotel.Group{hotel.Closures, hotel.Lengths, hotel.Price}, Entries: c.entries, Apart: c.apart},
			}}
			p, err := Make(c.cells, r.operations, r.encode)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, call := range p.Calls {
				got = append(got, call.Lane.String()+" "+call.Operation+" "+string(rune('0'+len(call.Cells))))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Where lengths would make the entries of what opens too long for one call, they ride with
// what closes and leave what opens alone: it is one call, as by itself.
func TestRidersLeaveNoLaneAnotherCall(t *testing.T) {
	r := rules{[]connectors.Operation{{
		Name: "all", Groups: []hotel.Group{hotel.Availability, hotel.Closures, hotel.Lengths}, About: connectors.OneRoom, Bytes: 12,
		Joined: []hotel.Group{hotel.Closures, hotel.Lengths}, Apart: true,
	}}}
	first := told(hotel.Availability, 0, hotel.Offer{})
	first.Fresh = true
	of := func(room, rate string, g hotel.Group) Cell {
		c := told(g, 0, hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: 2}})
		c.Key.Room, c.Key.Rate = room, rate
		return c
	}
	got := byLane(t, []Cell{
		first, of("SGL", "BAR", hotel.Closures), of("SGL", "NRF", hotel.Closures), of("SGL", "BAR", hotel.Lengths), of("DBL", "BAR", hotel.Lengths),
	}, r)
	if want := map[lane.Lane]int{0: 3, lane.Lower: 1, lane.Raise: 1, lane.Rates: 1}; !maps.Equal(got, want) {
		t.Errorf("%v calls, want %v", got, want)
	}
}

// drawAnyRules draws rules of all kinds under which lanes may ride: beside those of
// [drawRules] bytes with entries, values that share an entry, and nights that open in the
// entry of their price.
func drawAnyRules(t *rapid.T) rules {
	r := drawRules(t)
	for i := range r.operations {
		o := &r.operations[i]
		o.Nights = rapid.SampledFrom([]connectors.Nights{connectors.InARow, connectors.OneNight, connectors.ByDayOfWeek}).Draw(t, "nights")
		o.Bytes = rapid.SampledFrom([]int{0, 8, 12, 16, 24, 32}).Draw(t, "bytes")
		if o.Apart = true; o.Tells(hotel.Price) {
			o.Joined = rapid.SampledFrom([][]hotel.Group{nil, {hotel.Price}, {hotel.Lengths, hotel.Price}, {hotel.Closures, hotel.Lengths, hotel.Price}}).Draw(t, "joined")
			o.Opens = len(o.Joined) > 0 && rapid.Bool().Draw(t, "opens")
		}
	}
	return r
}

// drawRiding draws cells of all lanes, of few rooms and nights, so that many may share a
// call: also what is told again, is told for the first time, and waits for its price.
func drawRiding(t *rapid.T) []Cell {
	cells := drawCells(t, rapid.Custom(func(t *rapid.T) connectors.Key {
		k := connectors.Key{
			Room:  rapid.SampledFrom([]string{"SGL", "DBL"}).Draw(t, "room"),
			Group: rapid.SampledFrom([]hotel.Group{hotel.Availability, hotel.Closures, hotel.Lengths, hotel.Price}).Draw(t, "group"),
			Night: march + hotel.Date(rapid.IntRange(0, 3).Draw(t, "night")),
		}
		if k.Group != hotel.Availability {
			k.Rate = rapid.SampledFrom([]string{"BAR", "NRF"}).Draw(t, "rate")
		}
		return k
	}), 20)
	for i := range cells {
		c := &cells[i]
		switch rapid.IntRange(0, 3).Draw(t, "known") {
		case 0:
			c.Fresh, c.Held = true, nil
		case 1:
			c.Last, c.Held = &c.Want, nil
		}
		if c.Key.Group == hotel.Closures && rapid.Bool().Draw(t, "waits") {
			c.Want, c.Open = hotel.Offer{Closed: hotel.Closed{Closed: true}}, &hotel.Offer{}
		}
	}
	return cells
}

// byLane counts the calls of each lane, and of all under 0.
func byLane(t rapid.TB, cells []Cell, r rules) map[lane.Lane]int {
	p, err := Make(cells, r.operations, r.encode)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[lane.Lane]int{}
	for _, c := range p.Calls {
		calls[c.Lane]++
		calls[0]++
	}
	return calls
}

// Whatever the rules, and whatever rides: a plan needs no more calls than each lane by
// itself, in all and in none of the lanes, so that what lowers waits for nothing.
func TestRidingNeverNeedsMoreCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawAnyRules(t)
		cells := drawRiding(t)
		riding := byLane(t, slices.Clone(cells), r)
		for i := range r.operations {
			r.operations[i].Apart = false
		}
		apart := byLane(t, slices.Clone(cells), r)
		for l, got := range riding {
			if got > apart[l] {
				t.Fatalf("lane %v (0: all) takes %d calls, and %d where nothing rides: %v and %v", l, got, apart[l], riding, apart)
			}
		}
	})
}

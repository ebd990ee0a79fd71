package availability_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

func TestHouse(t *testing.T) {
	own := availability.Layout{Pools: 1, Rooms: [][]availability.Draw{{{Pool: 0, Units: 1}}}}
	twins := availability.Layout{Pools: 1, Rooms: [][]availability.Draw{{{Pool: 0, Units: 1}}, {{Pool: 0, Units: 1}}}}
	suite := availability.Layout{Pools: 1, Rooms: [][]availability.Draw{{{Pool: 0, Units: 1}}, {{Pool: 0, Units: 2}}}}
	family := availability.Layout{Pools: 2, Rooms: [][]availability.Draw{
		{{Pool: 0, Units: 1}}, {{Pool: 0, Units: 1}, {Pool: 1, Units: 1}},
	}}
	twice := availability.Layout{Pools: 1, Rooms: [][]availability.Draw{{{Pool: 0, Units: 1}, {Pool: 0, Units: 1}}}}
	open := func(sold, held int) availability.RoomNight {
		return availability.RoomNight{Sold: sold, Held: held, SellLimit: availability.NoLimit}
	}
	tests := []struct {
		name   string
		layout availability.Layout
		pools  []availability.PoolNight
		rooms  []availability.RoomNight
		want   []availability.House
	}{
		{
			"an empty house sells all it has", own,
			[]availability.PoolNight{{Total: 5}},
			[]availability.RoomNight{open(0, 0)},
			[]availability.House{{Net: 5, Free: 5, Available: 5}},
		},
		{
			"what is out of order or withdrawn is not sold, allowed overbooking is", own,
			[]availability.PoolNight{{Total: 10, OutOfOrder: 2, OutOfInventory: 1, Overbooking: 3}},
			[]availability.RoomNight{open(4, 1)},
			[]availability.House{{Net: 5, Free: 5, Available: 5}},
		},
		{
			"an overfull house counts the rooms that find no place", own,
			[]availability.PoolNight{{Total: 2, OutOfOrder: 1}},
			[]availability.RoomNight{open(3, 0)},
			[]availability.House{{Net: -2}},
		},
		{
			"two room types on one pool share it", twins,
			[]availability.PoolNight{{Total: 5}},
			[]availability.RoomNight{open(1, 0), open(2, 1)},
			[]availability.House{{Net: 1, Free: 1, Available: 1}, {Net: 1, Free: 1, Available: 1}},
		},
		{
			"a suite of two rooms needs both", suite,
			[]availability.PoolNight{{Total: 5}},
			[]availability.RoomNight{open(0, 0), open(1, 0)},
			[]availability.House{{Net: 3, Free: 3, Available: 3}, {Net: 1, Free: 1, Available: 1}},
		},
		{
			"half a suite missing is a whole suite without place", suite,
			[]availability.PoolNight{{Total: 4}},
			[]availability.RoomNight{open(3, 0), open(1, 0)},
			[]availability.House{{Net: -1}, {Net: -1}},
		},
		{
			"a room of two pools is as scarce as the scarcer", family,
			[]availability.PoolNight{{Total: 5}, {Total: 3}},
			[]availability.RoomNight{open(3, 0), open(1, 0)},
			[]availability.House{{Net: 1, Free: 1, Available: 1}, {Net: 1, Free: 1, Available: 1}},
		},
		{
			"a pool named twice is needed twice", twice,
			[]availability.PoolNight{{Total: 5}},
			[]availability.RoomNight{open(1, 0)},
			[]availability.House{{Net: 1, Free: 1, Available: 1}},
		},
		{
			"the sell limit counts what is sold and held", own,
			[]availability.PoolNight{{Total: 10}},
			[]availability.RoomNight{{Sold: 2, Held: 1, SellLimit: 5}},
			[]availability.House{{Net: 7, Free: 7, Available: 2}},
		},
		{
			"a sell limit that is passed leaves nothing, not less", own,
			[]availability.PoolNight{{Total: 10}},
			[]availability.RoomNight{{Sold: 6, SellLimit: 5}},
			[]availability.House{{Net: 4, Free: 4}},
		},
		{
			"a sell limit of nothing sells nothing", own,
			[]availability.PoolNight{{Total: 10}},
			[]availability.RoomNight{{SellLimit: 0}},
			[]availability.House{{Net: 10, Free: 10}},
		},
		{
			"a closed room type is free and not available", own,
			[]availability.PoolNight{{Total: 10}},
			[]availability.RoomNight{{SellLimit: availability.NoLimit, Closed: true}},
			[]availability.House{{Net: 10, Free: 10}},
		},
		{
			"a room type that draws nothing has nothing",
			availability.Layout{Rooms: [][]availability.Draw{nil}},
			nil,
			[]availability.RoomNight{open(0, 0)},
			[]availability.House{{}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.layout.House(test.pools, test.rooms)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("house (-want +got):\n%s", diff)
			}
		})
	}
}

func TestExplainListsEveryStep(t *testing.T) {
	layout := availability.Layout{Pools: 2, Rooms: [][]availability.Draw{
		{{Pool: 0, Units: 1}, {Pool: 1, Units: 2}}, {{Pool: 1, Units: 1}},
	}}
	pools := []availability.PoolNight{{Total: 9}, {Total: 12, OutOfOrder: 1, OutOfInventory: 1, Overbooking: 2}}
	rooms := []availability.RoomNight{{Sold: 2, Held: 1, SellLimit: 4}, {Sold: 1, SellLimit: availability.NoLimit}}
	var tr hotel.Trace
	got := layout.Explain(pools, rooms, 0, &tr)
	if want := (availability.House{Net: 2, Free: 2, Available: 1}); got != want {
		t.Errorf("house = %+v, want %+v", got, want)
	}
	want := []hotel.Step{
		{Name: "stock", By: "pool 1", Change: 12, Count: 12},
		{Name: "out_of_order", Change: -1, Count: 11},
		{Name: "out_of_inventory", Change: -1, Count: 10},
		{Name: "overbooking", Change: 2, Count: 12},
		{Name: "sold", Change: -4, Count: 8},
		{Name: "held", Change: -2, Count: 6},
		{Name: "pool_sharing", By: "1 units taken by other room types, 2 units a room", Change: -4, Count: 2},
		{Name: "sell_limit", By: "limit 4", Change: -1, Count: 1},
		{Name: "closed", Count: 1},
	}
	if diff := cmp.Diff(want, tr.Steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

// world is a random property on a random night.
type world struct {
	layout availability.Layout
	pools  []availability.PoolNight
	rooms  []availability.RoomNight
}

func drawWorld(t *rapid.T) world {
	var w world
	w.layout.Pools = rapid.IntRange(1, 3).Draw(t, "pools")
	for range w.layout.Pools {
		w.pools = append(w.pools, availability.PoolNight{
			Total:          rapid.IntRange(0, 12).Draw(t, "total"),
			OutOfOrder:     rapid.IntRange(0, 3).Draw(t, "out of order"),
			OutOfInventory: rapid.IntRange(0, 2).Draw(t, "out of inventory"),
			Overbooking:    rapid.IntRange(0, 2).Draw(t, "overbooking"),
		})
	}
	for range rapid.IntRange(1, 4).Draw(t, "room types") {
		var draws []availability.Draw
		for range rapid.IntRange(1, 3).Draw(t, "draws") {
			draws = append(draws, availability.Draw{
				Pool:  rapid.IntRange(0, w.layout.Pools-1).Draw(t, "pool"),
				Units: rapid.IntRange(1, 3).Draw(t, "units"),
			})
		}
		w.layout.Rooms = append(w.layout.Rooms, draws)
		w.rooms = append(w.rooms, availability.RoomNight{
			Sold:      rapid.IntRange(0, 4).Draw(t, "sold"),
			Held:      rapid.IntRange(0, 2).Draw(t, "held"),
			SellLimit: rapid.IntRange(availability.NoLimit, 8).Draw(t, "sell limit"),
			Closed:    rapid.IntRange(0, 9).Draw(t, "closed") == 0,
		})
	}
	return w
}

// model is the property as a set of doors: a door is a unit of a pool, and a
// room takes doors one by one. A pool that is out of doors lends one, which is
// counted.
type model struct {
	doors []int // left in each pool
	lent  []int
}

func newModel(w world) *model {
	m := &model{doors: make([]int, len(w.pools)), lent: make([]int, len(w.pools))}
	for i, p := range w.pools {
		for range p.Total + p.Overbooking {
			m.doors[i]++
		}
		for range p.OutOfOrder + p.OutOfInventory {
			m.take(i)
		}
	}
	for i, r := range w.rooms {
		for range r.Sold + r.Held {
			m.place(w.layout.Rooms[i])
		}
	}
	return m
}

func (m *model) take(pool int) {
	if m.doors[pool] == 0 {
		m.lent[pool]++
		return
	}
	m.doors[pool]--
}

func (m *model) give(pool int) {
	if m.lent[pool] > 0 {
		m.lent[pool]--
		return
	}
	m.doors[pool]++
}

func (m *model) place(draws []availability.Draw) {
	for _, d := range draws {
		for range d.Units {
			m.take(d.Pool)
		}
	}
}

func (m *model) remove(draws []availability.Draw) {
	for _, d := range draws {
		for range d.Units {
			m.give(d.Pool)
		}
	}
}

// overfull reports whether a pool that the room needs has lent a door.
func (m *model) overfull(draws []availability.Draw) bool {
	for _, d := range draws {
		if m.lent[d.Pool] > 0 {
			return true
		}
	}
	return false
}

// net moves rooms of one type in or out, one after the other.
func (m *model) net(draws []availability.Draw) int {
	n := 0
	for m.overfull(draws) {
		m.remove(draws)
		n--
	}
	if n < 0 {
		return n
	}
	for {
		m.place(draws)
		if m.overfull(draws) {
			return n
		}
		n++
	}
}

func TestHouseEqualsPlacingRoomsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		got := w.layout.House(w.pools, w.rooms)
		for i, draws := range w.layout.Rooms {
			want := availability.House{Net: newModel(w).net(draws)}
			for n := 1; n <= want.Net; n++ {
				want.Free++
				r := w.rooms[i]
				if !r.Closed && (r.SellLimit == availability.NoLimit || r.Sold+r.Held+n <= r.SellLimit) {
					want.Available++
				}
			}
			if got[i] != want {
				t.Fatalf("room type %d: house = %+v, want %+v", i, got[i], want)
			}
		}
	})
}

func TestExplainIsTheSameComputation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		for i, want := range w.layout.House(w.pools, w.rooms) {
			var tr hotel.Trace
			if got := w.layout.Explain(w.pools, w.rooms, i, &tr); got != want {
				t.Fatalf("room type %d: explained %+v, house %+v", i, got, want)
			}
			count := 0
			for _, s := range tr.Steps {
				if count += s.Change; count != s.Count {
					t.Fatalf("room type %d: after %s the changes come to %d, the count is %d", i, s.Name, count, s.Count)
				}
			}
			if count != want.Available {
				t.Fatalf("room type %d: the steps end at %d, available %d", i, count, want.Available)
			}
		}
	})
}

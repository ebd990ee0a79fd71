package availability_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// layoutOf makes a layout of pools of single rooms.
func layoutOf(pools int, rooms ...availability.Room) *availability.Layout {
	return availability.NewLayout(singles(pools), rooms)
}

func singles(n int) []availability.Pool {
	pools := make([]availability.Pool, n)
	for i := range pools {
		pools[i] = availability.Pool{Name: string(rune('A' + i)), Rooms: 1}
	}
	return pools
}

// of makes a room of one unit of each of the named pools: "A+B" needs both,
// "A/B" any one of the two, "2A" two units.
func of(recipe string) availability.Room {
	var r availability.Room
	for entry := range strings.SplitSeq(recipe, "+") {
		d := availability.Draw{Units: 1}
		if entry[0] >= '1' && entry[0] <= '9' {
			d.Units, entry = int(entry[0]-'0'), entry[1:]
		}
		for pool := range strings.SplitSeq(entry, "/") {
			d.AnyOf = append(d.AnyOf, int(pool[0]-'A'))
		}
		r.Draws = append(r.Draws, d)
	}
	return r
}

func taken(sold int) availability.RoomNight {
	return availability.RoomNight{Sold: sold, SellLimit: availability.NoLimit}
}

func units(totals ...int) []availability.PoolNight {
	pools := make([]availability.PoolNight, len(totals))
	for i, n := range totals {
		pools[i].Total = n
	}
	return pools
}

func TestHouse(t *testing.T) {
	none := availability.NoLimit
	same := func(n int) availability.House { return availability.House{Net: n, Free: n, Open: n, Available: n} }
	tests := []struct {
		name   string
		layout *availability.Layout
		night  availability.Night
		want   []availability.House
	}{
		{
			"an empty house sells all it has", layoutOf(1, of("A")),
			availability.Night{Pools: units(5), Rooms: []availability.RoomNight{taken(0)}},
			[]availability.House{same(5)},
		},
		{
			"what is out of order or withdrawn is not sold, allowed overbooking is", layoutOf(1, of("A")),
			availability.Night{
				Pools: []availability.PoolNight{{Total: 10, OutOfOrder: 2, OutOfInventory: 1, Overbooking: 3}},
				Rooms: []availability.RoomNight{{Sold: 3, Held: 1, Blocked: 1, SellLimit: none}},
			},
			[]availability.House{same(5)},
		},
		{
			"an overfull house counts the rooms that find no place", layoutOf(1, of("A")),
			availability.Night{Pools: []availability.PoolNight{{Total: 2, OutOfOrder: 1}}, Rooms: []availability.RoomNight{taken(3)}},
			[]availability.House{{Net: -2}},
		},
		{
			"where the others fill more than there is, a type without rooms lacks none", layoutOf(1, of("A"), of("A")),
			availability.Night{Pools: units(2), Rooms: []availability.RoomNight{taken(3), taken(0)}},
			[]availability.House{{Net: -1}, {}},
		},
		{
			"two room types on one pool share it", layoutOf(1, of("A"), of("A")),
			availability.Night{Pools: units(5), Rooms: []availability.RoomNight{taken(1), taken(3)}},
			[]availability.House{same(1), same(1)},
		},
		{
			"a suite of two rooms needs both", layoutOf(1, of("A"), of("2A")),
			availability.Night{Pools: units(5), Rooms: []availability.RoomNight{taken(0), taken(1)}},
			[]availability.House{same(3), same(1)},
		},
		{
			"half a suite missing is a whole suite without place", layoutOf(1, of("A"), of("2A")),
			availability.Night{Pools: units(4), Rooms: []availability.RoomNight{taken(3), taken(1)}},
			[]availability.House{{Net: -1}, {Net: -1}},
		},
		{
			"a room of two pools is as scarce as the scarcer", layoutOf(2, of("A"), of("A+B")),
			availability.Night{Pools: units(5, 3), Rooms: []availability.RoomNight{taken(3), taken(1)}},
			[]availability.House{same(1), same(1)},
		},
		{
			"a pool named twice is needed twice", layoutOf(1, of("A+A")),
			availability.Night{Pools: units(5), Rooms: []availability.RoomNight{taken(1)}},
			[]availability.House{same(1)},
		},
		{
			"a convertible room is sold as long as one of the two is left", layoutOf(2, of("A"), of("B"), of("A/B")),
			availability.Night{Pools: units(2, 3), Rooms: []availability.RoomNight{taken(1), taken(1), taken(2)}},
			[]availability.House{same(1), same(1), same(1)},
		},
		{
			"a convertible room is moved when the other kind is needed", layoutOf(2, of("A"), of("A/B")),
			availability.Night{Pools: units(1, 1), Rooms: []availability.RoomNight{taken(0), taken(1)}},
			[]availability.House{same(1), same(1)},
		},
		{
			"convertible rooms are moved along a chain of pools", layoutOf(3, of("A"), of("A/B"), of("B/C")),
			availability.Night{Pools: units(1, 1, 1), Rooms: []availability.RoomNight{taken(0), taken(1), taken(1)}},
			[]availability.House{same(1), same(1), same(1)},
		},
		{
			"a room too many in one pool takes none of its neighbour's", layoutOf(2, of("A"), of("B"), of("A/B")),
			availability.Night{Pools: units(3, 1), Rooms: []availability.RoomNight{taken(0), taken(2), taken(1)}},
			[]availability.House{same(2), {Net: -1}, same(2)},
		},
		{
			"a suite finds its two rooms in one pool, not one in each", layoutOf(2, of("2A/B"), of("A/B")),
			availability.Night{Pools: units(3, 3), Rooms: []availability.RoomNight{taken(1), taken(2)}},
			[]availability.House{same(1), same(2)},
		},
		{
			"a suite that needs one of two suites and a parking place", layoutOf(3, of("A/B+C"), of("C")),
			availability.Night{Pools: units(2, 2, 3), Rooms: []availability.RoomNight{taken(1), taken(1)}},
			[]availability.House{same(1), same(1)},
		},
		{
			"half of a pair takes the pair", availability.NewLayout([]availability.Pool{{Name: "pairs", Rooms: 2}},
				[]availability.Room{{Draws: of("A").Draws}, {Draws: of("A").Draws, Rooms: 1}}),
			availability.Night{Pools: units(3), Rooms: []availability.RoomNight{taken(0), taken(2)}},
			[]availability.House{same(1), same(1)},
		},
		{
			"the sell limit counts what is sold and held, not what is blocked", layoutOf(1, of("A")),
			availability.Night{Pools: units(10), Rooms: []availability.RoomNight{{Sold: 2, Held: 1, Blocked: 3, SellLimit: 5}}},
			[]availability.House{{Net: 4, Free: 4, Open: 2, Available: 2}},
		},
		{
			"a sell limit that is passed leaves nothing, not less", layoutOf(1, of("A")),
			availability.Night{Pools: units(10), Rooms: []availability.RoomNight{{Sold: 6, SellLimit: 5}}},
			[]availability.House{{Net: 4, Free: 4}},
		},
		{
			"a sell limit of nothing sells nothing", layoutOf(1, of("A")),
			availability.Night{Pools: units(10), Rooms: []availability.RoomNight{{}}},
			[]availability.House{{Net: 10, Free: 10}},
		},
		{
			"a closed room type is free and not available", layoutOf(1, of("A")),
			availability.Night{Pools: units(10), Rooms: []availability.RoomNight{{SellLimit: none, Closed: true}}},
			[]availability.House{{Net: 10, Free: 10, Open: 10}},
		},
		{
			"the house limit holds over all types, in rooms", availability.NewLayout([]availability.Pool{{Rooms: 1}, {Rooms: 2}},
				[]availability.Room{of("A"), of("B")}),
			availability.Night{
				Pools: []availability.PoolNight{{Total: 10, Overbooking: 2}, {Total: 5}}, HouseLimit: 20,
				Rooms: []availability.RoomNight{{Sold: 7, Held: 1, Blocked: 1, SellLimit: none}, {Sold: 4, SellLimit: none}},
			},
			[]availability.House{same(3), {Net: 1, Free: 1, Open: 1, Available: 1}},
		},
		{
			"a house limit leaves no half of a suite", availability.NewLayout([]availability.Pool{{Rooms: 2}}, []availability.Room{of("A")}),
			availability.Night{Pools: units(5), HouseLimit: 5, Rooms: []availability.RoomNight{taken(1)}},
			[]availability.House{{Net: 4, Free: 4, Open: 1, Available: 1}},
		},
		{
			"a house limit that is passed leaves nothing, not less", layoutOf(1, of("A")),
			availability.Night{Pools: units(5), HouseLimit: 1, Rooms: []availability.RoomNight{taken(3)}},
			[]availability.House{{Net: 2, Free: 2}},
		},
		{
			"a number that is given counts instead of the pool", layoutOf(1, availability.Room{Draws: of("A").Draws, Given: true}),
			availability.Night{Pools: units(2), Rooms: []availability.RoomNight{{Sold: 3, SellLimit: none, Given: 4, Uncounted: 1}}},
			[]availability.House{same(3)},
		},
		{
			"a number that is given stands under the limits", layoutOf(1, availability.Room{Draws: of("A").Draws, Given: true}),
			availability.Night{Pools: units(2), Rooms: []availability.RoomNight{{Sold: 3, SellLimit: 4, Given: 4}}},
			[]availability.House{{Net: 4, Free: 4, Open: 1, Available: 1}},
		},
		{
			"more bookings than the number given", layoutOf(1, availability.Room{Draws: of("A").Draws, Given: true}),
			availability.Night{Pools: units(2), Rooms: []availability.RoomNight{{SellLimit: none, Given: 1, Uncounted: 2}}},
			[]availability.House{{Net: -1}},
		},
		{
			"a room type that is given still takes its room from those that are counted",
			layoutOf(1, availability.Room{Draws: of("A").Draws, Given: true}, of("A")),
			availability.Night{Pools: units(5), Rooms: []availability.RoomNight{{Sold: 2, SellLimit: none, Given: 9}, taken(1)}},
			[]availability.House{same(9), same(2)},
		},
		{
			"a room type that draws nothing has nothing", layoutOf(0, availability.Room{}),
			availability.Night{Rooms: []availability.RoomNight{taken(0)}},
			[]availability.House{{}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.night.HouseLimit == 0 {
				test.night.HouseLimit = availability.NoLimit
			}
			got := test.layout.House(&test.night)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("house (-want +got):\n%s", diff)
			}
		})
	}
}

func TestExplainListsEveryStep(t *testing.T) {
	var limited availability.Night
	limited.Pools = []availability.PoolNight{{Total: 9}, {Total: 12, OutOfOrder: 1, OutOfInventory: 1, Overbooking: 2}}
	limited.Rooms = []availability.RoomNight{{Sold: 2, Held: 1, Blocked: 1, SellLimit: 4}, taken(1)}
	limited.HouseLimit = 20
	tests := []struct {
		name   string
		layout *availability.Layout
		night  availability.Night
		want   availability.House
		steps  []hotel.Step
	}{
		{
			"the scarcer of two pools", layoutOf(2, of("A+2B"), of("B")), limited,
			availability.House{Net: 1, Free: 1, Open: 1, Available: 1},
			[]hotel.Step{
				{Name: "stock", By: "B", Change: 12, Count: 12},
				{Name: "out_of_order", Change: -1, Count: 11},
				{Name: "out_of_inventory", Change: -1, Count: 10},
				{Name: "overbooking", Change: 2, Count: 12},
				{Name: "sold", Change: -4, Count: 8},
				{Name: "held", Change: -2, Count: 6},
				{Name: "blocks", Change: -2, Count: 4},
				{Name: "pool_sharing", By: "less what other room types take, 2 units a room", Change: -3, Count: 1},
				{Name: "sell_limit", By: "limit 4", Count: 1, Acted: hotel.Acted{Limit: new(4)}},
				{Name: "house_limit", By: "limit 20, 7 rooms left", Count: 1, Acted: hotel.Acted{Limit: new(20), Left: new(7)}},
			},
		},
		{
			"pools that stand in for each other, and a closed type", layoutOf(2, of("A/B"), of("B")),
			availability.Night{
				Pools: units(3, 2), HouseLimit: availability.NoLimit,
				Rooms: []availability.RoomNight{{Sold: 1, SellLimit: availability.NoLimit, Closed: true}, taken(1)},
			},
			availability.House{Net: 3, Free: 3, Open: 3},
			[]hotel.Step{
				{Name: "stock", By: "A or B", Change: 5, Count: 5},
				{Name: "out_of_order", Count: 5},
				{Name: "out_of_inventory", Count: 5},
				{Name: "overbooking", Count: 5},
				{Name: "sold", Change: -1, Count: 4},
				{Name: "held", Count: 4},
				{Name: "blocks", Count: 4},
				{Name: "pool_sharing", By: "less what other room types take", Change: -1, Count: 3},
				{Name: "sell_limit", Count: 3},
				{Name: "house_limit", Count: 3},
			},
		},
		{
			"a number that is given", layoutOf(1, availability.Room{Draws: of("A").Draws, Given: true}),
			availability.Night{
				Pools: units(3), HouseLimit: availability.NoLimit,
				Rooms: []availability.RoomNight{{Sold: 1, SellLimit: availability.NoLimit, Given: 6, Uncounted: 2}},
			},
			availability.House{Net: 4, Free: 4, Open: 4, Available: 4},
			[]hotel.Step{
				{Name: "given", Change: 6, Count: 6},
				{Name: "not_yet_at_pms", Change: -2, Count: 4},
				{Name: "sell_limit", Count: 4},
				{Name: "house_limit", Count: 4},
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var tr hotel.Trace
			if got := test.layout.Explain(&test.night, 0, &tr); got != test.want {
				t.Errorf("house = %+v, want %+v", got, test.want)
			}
			if diff := cmp.Diff(test.steps, tr.Steps); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
		})
	}
}

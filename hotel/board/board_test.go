package board_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
)

// The rooms and plans of the sample house, by index.
const (
	double = iota
	twin
	suite
	family
	rooms
)

const (
	flexible = iota
	saver
	corporate
	guests
	plans
)

var from = hotel.DateOf(2026, time.December, 1)

func samplePools() []hotel.Pool {
	return []hotel.Pool{{Entity: hotel.Entity{ID: "pl_rooms"}}, {Entity: hotel.Entity{ID: "pl_cots"}}}
}

// sampleRooms are a double and a twin on one pool, a suite of two of its rooms,
// and a family room that needs a cot as well.
func sampleRooms() []hotel.RoomType {
	room := func(id, code, name string, adults, children, most int, draws ...hotel.Draw) hotel.RoomType {
		return hotel.RoomType{
			Entity: hotel.Entity{ID: id}, Code: code, Name: name, Consumes: draws,
			BaseOccupancy: 2, MaxAdults: adults, MaxChildren: children, MaxOccupancy: most,
		}
	}
	return []hotel.RoomType{
		double: room("rt_double", "double", "Double Room", 2, 1, 2, hotel.Draw{AnyOf: []string{"pl_rooms"}, Units: 1}),
		twin:   room("rt_twin", "twin", "Twin", 2, 0, 2, hotel.Draw{AnyOf: []string{"pl_rooms"}, Units: 1}),
		suite:  room("rt_suite", "suite", "double", 4, 2, 4, hotel.Draw{AnyOf: []string{"pl_rooms"}, Units: 2}),
		family: room("rt_family", "family", "Family", 2, 2, 4,
			hotel.Draw{AnyOf: []string{"pl_rooms"}, Units: 1}, hotel.Draw{AnyOf: []string{"pl_cots"}, Units: 1}),
	}
}

// samplePlans are a public plan, one derived from it, one for a client and a
// channel, and one that has a price for each number of guests.
func samplePlans() []hotel.RatePlan {
	all := []string{"rt_double", "rt_twin", "rt_suite", "rt_family"}
	return []hotel.RatePlan{
		flexible: {
			Entity: hotel.Entity{ID: "rp_flexible"}, Currency: "EUR", Pricing: hotel.PerRoomPrice,
			RoomTypeIDs: all, Audience: hotel.Public,
		},
		saver: {
			Entity: hotel.Entity{ID: "rp_saver"}, Currency: "EUR", Pricing: hotel.PerRoomPrice,
			RoomTypeIDs: all[:2], Audience: hotel.Public, SoldBy: []string{"ch_one"},
			DerivedFrom: &hotel.Derivation{
				RatePlanID: "rp_flexible", Kind: hotel.Percent, Value: "-10", Rounding: hotel.RoundNearest1,
			},
			Restrictions: hotel.Restriction{MinAdvance: new(7)},
		},
		corporate: {
			Entity: hotel.Entity{ID: "rp_corporate"}, Currency: "EUR", Pricing: hotel.PerRoomPrice,
			RoomTypeIDs: all, Audience: hotel.Restricted, SoldBy: []string{"cl_firm", "ch_one"},
		},
		guests: {
			Entity: hotel.Entity{ID: "rp_guests"}, Currency: "EUR", Pricing: hotel.PerOccupancy,
			RoomTypeIDs: all[2:], Audience: hotel.Public,
		},
	}
}

func sampleNight() *board.Night {
	n := board.NewNight(2, rooms, plans)
	n.Pools[0].Total, n.Pools[1].Total = 10, 2
	n.Rates[double][flexible].Amount = 10010
	n.Rates[twin][flexible].Amount = 9000
	n.Rates[suite][guests] = board.Rate{Amount: 20000, ByOccupancy: map[int]int64{1: 15000, 4: 26000}}
	return n
}

// sample returns the house for ten nights, each changed by the given function.
func sample(t testing.TB, change func(i int, n *board.Night)) *board.Board {
	t.Helper()
	nights := make([]*board.Night, 10)
	for i := range nights {
		nights[i] = sampleNight()
		if change != nil {
			change(i, nights[i])
		}
	}
	b, err := board.New(hotel.Property{Currency: "EUR"}, samplePools(), sampleRooms(), samplePlans(), from, nights, 7)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestNewRefuses(t *testing.T) {
	derived := func(p *hotel.RatePlan, parent string) {
		p.DerivedFrom = &hotel.Derivation{RatePlanID: parent, Kind: hotel.Percent, Value: "-5"}
	}
	tests := []struct {
		name   string
		change func(rooms []hotel.RoomType, plans []hotel.RatePlan, nights []*board.Night)
		wrong  string
	}{
		{"a room type without draws", func(r []hotel.RoomType, _ []hotel.RatePlan, _ []*board.Night) {
			r[twin].Consumes = nil
		}, "room type rt_twin draws on no pool"},
		{"a draw on an unknown pool", func(r []hotel.RoomType, _ []hotel.RatePlan, _ []*board.Night) {
			r[twin].Consumes[0].AnyOf = []string{"pl_gone"}
		}, "room type rt_twin draws on unknown pool pl_gone"},
		{"a draw of nothing", func(r []hotel.RoomType, _ []hotel.RatePlan, _ []*board.Night) {
			r[twin].Consumes[0].Units = 0
		}, "room type rt_twin draws 0 units of a pool"},
		{"a parent that is not there", func(_ []hotel.RoomType, p []hotel.RatePlan, _ []*board.Night) {
			derived(&p[saver], "rp_gone")
		}, "rate plan rp_saver is derived from unknown plan rp_gone"},
		{"a plan derived from itself", func(_ []hotel.RoomType, p []hotel.RatePlan, _ []*board.Night) {
			derived(&p[corporate], "rp_corporate")
		}, "rate plan rp_corporate is derived in a circle"},
		{"plans derived from each other", func(_ []hotel.RoomType, p []hotel.RatePlan, _ []*board.Night) {
			derived(&p[guests], "rp_corporate")
			derived(&p[corporate], "rp_guests")
		}, "rate plan rp_corporate is derived in a circle"},
		{"a parent in another currency", func(_ []hotel.RoomType, p []hotel.RatePlan, _ []*board.Night) {
			p[flexible].Currency = "CHF"
		}, "rate plan rp_saver in EUR is derived from a plan in CHF"},
		{"a value that is no number", func(_ []hotel.RoomType, p []hotel.RatePlan, _ []*board.Night) {
			p[saver].DerivedFrom.Value = "ten"
		}, `rate plan rp_saver: adjustment value "ten"`},
		{"a night that is missing", func(_ []hotel.RoomType, _ []hotel.RatePlan, n []*board.Night) {
			n[1] = nil
		}, "night 2026-12-02 is missing"},
		{"a night for other plans", func(_ []hotel.RoomType, _ []hotel.RatePlan, n []*board.Night) {
			n[0] = board.NewNight(2, rooms, plans-1)
		}, "night 2026-12-01 is missing or made for other"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, p := sampleRooms(), samplePlans()
			n := []*board.Night{sampleNight(), sampleNight()}
			test.change(r, p, n)
			_, err := board.New(hotel.Property{Currency: "EUR"}, samplePools(), r, p, from, n, 1)
			if err == nil || !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("error = %v, want %q", err, test.wrong)
			}
		})
	}
}

func TestNewFollowsThreeDerivations(t *testing.T) {
	chain := func(n int) error {
		var all []hotel.RatePlan
		for i, id := range []string{"rp_a", "rp_b", "rp_c", "rp_d", "rp_e"}[:n+1] {
			p := hotel.RatePlan{Entity: hotel.Entity{ID: id}, Currency: "EUR"}
			if i > 0 {
				p.DerivedFrom = &hotel.Derivation{RatePlanID: all[i-1].ID, Kind: hotel.Amount, Value: "5"}
			}
			all = append(all, p)
		}
		_, err := board.New(hotel.Property{Currency: "EUR"}, samplePools(), sampleRooms(), all, from, nil, 1)
		return err
	}
	if err := chain(3); err != nil {
		t.Errorf("three derivations: %v", err)
	}
	if err := chain(4); err == nil || !strings.Contains(err.Error(), "rate plan rp_e") {
		t.Errorf("four derivations: %v, want an error that names rp_e", err)
	}
}

func TestWith(t *testing.T) {
	tests := []struct {
		name   string
		nights []hotel.Date
		sold   []int // doubles, from the board's first night on
	}{
		{"in the middle", []hotel.Date{from + 1, from + 3}, []int{0, 1, 0, 1}},
		{"over the end", []hotel.Date{from + 3, from + 4}, []int{0, 0, 0, 1}},
		{"over the beginning", []hotel.Date{from - 1, from}, []int{1, 0, 0, 0}},
		{"nothing", nil, []int{0, 0, 0, 0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			nights := []*board.Night{sampleNight(), sampleNight(), sampleNight(), sampleNight()}
			before, err := board.New(hotel.Property{Currency: "EUR"}, samplePools(), sampleRooms(), samplePlans(), from, nights, 1)
			if err != nil {
				t.Fatal(err)
			}
			changed := map[hotel.Date]*board.Night{}
			for _, d := range test.nights {
				changed[d] = sampleNight().Sell(double, 1)
			}
			after := before.With(2, changed)
			sold := func(b *board.Board) []int {
				var all []int
				for _, n := range b.Nights {
					all = append(all, n.Rooms[double].Sold)
				}
				return all
			}
			if diff := cmp.Diff(test.sold, sold(after)); diff != "" {
				t.Errorf("sold (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]int{0, 0, 0, 0}, sold(before)); diff != "" {
				t.Errorf("sold on the board before (-want +got):\n%s", diff)
			}
			if before.Sequence != 1 || after.Sequence != 2 {
				t.Errorf("sequences = %d and %d, want 1 and 2", before.Sequence, after.Sequence)
			}
		})
	}
}

func TestWithRefusesNightsOfOtherLists(t *testing.T) {
	b := sample(t, nil)
	defer func() {
		if recover() == nil {
			t.Error("a night for other room types was taken")
		}
	}()
	b.With(8, map[hotel.Date]*board.Night{from: board.NewNight(2, rooms-1, plans)})
}

// A copy of a night leaves the night as it was.
func TestCopiesOfANight(t *testing.T) {
	n := sampleNight()
	told := board.Announced{Known: true, Net: -1}
	next := n.Sell(double, 2).Sell(double, -1).Announce(suite, told)
	if n.Rooms[double].Sold != 0 || next.Rooms[double].Sold != 1 {
		t.Errorf("%d sold on the night, %d on its copy", n.Rooms[double].Sold, next.Rooms[double].Sold)
	}
	if n.Announced[suite].Known || next.Announced[suite] != told {
		t.Errorf("announced %+v on the night, %+v on its copy", n.Announced[suite], next.Announced[suite])
	}
}

func TestLookups(t *testing.T) {
	b := sample(t, nil)
	names := []struct {
		name string
		room int
		ok   bool
	}{
		{"double", double, true}, // the code of one, the name of another
		{"double room", double, true},
		{"  DOUBLE Room ", double, true},
		{"Suite", suite, true},
		{"single", 0, false},
		{"", 0, false},
	}
	for _, test := range names {
		if room, ok := b.RoomByName(test.name); room != test.room || ok != test.ok {
			t.Errorf("room by name %q = %d %t, want %d %t", test.name, room, ok, test.room, test.ok)
		}
	}
	if room, ok := b.Room("rt_suite"); room != suite || !ok {
		t.Errorf("room rt_suite = %d %t", room, ok)
	}
	if _, ok := b.Room("suite"); ok {
		t.Error("a code was taken for an id")
	}
	if pool, ok := b.Pool(b.Pools[1].ID); pool != 1 || !ok {
		t.Errorf("second pool = %d %t", pool, ok)
	}
	if plan, ok := b.Plan("rp_corporate"); plan != corporate || !ok {
		t.Errorf("plan rp_corporate = %d %t", plan, ok)
	}
	if _, ok := b.Plan("rp_gone"); ok {
		t.Error("an unknown plan was found")
	}
	if b.Night(from-1) != nil || b.Night(from+10) != nil || b.Night(from+9) == nil {
		t.Error("the board does not end where it ends")
	}
}

func TestSells(t *testing.T) {
	b := sample(t, nil)
	tests := []struct {
		name   string
		plan   int
		seller hotel.Seller
		want   bool
	}{
		{"a public plan to any client", flexible, hotel.Seller{ID: "cl_any"}, true},
		{"a public plan not to a channel that it does not name", flexible, hotel.Seller{ID: "ch_one", Channel: true}, false},
		{"a public plan to a channel that it names", saver, hotel.Seller{ID: "ch_one", Channel: true}, true},
		{"a restricted plan to a client that it names", corporate, hotel.Seller{ID: "cl_firm"}, true},
		{"a restricted plan not to another client", corporate, hotel.Seller{ID: "cl_any"}, false},
		{"a restricted plan to a channel that it names", corporate, hotel.Seller{ID: "ch_one", Channel: true}, true},
		{"every plan to the house itself", corporate, hotel.Seller{}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := b.Sells(test.plan, test.seller); got != test.want {
				t.Errorf("sells = %t, want %t", got, test.want)
			}
		})
	}
}

func TestHouseOutsideTheBoard(t *testing.T) {
	b := sample(t, nil)
	want := []availability.House{
		double: {Net: 10, Free: 10, Open: 10, Available: 10},
		twin:   {Net: 10, Free: 10, Open: 10, Available: 10},
		suite:  {Net: 5, Free: 5, Open: 5, Available: 5},
		family: {Net: 2, Free: 2, Open: 2, Available: 2},
	}
	if diff := cmp.Diff(want, b.House(from+9)); diff != "" {
		t.Errorf("house of the last night (-want +got):\n%s", diff)
	}
	if got := b.House(from + 10); got != nil {
		t.Errorf("house after the last night = %v", got)
	}
	var tr hotel.Trace
	if got := b.ExplainHouse(from+10, double, &tr); got != (availability.House{}) || tr.Steps != nil {
		t.Errorf("explained after the last night = %v %v", got, tr.Steps)
	}
	if got := b.ExplainHouse(from+9, suite, &tr); got != want[suite] || len(tr.Steps) == 0 {
		t.Errorf("explained on the last night = %v %v", got, tr.Steps)
	}
}

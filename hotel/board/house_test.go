package board_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
)

func TestHousePrice(t *testing.T) {
	b := sample(t, func(i int, n *board.Night) {
		switch i {
		case 1:
			n.Rates[double][saver].Amount = 8888
		case 2:
			n.Rates[double][flexible].Amount = board.None
		case 3:
			n.Rates[suite][guests] = board.Rate{Amount: board.None, ByOccupancy: map[int]int64{3: 21000}}
		}
	})
	tests := []struct {
		name      string
		night     hotel.Date
		room      int
		plan      int
		occupancy int
		want      string // "" for no price
	}{
		{"as typed", 0, double, flexible, 0, "100.10 EUR"},
		{"for the room, whoever sleeps in it", 0, double, flexible, 1, "100.10 EUR"},
		{"derived and rounded", 0, double, saver, 0, "90.00 EUR"},
		{"typed over the derivation, and not rounded", 1, double, saver, 0, "88.88 EUR"},
		{"derived from no price", 2, double, saver, 0, ""},
		{"no price of a plan without one", 0, double, corporate, 0, ""},
		{"no price where the plan does not sell the room", 0, double, guests, 0, ""},
		{"for the base occupancy", 0, suite, guests, 0, "200.00 EUR"},
		{"for the base occupancy by number", 0, suite, guests, 2, "200.00 EUR"},
		{"for one guest", 0, suite, guests, 1, "150.00 EUR"},
		{"for three guests as for four", 0, suite, guests, 3, "260.00 EUR"},
		{"for more guests than any price is for", 0, suite, guests, 5, ""},
		{"without a base amount nothing but its own price", 3, suite, guests, 2, ""},
		{"without a base amount its own price", 3, suite, guests, 3, "210.00 EUR"},
		{"outside the board", 10, double, flexible, 0, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h, ok := b.HousePrice(from+test.night, test.room, test.plan, test.occupancy)
			got := ""
			if ok {
				got = price.Quote(h).String()
			}
			if got != test.want {
				t.Errorf("price = %q, want %q", got, test.want)
			}
		})
	}
}

func TestExplainPrice(t *testing.T) {
	b := sample(t, func(i int, n *board.Night) {
		if i == 1 {
			n.Rates[double][saver].Amount = 8888
		}
	})
	tests := []struct {
		name  string
		night hotel.Date
		want  []hotel.Step
	}{
		{"derived", 0, []hotel.Step{
			{Name: "rate_base", By: "manual", Text: "100.10", Acted: hotel.Acted{ID: "rp_flexible"}},
			{Name: "floor_ceiling", Text: "100.10"},
			{Name: "derivation", By: "-10 percent", Text: "90.09", Acted: hotel.Acted{ID: "rp_flexible", Kind: "percent"}},
			{Name: "floor_ceiling", Text: "90.09"},
		}},
		{"typed over the derivation", 1, []hotel.Step{
			{Name: "rate_base", By: "manual_override", Text: "88.88", Acted: hotel.Acted{ID: "rp_saver"}},
			{Name: "floor_ceiling", Text: "88.88"},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var tr hotel.Trace
			b.ExplainPrice(from+test.night, double, saver, 0, &tr)
			if diff := cmp.Diff(test.want, tr.Steps); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHouseRules(t *testing.T) {
	b := sample(t, func(i int, n *board.Night) {
		switch i {
		case 1:
			n.Restrict(board.Every, board.Every, hotel.Restriction{ClosedToDeparture: new(true), MinStayArrival: new(4)})
			n.Restrict(double, board.Every, hotel.Restriction{MinStayArrival: new(3)})
			n.Restrict(board.Every, flexible, hotel.Restriction{ClosedToArrival: new(true)})
			n.Restrict(double, flexible, hotel.Restriction{MinStayArrival: new(2), MaxStayArrival: new(9)})
		case 2:
			n.Restrict(double, saver, hotel.Restriction{MinAdvance: new(0), MaxStayArrival: new(5)})
			n.Restrict(double, flexible, hotel.Restriction{Closed: new(true), MaxStayArrival: new(7)})
		}
	})
	tests := []struct {
		name  string
		night hotel.Date
		room  int
		plan  int
		want  availability.NightRules
	}{
		{"nothing said", 0, double, flexible, availability.NightRules{}},
		{"the plan's default", 0, double, saver, availability.NightRules{Lengths: hotel.LengthLimits{MinAdvance: 7}}},
		{"the plan's default outside the board", 10, double, saver, availability.NightRules{Lengths: hotel.LengthLimits{MinAdvance: 7}}},
		{
			"all four levels", 1, double, flexible,
			availability.NightRules{
				Closed:  hotel.Closed{Arrival: true, Departure: true},
				Lengths: hotel.LengthLimits{MinStayArrival: 2, MaxStayArrival: 9},
			},
		},
		{
			"the levels of another product", 1, twin, corporate,
			availability.NightRules{Closed: hotel.Closed{Departure: true}, Lengths: hotel.LengthLimits{MinStayArrival: 4}},
		},
		{
			"a derived plan has its parent's closings and the stricter lengths", 1, double, saver,
			availability.NightRules{
				Closed:  hotel.Closed{Arrival: true, Departure: true},
				Lengths: hotel.LengthLimits{MinStayArrival: 3, MaxStayArrival: 9, MinAdvance: 7},
			},
		},
		{
			"a night lifts the derived plan's own default, not what it inherits", 2, double, saver,
			availability.NightRules{Closed: hotel.Closed{Closed: true}, Lengths: hotel.LengthLimits{MaxStayArrival: 5}},
		},
		{"nothing said of another room that night", 2, twin, flexible, availability.NightRules{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := b.HouseRules(from+test.night, test.room, test.plan); got != test.want {
				t.Errorf("rules = %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestHouseWithPoolsAtChoice(t *testing.T) {
	pools, rooms := samplePools(), sampleRooms()
	rooms[twin].Consumes[0].AnyOf = []string{"pl_cots", "pl_rooms"}
	n := sampleNight()
	n.Rooms[double].Sold = 9
	b, err := board.New(hotel.Property{Currency: "EUR"}, pools, rooms, samplePlans(), from, []*board.Night{n}, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []int{double: 1, twin: 3, suite: 0, family: 1}
	for i, h := range b.House(from) {
		if h.Free != want[i] {
			t.Errorf("%s: %d free, want %d", rooms[i].ID, h.Free, want[i])
		}
	}
}

func TestHouseAsAnotherSystemCounts(t *testing.T) {
	rooms := sampleRooms()
	rooms[double].Mode = hotel.DerivedMode
	n := sampleNight()
	n.Rooms[twin].Given, n.Rooms[twin].Uncounted = 4, 1
	b, err := board.New(hotel.Property{Currency: "EUR", Mode: hotel.GivenMode}, samplePools(), rooms, samplePlans(), from, []*board.Night{n}, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []int{double: 10, twin: 3, suite: 0, family: 0}
	for i, h := range b.House(from) {
		if h.Free != want[i] {
			t.Errorf("%s: %d free, want %d", rooms[i].ID, h.Free, want[i])
		}
	}
}

// TestExposed: what is granted beyond what there is, and what a policy accepts that
// channels may sell besides, which nothing is dealt by.
func TestExposed(t *testing.T) {
	tests := []struct {
		name                   string
		granted, risk, unknown int
		exposed                int // of a night of ten rooms
		undealt                int
	}{
		{"nothing is granted", 0, 0, 0, 0, 10},
		{"as many as there are", 10, 0, 0, 0, 0},
		{"more than there are", 12, 0, 0, 2, -2},
		{"at risk, and all is granted", 10, 3, 0, 3, 0},
		{"at risk, and so many are left that it does no harm", 6, 3, 0, 0, 4},
		{"at risk, and some are left", 8, 3, 0, 1, 2},
		{"at risk alone", 0, 11, 0, 1, 10},
		{"nobody knows what one shows: as many as there are", 0, 0, 1, 0, -3},
		{"nor what three show", 0, 0, 3, 20, -3},
		{"and another was granted some", 4, 0, 1, 4, -7},
	}
	b := sample(t, func(i int, n *board.Night) {
		if i < len(tests) {
			*n = *n.Grant(double, tests[i].granted).Risk(double, tests[i].risk)
			n.Rooms[double].Unknown = tests[i].unknown
		}
	})
	all := 0
	for i, test := range tests {
		d := from + hotel.Date(i)
		if n := b.Exposed(d, double); n != test.exposed {
			t.Errorf("%s: %d are exposed, want %d", test.name, n, test.exposed)
		}
		if n := b.Undealt(d)[double].Net; n != test.undealt {
			t.Errorf("%s: %d are left to deal, want %d", test.name, n, test.undealt)
		}
		for room := range b.RoomTypes {
			if n := b.Exposed(d, room); test.risk == 0 {
				all += n
			}
		}
	}
	if n := b.ExposedRooms(); n != all {
		t.Errorf("%d are exposed in all that nobody has accepted, want %d", n, all)
	}
}

package board_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
)

// entry is a RoomAnswer in a few words.
type entry struct {
	Room, Plan string
	Available  int
	Rate       string
}

func entries(a board.Answer) []entry {
	var all []entry
	for _, r := range a.Rooms {
		all = append(all, entry{r.RoomType.ID, r.Plan.ID, r.Available, r.Rate.String()})
	}
	return all
}

func TestAvailability(t *testing.T) {
	b := sample(t, func(i int, n *board.Night) {
		n.Rates[double][corporate].Amount = 8000
		switch i {
		case 2:
			n.Rates[double][flexible].Amount = 10011
		case 3:
			n.Restrict(double, board.Every, hotel.Restriction{Closed: new(true)})
		case 5:
			n.Rooms[double].Sold = 10
		case 6:
			n.Rates[double][flexible].Amount = board.None
		case 7:
			n.Restrict(double, saver, hotel.Restriction{MinStayThrough: new(3)})
		}
	})
	twinSaver := entry{"rt_twin", "rp_saver", 10, "81.00 EUR"}
	suiteGuests := entry{"rt_suite", "rp_guests", 5, "200.00 EUR"}
	tests := []struct {
		name             string
		stay             hotel.Stay
		room             int
		adults, children int
		ahead            hotel.Date
		seller           hotel.Seller
		available        bool
		want             []entry
	}{
		{
			"the cheapest plan of each room, and no room without a price", nights(0, 2), board.Every, 0, 0, 30, client("cl_any"), true,
			[]entry{{"rt_double", "rp_saver", 10, "90.00 EUR"}, twinSaver, suiteGuests},
		},
		{
			"one room asked for", nights(0, 2), twin, 0, 0, 30, client("cl_any"), true,
			[]entry{twinSaver},
		},
		{
			"a plan for this client is cheaper", nights(0, 2), double, 0, 0, 30, client("cl_firm"), true,
			[]entry{{"rt_double", "rp_corporate", 10, "80.00 EUR"}},
		},
		{
			"a channel's client sees what names the channel", nights(0, 1), board.Every, 0, 0, 30, channel("ch_one"), true,
			[]entry{{"rt_double", "rp_corporate", 10, "80.00 EUR"}, twinSaver},
		},
		{"a channel that nothing names", nights(0, 1), board.Every, 0, 0, 30, channel("ch_two"), false, nil},
		{
			"too late for the cheapest, and the average is rounded half-even", nights(1, 3), double, 0, 0, 1, client("cl_any"), true,
			[]entry{{"rt_double", "rp_flexible", 10, "100.10 EUR"}},
		},
		{
			"closed for every plan: none, at the cheapest price", nights(3, 4), double, 0, 0, 30, client("cl_any"), false,
			[]entry{{"rt_double", "rp_saver", 0, "90.00 EUR"}},
		},
		{
			"full: none, at the cheapest price whatever its restrictions", nights(5, 6), double, 0, 0, 1, client("cl_any"), false,
			[]entry{{"rt_double", "rp_saver", 0, "90.00 EUR"}},
		},
		{
			"one night too short for the cheapest", nights(7, 9), double, 0, 0, 30, client("cl_any"), true,
			[]entry{{"rt_double", "rp_flexible", 10, "100.10 EUR"}},
		},
		{"a night without a price", nights(5, 8), double, 0, 0, 30, client("cl_any"), false, nil},
		{
			"rooms too small for the party", nights(0, 1), board.Every, 3, 0, 30, client("cl_any"), true,
			[]entry{{"rt_suite", "rp_guests", 5, "260.00 EUR"}},
		},
		{"over the end of the board", nights(9, 11), board.Every, 0, 0, 30, client("cl_any"), false, nil},
		{"before the board", nights(-1, 1), board.Every, 0, 0, 30, client("cl_any"), false, nil},
		{"no nights", nights(1, 1), board.Every, 0, 0, 30, client("cl_any"), false, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			today := test.stay.CheckIn - test.ahead
			got := b.Availability(test.stay, test.room, party(test.adults, test.children), board.Asker{Seller: test.seller, Today: today}, nil)
			if diff := cmp.Diff(test.want, entries(got)); diff != "" {
				t.Errorf("rooms (-want +got):\n%s", diff)
			}
			if got.Available != test.available {
				t.Errorf("available = %t, want %t", got.Available, test.available)
			}
		})
	}
}

func TestAvailabilityComparesOneCurrencyOnly(t *testing.T) {
	p := samplePlans()
	p[corporate].Currency, p[corporate].Audience = "CHF", hotel.Public
	n := sampleNight()
	n.Rates[double][corporate].Amount = 100
	b, err := board.New(hotel.Property{Currency: "EUR"}, samplePools(), sampleRooms(), p, from, []*board.Night{n}, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []entry{{"rt_double", "rp_flexible", 10, "100.10 EUR"}}
	if diff := cmp.Diff(want, entries(b.Availability(nights(0, 1), double, board.Party{}, board.Asker{Seller: client("cl_any"), Today: from}, nil))); diff != "" {
		t.Errorf("rooms (-want +got):\n%s", diff)
	}
}

// BenchmarkAvailability answers for rooms of the sample house. The suite has
// typed prices only; two of the four room types have a derived one as well.
func BenchmarkAvailability(b *testing.B) {
	house := sample(b, nil)
	tests := []struct {
		name   string
		nights hotel.Date
		room   int
	}{
		{"one night, all rooms", 1, board.Every},
		{"two nights, all rooms", 2, board.Every},
		{"two nights, the suite", 2, suite},
		{"ten nights, all rooms", 10, board.Every},
	}
	for _, test := range tests {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a := house.Availability(nights(0, test.nights), test.room, board.Party{Adults: 2}, board.Asker{Seller: client("cl_any"), Today: from - 30}, nil)
				if !a.Available {
					b.Fatal("nothing available")
				}
			}
		})
	}
}

func client(id string) hotel.Seller { return hotel.Seller{ID: id} }

func channel(id string) hotel.Seller { return hotel.Seller{ID: id, Channel: true} }

package alpinebits

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// tellSample has the hotel's own system tell one of the standard's samples.
func tellSample(t *testing.T, house *pretend, v message.Version, action message.Action, file string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(testkit.Corpus(t, "alpinebits"), "samples", string(v), file))
	if err != nil {
		t.Fatal(err)
	}
	if w := tellPMS(t, pmsOf(t), house, v, action.Name, string(raw)); !strings.Contains(w.Body.String(), "<Success") {
		t.Fatalf("%s in %s is answered %s", file, v, w.Body)
	}
}

// TestTheStandardsFreeRooms: what the standard's samples say of a category is what the house
// has then, night by night; a set says none of all that it leaves out, a change nothing.
func TestTheStandardsFreeRooms(t *testing.T) {
	years := map[message.Version]int{message.V2020: 2020, message.V2022: 2022, message.V2024: 2022}
	for _, c := range []struct {
		file  string
		free  [3]int // of DOUBLE, on the days from 1, 11 and 21 of August on, ten each; -1: nothing is said
		whole bool   // something is said of all other nights and categories: none
	}{
		{"FreeRooms-OTA_HotelInvCountNotifRQ.xml", [3]int{3, 0, 1}, true},
		{"FreeRooms-OTA_HotelInvCountNotifRQ-delta.xml", [3]int{-1, 1, 0}, false},
	} {
		for _, v := range message.Versions {
			house := newPretend()
			tellSample(t, house, v, message.FreeRooms, c.file)
			has := map[string]map[hotel.Date]int{}
			for _, e := range house.stock {
				if has[e.RoomTypeID] == nil {
					has[e.RoomTypeID] = map[hotel.Date]int{}
				}
				for _, night := range e.Nights() {
					has[e.RoomTypeID][night] = e.Given.Value
				}
			}
			for _, room := range house.layout.Rooms {
				for night := house.layout.Today; night <= house.layout.Last; night++ {
					want, told := 0, c.whole
					if ten := int(night-hotel.DateOf(years[v], 8, 1)) / 10; room.ID == "DOUBLE" && night >= hotel.DateOf(years[v], 8, 1) && ten < 3 && c.free[ten] >= 0 {
						want, told = c.free[ten], true
					}
					if got, known := has[room.ID][night]; known != told || got != want {
						t.Fatalf("%s in %s: %s has %d rooms on %s, told: %t; want %d, told: %t", c.file, v, room.ID, got, night, known, want, told)
					}
				}
			}
		}
	}
}

// TestTheStandardsRatePlan: what it costs is per guest, 96 each for two, and whoever arrives on
// the nights of its rule stays five nights. That of 2020-10 is of 2014, long over.
func TestTheStandardsRatePlan(t *testing.T) {
	euro := func(minor int64) hotel.Optional[hotel.Money] {
		return hotel.Given(hotel.Money{Minor: minor, Currency: "EUR"})
	}
	priced := hotel.Span{From: hotel.DateOf(2023, 3, 3), To: hotel.DateOf(2023, 3, 8)}
	ruled := hotel.Span{From: hotel.DateOf(2023, 3, 3), To: hotel.DateOf(2023, 4, 17)}
	for _, v := range []message.Version{message.V2022, message.V2024} {
		house := newPretend()
		house.layout.Property.AgeBands = []hotel.AgeBand{
			{Code: "baby", ToAge: 3, CountsAs: "infant"},
			{Code: "small", FromAge: 3, ToAge: 6, CountsAs: "child"},
			{Code: "middle", FromAge: 6, ToAge: 10, CountsAs: "child"},
			{Code: "big", FromAge: 10, ToAge: 16, CountsAs: "child"},
			{Code: "adult", FromAge: 16, ToAge: 120, CountsAs: hotel.Adult},
		}
		tellSample(t, house, v, message.RatePlans, "RatePlans-OTA_HotelRatePlanNotifRQ.xml")
		want := hotel.RateEntry{
			RoomTypeID: "double", RatePlanID: "Rate1-4-HB", Dates: hotel.Dates{Span: priced}, Amount: euro(19200),
			Occupancies: map[int]hotel.Optional[hotel.Money]{1: euro(10600), 3: none}, ExtraAdult: euro(7680),
			ExtraChild: map[string]hotel.Optional[hotel.Money]{"baby": euro(0), "small": euro(3840), "middle": euro(4800), "big": euro(6720)},
		}
		if len(house.rates) == 0 || !cmp.Equal(want, house.rates[0]) {
			t.Fatalf("in %s the plan is written as (-want +got):\n%s", v, cmp.Diff([]hotel.RateEntry{want}, house.rates))
		}
		least, most, closed := map[hotel.Date]int{}, map[hotel.Date]int{}, map[hotel.Date]bool{}
		for _, e := range house.restrictions {
			if e.RoomTypeID != "" { // the rule is of the whole plan, and the category has none of its own
				if e.MinStayArrival.Value+e.MaxStayArrival.Value+e.MinStayThrough.Value+e.MaxStayThrough.Value > 0 || closes(e) {
					t.Errorf("in %s the category has a rule of its own: %+v", v, e)
				}
				continue
			}
			for _, night := range e.Nights() {
				if e.MinStayArrival.Set {
					least[night] = e.MinStayArrival.Value
				}
				if e.MaxStayArrival.Set {
					most[night] = e.MaxStayArrival.Value
				}
				closed[night] = closed[night] || closes(e) || e.MinStayThrough.Value+e.MaxStayThrough.Value > 0
			}
		}
		for night := house.layout.Today; night <= house.layout.Last; night++ {
			nights := 0
			if ruled.Contains(night) {
				nights = 5
			}
			if least[night] != nights || most[night] != nights || closed[night] {
				t.Fatalf("in %s whoever arrives on %s stays %d to %d nights, is kept out otherwise: %t; want %d", v, night, least[night], most[night], closed[night], nights)
			}
		}
	}
}

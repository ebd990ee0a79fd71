package console

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// Who comes, stays and leaves is listed of any day, who comes in the order of the hours, with
// what guests have asked for; names and words for those alone who may see guests.
func TestListsOfADay(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 9000)
	for _, g := range []struct {
		name, hour   string
		ahead, stays hotel.Date
	}{{"Lovelace", "", 4, 2}, {"Hopper", "19:30", 4, 1}, {"Noether", "14:00", 4, 3}, {"Somerville", "", 2, 2}, {"Germain", "", 3, 4}} {
		_, _, err := s.l.CreateReservation(t.Context(), by, hotel.Once{}, hotel.NewReservation{
			PropertyID: s.house.Property.ID, RoomTypeID: s.house.Rooms[0].ID, RatePlanID: s.house.Plans[0].ID, Status: hotel.Confirmed, Stay: hotel.Stay{CheckIn: today + g.ahead, CheckOut: today + g.ahead + g.stays}, Adults: 1,
			ArrivalTime: g.hour, Guest: hotel.Guest{LastName: g.name}, Words: hotel.Words{Requests: "a cot for " + g.name, Notes: "pays cash"},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	b := s.as(t, "front_desk")
	on := func(show string, day hotel.Date) string {
		return s.path("reservations?show=" + show + "&day=" + day.String())
	}
	for _, c := range []struct {
		show string
		day  hotel.Date
		want string
	}{
		{"arriving", today + 4, "Noether Hopper Lovelace"},
		{"leaving", today + 4, "Somerville"},
		{"staying", today + 3, "Somerville Germain"},
		{"staying", today + 4, "Germain Noether Hopper Lovelace"},
		{"arriving", today + 40, ""},
	} {
		page := b.get(on(c.show, c.day)).body
		got := map[string]bool{}
		at := 0
		for name := range strings.FieldsSeq(c.want) {
			got[name] = true
			if i := strings.Index(page, ">"+name+"</a>"); i < 0 || c.show == "arriving" && i < at {
				t.Errorf("%s on %s: %s is missing, or too early", c.show, c.day, name)
			} else {
				at = i
			}
		}
		for _, name := range []string{"Lovelace", "Hopper", "Noether", "Somerville", "Germain"} {
			if strings.Contains(page, ">"+name+"</a>") != got[name] {
				t.Errorf("%s on %s: %s is listed or not, want the other", c.show, c.day, name)
			}
		}
	}
	page := b.get(on("arriving", today+4)).body
	w := wordsIn("en")
	shows(t, page, w.T("bookings.hour", "19:30"), "a cot for Hopper", "pays cash", `name="day" value="`+(today+4).String()+`"`, "?day="+(today+5).String()+"&amp;show=arriving", w.date(today+4), "data-print")
	s.clock.advance(4 * 24 * time.Hour)
	b = s.as(t, "front_desk")                                        // whose session has ended
	shows(t, b.get(s.path("reservations")).body, "a cot for Hopper") // today's, without a day in the address
	if seen := s.as(t, "read_only").get(on("arriving", today+4)).body; strings.Contains(seen, "Hopper") || strings.Contains(seen, "pays cash") || !strings.Contains(seen, w.T("bookings.hour", "19:30")) {
		t.Error("whoever may not see guests reads of them, or of no hours")
	}
	if r := b.get(s.path("reservations?day=tomorrow")); r.status != http.StatusUnprocessableEntity {
		t.Errorf("no day: %d", r.status)
	}
	if strings.Contains(b.get(s.path("reservations?show=newest&day=2026-01-01")).body, `name="day"`) {
		t.Error("a day is asked for of a list that has none")
	}
}

package app

import (
	"flag"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit/race"
)

var largest = flag.Bool("channex.largest", false, "take the largest property that Channex documents: minutes")

// large is a house of 4 room types with 5 rate plans each that sells 500 nights, more than are
// derived at once. The largest that Channex documents has 20 with 10 each, which -channex.largest
// takes. Where every step is watched it is smaller: what is looked for then is no number of cells.
func large() shape {
	rooms, plans, nights := 4, 5, 499
	switch {
	case *largest:
		rooms, plans = 20, 10
	case race.On:
		rooms, plans, nights = 4, 3, 120
	}
	of := shape{rooms: map[string]int{}, plans: map[string]int64{}, nights: nights, facts: seasoned}
	for r := range rooms {
		of.rooms[fmt.Sprintf("R%02d", r)] = 3 + r%7
	}
	for p := range plans {
		of.plans[fmt.Sprintf("P%d", p)] = int64(9000 + 517*p)
	}
	return of
}

// seasoned gives the house what a hotel has: prices that differ by month and by day of
// the week, minimum stays at weekends, closed nights and rooms out of sale.
func seasoned(c *certification) {
	l, whole := c.env.Ledger, hotel.Span{From: c.today, To: c.today + hotel.Date(c.nights)}
	must := func(_ hotel.AriUpdate, _ bool, err error) {
		if err != nil {
			c.t.Fatal(err)
		}
	}
	weekend := hotel.Dates{Span: whole, Weekdays: [7]bool{time.Friday: true, time.Saturday: true}}
	for plan, id := range c.planIDs {
		prices := hotel.RateUpdate{PropertyID: "certified", Source: "api"}
		lengths := hotel.RestrictionUpdate{PropertyID: "certified", Source: "api"}
		for room, of := range c.roomIDs {
			for first := whole.From; first <= whole.To; first += 30 {
				month := hotel.Span{From: first, To: min(first+29, whole.To)}
				for i, on := range []hotel.Dates{{Span: month}, {Span: month, Weekdays: weekend.Weekdays}} {
					minor := c.plans[plan] + int64(731*c.rooms[room]+99*int(first-whole.From)/30+2500*i)
					prices.Entries = append(prices.Entries, hotel.RateEntry{RoomTypeID: of, RatePlanID: id, Dates: on, Amount: hotel.Given(hotel.Money{Minor: minor, Currency: "EUR"})})
				}
			}
			lengths.Entries = append(lengths.Entries, hotel.RestrictionEntry{RoomTypeID: of, RatePlanID: id, Dates: weekend, MinStayArrival: hotel.Given(2)})
		}
		must(l.UpdateRates(c.t.Context(), tester, hotel.Once{}, prices))
		must(l.UpdateRestrictions(c.t.Context(), tester, hotel.Once{}, lengths))
	}
	on := func(day time.Weekday) hotel.Dates {
		var days [7]bool
		days[day] = true
		return hotel.Dates{Span: whole, Weekdays: days}
	}
	must(l.UpdateRestrictions(c.t.Context(), tester, hotel.Once{}, hotel.RestrictionUpdate{PropertyID: "certified", Source: "api", Entries: []hotel.RestrictionEntry{
		{RoomTypeID: c.roomIDs["R01"], RatePlanID: c.planIDs["P1"], Dates: on(time.Monday), Closed: hotel.Given(true)},
		{RoomTypeID: c.roomIDs["R02"], RatePlanID: c.planIDs["P2"], Dates: on(time.Tuesday), ClosedToArrival: hotel.Given(true)},
	}}))
	must(l.UpdateInventory(c.t.Context(), tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: "certified", Source: "api", Entries: []hotel.InventoryEntry{
		{RoomTypeID: c.roomIDs["R03"], Dates: on(time.Wednesday), SellLimit: hotel.Given(0)},
	}}))
}

// Going live, and a full sync, of the largest house that Channex documents are each a call with counts and one
// with everything else, nights that are closed and rooms that are sold out included.
func TestChannexFullSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCertification(t, large())
		time.Sleep(5 * time.Minute)
		if made := c.made(); made["availability"] != 1 || made["restrictions"] != 1 {
			t.Errorf("going live takes %v, want one call of each", made)
		}
		run := c.ok(c.token, "POST", "/channels/ch_channex/sync", `{"kind":"ari_full"}`)
		time.Sleep(2 * time.Minute)
		if made := c.made(); made["availability"] != 1 || made["restrictions"] != 1 {
			t.Errorf("a full sync takes %v, want one call of each", made)
		}
		run = c.ok(c.token, "GET", fmt.Sprint("/sync-runs/", run["id"]), "")
		if run["status"] != "completed" {
			t.Errorf("after two minutes the run is %v", run)
		}
		monday := 0
		for (c.today + hotel.Date(monday)).Weekday() != time.Monday {
			monday++
		}
		if got := c.shows("R01", "P1", hotel.Closures, monday).Closed; !got.Closed {
			t.Errorf("a closed night is shown as %+v", got)
		}
		if n := c.channex.OverLimit(); n > 0 {
			t.Errorf("%d calls came beyond the limits", n)
		}
	})
}

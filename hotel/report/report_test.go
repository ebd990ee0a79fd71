package report

import (
	"fmt"
	"testing"
	"time"

	"ostler.example/hotel"
)

func day(text string) hotel.Date {
	d, err := hotel.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

func euros(minor int64) hotel.Money { return hotel.Money{Minor: minor, Currency: "EUR"} }

// stayed is a booking of a room, priced the same on every night.
func stayed(id, room, from, to string, status hotel.ReservationStatus, change func(*hotel.Reservation)) hotel.Reservation {
	r := hotel.Reservation{
		Entity: hotel.Entity{ID: id}, Status: status, RoomTypeID: room, BookedRoom: room, RatePlanID: "flex", Adults: 2,
		Stay: hotel.Stay{CheckIn: day(from), CheckOut: day(to)}, Source: hotel.Source{ChannelID: hotel.Direct, BookedAt: day(from).At(12, 0, time.UTC)},
	}
	if change != nil {
		change(&r)
	}
	return r
}

// costs is what a stay comes to: net amounts, and VAT.
func costs(room, extras, vat int64) func(*hotel.Reservation) {
	return func(r *hotel.Reservation) {
		r.PriceKnown = true
		r.Totals = &hotel.Totals{Room: euros(room), Extras: euros(extras), VAT: euros(vat), Gross: euros(room + extras + vat), CityTax: euros(0)}
		for _, d := range r.Stay.Dates() {
			r.Nightly = append(r.Nightly, hotel.NightPrice{Date: d, Amount: euros((room + extras + vat) / int64(r.Stay.Nights()))})
		}
	}
}

// penalty is what is charged for not staying.
func penalty(minor int64) *hotel.Cancellation {
	m := euros(minor)
	return &hotel.Cancellation{At: day("2026-11-27").At(23, 30, time.UTC), Penalty: &m}
}

// inn is three nights of a house of ten doubles and two suites that are each a pair of
// rooms, with one booking of every sort.
func inn() Books {
	b := Books{
		Property: hotel.Property{Entity: hotel.Entity{ID: "inn"}, TimeZone: "Europe/Berlin", Currency: "EUR"},
		Rooms:    map[string]int{"double": 1, "suite": 2},
	}
	for d := day("2026-12-01"); d <= day("2026-12-03"); d++ {
		b.Supply = append(b.Supply,
			Supply{Night: d, RoomTypeID: "double", Total: 10, Available: 10},
			Supply{Night: d, RoomTypeID: "suite", Total: 4, Available: 4},
		)
	}
	b.Supply[0].OutOfOrder = 1
	b.Supply[2].Available = 9
	b.Blocked = []Blocked{{day("2026-12-02"), "double", 3}}
	all := func(list ...func(*hotel.Reservation)) func(*hotel.Reservation) {
		return func(r *hotel.Reservation) {
			for _, f := range list {
				f(r)
			}
		}
	}
	b.Bookings = []hotel.Reservation{
		stayed("a", "double", "2026-12-01", "2026-12-03", hotel.Confirmed, costs(20001, 1000, 1470)),
		stayed("b", "suite", "2026-12-02", "2026-12-04", hotel.CheckedIn, all(costs(40000, 0, 2800), func(r *hotel.Reservation) {
			took := euros(3000)
			r.Source = hotel.Source{ChannelID: "ch1", SubChannel: " Seaside  Trips", BookedAt: day("2026-11-22").At(12, 0, time.UTC)}
			r.Commission = &took
		})),
		stayed("c", "double", "2026-12-03", "2026-12-04", hotel.Confirmed, all(costs(0, 0, 0), func(r *hotel.Reservation) { r.Free = true })),
		stayed("d", "double", "2026-12-01", "2026-12-02", hotel.NoShow, all(costs(10000, 0, 700), func(r *hotel.Reservation) { r.Cancel = penalty(10700) })),
		stayed("e", "double", "2026-12-02", "2026-12-03", hotel.Cancelled, all(costs(10000, 0, 700), func(r *hotel.Reservation) { r.Cancel = penalty(5350) })),
		stayed("f", "double", "2026-12-03", "2026-12-05", hotel.Confirmed, all(costs(0, 0, 0), func(r *hotel.Reservation) { r.Totals.Room.Currency = "CHF" })),
		stayed("g", "double", "2026-11-30", "2026-12-02", hotel.CheckedOut, nil), // nobody told a price
		stayed("h", "double", "2026-12-01", "2026-12-02", hotel.Held, costs(99999, 0, 0)),
		stayed("i", "double", "2026-12-01", "2026-12-02", hotel.Waitlisted, costs(99999, 0, 0)),
	}
	return b
}

var innSpan = hotel.Span{From: day("2026-12-01"), To: day("2026-12-03")}

// text writes values as they are read: amounts and ratios with two decimals.
func text(d *Definition, values []Value) map[string]string {
	out := map[string]string{}
	for i, f := range d.Figures {
		switch v := values[i]; {
		case !v.Known:
			out[f.Name] = "null"
		case f.Kind == Count:
			out[f.Name] = fmt.Sprint(v.N)
		default:
			out[f.Name] = hotel.Money{Minor: v.N, Currency: "EUR"}.Amount()
		}
	}
	return out
}

func TestTotalsOfASmallInn(t *testing.T) {
	for _, test := range []struct {
		report string
		want   map[string]string
	}{
		{"occupancy", map[string]string{
			"rooms_total": "42", "rooms_available": "41", "rooms_out_of_order": "1", "rooms_blocked": "3",
			"rooms_sold":               "8", // a 2, b 2 suites of 2 rooms, f 1, g 1
			"rooms_sold_without_price": "2", // f in francs, g
			"rooms_complimentary":      "1", "rooms_house_use": "0", "occupancy_pct": "19.51",
			"arrivals": "5", "departures": "2", "stayovers": "4", // 5 + 4 = 8 sold and 1 free
			"guests": "14", "average_length_of_stay": "1.75", // a 2, b 2, c 1, f 2
		}},
		{"revenue", map[string]string{
			"room_revenue":   "700.01", // a 200.01, b 400.00, the charge for d 107.00 less 7 % of VAT
			"extras_revenue": "10.00", "cancellation_fees": "50.00", "total_revenue": "760.01",
			"adr":    "116.67", // 700.01 / 6
			"revpar": "17.07", "trevpar": "18.54", "vat": "53.20", "city_tax": "0.00",
			"commission": "30.00", "commission_unknown_share_pct": "0.00", "net_room_revenue": "670.01", "net_adr": "111.67",
			"unconverted_reservations": "1",
		}},
		{"channels", map[string]string{
			"reservations": "4", "room_nights": "8", "share_room_nights_pct": "100.00", "room_revenue": "700.01", "share_revenue_pct": "100.00",
			"adr": "116.67", "commission": "30.00", "cancellation_rate_pct": "14.29", // 1 of a to f and h
			"average_lead_time_days": "2.50", // b 10, the others 0
		}},
		{"cancellations", map[string]string{
			"booked": "7", "cancelled": "1", "no_shows": "1", "cancellation_rate_pct": "14.29", "no_show_rate_pct": "14.29",
			"lost_room_nights": "2", "lost_revenue": "200.00",
			"average_cancel_lead_days": "4.00", // half past eleven at night in London is the 28th in Berlin
		}},
		{"lead-time", map[string]string{
			"reservations": "4", "room_nights": "8", // a 2, b 2 nights of 2 rooms, f 2 nights of whole stays
			"adr": "100.00", "mean_days": "2.50", "median_days": "0.00", // 600.01 / 6
		}},
	} {
		t.Run(test.report, func(t *testing.T) {
			d := Named(test.report)
			r := d.Make(Query{Span: innSpan, Currency: "EUR"}, Set{Books: []Books{inn()}}, nil, nil)
			got := text(d, r.Totals.Values)
			for name, want := range test.want {
				if got[name] != want {
					t.Errorf("%s is %s, want %s", name, got[name], want)
				}
			}
			if len(got) != len(test.want) {
				t.Errorf("%d figures, %d wanted", len(got), len(test.want))
			}
		})
	}
}

// What a stay comes to is spread to the cent: 200.01 is 100.01 and 100.00.
func TestRowsOfASmallInn(t *testing.T) {
	d := Named("revenue")
	r := d.Make(Query{Span: innSpan, Currency: "EUR", GroupBy: []Dimension{BySeller, ByDay}}, Set{Books: []Books{inn()}}, nil, nil)
	var got string
	for _, row := range r.Rows {
		v := text(d, row.Values)
		got += fmt.Sprintln(row.Key, v["room_revenue"], v["cancellation_fees"], v["revpar"])
	}
	want := `[direct 2026-12-01] 200.01 0.00 null
[direct 2026-12-02] 100.00 50.00 null
[direct 2026-12-03] 0.00 0.00 null
[seaside trips 2026-12-02] 200.00 0.00 null
[seaside trips 2026-12-03] 200.00 0.00 null
`
	if got != want {
		t.Errorf("rows are\n%s, want\n%s", got, want)
	}
}

func TestNetIsNotToldWhenCommissionsAreUnknown(t *testing.T) {
	b := inn()
	b.Bookings[1].Commission = nil
	q := Query{Span: innSpan, Currency: "EUR"}
	got := text(Named("revenue"), Named("revenue").Make(q, Set{Books: []Books{b}}, nil, nil).Totals.Values)
	if got["commission_unknown_share_pct"] != "57.14" || got["net_adr"] != "null" || got["net_room_revenue"] != "null" {
		t.Error(got)
	}
	b.Commissions = map[string]hotel.Commission{"ch1": {Pct: "15", Base: "net_of_tax"}}
	got = text(Named("revenue"), Named("revenue").Make(q, Set{Books: []Books{b}}, nil, nil).Totals.Values)
	if got["commission"] != "60.00" || got["net_room_revenue"] != "640.01" {
		t.Error("by the channel's terms:", got)
	}
	b = inn()
	b.Bookings[3].Source.ChannelID = "ch2" // who does not come, and pays
	for terms, want := range map[hotel.Commission]string{{}: "14.29 30.00", {Pct: "10", Base: "gross"}: "0.00 30.00", {Pct: "10", Base: "gross", OnNoShow: true}: "0.00 40.70"} {
		if b.Commissions = map[string]hotel.Commission{"ch2": terms}; terms.Pct == "" {
			b.Commissions = nil
		}
		got = text(Named("revenue"), Named("revenue").Make(q, Set{Books: []Books{b}}, nil, nil).Totals.Values)
		if told := got["commission_unknown_share_pct"] + " " + got["commission"]; told != want {
			t.Errorf("of a charge, with terms %v: %s, want %s", terms, told, want)
		}
	}
}

func TestPickup(t *testing.T) {
	since, until := inn(), inn()
	until.Bookings[0].Status = hotel.Cancelled                            // 2 nights, 200.01
	until.Bookings[1].RoomTypeID = "double"                               // 2 nights of 2 rooms become 2 of 1
	until.Bookings[4].Status, until.Bookings[4].Cancel = "confirmed", nil // 1 night, 100.00
	d := Named("pickup")
	then := inn()
	for i := range then.Bookings {
		r := &then.Bookings[i]
		r.Stay.CheckIn, r.Stay.CheckOut = r.Stay.CheckIn-Year, r.Stay.CheckOut-Year
	}
	r := d.Make(Query{Span: innSpan, Currency: "EUR"}, Set{Books: []Books{until}, Since: []Books{since}, LastYear: []Books{then}}, nil, nil)
	got := text(d, r.Totals.Values)
	for name, want := range map[string]string{
		"rooms_added": "3", "rooms_cancelled": "6", "rooms_net": "-3", "revenue_net": "-100.01", "adr_pickup": "33.34",
		"otb_rooms": "5", "otb_revenue": "500.00", "otb_last_year": "8",
	} {
		if got[name] != want {
			t.Errorf("%s is %s, want %s", name, got[name], want)
		}
	}
}

// What is compared stands beside the dates that it is compared with.
func TestComparison(t *testing.T) {
	d, q := Named("occupancy"), Query{Span: innSpan, Currency: "EUR", GroupBy: []Dimension{ByDay}}
	was := inn()
	was.Bookings = was.Bookings[:1]
	for i := range was.Supply {
		was.Supply[i].Night -= 7
	}
	was.Blocked = nil
	was.Bookings[0].Stay.CheckIn, was.Bookings[0].Stay.CheckOut = innSpan.From-7, innSpan.To-7
	then := q
	then.Dated = func(d hotel.Date) (hotel.Date, bool) { return d + 7, true }
	r := d.Make(q, Set{Books: []Books{inn()}}, &then, &Set{Books: []Books{was}})
	if len(r.Rows) != 3 {
		t.Fatalf("%d rows", len(r.Rows))
	}
	for i, want := range []string{"2 1 14", "3 1 13", "3 0 14"} {
		now, before := text(d, r.Rows[i].Values), text(d, r.Rows[i].Before)
		if got := now["rooms_sold"] + " " + before["rooms_sold"] + " " + before["rooms_available"]; got != want {
			t.Errorf("row %d: %s, want %s", i, got, want)
		}
	}
	if got := Change(r.Totals.Values[3], r.Totals.Before[3]); got != known(30000) {
		t.Errorf("8 rooms after 2 are %v, want 300 %% more", got)
	}
	if got := Change(known(5), known(0)); got.Known {
		t.Error("a change from nothing is no number")
	}
}

// What is charged for not staying in a currency without an exchange is in no sum, and the
// reservation is counted as left out; what is charged nothing, or waived, is not.
func TestForeignFeesAreCountedAsLeftOut(t *testing.T) {
	in := func(c hotel.Currency, minor int64, waived bool) func(*hotel.Reservation) {
		return func(r *hotel.Reservation) {
			m := hotel.Money{Minor: minor, Currency: c}
			r.Cancel = &hotel.Cancellation{At: day("2026-11-27").At(12, 0, time.UTC), Penalty: &m, Waived: waived}
		}
	}
	b := Books{Property: hotel.Property{Entity: hotel.Entity{ID: "inn"}, TimeZone: "Europe/Berlin", Currency: "EUR"}}
	for i, r := range []struct {
		status hotel.ReservationStatus
		of     func(*hotel.Reservation)
	}{
		{hotel.Cancelled, in("USD", 5000, false)},
		{hotel.NoShow, in("USD", 5000, false)},
		{hotel.Cancelled, in("EUR", 4000, false)},
		{hotel.Cancelled, in("USD", 0, false)},
		{hotel.Cancelled, in("USD", 5000, true)},
		{hotel.Cancelled, nil},
	} {
		b.Bookings = append(b.Bookings, stayed(fmt.Sprint(i), "double", "2026-12-01", "2026-12-02", r.status, r.of))
	}
	got := text(Named("revenue"), Named("revenue").Make(Query{Span: innSpan, Currency: "EUR"}, Set{Books: []Books{b}}, nil, nil).Totals.Values)
	if got["unconverted_reservations"] != "2" || got["cancellation_fees"] != "40.00" || got["room_revenue"] != "0.00" {
		t.Errorf("told %v", got)
	}
}

package channex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

func eur(minor int64) hotel.Money { return hotel.Money{Minor: minor, Currency: "EUR"} }

func group(t testing.TB) []byte {
	t.Helper()
	raw, err := os.ReadFile("testdata/group.json")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// What is wrong with the rooms of a booking does not keep it from being cancelled, and
// one that names none holds one between its dates.
func TestBookingsWithoutRooms(t *testing.T) {
	const of = `{"type":"booking_revision","id":"e","attributes":{"unique_id":"BDC-1","inserted_at":"2027-01-01T10:00:00","arrival_date":"2027-03-01","departure_date":"2027-03-03","occupancy":{"adults":2},`
	for _, c := range []struct {
		rest  string
		event connectors.EventKind
		rooms []hotel.ChannelRoom
	}{
		{`"status":"cancelled","rooms":[{"checkin_date":"","is_cancelled":"yes","days":[]}]}}`, connectors.Cancelled, nil},
		{`"status":"cancelled","rooms":[` + strings.Repeat(`{"checkin_date":"2027-03-01","checkout_date":"2099-03-01"},`, 60) + `{}]}}`, connectors.Cancelled, nil},
		{`"status":"cancelled","rooms":null}}`, connectors.Cancelled, nil},
		{`"status":"new","rooms":[]}}`, connectors.Booked, []hotel.ChannelRoom{{
			Stay: hotel.Stay{CheckIn: hotel.DateOf(2027, 3, 1), CheckOut: hotel.DateOf(2027, 3, 3)}, Adults: 2, Companions: []hotel.Guest{}, Extras: []hotel.Extra{},
		}}},
	} {
		_, m, err := parseBooking([]byte(of+c.rest), nothing)
		if err != nil || m.Event != c.event {
			t.Errorf("%.60s: %s, %v", c.rest, m.Event, err)
		}
		if diff := cmp.Diff(c.rooms, m.Booking.Rooms); diff != "" {
			t.Errorf("%.60s (-want +got):\n%s", c.rest, diff)
		}
	}
	if _, _, err := parseBooking([]byte(`{"type":"booking_revision","id":"e","attributes":{"unique_id":"BDC-1","status":"new"}}`), nothing); err == nil {
		t.Error("a booking without rooms and dates is taken for one")
	}
}

// A booking of several rooms has them all but the cancelled one; a room that Channex
// has not mapped is kept; prices are exact; ages are told where there are as many as
// children.
func TestGroupBooking(t *testing.T) {
	_, got, err := parseBooking(group(t), nothing)
	if err != nil {
		t.Fatal(err)
	}
	day := func(m time.Month, d int) hotel.Date { return hotel.DateOf(2027, m, d) }
	want := connectors.Message{
		Key: "4f1a2f5e-2222-4c5d-8b0a-000000000001", Ref: "LO-77-4410", Event: connectors.Booked,
		At: time.Date(2027, 1, 5, 10, 3, 29, 335485000, time.UTC),
		Booking: hotel.ChannelBooking{
			Rooms: []hotel.ChannelRoom{
				{
					Ref: "r1", Room: "TWIN", Rate: "T-BAR", Stay: hotel.Stay{CheckIn: day(2, 27), CheckOut: day(3, 1)}, Adults: 2, Children: []int{4, 9, 0},
					Amounts: []hotel.Money{eur(33045), eur(33045)}, Guest: &hotel.Guest{FirstName: "Emmy", LastName: "Noether"},
					Companions: []hotel.Guest{{FirstName: "Fritz", LastName: "Noether"}}, Deposit: new(eur(66090 + 6000 + 5500 + 2000)),
					Extras: []hotel.Extra{
						{Code: "Breakfast", DateFrom: day(2, 27), DateTo: day(2, 28), Quantity: 2, UnitPrice: eur(1500)},
						{Code: "Dinner", DateFrom: day(2, 27), DateTo: day(2, 27), Quantity: 1, UnitPrice: eur(5500)}, // as the total says
						{Code: "WiFi", DateFrom: day(2, 27), DateTo: day(2, 28), Quantity: 1, UnitPrice: eur(0)},
						{Code: "Parking", DateFrom: day(2, 27), DateTo: day(2, 27), Quantity: 1, UnitPrice: eur(2000)},
					},
				},
				{Ref: "r2", Deposit: new(eur(10910)), Stay: hotel.Stay{CheckIn: day(3, 1), CheckOut: day(3, 2)}, Adults: 1, Amounts: []hotel.Money{eur(43237)}, Companions: []hotel.Guest{}, Extras: []hotel.Extra{}},
			},
			Guest: &hotel.Guest{
				FirstName: "Grete", LastName: "Hermann", Email: "grete@guests.example", Phone: "431234567", Country: "AT", Language: "de", Company: "Logik GmbH",
				Address: hotel.Address{Line1: "Hauptplatz 1", City: "Graz", PostalCode: "8010"},
			},
			Total: new(eur(109327)), Commission: new(eur(10933)), Seller: "Locanda Online", Requests: new("Late arrival"), ArrivalTime: new("22:30"),
			Payment: hotel.ChannelPayment{
				Collect: hotel.HotelCollects, Guarantee: "card_on_file", Access: &hotel.CardAccess{Kind: hotel.CardInExtranet},
				Card: &hotel.Card{Brand: "visa", Last4: "1111", ExpMonth: 10, ExpYear: 2030, Virtual: true, Balance: new(eur(109327))},
			},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestAges: children are of the ages that are told of all of them, infants of none unless
// theirs are among them.
func TestAges(t *testing.T) {
	for _, c := range []struct {
		party occupancy
		want  []int
	}{
		{occupancy{Adults: 2}, nil},
		{occupancy{Children: 2, Ages: []int{9, 4}}, []int{9, 4}},
		{occupancy{Children: 2, Infants: 1, Ages: []int{9, 4}}, []int{9, 4, 0}},
		{occupancy{Children: 2, Infants: 1, Ages: []int{9, 1, 4}}, []int{9, 1, 4}},
		{occupancy{Infants: 1, Ages: []int{1}}, []int{1}},
		{occupancy{Children: 2, Infants: 1, Ages: []int{9}}, []int{-1, -1, 0}},
		{occupancy{Children: 1, Infants: 1}, []int{-1, 0}},
		{occupancy{Children: 1, Infants: 1, Ages: []int{1}}, []int{-1, 1}},
		{occupancy{Children: 2, Infants: 1, Ages: []int{1, 9}}, []int{-1, -1, 1}},
		{occupancy{Children: 1, Ages: []int{1}}, []int{1}},
	} {
		if got := c.party.ages(); !slices.Equal(got, c.want) {
			t.Errorf("%+v has children of %v, want %v", c.party, got, c.want)
		}
	}
}

// TestARevisionSaysAllThereIs: what is not in it any more is none, and services of the whole
// stand at the same room in whatever order the rooms are told.
func TestARevisionSaysAllThereIs(t *testing.T) {
	const of = `{"type":"booking_revision","id":"e","attributes":{"unique_id":"BDC-1","status":"modified","notes":null,"arrival_hour":null,%s"rooms":[%s]}}`
	const a, b = `{"booking_room_id":"a","checkin_date":"2027-03-01","checkout_date":"2027-03-02","guests":null}`, `{"booking_room_id":"b","checkin_date":"2027-03-01","checkout_date":"2027-03-02"}`
	for _, rooms := range []string{a + "," + b, b + "," + a} {
		_, m, err := parseBooking(fmt.Appendf(nil, of, "", rooms), nothing)
		if err != nil || m.Booking.Requests == nil || *m.Booking.Requests != "" || m.Booking.ArrivalTime == nil || *m.Booking.ArrivalTime != "" {
			t.Errorf("%v: wishes are %v, the hour is %v", err, m.Booking.Requests, m.Booking.ArrivalTime)
		}
		for _, r := range m.Booking.Rooms {
			if r.Companions == nil || len(r.Companions) > 0 || r.Extras == nil || len(r.Extras) > 0 {
				t.Errorf("room %s has %#v and %#v, want that there are none", r.Ref, r.Companions, r.Extras)
			}
		}
		_, m, _ = parseBooking(fmt.Appendf(nil, of, `"currency":"EUR","services":[{"name":"Transfer of Grete","total_price":"20.00"}],`, rooms), nothing)
		for _, r := range m.Booking.Rooms {
			switch {
			case (len(r.Extras) == 1) != (r.Ref == "a"):
				t.Errorf("%s first: room %s has %v", m.Booking.Rooms[0].Ref, r.Ref, r.Extras)
			case r.Ref == "a" && (r.Extras[0].Code != ofNoKind || r.Extras[0].Name != ""):
				t.Errorf("what the agency calls it is kept: %+v", r.Extras[0])
			}
		}
	}
}

// nothing is sold by the house.
func nothing(string, string) bool { return false }

// A room at a derived plan is at the plan that it comes from, unless the house sells the
// derived one by itself.
func TestBookedAtADerivedPlan(t *testing.T) {
	const raw = `{"type":"booking_revision","id":"r1","attributes":{"unique_id":"BDC-1","status":"new","rooms":[
		{"checkin_date":"2027-03-01","checkout_date":"2027-03-02","room_type_id":"T","rate_plan_id":"T-SAVER","meta":{"parent_rate_plan_id":"T-BAR"}}]}}`
	sold := []connectors.SoldRoom{{Room: "T", Rates: []string{"T-BAR"}}, {Room: "D", Rates: []string{"T-SAVER"}}}
	failing := error(nil)
	c := &conn{sold: func(context.Context) ([]connectors.SoldRoom, error) { return sold, failing }}
	at := func(want string) {
		t.Helper()
		if _, m, err := c.message(t.Context(), []byte(raw)); err != nil || len(m.Booking.Rooms) != 1 || m.Booking.Rooms[0].Rate != want {
			t.Errorf("%+v, want it at %s", m, want)
		}
	}
	at("T-BAR")
	sold[0].Rates = append(sold[0].Rates, "T-SAVER")
	at("T-SAVER")
	failing = errors.New("the ledger is busy")
	if _, m, err := c.message(t.Context(), []byte(raw)); err == nil {
		t.Errorf("%+v, though nobody can tell what is sold", m)
	}
	c.sold = nil
	at("T-BAR")
}

// What is kept of a revision tells nothing of a card, not even of a masked one, and
// all the rest as it was written.
func TestCardsAreDroppedAtTheBoundary(t *testing.T) {
	kept := string(withoutCards(group(t)))
	for _, secret := range []string{"411111", "cvv", "HERMANN", "pm_81", "pm_82", "10/2030", "109327"} {
		if strings.Contains(kept, secret) {
			t.Errorf("%q is kept", secret)
		}
	}
	for _, rest := range []string{`"ruid":12.50`, `"surname":"Hermann"`, `"2027-02-28":"330.45"`, `"deposits":[{"amount":"700.00","currency":"EUR"},{"amount":205}]`} {
		if !strings.Contains(kept, rest) {
			t.Errorf("%s is lost from %s", rest, kept)
		}
	}
}

func TestParseBooking(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  string // an attribute
		to      any
		problem string
		check   func(connectors.Message) bool
	}{
		{"a cancellation, whose amount may be a fee", "status", "cancelled", "", func(m connectors.Message) bool {
			return m.Event == connectors.Cancelled && m.Booking.Total == nil && len(m.Booking.Rooms) == 3
		}},
		{"every room cancelled by itself", "rooms", []any{map[string]any{"checkin_date": "2027-03-01", "checkout_date": "2027-03-02", "is_cancelled": true}}, "", func(m connectors.Message) bool {
			return m.Event == connectors.Cancelled
		}},
		{"no rooms", "rooms", nil, "", func(m connectors.Message) bool { return len(m.Booking.Rooms) == 1 && m.Booking.Rooms[0].Adults == 3 }},
		{"days that are none", "rooms", []any{map[string]any{"checkin_date": "2027-03-01", "checkout_date": "2027-03-02", "days": []any{}}}, "", func(m connectors.Message) bool {
			return len(m.Booking.Rooms) == 1 && m.Booking.Rooms[0].Amounts == nil
		}},
		{"a status that there is not", "status", "garbled", "its status", nil},
		{"rooms that are none", "rooms", "many", "revision", nil},
		{"a stay that ends before it begins", "rooms", []any{map[string]any{"checkin_date": "2027-03-02", "checkout_date": "2027-03-01"}}, "room 1", nil},
		{"no number of an agency", "unique_id", nil, "", func(m connectors.Message) bool { return m.Ref == "4f1a2f5e-1111-4c5d-8b0a-000000000001" }},
		{"no time", "inserted_at", nil, "", func(m connectors.Message) bool { return m.At.IsZero() }},
		{"a guest who is nobody", "customer", []any{}, "", func(m connectors.Message) bool { return m.Booking.Guest == nil }},
		{"a currency that there is not", "currency", "XYZ", "", func(m connectors.Message) bool { return m.Booking.Total == nil && m.Booking.Rooms[0].Amounts == nil }},
		{"more decimals than there are", "amount", "10.005", "", func(m connectors.Message) bool { return m.Booking.Total == nil }},
		{"zeros behind them", "amount", "10.5000", "", func(m connectors.Message) bool { return *m.Booking.Total == eur(1050) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var said map[string]any
			if err := json.Unmarshal(group(t), &said); err != nil {
				t.Fatal(err)
			}
			said["attributes"].(map[string]any)[c.change] = c.to
			raw, _ := json.Marshal(said)
			_, m, _ := (&conn{}).message(t.Context(), raw)
			if c.problem != "" {
				if !strings.Contains(m.Problem, c.problem) || m.Key == "" || m.Ref != "LO-77-4410" || m.At.IsZero() || len(m.Booking.Rooms) > 0 {
					t.Errorf("got %+v, want the problem %q and what is certain", m, c.problem)
				}
				return
			}
			if m.Problem != "" || !c.check(m) {
				t.Errorf("got %+v", m)
			}
		})
	}
}

// FuzzBooking: whatever is said, what is delivered can be kept, and tells of no card.
func FuzzBooking(f *testing.F) {
	f.Add(string(group(f)))
	f.Add(`{"type":"booking","id":"b","attributes":{"revision_id":"r","status":"new","rooms":[{"checkin_date":"2027-01-01","checkout_date":"2027-01-02","occupancy":{"children":-1}}]}}`)
	f.Add(`{"attributes":[],"id":7}`)
	f.Add(`"card_number"`)
	f.Fuzz(func(t *testing.T, raw string) {
		_, m, _ := (&conn{}).message(t.Context(), []byte(raw))
		if m.Problem == "" && (m.Key == "" || m.Ref == "") {
			t.Errorf("%+v is known by nothing", m)
		}
		for _, r := range m.Booking.Rooms {
			if r.Stay.Nights() == 0 || r.Adults < 0 || len(r.Amounts) > 0 && len(r.Amounts) != r.Stay.Nights() {
				t.Errorf("a room is %+v", r)
			}
		}
		if strings.Contains(string(m.Raw), `"card_number":`) {
			t.Errorf("a card is kept: %s", m.Raw)
		}
	})
}

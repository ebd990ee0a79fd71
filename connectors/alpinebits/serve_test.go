package alpinebits

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// pretend is a house that keeps what is written.
type pretend struct {
	layout       connectors.Layout
	stock        []hotel.InventoryEntry
	rates        []hotel.RateEntry
	restrictions []hotel.RestrictionEntry
	reservations []hotel.Reservation
	acknowledged map[string]int64
	cells        []hotel.RateCell
	steps        []string // what was written, in order
	failure      error    // of writing
}

func (p *pretend) Layout(context.Context) (connectors.Layout, error) { return p.layout, nil }

func (p *pretend) WriteStock(_ context.Context, entries []hotel.InventoryEntry) error {
	p.stock = append(p.stock, entries...)
	return p.failure
}

func (p *pretend) WriteRates(_ context.Context, entries []hotel.RateEntry) error {
	p.rates, p.steps = append(p.rates, entries...), append(p.steps, "rates")
	return p.failure
}

func (p *pretend) WriteRestrictions(_ context.Context, entries []hotel.RestrictionEntry) error {
	p.restrictions = append(p.restrictions, entries...)
	for _, e := range entries {
		switch {
		case closes(e):
			p.steps = append(p.steps, "closings")
		case e.Closed.Set, e.ClosedToArrival.Set, e.ClosedToDeparture.Set:
			p.steps = append(p.steps, "openings")
		default:
			p.steps = append(p.steps, "lengths")
		}
	}
	return p.failure
}

// Reservations tells three at once.
func (p *pretend) Reservations(_ context.Context, _ time.Time, after string) (list []hotel.Reservation, next string, _ error) {
	for _, r := range p.reservations {
		if p.acknowledged[r.ID] == r.Revision || r.ID <= after {
			continue
		}
		if len(list) == 3 {
			return list, list[2].ID, nil
		}
		list = append(list, r)
	}
	return list, "", nil
}

func (p *pretend) Acknowledge(_ context.Context, id string, revision int64) error {
	p.acknowledged[id] = revision
	return p.failure
}

func (p *pretend) Rates(_ context.Context, nights hotel.Span) (all []hotel.RateCell, _ error) {
	for _, c := range p.cells {
		if nights.Contains(c.Date) {
			all = append(all, c)
		}
	}
	return all, nil
}

// newPretend is a house of the categories and plans that the standard's samples name.
func newPretend() *pretend {
	room := func(id string, adults int) hotel.RoomType {
		return hotel.RoomType{Entity: hotel.Entity{ID: id}, Code: id, BaseOccupancy: min(2, adults), MaxAdults: adults, Status: hotel.Active}
	}
	return &pretend{acknowledged: map[string]int64{}, layout: connectors.Layout{
		Property: hotel.Property{Mode: hotel.GivenMode, AgeBands: []hotel.AgeBand{
			{Code: "baby", ToAge: 3, CountsAs: "infant"}, {Code: "child", FromAge: 3, ToAge: 12, CountsAs: "child"}, {Code: "adult", FromAge: 12, ToAge: 120, CountsAs: hotel.Adult},
		}},
		Rooms: []hotel.RoomType{room("double", 3), room("DOUBLE", 2), room("single", 1), room("bigsuite", 4)},
		Plans: []hotel.RatePlan{
			{Entity: hotel.Entity{ID: "Rate1-4-HB"}, Code: "Rate1-4-HB", Currency: "EUR", MealPlan: "half_board", Pricing: hotel.PerOccupancy, RoomTypeIDs: []string{"double"}},
		},
		Today: hotel.DateOf(2020, 1, 1), Last: hotel.DateOf(2023, 12, 31),
	}}
}

// pmsOf is a channel to the hotel's own system.
func pmsOf(t testing.TB) served {
	cfg := defaults
	cfg.FarSide, cfg.Hotel, cfg.InboundUser, cfg.InboundPassword = PMS, "123", "portal", testSecret
	opened, err := open(t.Context(), cfg, connectors.Env{Clock: hotel.SystemClock{}, Log: zap.NewNop(), Shelf: memory{}})
	if err != nil {
		t.Fatal(err)
	}
	return opened.(served)
}

// tellPMS has the hotel's own system ask for something in a version.
func tellPMS(t testing.TB, s served, house connectors.House, v message.Version, action, request string) *httptest.ResponseRecorder {
	t.Helper()
	r := posted(t, action, request)
	r.Header.Set(versionHeader, string(v))
	w := httptest.NewRecorder()
	s.Serve(house).ServeHTTP(w, r)
	return w
}

// aReservation says all that can be told.
func aReservation() hotel.Reservation {
	total := hotel.Money{Minor: 29950, Currency: "EUR"}
	return hotel.Reservation{
		Entity: hotel.Entity{ID: "res_01M80Q18V0EQ9AEC74XYJAXMQQ", Revision: 3, CreatedAt: time.Date(2027, 1, 2, 3, 4, 5, 6, time.UTC), UpdatedAt: time.Date(2027, 1, 3, 0, 0, 0, 0, time.UTC)},
		Status: hotel.Confirmed, RoomTypeID: "double", RatePlanID: "Rate1-4-HB",
		Stay: hotel.Stay{CheckIn: hotel.DateOf(2027, 2, 1), CheckOut: hotel.DateOf(2027, 2, 3)}, Adults: 2, ChildrenAges: []int{4, -1, 4, 0}, Total: total, PriceKnown: true,
		Guest: hotel.Guest{
			FirstName: "Ada", LastName: strings.Repeat("L", 80), Email: "ada@example.com", Phone: "+49 30 123456", Language: "de-AT", Country: "AT",
			Address: hotel.Address{Line1: "Am Platz 1", City: "Wien", PostalCode: "1010"},
		},
	}
}

// TestPMSHearsOfAllReservations: what it never takes keeps nothing from it, and since an
// instant it hears of all at once.
func TestPMSHearsOfAllReservations(t *testing.T) {
	house, pms := newPretend(), pmsOf(t)
	for n := range 8 {
		r := aReservation()
		r.ID, r.UpdatedAt = fmt.Sprintf("res_%d", n), r.UpdatedAt.Add(time.Duration(n)*time.Minute)
		house.reservations = append(house.reservations, r)
	}
	ask := func(since time.Time) (heard []string) {
		t.Helper()
		w := tellPMS(t, pms, house, message.V2024, message.ReadRequests.Name, string(message.WriteRead(message.Hotel{Code: "123"}, since)))
		_, all, err := message.ReadReservations(w.Body.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			heard = append(heard, r.ID.ID)
		}
		return heard
	}
	if heard := ask(time.Unix(1, 0)); len(heard) != 8 {
		t.Errorf("since the beginning it hears of %v", heard)
	}
	heard := map[string]bool{}
	for range 4 {
		for _, id := range ask(time.Time{}) {
			heard[id] = true
		}
	}
	if len(heard) != 8 {
		t.Errorf("of those that it never acknowledges it hears of %v", heard)
	}
	for _, r := range house.reservations[:7] {
		house.acknowledged[r.ID] = r.Revision
	}
	for range 3 {
		if last := ask(time.Time{}); len(last) != 1 || last[0] != "res_7" {
			t.Errorf("of the last it hears as %v", last)
		}
	}
}

// TestWhatAPMSIsToldFitsTheSchemas holds each answer against the schema of each version.
func TestWhatAPMSIsToldFitsTheSchemas(t *testing.T) {
	folder := testkit.Corpus(t, "alpinebits")
	house := newPretend()
	off, bare := aReservation(), aReservation()
	off.Status, off.ID, bare.ID = hotel.Cancelled, "res_1", "res_2"
	bare.Guest, bare.RatePlanID, bare.RoomTypeID, bare.PriceKnown, bare.ChildrenAges = hotel.Guest{}, "", "", false, nil
	rich := aReservation()
	rich.ID, rich.Requests, rich.ArrivalTime = "res_9", "a cot\x01\nand quiet & <dark>", "22:30"
	rich.Extras = []hotel.Extra{{Code: "dinner", DateFrom: 1, DateTo: 2, Quantity: 2}}
	rich.Source = hotel.Source{ChannelID: "ch_1", SubChannel: "Locanda Online", Reference: strings.Repeat("7", 70)}
	house.reservations = []hotel.Reservation{aReservation(), off, bare, rich}
	for i, g := range []hotel.Guest{
		{LastName: " ", Email: "-", Language: "DE", Country: "at", Phone: "ask", Address: hotel.Address{Line1: " ", City: "\t", PostalCode: "12345678901234567890"}},
		{LastName: "\x01", Email: "ada lovelace@example.com", Language: "x", Country: "1A", Phone: "+"},
		{FirstName: strings.Repeat("é", 65), LastName: "L", Email: "@", Language: "ée", Country: "AT", Address: hotel.Address{PostalCode: " "}},
	} {
		odd := aReservation()
		odd.ID, odd.Guest = fmt.Sprintf("res_%d", 3+i), g
		house.reservations = append(house.reservations, odd)
	}
	house.layout.Property.Truth, house.layout.Epoch = hotel.Truth{Stock: hotel.ByPMS}, 1
	night := hotel.DateOf(2022, 3, 3)
	for guests := range 3 {
		house.cells = append(house.cells, hotel.RateCell{
			RoomTypeID: "double", RatePlanID: "Rate1-4-HB", Date: night + hotel.Date(guests), Amount: &hotel.Money{Minor: 9900, Currency: "EUR"},
			ByOccupancy: map[int]hotel.Money{1: {Minor: 8000 + int64(guests/2), Currency: "EUR"}},
		})
	}
	rates := `<OTA_HotelRatePlanRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1"><RatePlans><RatePlan><HotelRef HotelCode="123"/></RatePlan></RatePlans></OTA_HotelRatePlanRQ>`
	read := string(message.WriteRead(message.Hotel{Code: "123"}, time.Time{}))
	for _, v := range message.Versions {
		valid := testkit.Schema(t, filepath.Join(folder, "schemas", "alpinebits-"+string(v)+".xsd"))
		for _, c := range []struct{ name, action, request, want string }{
			{"reservations", message.ReadRequests.Name, read, `ResStatus="Cancelled"`},
			{"reservations with wishes", message.ReadRequests.Name, string(message.WriteRead(message.Hotel{Code: "123"}, aReservation().CreatedAt)), "and quiet &amp; &lt;dark&gt;&#xA;Arrival: 22:30&#xA;2 x dinner, 1970-01-02 to 1970-01-03"},
			{"reservations with a number elsewhere", message.ReadRequests.Name, string(message.WriteRead(message.Hotel{Code: "123"}, aReservation().CreatedAt)), `ResID_Value="` + strings.Repeat("7", 64) + `" ResID_Source="Locanda Online"`},
			{"reservations with meals", message.ReadRequests.Name, read, `<MealsIncluded MealPlanIndicator="true" MealPlanCodes="12">`},
			{"reservations of odd guests", message.ReadRequests.Name, string(message.WriteRead(message.Hotel{Code: "123"}, aReservation().CreatedAt)), "res_5"},
			{"a hotel that is not ours", message.ReadRequests.Name, strings.Replace(read, "123", "124", 1), `Code="392"`},
			{"an acknowledgement", message.Acknowledge.Name, string(message.WriteAcknowledgement([]message.UniqueID{{Type: "14", ID: "R1"}})), "<Success>"},
			{"prices", message.BaseRates.Name, rates, `End="2022-03-04"`},
			{"no prices", message.BaseRates.Name, strings.Replace(rates, "<HotelRef", `<DateRange Start="x"/><HotelRef`, 1), `Code="404"`},
			{"counts", message.FreeRooms.Name, string(message.WriteFreeRooms(message.Hotel{Code: "123"}, []message.Rooms{{Category: "double", Nights: hotel.Span{From: night, To: night}, Free: 2}})), "<Success>"},
			{"changes before all", message.FreeRooms.Name, string(message.WriteFreeRooms(message.Hotel{Code: "123"}, []message.Rooms{{Category: "double", Nights: hotel.Span{From: night, To: night}, Free: 2}})), message.AskFreeRooms},
			{"prices before all", message.RatePlans.Name, planWith(message.Overlay), message.AskRatePlans},
			{"no counts", message.FreeRooms.Name, "<x/>", `Code="320"`},
			{"categories", message.Inventory.Name, string(message.WriteInventory(message.InventorySet{Hotel: message.Hotel{Code: "123"}})), "kept at Ostler"},
			{"no categories", message.Inventory.Name, "<x/>", `Code="320"`},
			{"no plans", message.RatePlans.Name, "<x/>", `Code="320"`},
		} {
			w := tellPMS(t, pmsOf(t), house, v, c.action, c.request)
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), c.want) {
				t.Errorf("%s in %s is answered %d %s, want %s", c.name, v, w.Code, w.Body, c.want)
			}
			valid(c.name+" in "+string(v), w.Body.Bytes())
		}
	}
}

// TestPMSHearsOfOurFailures: what could not be kept is sent again, and what the house does
// not take is said in its words.
func TestPMSHearsOfOurFailures(t *testing.T) {
	counts := string(message.WriteFreeRooms(message.Hotel{Code: "123"}, []message.Rooms{{Category: "double", Nights: hotel.Span{From: hotel.DateOf(2022, 3, 3), To: hotel.DateOf(2022, 3, 3)}, Free: 2}}))
	for _, c := range []struct {
		failure error
		code    int
		want    string
	}{
		{errors.New("disk full"), http.StatusInternalServerError, "send it again"},
		{hotel.Invalid("/entries/0", "max", "nobody has so many rooms"), http.StatusOK, "nobody has so many rooms"},
	} {
		house := newPretend()
		house.failure = c.failure
		if w := tellPMS(t, pmsOf(t), house, message.V2024, message.FreeRooms.Name, counts); w.Code != c.code || !strings.Contains(w.Body.String(), c.want) || strings.Contains(w.Body.String(), "disk") {
			t.Errorf("%v is answered %d %s", c.failure, w.Code, w.Body)
		}
	}
	r := posted(t, message.FreeRooms.Name, counts)
	r.SetBasicAuth("portal", "wrong")
	w := httptest.NewRecorder()
	if pmsOf(t).Serve(newPretend()).ServeHTTP(w, r); w.Code != http.StatusUnauthorized {
		t.Errorf("a wrong password is answered %d", w.Code)
	}
}

// TestAmountsForEachGuest: the standard's own plan of half board costs two adults with
// children of 3 and 15 years 297.60 a night: 96 each, and 38.40 and 67.20.
func TestAmountsForEachGuest(t *testing.T) {
	house := newPretend()
	house.layout.Property.AgeBands = []hotel.AgeBand{
		{Code: "baby", ToAge: 3, CountsAs: "infant"},
		{Code: "small", FromAge: 3, ToAge: 6, CountsAs: "child"},
		{Code: "big", FromAge: 6, ToAge: 16, CountsAs: "child"},
		{Code: "adult", FromAge: 16, ToAge: 120, CountsAs: hotel.Adult},
	}
	nights := hotel.Span{From: hotel.DateOf(2023, 3, 3), To: hotel.DateOf(2023, 3, 8)}
	plan := message.Plan{Code: "Rate1-4-HB", Kind: message.New, Currency: "EUR", Basis: &message.PriceBasis{PerPerson: true, Meals: "12"}, Rates: []message.Rate{{
		Category: "double", Nights: nights, Prices: []message.GuestPrice{{Guests: 1, Minor: 10600}, {Guests: 2, Minor: 9600}},
		Extra: []message.ExtraGuest{
			{Minor: 7680},
			{Child: true, BelowAge: 3},
			{Child: true, FromAge: 3, BelowAge: 6, Minor: 3840},
			{Child: true, FromAge: 6, BelowAge: 10, Minor: 4800},
			{Child: true, FromAge: 10, BelowAge: 16, Minor: 6720},
		},
	}}}
	w := tellPMS(t, pmsOf(t), house, message.V2022, message.RatePlans.Name, string(message.WriteRatePlans(message.PlanSet{Hotel: message.Hotel{Code: "123"}, Plans: []message.Plan{plan}})))
	if !strings.Contains(w.Body.String(), "<Success>") || len(house.rates) == 0 {
		t.Fatalf("answered %s", w.Body)
	}
	euro := func(minor int64) hotel.Optional[hotel.Money] {
		return hotel.Given(hotel.Money{Minor: minor, Currency: "EUR"})
	}
	want := hotel.RateEntry{
		RoomTypeID: "double", RatePlanID: "Rate1-4-HB", Dates: hotel.Dates{Span: nights}, Amount: euro(19200),
		Occupancies: map[int]hotel.Optional[hotel.Money]{1: euro(10600), 3: none}, ExtraAdult: euro(7680),
		ExtraChild: map[string]hotel.Optional[hotel.Money]{"baby": euro(0), "small": euro(3840), "big": euro(6720)},
	}
	if diff := cmp.Diff(want, house.rates[0]); diff != "" {
		t.Errorf("the plan is written as (-want +got):\n%s", diff)
	}
	for _, e := range house.rates[1:] {
		if !e.Amount.Null || e.From <= nights.To && e.To >= nights.From {
			t.Errorf("beside its nights the plan is written as %+v", e)
		}
	}
}

// FuzzPMS has the hotel's own system say anything: whatever is refused is not written.
func FuzzPMS(f *testing.F) {
	h := message.Hotel{Code: "123"}
	night := hotel.Span{From: hotel.DateOf(2023, 3, 3), To: hotel.DateOf(2023, 3, 8)}
	for which, raw := range [][]byte{
		message.WriteAllFreeRooms(h, nil, []message.Rooms{{Category: "double", Nights: night, Free: 2}}),
		message.WriteRatePlans(message.PlanSet{Hotel: h, Plans: []message.Plan{{
			Code: "Rate1-4-HB", Kind: message.New, Currency: "EUR", Basis: &message.PriceBasis{PerPerson: true, Meals: "12"},
			Rates: []message.Rate{{Category: "double", Nights: night, Prices: []message.GuestPrice{{Guests: 2, Minor: 9600}}, Extra: []message.ExtraGuest{{Child: true, BelowAge: 3}}}},
			Rules: []message.Rule{{Category: "double", Nights: night, Arrival: [7]bool{true}, Lengths: hotel.LengthLimits{MinStayArrival: 2}}},
		}}}),
		message.WriteRead(h, time.Unix(0, 0)),
		message.WriteAcknowledgement([]message.UniqueID{{Type: "14", ID: "R1"}}),
		[]byte(`<OTA_HotelRatePlanRQ xmlns="http://www.opentravel.org/OTA/2003/05"><RatePlans><RatePlan><DateRange End="2023-03-04"/><HotelRef HotelCode="123"/></RatePlan></RatePlans></OTA_HotelRatePlanRQ>`),
		message.WriteFreeRooms(h, []message.Rooms{{Category: "double", Nights: night, Free: 0}, {Category: "none", Nights: night, Free: 1}}),
	} {
		for _, variant := range testkit.Variants(raw) {
			f.Add(uint8(which), variant)
		}
	}
	actions := []message.Action{message.FreeRooms, message.RatePlans, message.ReadRequests, message.Acknowledge, message.BaseRates}
	f.Fuzz(func(t *testing.T, which uint8, request []byte) {
		house := newPretend()
		w := tellPMS(t, pmsOf(t), house, message.V2024, actions[int(which)%len(actions)].Name, string(request))
		if w.Code != http.StatusOK {
			t.Fatalf("answered %d %s", w.Code, w.Body)
		}
		if written := len(house.stock) + len(house.rates) + len(house.restrictions); written > 0 && strings.Contains(w.Body.String(), "<Errors>") {
			t.Errorf("%d entries are written of a message that is refused: %s", written, w.Body)
		}
		for _, e := range house.stock {
			if e.Given.Value < 0 || e.Days() < 1 || e.Days() > hotel.MaxEntryDates {
				t.Errorf("written is %+v", e)
			}
		}
		for _, e := range house.rates {
			if e.Amount.Value.Minor < 0 || e.Days() < 1 || e.Days() > hotel.MaxEntryDates {
				t.Errorf("written is %+v", e)
			}
		}
	})
}

// TestPMSTakesAPlanAwayThatIsGoneHere: a plan that it told once and that was archived here
// since keeps no complete set out.
func TestPMSTakesAPlanAwayThatIsGoneHere(t *testing.T) {
	house, pms := newPretend(), pmsOf(t)
	plan := message.Plan{Code: "Rate1-4-HB", Kind: message.New, Currency: "EUR", Basis: &message.PriceBasis{Meals: "3"}}
	of := func(complete bool, plans ...message.Plan) string {
		return string(message.WriteRatePlans(message.PlanSet{Hotel: message.Hotel{Code: "123"}, Complete: complete, Plans: plans}))
	}
	if err := put(t.Context(), pms.shelf, plansKept, map[string]planKept{"GONE": {}}); err != nil {
		t.Fatal(err)
	}
	for _, request := range []string{of(true, plan), of(false, message.Plan{Code: "GONE", Kind: message.Remove})} {
		if w := tellPMS(t, pms, house, message.V2024, message.RatePlans.Name, request); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<Success") {
			t.Errorf("answered %d %s", w.Code, w.Body)
		}
	}
	kept, err := fetch[map[string]planKept](t.Context(), pms.shelf, plansKept)
	if _, still := kept["GONE"]; err != nil || still {
		t.Errorf("kept are %v, %v", kept, err)
	}
}

// TestAWholePlanOpensNothingThatItCloses: each night is written once, what closes first, so
// that a message that breaks off in the middle has opened nothing.
func TestAWholePlanOpensNothingThatItCloses(t *testing.T) {
	house := newPretend()
	from := house.layout.Today + 10
	rule := message.Rule{Nights: hotel.Span{From: from, To: from + 9}, Closed: true}
	rule.Arrival[time.Sunday] = true
	plan := message.Plan{Code: "Rate1-4-HB", Kind: message.New, Currency: "EUR", Basis: &message.PriceBasis{Meals: "3"}, Rules: []message.Rule{rule}}
	w := tellPMS(t, pmsOf(t), house, message.V2024, message.RatePlans.Name, string(message.WriteRatePlans(message.PlanSet{Hotel: message.Hotel{Code: "123"}, Plans: []message.Plan{plan}})))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<Success") {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	type field struct {
		room string
		day  hotel.Date
		name string
	}
	written := map[field]bool{}
	shut := 0
	for i, e := range house.restrictions {
		for name, said := range map[string]hotel.Optional[bool]{"closed": e.Closed, "arrival": e.ClosedToArrival, "departure": e.ClosedToDeparture} {
			if said.Set && said.Value {
				shut++
				if i > 1 {
					t.Errorf("%s is shut by entry %d", name, i)
				}
			}
			for day := e.From; said.Set && day <= e.To; day++ {
				if e.Weekdays != [7]bool{} && !e.Weekdays[day.Weekday()] {
					continue
				}
				at := field{e.RoomTypeID, day, name}
				if written[at] {
					t.Fatalf("%v is written twice", at)
				}
				written[at] = true
			}
		}
	}
	if shut != 2 {
		t.Errorf("%d entries shut something, want 2", shut)
	}
}

// TestALaterPlanOfAMessageCounts: what an overlay closes stays closed behind the whole plan
// of the same code.
func TestALaterPlanOfAMessageCounts(t *testing.T) {
	house := newPretend()
	night := house.layout.Today + 10
	whole := message.Plan{Code: "Rate1-4-HB", Kind: message.New, Currency: "EUR", Basis: &message.PriceBasis{Meals: "3"}}
	overlay := message.Plan{Code: "Rate1-4-HB", Kind: message.Overlay, Rules: []message.Rule{{Nights: hotel.Span{From: night, To: night}, Closed: true}}}
	w := tellPMS(t, pmsOf(t), house, message.V2024, message.RatePlans.Name, string(message.WriteRatePlans(message.PlanSet{Hotel: message.Hotel{Code: "123"}, Plans: []message.Plan{whole, overlay}})))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<Success") {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	closed := false
	for _, e := range house.restrictions {
		if e.RoomTypeID == "" && e.Closed.Set && e.From <= night && night <= e.To {
			closed = e.Closed.Value
		}
	}
	if !closed {
		t.Error("the night is open")
	}
}

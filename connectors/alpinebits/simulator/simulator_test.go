package simulator

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start opens a portal with two categories.
func start(t *testing.T, preset, code string) *Simulator {
	t.Helper()
	s, err := Open(connectors.SimulatorOptions{
		Preset: preset, Hotel: code, Secret: "s",
		Products: []connectors.RemoteProduct{{Room: "double", Rate: "BAR"}, {Room: "double", Rate: "NRF"}, {Room: "single", Rate: "BAR"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// ask posts an action as a client does.
func ask(t *testing.T, s *Simulator, version, action, request string, spoil ...func(*http.Request)) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{"action": action, "request": request} {
		if err := form.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/", &body)
	r.SetBasicAuth(hotelUser, "s")
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("X-AlpineBits-ClientProtocolVersion", version)
	r.Header.Set("X-AlpineBits-ClientID", "test")
	for _, f := range spoil {
		f(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

const freeRoomsAction = "OTA_HotelInvCountNotif:FreeRooms"

// rooms is a message about free rooms, a complete set if id is not empty.
func rooms(id string, inventories ...string) string {
	return `<OTA_HotelInvCountNotifRQ xmlns="` + ota + `" Version="4">` + id + `<Inventories HotelCode="H1">` + strings.Join(inventories, "") +
		`</Inventories></OTA_HotelInvCountNotifRQ>`
}

// guestRooms is a message about categories.
func guestRooms(rooms string) string {
	return `<OTA_HotelDescriptiveContentNotifRQ xmlns="` + ota + `" Version="8.000"><HotelDescriptiveContents><HotelDescriptiveContent HotelCode="H1"><FacilityInfo><GuestRooms>` +
		rooms + `</GuestRooms></FacilityInfo></HotelDescriptiveContent></HotelDescriptiveContents></OTA_HotelDescriptiveContentNotifRQ>`
}

const completeSet = `<UniqueID Type="16" ID="1" Instance="CompleteSet"/>`

// of is what one inventory says; count is empty when no room is free.
func of(attributes, count string) string {
	if count != "" {
		count = `<InvCounts><InvCount CountType="2" Count="` + count + `"/></InvCounts>`
	}
	return `<Inventory><StatusApplicationControl ` + attributes + `/>` + count + `</Inventory>`
}

const (
	feb   = `Start="2027-02-01" End="2027-02-03" `
	march = `Start="2027-03-01" End="2027-03-03" `
	dbl   = `InvTypeCode="double"`
)

func TestFreeRooms(t *testing.T) {
	for _, c := range []struct{ name, preset, said, want string }{
		{"a change", newest, rooms("", of(feb+dbl, "2"), of(march+dbl, "")), "<Success>"},
		{"a closing season and rooms besides", newest, rooms(completeSet, of(feb+`AllInvCode="true"`, ""), of(march+dbl, "2")), "<Success>"},
		{"an empty set", newest, rooms(completeSet, `<Inventory/>`), "<Success>"},
		{"a set where only sets are taken", sets, rooms(completeSet, of(feb+dbl, "2")), "<Success>"},
		{"a change where only sets are taken", sets, rooms("", of(feb+dbl, "2")), `Code="320"`},
		{"nights that nobody has thought of", newest, rooms("", of(`Start="2099-01-01" End="2099-01-02" `+dbl, "2")), `<Warning Type="3">`},
		{"another hotel", newest, strings.Replace(rooms("", of(feb+dbl, "2")), "H1", "H2", 1), `Code="392"`},
		{"another category", newest, rooms("", of(feb+`InvTypeCode="Double"`, "2")), `Code="402"`},
		{"a single room", newest, rooms("", of(feb+dbl+` InvCode="101"`, "1")), `Code="320"`},
		{"an end before its beginning", newest, rooms("", of(`Start="2027-02-02" End="2027-02-01" `+dbl, "2")), `Code="404"`},
		{"a night told twice", newest, rooms("", of(feb+dbl, "2"), of(`Start="2027-02-03" End="2027-02-04" `+dbl, "3")), `Code="404"`},
		{"free rooms in a closing season", newest, rooms(completeSet, of(feb+`AllInvCode="1"`, ""), of(feb+dbl, "2")), `Code="404"`},
		{"seasons that overlap", newest, rooms(completeSet, of(feb+`AllInvCode="1"`, ""), of(feb+`AllInvCode="1"`, "")), `Code="404"`},
		{"a season behind rooms", newest, rooms(completeSet, of(march+dbl, "2"), of(feb+`AllInvCode="1"`, "")), `Code="320"`},
		{"a season in a change", newest, rooms("", of(feb+`AllInvCode="1"`, "")), `Code="320"`},
		{"a number below none", newest, rooms("", of(feb+dbl, "-1")), `Code="320"`},
		{"a count of another type", newest, strings.Replace(rooms("", of(feb+dbl, "2")), `CountType="2"`, `CountType="9"`, 1), `Code="320"`},
		{"an attribute of another standard", newest, rooms("", of(feb+dbl+` RatePlanCode="BAR"`, "2")), `Code="320"`},
		{"nothing", newest, rooms(""), `Code="321"`},
		{"another message", newest, `<OTA_ReadRQ xmlns="` + ota + `"/>`, `Code="320"`},
	} {
		s := start(t, c.preset, "H1")
		if got := ask(t, s, newest, freeRoomsAction, c.said); !strings.Contains(got.Body.String(), c.want) {
			t.Errorf("%s is answered %s, want %s", c.name, got.Body, c.want)
		}
		_, set := s.Book().Shown(connectors.Key{Room: "double", Group: hotel.Availability, Night: hotel.DateOf(2027, 3, 1)})
		if taken := strings.Contains(c.said, "2027-03") && c.want == "<Success>"; set != taken {
			t.Errorf("%s: shown is %t", c.name, set)
		}
	}
}

const ratesAction = "OTA_HotelRatePlanNotif:RatePlans"

// plans is a message about one rate plan.
func plans(attributes string, rates ...string) string {
	return `<OTA_HotelRatePlanNotifRQ xmlns="` + ota + `" Version="1"><RatePlans HotelCode="H1"><RatePlan ` + attributes + `><Rates>` +
		strings.Join(rates, "") + `</Rates></RatePlan></RatePlans></OTA_HotelRatePlanNotifRQ>`
}

// costs is one dated rate.
func costs(attributes, guests, amount string) string {
	return `<Rate ` + attributes + `><BaseByGuestAmts><BaseByGuestAmt NumberOfGuests="` + guests + `" AgeQualifyingCode="10" AmountAfterTax="` + amount +
		`"/></BaseByGuestAmts></Rate>`
}

const bar = `RatePlanNotifType="Overlay" CurrencyCode="EUR" RatePlanCode="BAR"`

func TestRatePlans(t *testing.T) {
	for _, c := range []struct{ name, said, want string }{
		{"a price", plans(bar, costs(feb+dbl, "2", "99.50")), "<Success>"},
		{"prices of two categories", plans(bar, costs(feb+dbl, "2", "99.50"), costs(feb+`InvTypeCode="single"`, "1", "50")), "<Success>"},
		{"nights that nobody has thought of", plans(bar, costs(`Start="2099-01-01" End="2099-01-01" `+dbl, "2", "1")), `<Warning Type="3">`},
		{"another hotel", strings.Replace(plans(bar, costs(feb+dbl, "2", "1")), "H1", "H2", 1), `Code="392"`},
		{"another category", plans(bar, costs(feb+`InvTypeCode="x"`, "2", "1")), `Code="402"`},
		{"a plan that the category is not sold with", plans(strings.Replace(bar, "BAR", "NRF", 1), costs(feb+`InvTypeCode="single"`, "1", "1")), `Code="249"`},
		{"a whole plan", plans(strings.Replace(bar, "Overlay", "New", 1), costs(feb+dbl, "2", "1")), `Code="320"`},
		{"rates that overlap", plans(bar, costs(feb+dbl, "2", "1"), costs(feb+dbl, "2", "2")), `Code="404"`},
		{"an end before its beginning", plans(bar, costs(`Start="2027-02-02" End="2027-02-01" `+dbl, "2", "1")), `Code="404"`},
		{"no currency", plans(strings.Replace(bar, "EUR", "XXX", 1), costs(feb+dbl, "2", "1")), `Code="320"`},
		{"a price of nothing", plans(bar, costs(feb+dbl, "2", "0")), `Code="320"`},
		{"a price for nobody", plans(bar, costs(feb+dbl, "0", "1")), `Code="320"`},
		{"a rate of all nights", plans(bar, `<Rate RateTimeUnit="Day" UnitMultiplier="1"/>`), `Code="320"`},
		{"no amount", plans(bar, `<Rate `+feb+dbl+`/>`), `Code="321"`},
		{"no plan", `<OTA_HotelRatePlanNotifRQ xmlns="` + ota + `" Version="1"><RatePlans HotelCode="H1"/></OTA_HotelRatePlanNotifRQ>`, `Code="321"`},
		{"another message", `<OTA_ReadRQ xmlns="` + ota + `"/>`, `Code="320"`},
	} {
		s := start(t, newest, "H1")
		if got := ask(t, s, newest, ratesAction, c.said); !strings.Contains(got.Body.String(), c.want) {
			t.Errorf("%s is answered %s, want %s", c.name, got.Body, c.want)
		}
		key := connectors.Key{Room: "double", Rate: "BAR", Group: hotel.Price, Night: hotel.DateOf(2027, 2, 3)}
		if got, _ := s.Book().Shown(key); (got.Amount == hotel.Money{Minor: 9950, Currency: "EUR"}) != (c.want == "<Success>") {
			t.Errorf("%s: shown is %v", c.name, got.Amount)
		}
	}
}

// TestCompleteSet: what a complete set leaves out is sold out, a change leaves it.
const (
	dblRule  = feb + `CodeContext="ROOMTYPE" Code="double"`
	allDays  = ` Mon="1" Tue="1" Weds="0" Thur="1" Fri="1" Sat="1" Sun="1"`
	base     = `<Rate RateTimeUnit="Day" UnitMultiplier="1"><BaseByGuestAmts><BaseByGuestAmt Type="25"/></BaseByGuestAmts><MealsIncluded MealPlanIndicator="true" MealPlanCodes="14"/></Rate>`
	fullBar  = `RatePlanNotifType="Full" CurrencyCode="EUR" RatePlanCode="BAR"`
	twoNight = `<LengthsOfStay><LengthOfStay Time="2" TimeUnit="Day" MinMaxMessageType="SetMinLOS"/></LengthsOfStay>`
)

// ruled is a message about the rules of one rate plan.
func ruled(attributes string, rules ...string) string {
	return `<OTA_HotelRatePlanNotifRQ xmlns="` + ota + `" Version="1"><RatePlans HotelCode="H1"><RatePlan ` + attributes + `><BookingRules>` +
		strings.Join(rules, "") + `</BookingRules></RatePlan></RatePlans></OTA_HotelRatePlanNotifRQ>`
}

func aRule(attributes, inner string) string {
	return `<BookingRule ` + attributes + `>` + inner + `</BookingRule>`
}

// TestBookingRules: what restricts stays is taken as the standard has it, and a rule
// leaves nothing of what was there before.
func TestBookingRules(t *testing.T) {
	wednesday := `<DOW_Restrictions><ArrivalDaysOfWeek` + allDays + `/></DOW_Restrictions>`
	for _, c := range []struct{ name, said, want string }{
		{"no arrival on Wednesdays, two nights", ruled(bar, aRule(dblRule, twoNight+wednesday)), "<Success>"},
		{"rules that overlap", ruled(bar, aRule(dblRule, twoNight), aRule(dblRule, wednesday)), `Code="404"`},
		{"a rule for the whole plan", ruled(bar, aRule(feb, twoNight)), `Code="320"`},
		{"a rule of another category", ruled(bar, aRule(feb+`CodeContext="ROOMTYPE" Code="x"`, twoNight)), `Code="402"`},
		{"a week of six days", ruled(bar, aRule(dblRule, strings.Replace(wednesday, ` Mon="1"`, "", 1))), `Code="320"`},
		{"a length told twice", ruled(bar, aRule(dblRule, strings.Replace(twoNight, "</L", `<LengthOfStay Time="3" TimeUnit="Day" MinMaxMessageType="SetMinLOS"/></L`, 1))), `Code="320"`},
		{"a length in weeks", ruled(bar, aRule(dblRule, strings.Replace(twoNight, "Day", "Week", 1))), `Code="320"`},
		{"neither open nor closed", ruled(bar, aRule(dblRule, `<RestrictionStatus Restriction="Master" Status="Ajar"/>`)), `Code="320"`},
	} {
		s := start(t, newest, "H1")
		if got := ask(t, s, newest, ratesAction, ruled(bar, aRule(dblRule, `<RestrictionStatus Restriction="Master" Status="Close"/>`))); !strings.Contains(got.Body.String(), "<Success>") {
			t.Fatalf("a closing is answered %s", got.Body)
		}
		if got := ask(t, s, newest, ratesAction, c.said); !strings.Contains(got.Body.String(), c.want) {
			t.Errorf("%s is answered %s, want %s", c.name, got.Body, c.want)
		}
		shown := func(g hotel.Group, night int) hotel.Offer {
			o, _ := s.Book().Shown(connectors.Key{Room: "double", Rate: "BAR", Group: g, Night: hotel.DateOf(2027, 2, night)})
			return o
		}
		taken := c.want == "<Success>"
		if monday, wednesday := shown(hotel.Closures, 1).Closed, shown(hotel.Closures, 3).Closed; monday.Closed == taken || wednesday.Arrival != taken || monday.Arrival {
			t.Errorf("%s: a Monday is %v and a Wednesday %v", c.name, monday, wednesday)
		}
		if n := shown(hotel.Lengths, 1).Lengths.MinStayArrival; (n == 2) != taken {
			t.Errorf("%s: the least are %d nights", c.name, n)
		}
	}
}

// TestWholePlans: a whole plan says first what its amounts are for, and takes the place
// of what was there.
func TestWholePlans(t *testing.T) {
	price := costs(feb+dbl, "2", "99.50")
	for _, c := range []struct{ name, preset, version, said, want string }{
		{"a whole plan", sets, newest, plans(fullBar, base, price), "<Success>"},
		{"a new one", sets, oldest, plans(strings.Replace(fullBar, "Full", "New", 1), base, price), "<Success>"},
		{"one of a kind that is not known yet", sets, oldest, plans(fullBar, base, price), `Code="320"`},
		{"a change", sets, newest, plans(bar, price), `Code="320"`},
		{"one that does not say what amounts are for", sets, newest, plans(fullBar, price), `Code="320"`},
		{"one without meals", sets, newest, plans(fullBar, strings.Replace(base, ` MealPlanCodes="14"`, "", 1), price), `Code="321"`},
		{"one without the price for two", sets, newest, plans(fullBar, base, costs(feb+dbl, "1", "9")), `Code="321"`},
		{"one that nobody knows", sets, newest, plans(strings.Replace(fullBar, "BAR", "X", 1), base, price), `Code="249"`},
	} {
		s := start(t, c.preset, "H1")
		ask(t, s, newest, ratesAction, ruled(fullBar, aRule(dblRule, `<RestrictionStatus Restriction="Master" Status="Close"/>`)))
		if got := ask(t, s, c.version, ratesAction, c.said); !strings.Contains(got.Body.String(), c.want) {
			t.Errorf("%s is answered %s, want %s", c.name, got.Body, c.want)
		}
		of := connectors.Key{Room: "double", Rate: "BAR", Group: hotel.Closures, Night: hotel.DateOf(2027, 2, 1)}
		if o, _ := s.Book().Shown(of); o.Closed.Closed == (c.want == "<Success>") {
			t.Errorf("%s: what restricted the plan before is %v", c.name, o.Closed)
		}
	}
}

func TestCompleteSet(t *testing.T) {
	s := start(t, newest, "H1")
	shown := func(day int) int {
		o, _ := s.Book().Shown(connectors.Key{Room: "double", Group: hotel.Availability, Night: hotel.DateOf(2027, 2, day)})
		return o.Available
	}
	for _, step := range []struct {
		said string
		want [2]int // on the first and on the second day
	}{
		{rooms("", of(`Start="2027-02-01" End="2027-02-01" `+dbl, "4")), [2]int{4, 0}},
		{rooms("", of(`Start="2027-02-02" End="2027-02-02" `+dbl, "5")), [2]int{4, 5}},
		{rooms(completeSet, of(`Start="2027-02-02" End="2027-02-02" `+dbl, "3")), [2]int{0, 3}},
		{rooms(completeSet, `<Inventory/>`), [2]int{0, 0}},
	} {
		ask(t, s, newest, freeRoomsAction, step.said)
		if got := [2]int{shown(1), shown(2)}; got != step.want {
			t.Errorf("after %s there are %v rooms, want %v", step.said, got, step.want)
		}
	}
}

func TestDoor(t *testing.T) {
	s := start(t, middle, "H1")
	for name, c := range map[string]struct {
		version, action string
		spoil           func(*http.Request)
		status          int
	}{
		"a look":                     {middle, freeRoomsAction, func(r *http.Request) { r.Method = http.MethodGet }, 405},
		"another password":           {middle, freeRoomsAction, func(r *http.Request) { r.SetBasicAuth(hotelUser, "x") }, 401},
		"a version that is too new":  {newest, freeRoomsAction, nil, 400},
		"no name":                    {middle, freeRoomsAction, func(r *http.Request) { r.Header.Del("X-AlpineBits-ClientID") }, 400},
		"another packing":            {middle, freeRoomsAction, func(r *http.Request) { r.Header.Set("Content-Encoding", "br") }, 501},
		"no packing":                 {middle, freeRoomsAction, func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }, 400},
		"no form":                    {middle, freeRoomsAction, func(r *http.Request) { r.Header.Set("Content-Type", "text/xml") }, 415},
		"an action of another world": {middle, "OTA_HotelAvail", nil, 400},
		"a packed handshake":         {middle, "OTA_Ping:Handshaking", pack, 400},
		"a packed message":           {middle, freeRoomsAction, pack, 200},
	} {
		if c.spoil == nil {
			c.spoil = func(*http.Request) {}
		}
		if got := ask(t, s, c.version, c.action, "", c.spoil); got.Code != c.status || (c.status != 200) != strings.HasPrefix(got.Body.String(), "ERROR:") {
			t.Errorf("%s is answered %d %s", name, got.Code, got.Body)
		}
	}
}

// pack compresses the whole body.
func pack(r *http.Request) {
	var raw, packed bytes.Buffer
	_, _ = raw.ReadFrom(r.Body) // of memory
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(raw.Bytes())
	_ = z.Close()
	r.Body = io.NopCloser(&packed)
	r.Header.Set("Content-Encoding", "gzip")
}

// sold makes two bookings, and cancels one of them.
func sold(t *testing.T, s *Simulator) (first, second string) {
	t.Helper()
	night := hotel.DateIn(hotel.SystemClock{}.Now(), hotel.SystemClock{}.Now().Location()) + 9
	ask(t, s, oldest, freeRoomsAction, rooms("", of(fmt.Sprintf(`Start="%s" End="%s" %s`, night, night, dbl), "3")))
	var refs []string
	for range 2 {
		b, err := s.Book().Sell(simkit.Request{Room: "double", Rate: "BAR", CheckIn: night, CheckOut: night + 1, LastName: "Berger"})
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, b.Reference)
	}
	if _, err := s.Book().Cancel(refs[1]); err != nil {
		t.Fatal(err)
	}
	return refs[0], refs[1]
}

const (
	readAction = "OTA_Read:GuestRequests"
	ackAction  = "OTA_NotifReport:GuestRequests"
	readAll    = `<OTA_ReadRQ xmlns="` + ota + `" Version="1"><ReadRequests><HotelReadRequest HotelCode="H1"/></ReadRequests></OTA_ReadRQ>`
)

func acknowledgement(kind, id string) string {
	return `<OTA_NotifReportRQ xmlns="` + ota + `" Version="1"><Success/><NotifDetails><HotelNotifReport><HotelReservations><HotelReservation><UniqueID Type="` +
		kind + `" ID="` + id + `"/></HotelReservation></HotelReservations></HotelNotifReport></NotifDetails></OTA_NotifReportRQ>`
}

// TestAcknowledge: only what has been read can be acknowledged, and by its type.
func TestAcknowledge(t *testing.T) {
	s := start(t, newest, "H1")
	first, second := sold(t, s)
	left := func(want int, when string) {
		t.Helper()
		if got := s.Book().State().Waiting; got != want {
			t.Errorf("%s there are %d that wait, want %d", when, got, want)
		}
	}
	ask(t, s, newest, ackAction, acknowledgement("14", first))
	left(3, "before anything was read")
	if said := ask(t, s, newest, readAction, readAll).Body.String(); strings.Count(said, "<UniqueID") != 3 || strings.Count(said, `ResStatus="Cancelled"`) != 1 {
		t.Errorf("what waits is %s", said)
	}
	ask(t, s, newest, ackAction, acknowledgement("14", first))
	left(2, "after the first booking")
	ask(t, s, newest, ackAction, acknowledgement("15", second))
	left(1, "after the cancellation")
}

// TestBusinessRules: the cases of the standard's own tests are taken or refused as
// their names say.
func TestBusinessRules(t *testing.T) {
	folder := testkit.Corpus(t, "alpinebits")
	for _, v := range versions {
		found, err := filepath.Glob(filepath.Join(folder, "business-rules", v, "freerooms", "*.xml"))
		if err != nil || len(found) < 5 {
			t.Fatalf("%s has %d cases: %v", v, len(found), err)
		}
		for _, file := range found {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, preset := range []string{newest, sets} {
				said := ask(t, start(t, preset, "9996"), v, freeRoomsAction, string(raw)).Body.String()
				name := filepath.Base(file)
				want := strings.Contains(name, "_ok_") || strings.Contains(name, "support_deltas")
				if preset == sets { // it says that it takes no deltas
					want = want && !strings.Contains(name, "delta")
				}
				if taken := strings.Contains(said, "<Success>") && !strings.Contains(said, "<Warning "); taken != want {
					t.Errorf("%s %s at %s is taken: %t; %s", v, name, preset, taken, said)
				}
			}
		}
	}
}

// TestInventory: the cases of the standard's own tests and its sample are taken or
// refused as their names say, and what is taken replaces what was there.
func TestInventory(t *testing.T) {
	folder := testkit.Corpus(t, "alpinebits")
	for _, v := range versions {
		cases, err := filepath.Glob(filepath.Join(folder, "business-rules", v, "inventory", "*_Basic-*.xml"))
		if err != nil || len(cases) < 17 {
			t.Fatalf("%s has %d cases: %v", v, len(cases), err)
		}
		for _, file := range cases {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := start(t, newest, "9996")
			before := map[string]Category{"SGL": {}}
			s.described = before
			request := strings.Replace(string(raw), `HotelCode="123"`, `HotelCode="9996"`, 1)
			said := ask(t, s, v, inventoryAction, request).Body.String()
			refuse := strings.Contains(file, "-err-")
			if took := strings.Contains(said, "<Success>"); took == refuse {
				t.Errorf("%s %s, which is to be refused: %t, is answered %s", v, filepath.Base(file), refuse, said)
			}
			want := map[string]Category{}
			switch {
			case refuse:
				want = before
			case !strings.Contains(file, "delete-all"):
				want["DZ"] = Category{1, 2, 2, 1, "Double room", []string{"101", "102", "103", "104", "105"}}
			}
			if diff := cmp.Diff(want, s.Described()); diff != "" {
				t.Errorf("%s %s describes (-want +got):\n%s", v, filepath.Base(file), diff)
			}
		}
	}
}

// TestAnswersFitTheSchemas holds all that the portal says against the schema of each
// version.
func TestAnswersFitTheSchemas(t *testing.T) {
	folder := testkit.Corpus(t, "alpinebits")
	for _, v := range versions {
		valid := testkit.Schema(t, filepath.Join(folder, "schemas", "alpinebits-"+v+".xsd"))
		s := start(t, newest, "H1")
		first, _ := sold(t, s)
		ping := `<OTA_PingRQ xmlns="` + ota + `" Version="8.000"><EchoData>{"versions":[{"version":"` + v + `","actions":[{"action":"action_OTA_Read"}]}]}</EchoData></OTA_PingRQ>`
		since := strings.Replace(readAll, `"H1"/>`, `"H1"><SelectionCriteria Start="2020-01-01T00:00:00Z"/></HotelReadRequest>`, 1)
		for _, c := range []struct{ name, action, request string }{
			{"a handshake", "OTA_Ping:Handshaking", ping},
			{"counts taken", freeRoomsAction, rooms("", of(feb+dbl, "2"))},
			{"counts refused", freeRoomsAction, rooms("", of(feb+`InvTypeCode="x"`, "2"))},
			{"counts too far ahead", freeRoomsAction, rooms("", of(`Start="2099-01-01" End="2099-01-02" `+dbl, "2"))},
			{"prices taken", ratesAction, plans(bar, costs(feb+dbl, "2", "99.50"))},
			{"prices refused", ratesAction, plans(bar, costs(feb+dbl, "0", "99.50"))},
			{"prices too far ahead", ratesAction, plans(bar, costs(`Start="2099-01-01" End="2099-01-01" `+dbl, "2", "1"))},
			{"categories taken", inventoryAction, guestRooms("")},
			{"categories refused", inventoryAction, guestRooms(`<GuestRoom Code="DBL"/>`)},
			{"what waits", readAction, readAll},
			{"what was", readAction, since},
			{"a list that is refused", readAction, strings.Replace(readAll, "H1", "H2", 1)},
			{"an acknowledgement taken", ackAction, acknowledgement("14", first)},
			{"an acknowledgement refused", ackAction, readAll},
		} {
			valid(v+": "+c.name, ask(t, s, v, c.action, c.request).Body.Bytes())
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, o := range map[string]connectors.SimulatorOptions{
		"an unknown preset": {Preset: "2014-04", Hotel: "H1", Secret: "s"},
		"no hotel":          {Secret: "s"},
		"no secret":         {Hotel: "H1"},
	} {
		if _, err := Open(o); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	sim, known := connectors.LookupSimulator("alpinebits")
	if !known {
		t.Fatal("it is not registered")
	}
	opened, err := sim.New(connectors.SimulatorOptions{Preset: push, Hotel: "H1", Secret: "s"})
	if err != nil {
		t.Fatal(err)
	}
	var settings map[string]string
	if err := json.Unmarshal(opened.Settings("http://127.0.0.1:1"), &settings); err != nil || settings["guest_requests"] != "push" {
		t.Errorf("the settings are %v, %v", settings, err)
	}
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
}

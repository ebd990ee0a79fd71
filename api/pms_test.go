package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"mime/multipart"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "ostler.example/connectors/alpinebits" //nolint:depguard // the channel of the hotel's own system
	"ostler.example/hotel"
)

// pms is a hotel's own system that speaks AlpineBits, at a house whose rooms it counts.
type pms struct {
	*house
	channel string
	types   map[string]string // of the numbers of reservations, as they were told last
}

// newPMS gives the house's facts to a PMS, and makes its channel live.
func newPMS(t *testing.T) *pms {
	h := newHouse(t)
	h.call("PATCH", "/v1/properties/hotel_123", `{"availability_mode":"given","truth":{"stock":"pms","prices":"pms","restrictions":"pms"}}`).want(t, 200, "")
	id := h.call("POST", "/v1/channels", `{"property_id":"hotel_123","connector":"alpinebits","name":"PMS","settings":{`+
		`"far_side":"pms","hotel":"H1","inbound_user":"pms","inbound_password":"secret:mock","room_codes":"DZ=standard, SU=deluxe","rate_codes":"BAR=flex"}}`).want(t, 201, "").json(t)["id"].(string)
	path := "/v1/channels/" + id
	h.call("POST", path+"/test", "").want(t, 200, "")
	plan := h.call("GET", path+"/plan", "").want(t, 200, "").json(t)
	raises, err := json.Marshal(plan["raises"])
	if err != nil || string(raises) != "[]" {
		t.Fatalf("a PMS is to sell %s", raises)
	}
	h.call("POST", path+"/activate", `{"mode":"live","plan_id":"`+plan["plan_id"].(string)+`","accept_raises":[],"accepted_by":"Ada"}`).want(t, 200, "")
	if err := h.engine.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.engine.Stop(); err != nil {
			t.Error(err)
		}
	})
	return &pms{h, id, map[string]string{}}
}

// ask calls us as the PMS does.
func (p *pms) ask(action, request string) string {
	p.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if form.WriteField("action", action) != nil || form.WriteField("request", request) != nil || form.Close() != nil {
		p.t.Fatal("the form cannot be written")
	}
	r := httptest.NewRequest("POST", "/inbound/"+p.channel+"/", &body)
	r.SetBasicAuth("pms", farSecret)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("X-AlpineBits-ClientProtocolVersion", "2024-10")
	w := httptest.NewRecorder()
	p.engine.Handler().ServeHTTP(w, r)
	if w.Code != 200 {
		p.t.Fatalf("%s is answered %d %s", action, w.Code, w.Body)
	}
	return w.Body.String()
}

// says wants the answer of an action to have something in it.
func (p *pms) says(action, request, want string) {
	p.t.Helper()
	if got := p.ask(action, request); !strings.Contains(got, want) {
		p.t.Errorf("%s is answered %s, want %s", request, got, want)
	}
}

// alpine is a message of that name.
func alpine(name, inner string) string {
	return `<` + name + ` xmlns="http://www.opentravel.org/OTA/2003/05" Version="1">` + inner + `</` + name + `>`
}

const (
	roomsAction = "OTA_HotelInvCountNotif:FreeRooms"
	plansAction = "OTA_HotelRatePlanNotif:RatePlans"
	readAction  = "OTA_Read:GuestRequests"
	ackAction   = "OTA_NotifReport:GuestRequests"
	completeSet = `<UniqueID Type="16" ID="1" Instance="CompleteSet"/>`
)

func freeRooms(set string, rooms ...string) string {
	return alpine("OTA_HotelInvCountNotifRQ", set+`<Inventories HotelCode="H1">`+strings.Join(rooms, "")+`</Inventories>`)
}

func freeOn(category string, from, to hotel.Date, n int) string {
	return fmt.Sprintf(`<Inventory><StatusApplicationControl Start="%s" End="%s" InvTypeCode="%s"/><InvCounts><InvCount CountType="2" Count="%d"/></InvCounts></Inventory>`, from, to, category, n)
}

// reservations fetches what waits, by their numbers, and acknowledges some.
func (p *pms) reservations() []string {
	p.t.Helper()
	got := p.ask(readAction, alpine("OTA_ReadRQ", `<ReadRequests><HotelReadRequest HotelCode="H1"/></ReadRequests>`))
	var ids []string
	for _, m := range regexp.MustCompile(`<UniqueID Type="(1[45])" ID="([^"]+)"`).FindAllStringSubmatch(got, -1) {
		ids, p.types[m[2]] = append(ids, m[2]), m[1]
	}
	return ids
}

func (p *pms) acknowledge(ids ...string) {
	p.t.Helper()
	var taken strings.Builder
	for _, id := range ids {
		taken.WriteString(`<HotelReservation><UniqueID Type="` + cmp.Or(p.types[id], "14") + `" ID="` + id + `"/></HotelReservation>`)
	}
	p.says(ackAction, alpine("OTA_NotifReportRQ", `<Success/><NotifDetails><HotelNotifReport><HotelReservations>`+taken.String()+`</HotelReservations></HotelNotifReport></NotifDetails>`), "<Success>")
}

// net is what the property sells on some nights.
func (p *pms) net(room hotel.RoomType, from, to hotel.Date) (net []int) {
	p.t.Helper()
	path := fmt.Sprintf("/v1/inventory?property_id=hotel_123&room_type_id=%s&date_from=%s&date_to=%s", room.ID, from, to)
	for _, c := range p.call("GET", path, "").want(p.t, 200, "").json(p.t)["data"].([]any) {
		net = append(net, int(c.(map[string]any)["net"].(float64)))
	}
	return net
}

var (
	firstNight  = hotel.DateOf(2026, 12, 1)
	secondNight = firstNight + 1
)

// TestPMSCountsRooms: what the PMS says is what is sold, and what it says makes no sense is
// refused as a whole.
func TestPMSCountsRooms(t *testing.T) {
	p := newPMS(t)
	p.says("OTA_Ping:Handshaking", alpine("OTA_PingRQ", `<EchoData>{"versions":[{"version":"2024-10","actions":[{"action":"action_OTA_HotelInvCountNotif","supports":["OTA_HotelInvCountNotif_accept_complete_set"]}]}]}</EchoData>`),
		"OTA_HotelInvCountNotif_accept_complete_set")
	p.says(roomsAction, freeRooms(completeSet, freeOn("DZ", firstNight, secondNight, 4), freeOn("SU", firstNight, firstNight, 2)), "<Success>")
	if got := fmt.Sprint(p.net(p.standard, firstNight, secondNight+1), p.net(p.deluxe, firstNight, secondNight)); got != "[4 4 0] [2 0]" {
		t.Errorf("a complete set is %s", got)
	}
	p.says(roomsAction, freeRooms("", freeOn("DZ", secondNight, secondNight, 3)), "<Success>")
	for said, want := range map[string]string{
		freeRooms("", freeOn("DZ", firstNight, firstNight, 9), freeOn("XX", firstNight, firstNight, 1)):                           `Code="402"`,
		strings.Replace(freeRooms("", freeOn("DZ", firstNight, firstNight, 9)), "H1", "H2", 1):                                    `Code="392"`,
		freeRooms("", freeOn("DZ", secondNight, firstNight, 9)):                                                                   `Code="404"`,
		freeRooms("", freeOn("DZ", firstNight, firstNight, 9), freeOn("DZ", firstNight, firstNight, 9)):                           `Code="404"`,
		freeRooms("", strings.Replace(freeOn("DZ", firstNight, firstNight, 1), ` InvTypeCode`, ` InvCode="1" InvTypeCode`, 1)):    `one by one`,
		freeRooms("", `<Inventory><StatusApplicationControl Start="2026-12-01" End="2026-12-02" AllInvCode="true"/></Inventory>`): `Code="320"`,
	} {
		p.says(roomsAction, said, want)
	}
	if got := fmt.Sprint(p.net(p.standard, firstNight, secondNight)); got != "[4 3]" {
		t.Errorf("behind messages that are refused there are %s", got)
	}
	season := `<Inventory><StatusApplicationControl Start="2026-12-01" End="2026-12-01" AllInvCode="1"/></Inventory>`
	p.says(roomsAction, freeRooms(completeSet, season, freeOn("DZ", secondNight, secondNight, 5)), "<Success>")
	if got := fmt.Sprint(p.net(p.standard, firstNight, secondNight)); got != "[0 5]" {
		t.Errorf("a closing season leaves %s", got)
	}
	p.call("PATCH", "/v1/room-types/"+p.standard.ID, `{"availability_mode":"derived"}`).want(t, 200, "")
	p.says(roomsAction, freeRooms("", freeOn("DZ", firstNight, firstNight, 1)), "availability_mode")
	p.call("PATCH", "/v1/properties/hotel_123", `{"truth":{"stock":"ostler","prices":"pms","restrictions":"pms"}}`).want(t, 200, "")
	p.says(roomsAction, freeRooms("", freeOn("SU", firstNight, firstNight, 1)), "truth.stock")
}

// TestPMSSubtractsNothingTwice walks at random: guests book and cancel, the PMS fetches
// reservations, acknowledges some of them and tells its numbers, late and more than once. A
// plain model says what is free: the PMS's last number, less what it did not have in it.
func TestPMSSubtractsNothingTwice(t *testing.T) {
	p := newPMS(t)
	random := rand.New(rand.NewPCG(7, 11))
	const rooms = 5
	type booking struct {
		live     bool
		fetched  bool // as it is now
		known    bool // the PMS has acknowledged it as it is now
		missing  bool // in none of the PMS's numbers
		reserved bool // the PMS has it on its books
	}
	books, order := map[string]*booking{}, []string(nil)
	given := 0
	free := func() int {
		n := given
		for _, b := range books {
			if b.missing {
				n--
			}
		}
		return n
	}
	tell := func() {
		given = rooms
		for _, b := range books {
			if b.reserved {
				given--
			}
			if b.known || b.reserved {
				b.missing = false
			}
		}
		set := ""
		if random.IntN(2) == 0 {
			set = completeSet
		}
		p.says(roomsAction, freeRooms(set, freeOn("DZ", firstNight, firstNight, given)), "<Success>")
	}
	fetch := func() []string {
		ids := p.reservations()
		for id, b := range books {
			if waits := slices.Contains(ids, id); waits == b.known {
				t.Fatalf("reservation %s waits: %t, acknowledged: %t", id, waits, b.known)
			}
			b.fetched = true
		}
		return ids
	}
	acknowledge := func(ids ...string) {
		p.acknowledge(ids...)
		for _, id := range ids {
			if b := books[id]; b.fetched && !b.known {
				b.known, b.reserved = true, b.live
				b.missing = b.missing && b.live // what was in no number is not to be waited for
			}
		}
	}
	tell()
	for step := range 150 {
		switch random.IntN(6) {
		case 0, 1:
			r := p.call("POST", "/v1/reservations", p.booking("2026-12-01", "2026-12-02"))
			if sold := r.StatusCode == 201; sold != (free() > 0) {
				t.Fatalf("step %d: a booking is answered %d with %d free", step, r.StatusCode, free())
			} else if sold {
				id := r.json(t)["id"].(string)
				books[id], order = &booking{live: true, missing: true}, append(order, id)
			}
		case 2:
			if len(order) == 0 {
				continue
			}
			id := order[random.IntN(len(order))]
			if b := books[id]; b.live {
				p.call("POST", "/v1/reservations/"+id+"/cancel", `{"reason":"guest"}`).want(t, 200, "")
				b.live, b.known, b.fetched = false, false, false
			}
		case 3:
			ids := fetch()
			random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
			if ids = ids[:random.IntN(len(ids)+1)]; len(ids) > 0 {
				acknowledge(ids...)
			}
		case 4:
			if len(order) > 0 { // late, or for the second time
				acknowledge(order[random.IntN(len(order))])
			}
		case 5:
			tell()
		}
		if got := p.net(p.standard, firstNight, firstNight)[0]; got != free() {
			t.Fatalf("step %d: %d rooms are free, want %d of %d given", step, got, free(), given)
		}
	}
	if ids := fetch(); len(ids) > 0 {
		acknowledge(ids...)
	}
	tell()
	live := 0
	for _, b := range books {
		if b.live {
			live++
		}
	}
	if got := p.net(p.standard, firstNight, firstNight)[0]; got != rooms-live || live == 0 {
		t.Errorf("in the end %d rooms are free of %d with %d taken", got, rooms, live)
	}
}

// TestPMSPricesAndRestricts: what the PMS says of its rate plans is what guests are sold.
func TestPMSPricesAndRestricts(t *testing.T) {
	p := newPMS(t)
	basis := `<Rate RateTimeUnit="Day" UnitMultiplier="1"><BaseByGuestAmts><BaseByGuestAmt Type="7"/></BaseByGuestAmts><MealsIncluded MealPlanIndicator="true" MealPlanCodes="12"/></Rate>`
	rate := func(start, end, guests, amount string) string {
		return `<Rate InvTypeCode="DZ" Start="` + start + `" End="` + end + `"><BaseByGuestAmts><BaseByGuestAmt NumberOfGuests="` + guests + `" AgeQualifyingCode="10" AmountAfterTax="` + amount + `"/></BaseByGuestAmts></Rate>`
	}
	plans := func(kind, rules, rates string) string {
		if rates != "" {
			rates = "<Rates>" + rates + "</Rates>"
		}
		if rules != "" {
			rules = "<BookingRules>" + rules + "</BookingRules>"
		}
		return alpine("OTA_HotelRatePlanNotifRQ", `<RatePlans HotelCode="H1"><RatePlan RatePlanNotifType="`+kind+`" CurrencyCode="EUR" RatePlanCode="BAR">`+rules+rates+`</RatePlan></RatePlans>`)
	}
	rule := func(start, end, inner string) string {
		return `<BookingRule CodeContext="ROOMTYPE" Code="DZ" Start="` + start + `" End="` + end + `">` + inner + `</BookingRule>`
	}
	prices := func() (all []string) {
		got := p.call("GET", "/v1/rates?property_id=hotel_123&rate_plan_id="+p.flex.ID+"&room_type_id="+p.standard.ID+"&date_from=2026-12-01&date_to=2026-12-04", "").want(t, 200, "").json(t)
		for _, c := range got["data"].([]any) {
			amount, _ := c.(map[string]any)["amount"].(map[string]any)
			all = append(all, fmt.Sprint(amount["amount"]))
		}
		return all
	}
	p.says(plansAction, plans("Overlay", "", rate("2026-12-01", "2026-12-01", "2", "50")), "as a whole")
	long := `<LengthsOfStay><LengthOfStay Time="3" TimeUnit="Day" MinMaxMessageType="SetMinLOS"/></LengthsOfStay>`
	shut := `<DOW_Restrictions><ArrivalDaysOfWeek Mon="1" Tue="1" Weds="0" Thur="1" Fri="1" Sat="1" Sun="1"/></DOW_Restrictions>`
	p.says(plansAction, plans("Full", rule("2026-12-01", "2026-12-04", long+shut), basis+rate("2026-12-01", "2026-12-02", "2", "48.50")), "<Success>")
	if got := fmt.Sprint(prices()); got != "[97.00 97.00 <nil> <nil>]" {
		t.Errorf("a whole plan for each of two guests costs %s", got)
	}
	p.says(plansAction, plans("Overlay", "", rate("2026-12-02", "2026-12-03", "2", "60")), "<Success>")
	if got := fmt.Sprint(prices()); got != "[97.00 120.00 120.00 <nil>]" {
		t.Errorf("a change of it costs %s", got)
	}
	restrictions := func() string {
		got := p.call("GET", "/v1/restrictions?property_id=hotel_123&rate_plan_id="+p.flex.ID+"&room_type_id="+p.standard.ID+"&date_from=2026-12-01&date_to=2026-12-02", "").want(t, 200, "").json(t)
		var all []string
		for _, c := range got["data"].([]any) {
			m := c.(map[string]any)
			all = append(all, fmt.Sprint(m["min_stay_arrival"], m["closed_to_arrival"], m["closed"]))
		}
		return strings.Join(all, "; ")
	}
	if got := restrictions(); got != "3 false false; 3 true false" { // the second is a Wednesday
		t.Errorf("restrictions are %s", got)
	}
	p.says(plansAction, plans("Overlay", rule("2026-12-02", "2026-12-02", `<RestrictionStatus Restriction="Master" Status="Close"/>`), ""), "<Success>")
	if got := restrictions(); got != "3 false false; <nil> false true" {
		t.Errorf("a rule leaves of the one before %s", got)
	}
	for said, want := range map[string]string{
		plans("Full", "", basis+rate("2026-12-01", "2026-12-01", "1", "9")):                                                                                                          "standard number",
		strings.Replace(plans("Full", "", basis+rate("2026-12-01", "2026-12-01", "2", "9")), `"BAR"`, `"X"`, 1):                                                                      `Code="249"`,
		strings.Replace(plans("Full", "", basis+rate("2026-12-01", "2026-12-01", "2", "9")), "EUR", "CHF", 1):                                                                        "in EUR here",
		plans("Full", rule("2026-12-01", "2026-12-01", long)+`<BookingRule Start="2026-12-01" End="2026-12-01">`+long+`</BookingRule>`, ""):                                          "together",
		strings.Replace(plans("Full", "", basis), "</RatePlan>", `<Supplements><Supplement InvType="EXTRA" InvCode="clean" MandatoryIndicator="true"/></Supplements></RatePlan>`, 1): "clean",
	} {
		p.says(plansAction, said, want)
	}
	const asks = "OTA_HotelRatePlan:BaseRates"
	question := func(of string) string {
		return alpine("OTA_HotelRatePlanRQ", `<RatePlans><RatePlan><DateRange Start="2026-12-01" End="2026-12-02"/>`+of+`<HotelRef HotelCode="H1"/></RatePlan></RatePlans>`)
	}
	p.says(asks, question(`<RatePlanCandidates><RatePlanCandidate RatePlanCode="BAR"/></RatePlanCandidates>`), `InvTypeCode="DZ" Start="2026-12-02" End="2026-12-02"><BaseByGuestAmts><BaseByGuestAmt NumberOfGuests="2" AgeQualifyingCode="10" AmountAfterTax="120.00"`)
	p.says(asks, question(`<RatePlanCandidates><RatePlanCandidate RatePlanCode="NONE"/></RatePlanCandidates>`), `Code="249"`)
	p.says(plansAction, plans("Remove", "", ""), "<Success>")
	if got := fmt.Sprint(prices()); got != "[<nil> <nil> <nil> <nil>]" {
		t.Errorf("a plan that is taken away costs %s", got)
	}
}

// TestPMSTakesReservations: a reservation is told until it is acknowledged as it stands,
// with what the PMS calls its rooms and rates, and its changes and its end after that.
func TestPMSTakesReservations(t *testing.T) {
	p := newPMS(t)
	p.says(roomsAction, freeRooms(completeSet, freeOn("DZ", firstNight, secondNight+5, 4)), "<Success>")
	id := p.call("POST", "/v1/reservations", p.booking("2026-12-01", "2026-12-03")).want(t, 201, "").json(t)["id"].(string)
	read := alpine("OTA_ReadRQ", `<ReadRequests><HotelReadRequest HotelCode="H1"/></ReadRequests>`)
	told := p.ask(readAction, read)
	for _, part := range []string{
		`ResStatus="Reserved"`, `<UniqueID Type="14" ID="` + id + `">`, `RoomTypeCode="DZ"`, `RatePlanCode="BAR"`, `<GuestCount Count="2">`,
		`<TimeSpan Start="2026-12-01" End="2026-12-03">`, `<Surname>Lovelace</Surname>`, `<BasicPropertyInfo HotelCode="H1">`,
	} {
		if !strings.Contains(told, part) {
			t.Errorf("a reservation is told as %s, without %s", told, part)
		}
	}
	p.call("PATCH", "/v1/reservations/"+id, `{"check_out":"2026-12-04"}`).want(t, 200, "")
	p.acknowledge(id) // of how it was before
	if got := p.ask(readAction, read); !strings.Contains(got, `ResStatus="Reserved"`) || !strings.Contains(got, `End="2026-12-04"`) {
		t.Errorf("changed before it was acknowledged it is told as %s", got)
	}
	p.acknowledge(id)
	if got := p.reservations(); len(got) != 0 {
		t.Errorf("acknowledged, %v wait", got)
	}
	p.call("PATCH", "/v1/reservations/"+id, `{"check_out":"2026-12-03"}`).want(t, 200, "")
	if got := p.ask(readAction, read); !strings.Contains(got, `ResStatus="Modify"`) {
		t.Errorf("a change is told as %s", got)
	}
	p.says(ackAction, alpine("OTA_NotifReportRQ", `<Success/><Warnings><Warning Type="3" Code="450" RecordID="`+id+`">no</Warning></Warnings>`), "<Success>")
	if got := p.reservations(); len(got) != 1 {
		t.Errorf("of what was refused, %v wait", got)
	}
	p.acknowledge(id)
	p.call("POST", "/v1/reservations/"+id+"/cancel", `{"reason":"guest"}`).want(t, 200, "")
	if got := p.ask(readAction, read); !strings.Contains(got, `ResStatus="Cancelled"`) || !strings.Contains(got, `<UniqueID Type="15"`) {
		t.Errorf("a cancellation is told as %s", got)
	}
	p.acknowledge(id)
	since := alpine("OTA_ReadRQ", `<ReadRequests><HotelReadRequest HotelCode="H1"><SelectionCriteria Start="2026-11-01T00:00:00Z"/></HotelReadRequest></ReadRequests>`)
	if got := p.ask(readAction, since); !strings.Contains(got, id) {
		t.Errorf("since a day before it is told as %s", got)
	}
}

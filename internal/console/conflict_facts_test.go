package console

import (
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// Every member of every fact has a name in words.
func TestFactsHaveNames(t *testing.T) {
	t.Parallel()
	tell := teller{visit: &visit{words: wordsIn("en")}}
	var look func(of reflect.Type)
	look = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice:
			look(of.Elem())
			return
		case reflect.Struct:
		default:
			return
		}
		if of == reflect.TypeFor[hotel.Money]() || of == reflect.TypeFor[hotel.Stay]() || of == reflect.TypeFor[hotel.Span]() || of == reflect.TypeFor[time.Time]() || of == reflect.TypeFor[hotel.Actor]() {
			return
		}
		for f := range of.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name != "" && !slices.Contains(unsaid, name) && !slices.Contains(unnamed, name) && name != "code" && !tell.words.has("seen."+name) && !tell.words.has("field."+name) {
				t.Errorf("%s.%s: nobody can say %q", of, f.Name, name)
			}
			if !slices.Contains(unsaid, name) {
				look(f.Type)
			}
		}
	}
	for _, facts := range []any{
		ledger.AskedFacts{},
		ledger.BeforeCloseFacts{},
		ledger.BlastFacts{},
		ledger.BlockFacts{},
		ledger.BookingFacts{},
		ledger.CredentialsFacts{},
		ledger.CrowdFacts{},
		ledger.DriftFacts{},
		ledger.DuplicateFacts{},
		ledger.ExposedFacts{},
		ledger.LateFacts{},
		ledger.MismatchFacts{},
		ledger.MissingFacts{},
		ledger.RejectedFacts{},
		ledger.ReportFacts{},
		ledger.ShrinkFacts{},
		ledger.StaleFacts{},
		ledger.UnreadFacts{},
	} {
		look(reflect.TypeOf(facts))
	}
}

// What was seen is told with names, dates and amounts as they are written in the language.
func TestFactsAreTold(t *testing.T) {
	t.Parallel()
	names := map[string]string{"rt_1": "Suite", "rp_1": "Flexible", "ch_1": "Portal", "res_1": "Byron (A1)"}
	for _, c := range []struct {
		language, facts string
		booked          bool
		want            []string // name: value; a row of a table as name of the table | cell | cell
	}{
		{"en", `{"group":"price","nights":[{"from":"2026-11-24","to":"2026-11-25","ours":{"amount":"1234.50","currency":"EUR"},"shown":null,"reason":"too odd"}]}`, false, []string{
			"What it is about: Price", "Nights | 24 Nov – Wed 25 Nov 2026 | €1,234.50 | not known | too odd",
		}},
		{"de", `{"since":"2026-11-21T09:00:00Z","words":"answered 401"}`, false, []string{"Seit: 21. Nov., 10:00", "In den Worten des Kanals: answered 401"}},
		{"it", `{"reservation_id":"res_1","ours":"200.00","theirs":"214.00","currency":"EUR","differs_pct":"7.0","nights":[{"date":"2026-11-24","ours":"100.00","theirs":"91.00"}]}`, true, []string{
			"Nostro: 200,00 €", "Suo: 214,00 €", "Più caro nel canale del: 7,0 %", "Notti | mar 24 nov 2026 | 100,00 € | 91,00 €",
		}},
		{"en", `{"nights":[{"from":"2026-11-24","to":"2026-11-24"},{"from":"2026-11-26","to":"2026-11-26"}]}`, false, []string{"Nights: Tue 24 Nov 2026, Thu 26 Nov 2026"}},
		{"en", `{"house_limit":false,"nights":[{"from":"2026-11-24","to":"2026-11-24","net":-2}],"movable":[{"reservation_id":"res_1"}]}`, false, []string{"Nights | Tue 24 Nov 2026 | 2"}},
		{"en", `{"group":"closures","nights":[{"from":"2026-11-24","to":"2026-11-24","ours":{},"told":{"closed":true},"theirs":{"closed_to_arrival":true}}]}`, false, []string{
			"What it is about: Closings", "Nights | Tue 24 Nov 2026 | open | closed | closed to arrival",
		}},
		{"en", `{"group":"lengths","nights":[{"from":"2026-11-24","to":"2026-11-24","ours":{"min_stay_arrival":2},"told":{},"theirs":null}]}`, false, []string{
			"What it is about: Lengths of stay", "Nights | Tue 24 Nov 2026 | minimum stay on arrival 2 | none | not known",
		}},
		{"en", `{"group":"availability","nights":[{"from":"2026-11-24","to":"2026-11-24","theirs":{"available":2},"not_taken":{"code":"locked","detail":"somebody holds the night"}}]}`, false, []string{
			"What it is about: Rooms", "Nights | Tue 24 Nov 2026 | 2 | somebody holds the night",
		}},
		{"en", `{"changed_id":"rt_1/rp_1","change":"prices.changed","channels":[{"channel_id":"ch_1","cells":21,"sample":[{"room_type_id":"rt_1","date":"2026-11-24"}]}]}`, false, []string{
			"Of: Suite · Flexible", "What changed: prices", "Channels | Portal | 21", "Some of them: Portal | Suite | Tue 24 Nov 2026",
		}},
		{"en", `{"action":{"id":"act_1","kind":"cancel","state":"refused","asked_by":{"kind":"operator","id":"x"},"at":"2026-11-21T09:00:00Z"},"answer":"refused"}`, false, []string{
			"What the channel was asked for: cancel, refused, 21 Nov, 10:00", "Answer: refused",
		}},
		{"en", `{"nights":[{"sequence":4},{}],"channels":[{"sequence":4,"sample":[{"date":"2026-11-24"}]}],"detail":"no more is known"}`, false, []string{
			"Some of them: Tue 24 Nov 2026", "detail: no more is known", // what nobody needs leaves no table
		}},
		{"en", `{"bookings":[{"reservation_id":"res_1","stay":{"check_in":"2026-11-24","check_out":"2026-11-26"}}]}`, false, []string{"Bookings | Byron (A1) | 24 Nov – Thu 26 Nov 2026"}},
	} {
		v := &visit{c: &Console{clock: &wound{now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}}, words: wordsIn(c.language), house: hotel.Property{TimeZone: "Europe/Berlin", Currency: "EUR"}}
		all, err := v.seenOf(hotel.Conflict{Facts: json.RawMessage(c.facts)}, names, c.booked)
		var got []string
		for _, f := range all.Facts {
			got = append(got, f.Name+": "+f.Value)
		}
		for _, table := range all.Tables {
			for _, row := range table.Rows {
				line := table.Name
				for _, cell := range row {
					line += " | " + cell.Text
				}
				got = append(got, line)
			}
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v\ntold %q\nwant %q", c.facts, err, got, c.want)
		}
	}
}

// crowded has a channel sell a suite more than there is on a night.
func (s *site) crowded(t *testing.T) hotel.Conflict {
	t.Helper()
	s.house.Connect(t, s.l, hotel.Channel{Entity: hotel.Entity{ID: "ch_1"}, Connector: "mock", Name: "Portal", Settings: []byte("{}"), Account: "a"}, hotel.PerRoom)
	in := s.house.Property.Today(s.clock.Now()) + 3
	for room := range s.house.Rooms {
		s.house.Price(t, s.l, room, hotel.Span{From: in, To: in + 3}, int64(10000+room*1000))
	}
	list, err := s.l.Inventory(t.Context(), hotel.InventoryQuery{PropertyID: s.house.Property.ID, RoomTypeIDs: []string{s.house.Rooms[2].ID}, Span: hotel.Span{From: in, To: in}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list.Cells[0].Available + 1 {
		ref := string(rune('A' + i))
		if _, err := s.l.Receive(t.Context(), ledger.Receipt{
			ChannelID: "ch_1", Key: ref, Ref: ref, Event: "booked", Order: hotel.OrderNone,
			Booking: hotel.ChannelBooking{Guest: &hotel.Guest{LastName: "Byron " + ref}, Rooms: []hotel.ChannelRoom{{Room: s.house.RemoteRoom(2), Rate: s.house.RemoteRate(0), Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 2}}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	open, err := s.l.Conflicts(t.Context(), hotel.ConflictFilter{PropertyID: s.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictOversell}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 2})
	if err != nil || len(open) != 1 {
		t.Fatalf("%d conflicts: %v", len(open), err)
	}
	return open[0]
}

// Who can be moved where stands there with what it costs, and is decided by one button.
func TestMovesAreChoices(t *testing.T) {
	s := newSite(t)
	k := s.crowded(t)
	b := s.as(t, "owner")
	page := b.get(s.path("conflicts/" + k.ID)).body
	shows(t, page, "Byron A (", ">to double <small>no dearer<", "Rooms missing", `<select name="reservation_id">`)
	for _, unsaid := range []string{"movable", "res_", "rt_"} {
		if _, facts, _ := strings.Cut(page, `id="facts-h"`); strings.Contains(facts[:strings.Index(facts, "</section>")], ">"+unsaid) {
			t.Errorf("%s is shown for what was seen", unsaid)
		}
	}
	_, pick, _ := strings.Cut(page, `<button name="pick" value="`)
	pick, _, _ = strings.Cut(pick, `"`)
	said, err := url.ParseQuery(strings.ReplaceAll(pick, "&amp;", "&"))
	if err != nil || said.Get("reservation_id") == "" || said.Get("room_type_id") == "" {
		t.Fatalf("it says %q", pick)
	}
	r := b.post(s.path("conflicts/"+k.ID), url.Values{"option": {"move"}, "pick": {said.Encode()}, "reservation_id": {""}, "room_type_id": {""}})
	if !strings.Contains(r.path, "done=decided") {
		t.Fatalf("%d at %s\n%s", r.status, r.path, r.body)
	}
	if moved, err := s.l.Reservation(t.Context(), said.Get("reservation_id")); err != nil || moved.RoomTypeID != said.Get("room_type_id") {
		t.Errorf("moved to %s, want %s: %v", moved.RoomTypeID, said.Get("room_type_id"), err)
	}
}

// A guest can be sent to another house of the user that has a room, which says what it costs
// there; not to one that the user has nothing to do with.
func TestWalksAreChoices(t *testing.T) {
	s := newSite(t)
	k := s.crowded(t)
	for _, id := range []string{"h2", "h3"} {
		s.annex(t, id)
	}
	if _, err := s.users.Add(t.Context(), by, "both", secret, map[string]auth.Role{"h2": auth.RoleFrontDesk, s.house.Property.ID: auth.RoleOwner}); err != nil {
		t.Fatal(err)
	}
	b := s.as(t, "both")
	page := b.get(s.path("conflicts/" + k.ID)).body
	shows(t, page, ">to House h2 <small>from €77.00 there<", "property_id=h2")
	if strings.Contains(page, "House h3") {
		t.Error("a house that the user has no role in is named")
	}
	guest := url.Values{"property_id": {"h3"}}
	if r := b.post(s.path("conflicts/"+k.ID), url.Values{"option": {"walk"}, "pick": {guest.Encode()}}); strings.Contains(r.path, "done=decided") {
		t.Error("a guest is sent to a house that the user does not see")
	}
	guest.Set("property_id", "h2")
	if r := b.post(s.path("conflicts/"+k.ID), url.Values{"option": {"walk"}, "pick": {guest.Encode()}}); !strings.Contains(r.path, "done=decided") {
		t.Errorf("%d at %s\n%s", r.status, r.path, r.body)
	}
}

// annex makes another house with a room at 77 euros.
func (s *site) annex(t *testing.T, id string) {
	t.Helper()
	ctx, today := t.Context(), s.house.Property.Today(s.clock.Now())
	_, _, err := s.l.CreateProperty(ctx, by, hotel.Once{}, hotel.Property{
		Entity: hotel.Entity{ID: id}, Name: "House " + id, TimeZone: "Europe/Berlin", Currency: "EUR", Country: "DE", CheckIn: "15:00", CheckOut: "11:00", DayRoll: "03:00", HorizonDays: 30, Status: hotel.Active,
	})
	if err != nil {
		t.Fatal(err)
	}
	room, _, err := s.l.CreateRoomType(ctx, by, hotel.Once{}, hotel.RoomType{PropertyID: id, Code: "d", Name: "Double", TotalUnits: 2, BaseOccupancy: 2, MaxAdults: 2, MaxOccupancy: 2, Position: 1, Status: hotel.Active})
	if err != nil {
		t.Fatal(err)
	}
	plan, _, err := s.l.CreateRatePlan(ctx, by, hotel.Once{}, hotel.RatePlan{
		PropertyID: id, Code: "f", Name: "Flex", Currency: "EUR", Pricing: hotel.PerRoomPrice, MealPlan: "room_only", TaxMode: "inclusive", RoomTypeIDs: []string{room.ID}, Audience: hotel.Public, Position: 1, Status: hotel.Active,
	})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = s.l.UpdateRates(ctx, by, hotel.Once{}, hotel.RateUpdate{PropertyID: id, Source: "api", Entries: []hotel.RateEntry{{
		RoomTypeID: room.ID, RatePlanID: plan.ID, Dates: hotel.Dates{Span: hotel.Span{From: today, To: today + 9}}, Amount: hotel.Given(hotel.Money{Minor: 7700, Currency: "EUR"}),
	}}})
	if err != nil {
		t.Fatal(err)
	}
}

// TestADecisionThatIsRefusedIsNotLost: the way out that somebody wanted is asked for as it was
// filled in, with what is wrong at the field.
func TestADecisionThatIsRefusedIsNotLost(t *testing.T) {
	s := newSite(t)
	k := s.crowded(t)
	s.annex(t, "annex")
	if _, err := s.users.Add(t.Context(), by, "both", secret, map[string]auth.Role{"annex": auth.RoleOwner, s.house.Property.ID: auth.RoleOwner}); err != nil {
		t.Fatal(err)
	}
	b := s.as(t, "both")
	walk := url.Values{"option": {"walk"}, "property_id": {"annex"}, "cost": {"hundred"}, "note": {"taxi is paid"}}
	r := b.post(s.path("conflicts/"+k.ID), walk)
	if r.status != http.StatusUnprocessableEntity || strings.Contains(r.body, "&#34;amount&#34;") {
		t.Errorf("%d", r.status)
	}
	shows(t, r.body, `value="hundred" aria-invalid="true" aria-describedby="wrong-cost"`, `id="wrong-cost"`, `value="taxi is paid"`, `<option value="annex" selected>`)
}

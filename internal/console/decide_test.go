package console

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// Sync notes what a channel was asked for.
func (engine) Sync(_ context.Context, _ hotel.By, _ hotel.Once, channel string, order hotel.SyncOrder) (hotel.SyncRun, bool, error) {
	asked <- channel + " " + string(order.Kind)
	return hotel.SyncRun{}, false, nil
}

// Published is nothing: no channel comes to read.
func (engine) Published(context.Context, string) ([]hotel.Published, error) { return nil, nil }

// Explain has one number of rooms, one price, one closing and one length, and a call that
// carried a price; of 09:20 on the day before it knows another price, of 09:25 one
// that waited, and that ch_ended had ended already.
func (engine) Explain(_ context.Context, of hotel.ExplainQuery) (hotel.Explanation, error) {
	if of.ChannelID == "ch_shut" {
		return hotel.Explanation{}, hotel.Refuse("channel_error", "nobody answers")
	}
	x := explained
	if !of.AsOf.Now() {
		x.Told, x.Channel = hotel.Fields, hotel.ChannelActive
		if of.ChannelID == "ch_ended" {
			x.Channel = hotel.Disconnected
		}
		was := hotel.ShownFact{Value: hotel.Offer{Amount: hotel.Money{Minor: 7700, Currency: "EUR"}}}
		switch at := of.AsOf.At; {
		case at.Equal(time.Date(2026, 11, 21, 9, 25, 0, 0, time.UTC)):
			x.Groups = []hotel.GroupSight{{Group: hotel.Price, Desired: &hotel.ShownFact{Value: hotel.Offer{Amount: hotel.Money{Minor: 8800, Currency: "EUR"}}}, Sent: &was, Acknowledged: &was, State: hotel.InSync}}
			return x, nil
		case !at.Equal(time.Date(2026, 11, 21, 9, 20, 0, 0, time.UTC)):
			return hotel.Explanation{}, hotel.Refuse("as_of_expired", "nothing is known of then")
		}
		x.Groups = []hotel.GroupSight{{Group: hotel.Price, Sent: &was, Acknowledged: &was, State: hotel.InSync}}
	}
	return x, nil
}

var explained = hotel.Explanation{
	Conflicts: []string{"cfl_1"},
	Calls: []hotel.CarriedValue{{
		DeliveryID: "dlv_7", Attempt: 2, Group: hotel.Price, Value: hotel.Offer{Amount: hotel.Money{Minor: 7700, Currency: "EUR"}}, Operation: "set_rates",
		SentAt: time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC), AnsweredAt: time.Date(2026, 11, 22, 8, 0, 0, 350e6, time.UTC), Outcome: "unknown", HTTPStatus: 503, Excerpt: "busy <i>",
	}},
	Numbers: []hotel.Explained{
		{Field: hotel.FieldAvailable, Group: hotel.Availability, Steps: []hotel.Step{{Name: "stock", Count: 30}, {Name: "out_of_order", Count: 30}, {Name: "sold", Change: -2, Count: 28, Taken: []hotel.Taken{{ReservationID: "res_1", Rooms: 2}}}}},
		{Field: hotel.FieldAmount, Group: hotel.Price, Occupancy: 2, Steps: []hotel.Step{{Name: "rate_base", Text: "129.50", By: "manual"}, {Name: "markup", Text: "142.45", By: "+10 percent"}}},
		{Field: hotel.FieldClosed, Group: hotel.Closures, Steps: []hotel.Step{{Name: "sold_by", Text: "true", By: "not named"}}},
		{Field: hotel.FieldMinStayArrival, Group: hotel.Lengths, Steps: []hotel.Step{{Name: "plan_default", Text: "3"}, {Name: "product", Text: "1"}}},
	},
}

// asked is what engines at rest were asked for.
var asked = make(chan string, 10)

// sells connects a channel, over which a guest books a room that nobody here knows.
func (s *site) sells(t *testing.T) hotel.Conflict {
	t.Helper()
	s.house.Connect(t, s.l, hotel.Channel{Entity: hotel.Entity{ID: "ch_1"}, Connector: "mock", Name: "Portal", Settings: []byte("{}"), Account: "a"}, hotel.PerRoom)
	in := s.house.Property.Today(s.clock.Now()) + 3
	_, err := s.l.Receive(t.Context(), ledger.Receipt{
		ChannelID: "ch_1", Key: "1", Ref: "R1", Event: "booked", Order: hotel.OrderNone,
		Booking: hotel.ChannelBooking{Guest: &hotel.Guest{LastName: "Byron"}, Rooms: []hotel.ChannelRoom{{Room: "attic <i>", Rate: "x", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 1}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.l.Conflicts(t.Context(), hotel.ConflictFilter{PropertyID: s.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictUnmapped}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 2})
	if err != nil || len(list) != 1 {
		t.Fatalf("%d conflicts: %v", len(list), err)
	}
	return list[0]
}

// TestEveryRoleAndPage: whoever may not see a page is told so, and is not led to it; no
// role sees more of it than its scopes.
func TestEveryRoleAndPage(t *testing.T) {
	s := newSite(t)
	k := s.sells(t)
	for _, r := range auth.Roles {
		b := s.as(t, string(r))
		today := b.get(s.path("today")).body
		for page, needs := range map[string]auth.Scope{
			"conflicts": auth.ChannelsRead, "conflicts/" + k.ID: auth.ChannelsRead, "channels": auth.ChannelsRead, "channels/ch_1": auth.ChannelsRead, "channels/ch_1/plan": auth.ChannelsRead, "channels/ch_1/history": auth.ChannelsRead,
			"channels/new": auth.ChannelsWrite, "channels/ch_1/settings": auth.ChannelsWrite, "channels/ch_1/mapping": auth.ChannelsWrite, "channels/ch_1/policies": auth.ChannelsWrite, "calendar": auth.RatesRead, "calendar/updates": auth.RatesRead, "calendar/" + s.house.Rooms[0].ID + "/2026-12-01?plan=" + s.house.Plans[0].ID: auth.RatesRead,
			"rates": auth.RatesRead, "rates/plans/" + s.house.Plans[1].ID: auth.RatesRead, "rates/plans/new": auth.RatesWrite, "rates/plans/" + s.house.Plans[1].ID + "/edit": auth.RatesWrite,
			"rates/rules": auth.RatesRead, "rates/rules/new": auth.RatesWrite, "rates/guards": auth.ChannelsRead, "rates/protection": auth.PropertiesRead,
			"reservations": auth.ReservationsRead, "reservations?show=newest": auth.ReservationsRead, "reservations/" + k.Subject.ID: auth.ReservationsRead, "reservations/new": auth.AvailabilityRead,
			"house": auth.ChannelsRead, "guests": auth.GuestsRead, "reports/revenue": auth.ReportsRead, "reports/occupancy/table": auth.ReportsRead,
		} {
			want := http.StatusOK
			if !r.Scopes().Has(needs) {
				want = http.StatusForbidden
			}
			got := b.get(s.path(page))
			if got.status != want {
				t.Errorf("%s sees %s: %d, want %d", r, page, got.status, want)
			}
			if section, _, deeper := strings.Cut(strings.ReplaceAll(page, "?", "/"), "/"); (!deeper || want == http.StatusOK) && strings.Contains(today, `href="`+s.path(section)+`"`) != (want == http.StatusOK) {
				t.Errorf("%s is led to %s, or not", r, section)
			}
			s.offersWhatItMay(t, r, page, got.body)
			if strings.Contains(got.body, "Byron") && !r.Scopes().Has(auth.GuestsRead) {
				t.Errorf("%s sees a guest's name at %s", r, page)
			}
		}
		writes := r.Scopes().Has(auth.ChannelsWrite)
		if got := b.get(s.path("channels")).body; strings.Contains(got, "/pause") != writes {
			t.Errorf("%s is offered to pause a channel, or not", r)
		}
		if got := b.post(s.path("channels/ch_1/sync"), url.Values{"kind": {"ari_full"}}); (got.status == http.StatusOK) != writes {
			t.Errorf("%s syncs a channel: %d", r, got.status)
		} else if writes {
			if what := <-asked; what != "ch_1 ari_full" {
				t.Errorf("asked for %s", what)
			}
		}
	}
}

// What a way out names of the house is chosen by name: of a booking of an unknown room the
// room that is held is proposed.
func TestDecisionsNameRoomsAndPlans(t *testing.T) {
	s := newSite(t)
	k := s.sells(t)
	page := s.as(t, "owner").get(s.path("conflicts/" + k.ID)).body
	for _, r := range s.house.Rooms {
		chosen := ""
		if r.ID == k.Subject.RoomTypeID {
			chosen = " selected"
		}
		shows(t, page, `<option value="`+r.ID+`"`+chosen+`>`+r.Name)
	}
	for _, p := range s.house.Plans {
		shows(t, page, `<option value="`+p.ID+`">`+p.Name)
	}
	if strings.Contains(page, `<input name="room_type_id"`) || strings.Contains(page, `<input name="rate_plan_id"`) {
		t.Error("ids are typed")
	}
}

// TestDecisions: what was seen is shown, one way out is taken, and not twice.
func TestDecisions(t *testing.T) {
	s := newSite(t)
	k := s.sells(t)
	b := s.as(t, "owner")
	if page := b.get(s.path("conflicts")).body; !strings.Contains(page, s.path("conflicts/"+k.ID)) || !strings.Contains(page, catalogue["en"]["conflict.unmapped_booking"]) {
		t.Errorf("the inbox is\n%s", page)
	}
	page := b.get(s.path("conflicts/" + k.ID)).body
	for _, part := range []string{"Byron", "Portal", "attic &lt;i&gt;", `value="keep_unassigned"`, `name="room_type_id"`} {
		if !strings.Contains(page, part) {
			t.Errorf("%q is not in\n%s", part, page)
		}
	}
	if strings.Contains(page, "<i>") {
		t.Error("what a channel says is not escaped")
	}
	if r := s.as(t, "read_only").post(s.path("conflicts/"+k.ID), url.Values{"option": {"keep_unassigned"}}); r.status != http.StatusForbidden {
		t.Errorf("decided by whoever may only read: %d", r.status)
	}
	r := b.post(s.path("conflicts/"+k.ID), url.Values{"option": {"map"}, "room_type_id": {"nothing"}, "rate_plan_id": {s.house.Plans[0].ID}})
	if r.status == http.StatusOK {
		t.Error("mapped to what there is not")
	}
	r = b.post(s.path("conflicts/"+k.ID), url.Values{"option": {"map"}, "room_type_id": {s.house.Rooms[2].ID}, "rate_plan_id": {s.house.Plans[0].ID}, "note": {"a suite"}})
	if r.status != http.StatusOK || r.path != s.path("conflicts")+"?done=decided" || !strings.Contains(r.body, catalogue["en"]["done.decided"]) {
		t.Fatalf("%d at %s\n%s", r.status, r.path, r.body)
	}
	if r := b.post(s.path("conflicts/"+k.ID), url.Values{"option": {"keep_unassigned"}}); r.status == http.StatusOK {
		t.Error("decided twice")
	}
	decided, err := s.l.Conflict(t.Context(), k.ID)
	if err != nil || decided.Resolution == nil || decided.Resolution.Option != "map" || decided.Resolution.Note != "a suite" {
		t.Errorf("%+v: %v", decided.Resolution, err)
	}
	if page := b.get(s.path("conflicts/" + k.ID)).body; !strings.Contains(page, "a suite") || strings.Contains(page, `name="option"`) {
		t.Errorf("decided, it is\n%s", page)
	}
	if page := b.get(s.path("conflicts?status=resolved")).body; !strings.Contains(page, k.ID) {
		t.Error("it is not among those that are decided")
	}
	if r := b.get(s.path("conflicts/cnf_none")); r.status != http.StatusNotFound {
		t.Errorf("one that there is not: %d", r.status)
	}
}

// TestChannelsAreOfTheHouse: those of another house are not there.
func TestChannelsAreOfTheHouse(t *testing.T) {
	s := newSite(t)
	s.sells(t)
	if _, _, err := s.l.CreateProperty(t.Context(), by, hotel.Once{}, hotel.Property{
		Entity: hotel.Entity{ID: "h2"}, Name: "Other", TimeZone: "Europe/Berlin", Currency: "EUR", Country: "DE",
		CheckIn: "15:00", CheckOut: "11:00", DayRoll: "03:00", HorizonDays: 10, Status: hotel.Active,
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.users.Add(t.Context(), by, "both", secret, map[string]auth.Role{"h2": auth.RoleOwner, s.house.Property.ID: auth.RoleOwner}); err != nil {
		t.Fatal(err)
	}
	b := s.as(t, "both")
	if r := b.post("/p/h2/channels/ch_1/pause", nil); r.status != http.StatusNotFound {
		t.Errorf("paused from another house: %d", r.status)
	}
	if r := b.post(s.path("channels/ch_1/pause"), nil); r.status != http.StatusOK || !strings.Contains(r.body, catalogue["en"]["done.paused"]) {
		t.Fatalf("%d\n%s", r.status, r.body)
	}
	if c, err := s.l.Channel(t.Context(), "ch_1"); err != nil || c.Status != hotel.Paused || c.Frozen {
		t.Errorf("it is %s: %v", c.Status, err)
	}
	entries, err := s.l.Entries(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if last := entries[len(entries)-1]; last.Actor.Kind != hotel.ActorUser {
		t.Errorf("it was done by %+v", last.Actor)
	}
}

// TestArguments: a form says what an option is asked for in JSON.
func TestArguments(t *testing.T) {
	v := &visit{words: wordsIn("de"), house: hotel.Property{Currency: "EUR"}}
	list := []hotel.Argument{
		{Name: "keep", Type: hotel.TextArgument},
		{Name: "units", Type: hotel.NumberArgument},
		{Name: "all", Type: hotel.FlagArgument},
		{Name: "fields", Type: hotel.WordsArgument, Words: []string{"a", "b"}},
		{Name: "values", Type: hotel.GroupArgument, Members: []hotel.Argument{{Name: "amount", Type: hotel.MoneyArgument}, {Name: "available", Type: hotel.NumberArgument}}},
	}
	form := url.Values{"keep": {" res_1 "}, "units": {"three"}, "all": {"true"}, "fields": {"a", "b"}, "values.amount": {"1.099,50"}, "other": {"x"}}
	got := v.arguments("", list, form)
	values, _ := got["values"].(map[string]any)
	if amount, _ := values["amount"].(map[string]string); got["keep"] != "res_1" || got["units"] != "three" || got["all"] != true || amount["amount"] != "1099.50" || amount["currency"] != "EUR" || len(values) != 1 || len(got) != 5 {
		t.Errorf("%v", got)
	}
	for group, want := range map[hotel.Group]string{hotel.Availability: "values.available", hotel.Price: "values.amount"} { // of the group that is refused
		names := asker{visit: &visit{words: wordsIn("en")}, group: group}.inputsOf("", "", list)
		if of := names[4].Members; len(of) != 1 || of[0].Name != want {
			t.Errorf("of %s one can want %+v", group, of)
		}
	}
}

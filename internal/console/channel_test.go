package console

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
	"ostler.example/ledger"
)

// Connectors is one, with a setting of every type.
func (engine) Connectors() []hotel.Connector {
	return []hotel.Connector{{Name: "mock", Summary: "a pretend channel", Simulator: true, Settings: json.RawMessage(`{"type":"object","properties":{
		"url":{"type":"string"},"secret":{"type":"string","writeOnly":true},"limit":{"type":"integer","default":300},"loud":{"type":"boolean"},
		"codes":{"type":"array","items":{"type":"string"}},"deep":{"type":"object","properties":{"timeout":{"type":"string","default":"10s"}}}
	}}`)}}
}

// CheckKept finds no secret that goes elsewhere.
func (engine) CheckKept(string, []byte, []byte, []byte) error { return nil }

// Seal leaves secrets as they are typed.
func (engine) Seal(_ string, _, is []byte) ([]byte, error) { return is, nil }

// Test reaches every channel.
func (engine) Test(context.Context, hotel.Channel) (hotel.Reached, error) {
	return hotel.Reached{Took: 12 * time.Millisecond, Version: "1.2", Products: 2, Doubts: []string{"the clock there is late"}}, nil
}

// Products are two rooms, of which one is called like ours.
func (engine) Products(context.Context, hotel.Channel) ([]hotel.RemoteProduct, error) {
	return []hotel.RemoteProduct{{Room: "D1", RoomName: "Double", Rate: "F1", RateName: "Flex", Board: "room_only"}, {Room: "X9", RoomName: "Penthouse <b>", Rate: "Q"}}, nil
}

// Plan has two calls and a run of three nights that it raises; of channel ch_told there is
// nothing to say, nor of a mapping of nothing.
func (engine) Plan(_ context.Context, id string, q hotel.PlanQuery) (hotel.ChannelPlan, error) {
	if id == "ch_told" || q.As != nil && len(q.As.Mappings) == 0 {
		return hotel.ChannelPlan{ID: "pln_0", Kind: hotel.PlanDelta}, nil
	}
	two := 2
	return hotel.ChannelPlan{
		ID: "pln_1", Kind: hotel.PlanLive, Seconds: 90, Unchecked: []hotel.Unchecked{hotel.UncheckedBookings},
		Calls:      []hotel.PlannedCall{{Operation: "update_rates", Cells: 7, Closes: 1, Opens: 2, Body: []byte(`{"rates":"<i>"}`)}, {Operation: "update_rates", After: 3}},
		Operations: []hotel.PlannedCalls{{Operation: "update_rates", Calls: 2, Cells: 9}},
		Raises:     []hotel.Raise{{RoomTypeID: "none", RemoteRoom: "D1", From: hotel.DateOf(2026, 12, 1), To: hotel.DateOf(2026, 12, 3), Shown: &two, Wanted: 5}},
		Held:       []hotel.HeldCells{{Code: "price_guard", Cells: 4}},
	}, nil
}

// Foresee has three calls, of which the last leaves behind a minute; of ch_shut it can say
// nothing.
func (engine) Foresee(_ context.Context, id string, _ ledger.Foresight) (hotel.ChannelPlan, error) {
	if id == "ch_shut" {
		return hotel.ChannelPlan{}, hotel.Refuse("channel_error", "nobody answers <i>")
	}
	return hotel.ChannelPlan{Calls: []hotel.PlannedCall{{Cells: 4, Closes: 3}, {Cells: 5, Opens: 2}, {Cells: 6}}, Seconds: 150, Refused: 1}, nil
}

// Map takes the plan that it makes, of a channel that is live.
func (e engine) Map(ctx context.Context, by hotel.By, id string, m hotel.Remap) error {
	c, err := e.l.Channel(ctx, id)
	switch {
	case err != nil:
		return err
	case !c.Live():
		return e.l.MapChannel(ctx, by, id, m)
	case len(m.Accept) != 1:
		return hotel.Refuse("raises_need_confirmation", "a night would be raised")
	}
	asked <- id + " mapped by " + m.PlanID + " for " + m.AcceptedBy
	return nil
}

// Activate notes by what a channel went live.
func (engine) Activate(_ context.Context, _ hotel.By, _ hotel.Once, id string, a hotel.Approval) (hotel.Channel, bool, error) {
	if len(a.Accept) != 1 {
		return hotel.Channel{}, false, hotel.Refuse("raises_need_confirmation", "a night would be raised")
	}
	asked <- id + " live by " + a.PlanID + " for " + a.AcceptedBy + " " + string(a.Unchecked[0])
	return hotel.Channel{Entity: hotel.Entity{ID: id}}, false, nil
}

// draft connects a channel by the form, and returns where its page is.
func (s *site) draft(t *testing.T, b *browser) string {
	t.Helper()
	made := b.post(s.path("channels/new"), url.Values{"connector": {"mock"}, "name": {"Golf"}, "setting.url": {"http://127.0.0.1:1"}, "setting.secret": {"hush"}, "setting.codes": {"a, b"}, "setting.deep.timeout": {"5s"}, "setting.loud": {"true"}})
	if made.status != http.StatusOK {
		t.Fatalf("%d\n%s", made.status, made.body)
	}
	path, _, _ := strings.Cut(made.path, "?")
	return path
}

// A channel is connected step by step: connector, settings, test, mapping by name, shadow,
// and live by the plan that was looked at, with the raised nights accepted by name.
func TestChannelIsConnected(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	shows(t, b.get(s.path("channels/new")).body, "a pretend channel", "?connector=mock")
	shows(t, b.get(s.path("channels/new?connector=mock")).body, `name="setting.url"`, `name="setting.deep.timeout" value="" placeholder="10s"`, `type="password"`)
	if r := b.post(s.path("channels/new"), url.Values{"connector": {"mock"}, "setting.limit": {"many"}}); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "limit: expected integer") || !strings.Contains(r.body, "give the channel a name") {
		t.Errorf("%d\n%s", r.status, r.body)
	}
	path := s.draft(t, b)
	id := path[strings.LastIndex(path, "/")+1:]
	ch, err := s.l.Channel(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var stored map[string]any
	if err := json.Unmarshal(ch.Settings, &stored); err != nil || stored["secret"] != "hush" || stored["loud"] != true || stored["limit"] != nil || len(stored["codes"].([]any)) != 2 || stored["deep"].(map[string]any)["timeout"] != "5s" {
		t.Errorf("stored is %s, %v", ch.Settings, err)
	}
	page := b.get(path).body
	shows(t, page, `action="`+path+`/test"`, `class="next" aria-current="step"`)
	if strings.Contains(page, "hush") {
		t.Error("a secret is shown")
	}
	shows(t, b.post(path+"/test", nil).body, "12 ms", "the clock there is late", path+"/mapping")
	page = b.get(path + "/mapping").body
	shows(t, page, "Double", "Penthouse &lt;b&gt;", catalogue["en"]["confidence.high"])
	form := formOf(t, page, path+"/mapping")
	if got, want := form.Get("map.0.ours"), lineOf(s.house.Rooms[0].ID, s.house.Plans[0].ID); got != want || form.Get("map.1.ours") != "" {
		t.Fatalf("proposed is %q and %q, want %q", got, form.Get("map.1.ours"), want)
	}
	form.Set("act", "try")
	shows(t, b.post(path+"/mapping", form).body, "the plan does not let this channel sell it", `value="sell"`)
	form.Set("act", "sell")
	if r := b.post(path+"/mapping", form); r.status != http.StatusOK || strings.Contains(r.body, `value="sell"`) {
		t.Errorf("sold, and still to be let sell: %d", r.status)
	}
	form.Set("act", "save")
	shows(t, b.post(path+"/mapping", form).body, catalogue["en"]["done.mapped"], `action="`+path+`/shadow"`)
	if r := b.post(path+"/mapping", form); r.status != http.StatusConflict {
		t.Errorf("an older form: %d", r.status)
	}
	shadow := formOf(t, b.get(path).body, path+"/shadow")
	shows(t, b.post(path+"/shadow", shadow).body, catalogue["en"]["done.shadowed"], catalogue["en"]["channel.shadow"])
	s.goesLive(t, b, path, id)
}

// goesLive takes a channel live by its plan.
func (s *site) goesLive(t *testing.T, b *browser, path, id string) {
	t.Helper()
	page := b.get(path + "/plan").body
	shows(t, page, "2 min", "Tue 1 Dec 2026 – Thu 3 Dec 2026", "3 nights", `{&#34;rates&#34;:&#34;&lt;i&gt;&#34;}`, "prices and restrictions · 7 values, closes 1, opens 2", catalogue["en"]["unchecked.bookings"])
	live := formOf(t, page, path+"/plan")
	if live.Get("plan") != "pln_1" || live.Has("accept") || live.Has("unchecked") {
		t.Fatalf("the form says %v before anybody has", live)
	}
	seen := live.Get("seen")
	live.Set("seen", "others")
	if r := b.post(path+"/plan", live); r.status != http.StatusConflict || !strings.Contains(r.body, catalogue["en"]["channel.plan_changed"]) {
		t.Errorf("with other nights: %d", r.status)
	}
	live.Set("seen", seen)
	live.Set("unchecked", "bookings")
	if r := b.post(path+"/plan", live); r.status != http.StatusConflict || !strings.Contains(r.body, "a night would be raised") {
		t.Errorf("without the nights: %d", r.status)
	}
	live.Set("accept", "true")
	live.Set("accepted_by", "Ada")
	if r := s.as(t, "read_only").post(path+"/plan", live); r.status != http.StatusForbidden {
		t.Errorf("live by whoever may only read: %d", r.status)
	}
	shows(t, b.post(path+"/plan", live).body, catalogue["en"]["done.live"])
	if got, want := <-asked, id+" live by pln_1 for Ada bookings"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A channel that is live is not told of another mapping unseen: what it would be told is
// shown first, and the nights that show more are accepted by name.
func TestMappingOfALiveChannelIsSeenFirst(t *testing.T) {
	s := newSite(t)
	s.sells(t)
	b := s.as(t, "owner")
	path := s.path("channels/ch_1/mapping")
	form := formOf(t, b.get(path).body, path)
	if form.Has("plan") {
		t.Fatal("a plan is there before anything is tried")
	}
	form.Set("act", "save")
	page := b.post(path, form).body
	shows(t, page, catalogue["en"]["mapping.told"], "2 min", "3 nights", catalogue["en"]["mapping.raised_words"], catalogue["en"]["mapping.tell"])
	live := formOf(t, page, path)
	if live.Get("plan") != "pln_1" || live.Has("accept") || live.Get("seen") == "" {
		t.Fatalf("the form says %v before anybody has", live)
	}
	live.Set("act", "save")
	live.Set("accepted_by", "Ada")
	if r := b.post(path, live); r.status != http.StatusConflict || !strings.Contains(r.body, "a night would be raised") {
		t.Errorf("without the nights: %d", r.status)
	}
	live.Set("accept", "true")
	seen := live.Get("seen")
	live.Set("seen", "others")
	if r := b.post(path, live); r.status != http.StatusConflict || !strings.Contains(r.body, catalogue["en"]["channel.plan_changed"]) {
		t.Errorf("with other nights: %d", r.status)
	}
	live.Set("seen", seen)
	shows(t, b.post(path, live).body, catalogue["en"]["done.mapped"])
	if got, want := <-asked, "ch_1 mapped by pln_1 for Ada"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Settings are changed over what is there: a secret that nobody typed stays, what is
// emptied goes back to its default.
func TestChannelSettingsAreChanged(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "operator")
	path := s.draft(t, b)
	form := formOf(t, b.get(path+"/settings").body, path+"/settings")
	form.Set("name", "Hotel Golf")
	form.Set("setting.url", "http://127.0.0.1:2")
	form.Set("setting.codes", "")
	form.Set("setting.deep.timeout", "7s")
	form.Set("markup", "12,5")
	form.Set("markup_kind", "percent")
	form.Set("commission", "15")
	form.Set("days", "90")
	shows(t, b.post(path+"/settings", form).body, catalogue["en"]["done.saved"], "Hotel Golf")
	ch, err := s.l.Channel(t.Context(), path[strings.LastIndex(path, "/")+1:])
	if err != nil {
		t.Fatal(err)
	}
	if got := string(ch.Settings); !strings.Contains(got, "127.0.0.1:2") || !strings.Contains(got, "hush") || strings.Contains(got, "codes") || !strings.Contains(got, "7s") {
		t.Errorf("stored is %s", got)
	}
	if ch.Markup == nil || ch.Markup.Value != "12.5" || ch.Commission == nil || ch.Commission.Pct != "15" || ch.Days == nil || *ch.Days != 90 {
		t.Errorf("the channel is %+v", ch.Channel)
	}
	if r := b.post(path+"/settings", form); r.status != http.StatusConflict {
		t.Errorf("an older form: %d", r.status)
	}
	end := formOf(t, b.get(path).body, path+"/disconnect")
	shows(t, b.post(path+"/disconnect", end).body, catalogue["en"]["done.disconnected"], catalogue["en"]["channel.state.over"])
}

// push tells channel ch_1 prices of the double, the last of which it refuses where they are more than one.
func (s *site) push(t *testing.T, from hotel.Date, amounts ...int64) {
	t.Helper()
	mappings, err := s.l.Mappings(t.Context(), "ch_1")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(mappings, func(m hotel.Mapping) bool {
		return m.RoomTypeID == s.house.Rooms[0].ID && m.RatePlanID == s.house.Plans[0].ID
	})
	var cells []ledger.SentCell
	for n, amount := range amounts {
		price := hotel.Offer{Amount: hotel.Money{Minor: amount, Currency: "EUR"}}
		cells = append(cells, ledger.SentCell{Cell: hotel.Cell{Line: mappings[at].Line, Group: hotel.Price, Night: from + hotel.Date(n)}, Value: price.Encode(hotel.Price)})
	}
	d, err := s.l.Begin(t.Context(), ledger.NewDelivery{ChannelID: "ch_1", Kind: ledger.Push, Operation: "set", Lane: 3, SentAt: s.clock.Now(), Cells: cells})
	if err != nil {
		t.Fatal(err)
	}
	answer := ledger.Settlement{DeliveryID: d.ID, State: ledger.DeliveryApplied}
	if len(cells) > 1 {
		answer.State, answer.Rejected = ledger.DeliveryPartial, map[hotel.Cell]string{cells[len(cells)-1].Cell: "too dear"}
	}
	s.clock.advance(40 * time.Millisecond)
	if err := s.l.Settle(t.Context(), answer); err != nil {
		t.Fatal(err)
	}
}

// What was said to a channel is listed with what it carried, in words, and what came back.
func TestCallsAreListed(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 12950)
	s.connect(t, "ch_1")
	s.push(t, today, 12950, 12950, 12950)
	s.push(t, today+3, 12950)
	for i, excerpt := range []string{"fine <b>", "no such room"} {
		d, err := s.l.Begin(t.Context(), ledger.NewDelivery{ChannelID: "ch_1", Kind: ledger.Read, Operation: "read_all", SentAt: s.clock.Now(), Nights: hotel.Span{From: today, To: today}})
		if err != nil {
			t.Fatal(err)
		}
		s.clock.advance(250 * time.Millisecond)
		if err := s.l.Settle(t.Context(), ledger.Settlement{DeliveryID: d.ID, State: []ledger.DeliveryState{ledger.DeliveryApplied, ledger.DeliveryRejected}[i], Excerpt: excerpt}); err != nil {
			t.Fatal(err)
		}
	}
	b := s.as(t, "read_only")
	shows(t, b.get(s.path("channels/ch_1")).body, catalogue["en"]["channel.level"], catalogue["en"]["level.guaranteed"])
	shows(t, b.get(s.path("channels/ch_1/history")).body, "fine &lt;b&gt;", "read all", "250 ms", catalogue["en"]["outcome.rejected"])
	if page := b.get(s.path("channels/ch_1/history?troubled=true")).body; strings.Contains(page, "fine") || !strings.Contains(page, "no such room") {
		t.Errorf("of those that went wrong\n%s", page)
	}
	told := b.get(s.path("channels/ch_1/history?kind=push")).body
	shows(t, told, "double · flex", "€129.50", "22 Nov – 24 Nov", "3 values", catalogue["en"]["outcome.partial"], "too dear", "half of the last 1 calls answered within 40 ms, 99 of 100 within 40 ms")
	if strings.Contains(told, "read_all") {
		t.Error("a reading is among what it was told")
	}
}

// How many rooms there are is told of the room type that is counted, not of the mapping that
// has the counter's number.
func TestACallTellsWhichRoomsItCounted(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	s.connect(t, "ch_1")
	counters, mappings, err := s.l.Lines(t.Context(), "ch_1")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(counters, func(c ledger.Counter) bool {
		return slices.ContainsFunc(mappings, func(m hotel.Mapping) bool { return m.Line == c.Line && m.RoomTypeID != c.RoomTypeID })
	})
	if at < 0 {
		t.Fatalf("no counter has the number of another room's mapping: %v, %v", counters, mappings)
	}
	room := s.house.Rooms[slices.IndexFunc(s.house.Rooms, func(r hotel.RoomType) bool { return r.ID == counters[at].RoomTypeID })]
	value := hotel.Offer{Available: room.TotalUnits}.Encode(hotel.Availability)
	cells := []ledger.SentCell{{Cell: hotel.Cell{Line: counters[at].Line, Group: hotel.Availability, Night: today + 1}, Value: value}}
	if _, err := s.l.Begin(t.Context(), ledger.NewDelivery{ChannelID: "ch_1", Kind: ledger.Push, Operation: "set", Lane: 3, SentAt: s.clock.Now(), Cells: cells}); err != nil {
		t.Fatal(err)
	}
	page := s.as(t, "read_only").get(s.path("channels/ch_1/history")).body
	told := regexp.MustCompile(`<th scope="row">([^<]*)<small>` + catalogue["en"]["group.availability"]).FindStringSubmatch(page)
	if told == nil || told[1] != room.Name {
		t.Errorf("told of %q, want %s\n%s", told, room.Name, page)
	}
}

// Of a call that carried much the list has the first lines, and its own address all of them.
func TestALongCallHasItsOwnAddress(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	var amounts []int64
	for n := range hotel.Date(listedLines + 4) {
		amounts = append(amounts, 10000+100*int64(n))
		s.house.Price(t, s.l, 0, hotel.Span{From: today + n, To: today + n}, amounts[n])
	}
	s.connect(t, "ch_1")
	s.push(t, today, amounts...)
	b := s.as(t, "read_only")
	const last = "€111.00" // which is also the one that was refused
	list := b.get(s.path("channels/ch_1/history")).body
	shows(t, list, "€107.00", "and 4 more lines", "too dear", last)
	if strings.Contains(list, "€108.00") {
		t.Error("the list has more lines than it should")
	}
	link := regexp.MustCompile(`href="(\?call=\d+)"`).FindStringSubmatch(list)
	if link == nil {
		t.Fatalf("no link to the call\n%s", list)
	}
	one := b.get(s.path("channels/ch_1/history") + link[1]).body
	shows(t, one, "€100.00", "€108.00", last, "<details class=\"why call\" open")
	if strings.Contains(one, "more line") {
		t.Error("the call's own page leaves lines out")
	}
	number, err := strconv.Atoi(strings.TrimPrefix(link[1], "?call="))
	if err != nil {
		t.Fatal(err)
	}
	for _, none := range []int{-1, 0, number - 1, number + 1} {
		page := b.get(s.path("channels/ch_1/history?call=" + strconv.Itoa(none))).body
		if shows(t, page, catalogue["en"]["history.none"]); strings.Contains(page, "too dear") {
			t.Errorf("call %d, of which there is none, is another", none)
		}
	}
}

// A schedule is told as an interval where it is one, and left as it is written where it is not.
func TestASchedule(t *testing.T) {
	v := view{visit: &visit{words: wordsIn("de")}}
	for written, told := range map[string]string{"@every 60s": "alle 60 s", "@every 1h": "alle 60 min", "@every 24h": "alle 24 Std.", "*/15 6-22 * * *": "*/15 6-22 * * *", "@every now": "@every now"} {
		if got := v.Rhythm(written); got != told {
			t.Errorf("%s is told as %q, want %q", written, got, told)
		}
	}
}

// Every word that a channel's pages need is there.
func TestChannelsHaveWords(t *testing.T) {
	w := wordsIn("en")
	var keys []string
	for _, l := range levels {
		keys = append(keys, "level."+string(l), "protect.level_"+string(l))
	}
	for _, k := range []hotel.SyncKind{hotel.SyncDelta, hotel.SyncFull, hotel.SyncReservations, hotel.SyncReadBack} {
		keys = append(keys, "run."+string(k))
	}
	for _, r := range (guardLine{}).Rules() {
		keys = append(keys, "guard."+string(r))
	}
	draft := desk.ChannelView{}
	draft.Status = hotel.Draft
	for _, step := range setup(draft, 0) {
		keys = append(keys, "setup."+step.Name, "setup."+step.Name+"_words")
	}
	for _, key := range keys {
		if !w.has(key) {
			t.Errorf("nobody can say %s", key)
		}
	}
	for _, r := range auth.Roles {
		if r.Scopes().Has(auth.ChannelsWrite) && !r.Scopes().Has(auth.ChannelsRead) {
			t.Errorf("%s writes channels and sees none", r)
		}
	}
}

// A mapping may be long, of as many rows as are taken; any other form is short, and one that
// has too much is told what the most is.
func TestFormsAreBounded(t *testing.T) {
	s := newSite(t)
	s.sells(t)
	b := s.as(t, "owner")
	long := url.Values{"revision": {field(t, b.get(s.path("channels/ch_1/mapping")).body, "revision")}, "act": {"try"}}
	for i := range mostMapped {
		for name, value := range map[string]string{"room": "room of the far side %d", "rate": "rate of the far side %d", "ours": "", "guests": ""} {
			long.Set(at("map", i, name), strings.ReplaceAll(value, "%d", strconv.Itoa(i)))
		}
	}
	if r := b.post(s.path("channels/ch_1/mapping"), long); r.status != http.StatusOK {
		t.Errorf("a mapping of %d KiB: %d", len(long.Encode())>>10, r.status)
	}
	for path, most := range map[string]int{"channels/ch_1/mapping": maxLongForm, "channels/ch_1/policies": maxForm} {
		r := b.post(s.path(path), url.Values{"revision": {"1"}, "name": {strings.Repeat("x", most)}})
		if want := strconv.Itoa(most>>10) + " KiB"; r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, want) {
			t.Errorf("%s of %d bytes: %d, and not told %s", path, most, r.status, want)
		}
	}
}

package console

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
	"ostler.example/ledger"
)

// connect has a channel that is to show rooms and prices of the house as they are, and
// was told nothing yet.
func (s *site) connect(t *testing.T, id string) {
	t.Helper()
	s.house.Connect(t, s.l, hotel.Channel{Entity: hotel.Entity{ID: id}, Connector: "mock", Name: "Portal", Settings: []byte("{}"), Account: "a"}, hotel.PerRoom)
	s.derive(t, id)
}

// derive works out what a channel is to show.
func (s *site) derive(t testing.TB, id string) {
	t.Helper()
	for {
		w, err := s.l.Work(t.Context(), id, ledger.Reach{}, ledger.Turn{})
		if err != nil {
			t.Fatal(err)
		}
		if w.Empty() {
			return
		}
		var all []ledger.Wanted
		want := func(line int64, g hotel.Group, night hotel.Date, o hotel.Offer) {
			v := o.Encode(g)
			all = append(all, ledger.Wanted{Cell: hotel.Cell{Line: line, Group: g, Night: night}, Value: &v})
		}
		for _, r := range w.Stock {
			want(r.Line, hotel.Availability, r.Night, hotel.Offer{Available: r.Available})
		}
		for _, p := range w.Prices {
			want(p.Line, hotel.Price, p.Night, hotel.Offer{Amount: hotel.Money{Minor: p.Prices[0].Minor(), Currency: "EUR"}})
		}
		if err := s.l.Desire(t.Context(), id, w, all); err != nil {
			t.Fatal(err)
		}
	}
}

// row is the line of a page of the calendar that has an id.
func row(t *testing.T, page, id string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(page, `id="`+id+`" data-fresh`)
	if !ok {
		t.Fatalf("no line of %s in\n%s", id, page)
	}
	line, _, _ := strings.Cut(rest, "</tr>")
	return strings.Split(line, "<td")[1:]
}

// shows looks for parts of a page.
func shows(t *testing.T, page string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(page, part) {
			t.Errorf("no %q in %s", part, page)
		}
	}
}

// The calendar shows rooms, prices and restrictions of every night, and how each stands
// at every channel that shows it.
func TestCalendarShowsNights(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	double, flex, saver := s.house.Rooms[0].ID, s.house.Plans[0].ID, s.house.Plans[1].ID
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 12950)
	s.house.Stock(t, s.l, 0, hotel.Span{From: today + 2, To: today + 2}, hotel.InventoryEntry{OutOfOrder: hotel.Given(4)})
	_, _, err := s.l.UpdateRestrictions(t.Context(), by, hotel.Once{}, hotel.RestrictionUpdate{PropertyID: s.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{{
		RoomTypeID: double, RatePlanID: flex, Dates: hotel.Dates{Span: hotel.Span{From: today + 1, To: today + 1}}, ClosedToArrival: hotel.Given(true), MinStayArrival: hotel.Given(3),
	}}})
	if err != nil {
		t.Fatal(err)
	}
	s.house.Stock(t, s.l, 0, hotel.Span{From: today + 3, To: today + 3}, hotel.InventoryEntry{Closed: hotel.Given(true)})
	s.connect(t, "ch_1")
	page := s.as(t, "read_only").get(s.path("calendar")).body
	shows(t, page, `id="heading" data-fresh`, `<div id="legend" data-fresh><div class="legend">`) // which are of the same moment as the rows
	rooms, plan, derived := row(t, page, double), row(t, page, double+"."+flex), row(t, page, double+"."+saver)
	if len(rooms) != gridNights || len(plan) != gridNights {
		t.Fatalf("%d and %d nights", len(rooms), len(plan))
	}
	shows(t, rooms[0], "<b>30</b>", "today")
	shows(t, rooms[2], "<b>26</b>")
	shows(t, rooms[3], `class="closed"`, `<span class="unseen">Closed. `)
	shows(t, plan[0], "<b>129.50</b>", `<i class="on_its_way">`, "Portal: on its way.")
	shows(t, plan[1], "min 3", "Closed to arrival. At least 3 nights for who arrives. ")
	shows(t, derived[0], "<b>116.55</b>")
	shows(t, plan[10], "<b>–</b>")
	shows(t, plan[5], "weekend") // a Friday
}

// What somebody has named is text on the calendar, whatever is in it.
func TestCalendarEscapes(t *testing.T) {
	drawn := string(gridRow{Cells: []gridCell{{Class: `a"b`, Path: `c"d&e`, Text: "<f>", Marks: []string{"<g>"}, Said: "<script>h</script>", Dots: []hotel.Dot{hotel.DotEqual, ""}}}}.Drawn())
	want := `<td class="a&#34;b"><a href="c&#34;d&amp;e"><b>&lt;f&gt;</b><small aria-hidden="true">&lt;g&gt;</small>` +
		`<span class="dots" aria-hidden="true"><i class="equal"></i><i></i></span><span class="unseen">&lt;script&gt;h&lt;/script&gt;</span></a></td>`
	if drawn != want {
		t.Errorf("%s\nwant\n%s", drawn, want)
	}
}

// Whoever moves sees other nights, and none that the house cannot have.
func TestCalendarMoves(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	today := s.house.Property.Today(s.clock.Now())
	first := regexp.MustCompile(`name="from" value="([^"]+)"`)
	for from, want := range map[string]hotel.Date{
		"": today, (today + 7).String(): today + 7, (today - 7).String(): today - 7, "1990-01-01": today - gridPast, "2190-01-01": today + hotel.Date(s.house.Property.HorizonDays),
	} {
		found := first.FindStringSubmatch(b.get(s.path("calendar?from=" + from)).body)
		if found == nil || found[1] != want.String() {
			t.Errorf("from %q: %v, want %s", from, found, want)
		}
	}
	if r := b.get(s.path("calendar?from=never")); r.status != http.StatusUnprocessableEntity {
		t.Errorf("%d", r.status)
	}
	if page := b.get(s.path("calendar?room=" + s.house.Rooms[2].ID)).body; strings.Contains(page, `id="`+s.house.Rooms[0].ID+`"`) || len(row(t, page, s.house.Rooms[2].ID)) != gridNights {
		t.Error("the page does not begin with the room type that was asked for")
	}
}

// A large house has its room types on several pages, every one of them on one.
func TestCalendarOfALargeHouse(t *testing.T) {
	s := newSite(t)
	for n := range 80 {
		code := "r" + string(rune('a'+n/26)) + string(rune('a'+n%26))
		if _, _, err := s.l.CreateRoomType(t.Context(), by, hotel.Once{}, hotel.RoomType{
			PropertyID: s.house.Property.ID, Code: code, Name: code, TotalUnits: 1, BaseOccupancy: 2, MaxAdults: 2, MaxOccupancy: 2, Position: 10 + n, Status: hotel.Active,
		}); err != nil {
			t.Fatal(err)
		}
	}
	b := s.as(t, "owner")
	line := regexp.MustCompile(`<tr class="rooms" id="([^"]+)"`)
	next := regexp.MustCompile(`<p class="more"><a href="\?([^"]+)"`)
	seen := map[string]bool{}
	for query, pages := "", 0; pages < 5; pages++ {
		page := b.get(s.path("calendar?" + query)).body
		for _, id := range line.FindAllStringSubmatch(page, -1) {
			if seen[id[1]] {
				t.Errorf("%s is there twice", id[1])
			}
			seen[id[1]] = true
		}
		found := next.FindStringSubmatch(page)
		if found == nil {
			break
		}
		query = strings.ReplaceAll(found[1], "&amp;", "&")
	}
	if len(seen) != 83 {
		t.Errorf("%d of 83 room types", len(seen))
	}
}

// A night shows what each channel shows of it, and how that comes about.
func TestNight(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	double, flex := s.house.Rooms[0].ID, s.house.Plans[0].ID
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 12950)
	s.connect(t, "ch_1")
	s.connect(t, "ch_shut")
	b := s.as(t, "revenue")
	shows(t, row(t, b.get(s.path("calendar")).body, double+"."+flex)[1], "calendar/"+double+"/"+(today+1).String()+"?plan="+flex)
	path := s.path("calendar/" + double + "/" + (today + 1).String())
	page := b.get(path + "?plan=" + flex).body
	shows(t, page, "€129.50", "R-double", "P-flex", "waits to be sent", "rooms: 28", "−2", "Price for 2: 142.45", "&#43;10%", "nobody answers",
		"closed: yes", catalogue["en"]["derive.sold_by"], "minimum stay on arrival: 1")
	if strings.Contains(page, "derive.") {
		t.Error("a step has no name")
	}
	if strings.Contains(page, catalogue["en"]["derive.out_of_order"]) {
		t.Error("a step that did nothing is told of")
	}
	rooms := b.get(path).body
	shows(t, rooms, "rooms: 28")
	if strings.Contains(rooms, "142.45") || strings.Contains(rooms, "€129.50") {
		t.Error("a price is shown of a room type")
	}
	for _, path := range []string{"calendar/none/2026-12-01", "calendar/" + double + "/2026-13-01", "calendar/" + double + "/2026-12-01?plan=none"} {
		if r := b.get(s.path(path)); r.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.status)
		}
	}
}

// A night is told of as it was at a moment of the past, by the clock of the house, with
// the messages that had carried it.
func TestNightOfThePast(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	double, flex := s.house.Rooms[0].ID, s.house.Plans[0].ID
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 12950)
	s.connect(t, "ch_1")
	b := s.as(t, "front_desk")
	path := s.path("calendar/" + double + "/" + (today + 1).String() + "?plan=" + flex)
	shows(t, b.get(path).body, "dlv_7", "set rates", "350 ms", "attempt 2", "HTTP 503", "busy &lt;i&gt;", catalogue["en"]["outcome.unknown"], s.path("reservations/res_1"), s.path("conflicts/cfl_1"))
	page := b.get(path + "&as_of=2026-11-21T10:20").body
	shows(t, page, `value="2026-11-21T10:20"`, "As it was on 21 Nov, 10:20.", "€77.00", catalogue["en"]["sight.in_sync"])
	if strings.Contains(page, "€129.50") || strings.Contains(page, `id="house"`) {
		t.Error("what is now is shown as of the past")
	}
	waiting := b.get(path + "&as_of=2026-11-21T10:25").body
	shows(t, waiting, "€77.00", "€88.00", catalogue["en"]["sight.pending"], "something newer was to be told")
	if strings.Contains(waiting, catalogue["en"]["sight.in_sync"]) {
		t.Error("a price that waited is called as it should be")
	}
	if r := b.get(path + "&as_of=yesterday"); r.status != http.StatusUnprocessableEntity {
		t.Errorf("no moment: %d", r.status)
	}
}

// Of the past is told what is gone since: channels that sold then and are disconnected, and
// plans that are archived; a channel that had ended by then is not among them.
func TestNightOfThePastHasWhatIsGone(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	double, saver := s.house.Rooms[0].ID, s.house.Plans[1].ID
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 12950)
	for _, id := range []string{"ch_1", "ch_ended"} {
		s.connect(t, id)
		if _, _, err := s.l.DisconnectChannel(t.Context(), by, hotel.Once{}, id, 0, true); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.l.ArchiveRatePlan(t.Context(), by, hotel.Once{}, saver, 0); err != nil {
		t.Fatal(err)
	}
	b := s.as(t, "owner")
	rooms := s.path("calendar/" + double + "/" + (today + 1).String())
	past := "?as_of=2026-11-21T10%3A20"
	if r := b.get(rooms + "?plan=" + saver); r.status != http.StatusNotFound {
		t.Errorf("the plan is shown as of now: %d", r.status)
	}
	shows(t, b.get(rooms).body, catalogue["en"]["night.nowhere"])
	page := b.get(rooms + past).body
	shows(t, page, catalogue["en"]["explain.gone"], rooms+past+"&amp;plan="+saver, catalogue["en"]["plan.archived"])
	page = b.get(rooms + past + "&plan=" + saver).body
	shows(t, page, "€77.00", catalogue["en"]["explain.gone"], `href="`+rooms+`">`+catalogue["en"]["explain.now"])
	if n := strings.Count(page, catalogue["en"]["explain.gone"]); n != 1 {
		t.Errorf("%d channels are told of, want the one that sold then", n)
	}
}

// Everything that a channel can be, or be told, has a name.
func TestNightsHaveWords(t *testing.T) {
	w := wordsIn("en")
	var keys []string
	for _, d := range hotel.Dots {
		keys = append(keys, "dot."+string(d))
	}
	for _, s := range hotel.SightStates {
		if keys = append(keys, "sight."+string(s)); tones[s] == "" {
			t.Errorf("%s has no look", s)
		}
	}
	for _, g := range []hotel.Group{hotel.Availability, hotel.Closures, hotel.Lengths, hotel.Price} {
		keys = append(keys, "group."+g.String())
	}
	for _, f := range hotel.Fields {
		keys = append(keys, "field."+string(f))
		if f != hotel.FieldAvailable && f != hotel.FieldAmount {
			keys = append(keys, "mark."+string(f))
		}
		switch f {
		case hotel.FieldAvailable, hotel.FieldAmount:
		case hotel.FieldClosed, hotel.FieldClosedToArrival, hotel.FieldClosedToDeparture:
			keys = append(keys, "restriction."+string(f))
		default:
			keys = append(keys, "restriction."+string(f)+".one", "restriction."+string(f)+".other")
		}
	}
	for _, o := range []hotel.PriceOrigin{hotel.NoPrice, hotel.ManualPrice, hotel.ManualOverride, hotel.DerivedPrice, hotel.RulePrice} {
		keys = append(keys, "origin."+string(o))
	}
	for _, key := range keys {
		if !w.has(key) {
			t.Errorf("nobody can say %s", key)
		}
	}
}

// What the calendar reads of nights is what cells say of them, whether the board has the
// nights or the ledger has to be asked.
func TestGridIsWhatCellsSay(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	s.house.Price(t, s.l, 0, hotel.Span{From: today + 1, To: today + 3}, 9900)
	s.house.Stock(t, s.l, 2, hotel.Span{From: today + 2, To: today + 2}, hotel.InventoryEntry{Closed: hotel.Given(true), OutOfOrder: hotel.Given(1)})
	s.book(t, "Byron", 2)
	if _, _, err := s.l.UpdateRestrictions(t.Context(), by, hotel.Once{}, hotel.RestrictionUpdate{PropertyID: s.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{
		{RatePlanID: s.house.Plans[0].ID, Dates: hotel.Dates{Span: hotel.Span{From: today, To: today + 4}}, MinStayArrival: hotel.Given(2), ClosedToDeparture: hotel.Given(true)},
	}}); err != nil {
		t.Fatal(err)
	}
	caller := desk.Caller{Who: auth.Who{ClientID: "user:u", Kind: auth.UserKind, Scopes: auth.RoleOwner.Scopes(), PropertyIDs: []string{s.house.Property.ID}}}
	for name, span := range map[string]hotel.Span{"to come": {From: today, To: today + 5}, "partly over": {From: today - 2, To: today + 3}} {
		g, err := s.desk.Grid(t.Context(), caller, hotel.CellQuery{PropertyID: s.house.Property.ID, Span: span})
		if err != nil {
			t.Fatal(err)
		}
		got, want := map[string]string{}, map[string]string{}
		note := func(into map[string]string, stock []hotel.InventoryCell, prices []hotel.RateCell, rules []hotel.RestrictionCell) {
			for _, c := range stock {
				into[c.RoomTypeID+c.Date.String()] = fmt.Sprint(c.Available, c.Net, c.Closed)
			}
			for _, c := range prices {
				into["price "+c.RoomTypeID+c.RatePlanID+c.Date.String()] = fmt.Sprint(c.Amount)
			}
			for _, c := range rules {
				into["rule "+c.RoomTypeID+c.RatePlanID+c.Date.String()] = fmt.Sprint(c.Closed, c.Lengths)
			}
		}
		note(got, g.Stock, g.Prices, g.Rules)
		inv, err := s.l.Inventory(t.Context(), hotel.InventoryQuery{PropertyID: s.house.Property.ID, Span: span})
		if err != nil {
			t.Fatal(err)
		}
		of := hotel.CellQuery{PropertyID: s.house.Property.ID, Span: span}
		prices, err := s.l.RateCells(t.Context(), of)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := s.l.RestrictionCells(t.Context(), of)
		if err != nil {
			t.Fatal(err)
		}
		note(want, inv.Cells, prices, rules)
		if len(got) == 0 || !maps.Equal(got, want) {
			t.Errorf("nights %s: the calendar reads\n%v\ncells say\n%v", name, got, want)
		}
		room := s.house.Rooms[1].ID
		g, err = s.desk.Grid(t.Context(), caller, hotel.CellQuery{PropertyID: s.house.Property.ID, Span: span, RoomTypeIDs: []string{room}})
		if err != nil {
			t.Fatal(err)
		}
		clear(got)
		note(got, g.Stock, g.Prices, g.Rules)
		maps.DeleteFunc(want, func(of, _ string) bool { return !strings.Contains(of, room) })
		if len(got) == 0 || !maps.Equal(got, want) {
			t.Errorf("nights %s of one room type: the calendar reads\n%v\ncells say\n%v", name, got, want)
		}
	}
}

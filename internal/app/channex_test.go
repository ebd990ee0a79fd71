package app

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/config"
	"ostler.example/internal/testkit"
	"ostler.example/internal/testkit/race"
)

// shape says how large a house is: how many rooms each room type has, by its code, and
// what each rate plan costs, and how many nights ahead it sells, in a currency whose
// minor unit is the cent.
type shape struct {
	rooms  map[string]int
	plans  map[string]int64
	nights int
	facts  func(*certification) // what else is known before the channel goes live; nil: nothing
}

// twoByTwo is a house as Channex wants it for its certification.
var twoByTwo = shape{rooms: map[string]int{"T": 8, "D": 5}, plans: map[string]int64{"BAR": 10000, "BB": 12000}, nights: certified}

// certification is a house in an environment that is asked over /v1, and the pretend
// Channex that sells it.
type certification struct {
	estate
	shape
	token   string
	channex testkit.Channex
	today   hotel.Date
	roomIDs map[string]string // by code
	planIDs map[string]string

	mu    sync.Mutex
	calls []string // updates that Channex was sent, by operation
}

// The house of the certification sells so far ahead, in nights.
const certified = 190

func newCertification(t *testing.T, of shape) *certification {
	time.Sleep(12 * time.Hour) // bubbles begin at midnight
	c := &certification{estate: estate{t: t, dir: testkit.Folder(t)}, shape: of, roomIDs: map[string]string{}, planIDs: map[string]string{}}
	var products []connectors.RemoteProduct
	for _, room := range slices.Sorted(maps.Keys(of.rooms)) {
		for _, plan := range slices.Sorted(maps.Keys(of.plans)) {
			products = append(products, connectors.RemoteProduct{Room: room, Rate: room + "-" + plan})
		}
	}
	network := &testkit.Network{Leaves: func(r *http.Request, _ []byte) {
		if r.Method == http.MethodPost && r.URL.Host == c.channex.Host && !strings.HasSuffix(r.URL.Path, "/ack") {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.calls = append(c.calls, r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:])
		}
	}}
	c.channex = testkit.OpenChannex(t, "channex.test", "http://hotel.test/inbound/ch_channex/", &http.Client{Transport: network.Line(context.Background())}, products)
	network.Serve(context.Background(), c.channex.Host, c.channex)
	if err := os.MkdirAll(filepath.Join(c.dir, "ledger"), 0o750); err != nil {
		t.Fatal(err)
	}
	var err error
	c.env, err = OpenEnvironment(t.Context(), EnvironmentOptions{
		Path: ledgerPath(c.dir), PublicURL: "http://hotel.example", Seal: auth.NewSeal([32]byte{}), Sync: config.Default().Sync, Ledger: config.Default().Ledger,
		Clock: hotel.SystemClock{}, Log: zap.NewNop(),
		Client: func(timeout time.Duration) *http.Client {
			return transport.New(transport.Options{Timeout: timeout, Base: network.Line(context.Background())})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.stop)
	c.found(products)
	if err := c.env.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	network.Serve(context.Background(), "hotel.test", c.env.Engine.Handler())
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.channex.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	c.token = c.estate.token(auth.Production, "")
	return c
}

func (c *certification) stop() {
	c.estate.stop()
	if err := c.channex.Close(); err != nil {
		c.t.Error(err)
	}
}

// found makes the house, its channel and the codes by which it is sold.
func (c *certification) found(products []connectors.RemoteProduct) {
	ctx, l, must := c.t.Context(), c.env.Ledger, func(err error) {
		c.t.Helper()
		if err != nil {
			c.t.Fatal(err)
		}
	}
	p, _, err := l.CreateProperty(ctx, tester, hotel.Once{}, hotel.Property{
		Entity: hotel.Entity{ID: "certified"}, Name: "Test Property", TimeZone: "UTC", Currency: "EUR", Country: "AT",
		CheckIn: "15:00", CheckOut: "11:00", DayRoll: "03:00", HorizonDays: c.nights, Status: hotel.Active,
	})
	must(err)
	c.today = p.Today(time.Now())
	var rooms []string
	for i, code := range slices.Sorted(maps.Keys(c.rooms)) {
		room, _, err := l.CreateRoomType(ctx, tester, hotel.Once{}, hotel.RoomType{
			PropertyID: p.ID, Code: strings.ToLower(code), Name: code, TotalUnits: c.rooms[code], BaseOccupancy: 2, MaxAdults: 2, MaxOccupancy: 2, Position: i + 1, Status: hotel.Active,
		})
		must(err)
		c.roomIDs[code], rooms = room.ID, append(rooms, room.ID)
	}
	_, _, err = l.CreateChannel(ctx, tester, hotel.Once{}, hotel.Channel{
		Entity: hotel.Entity{ID: "ch_channex"}, PropertyID: p.ID, Connector: "channex", Name: "Channex", Status: hotel.Testing,
		Settings: c.channex.Settings(), Account: c.channex.Account(), Schedule: "@every 1h",
	})
	must(err)
	for i, code := range slices.Sorted(maps.Keys(c.plans)) {
		plan, _, err := l.CreateRatePlan(ctx, tester, hotel.Once{}, hotel.RatePlan{
			PropertyID: p.ID, Code: strings.ToLower(code), Name: code, Currency: "EUR", Pricing: hotel.PerRoomPrice, MealPlan: "room_only", TaxMode: "inclusive",
			RoomTypeIDs: rooms, Audience: hotel.Public, SoldBy: []string{"ch_channex"}, Position: i + 1, Status: hotel.Active,
		})
		must(err)
		c.planIDs[code] = plan.ID
		rates := hotel.RateUpdate{PropertyID: p.ID, Source: "api"}
		for _, room := range rooms {
			rates.Entries = append(rates.Entries, hotel.RateEntry{
				RoomTypeID: room, RatePlanID: plan.ID, Dates: hotel.Dates{Span: hotel.Span{From: c.today, To: c.today + hotel.Date(c.nights)}},
				Amount: hotel.Given(hotel.Money{Minor: c.plans[code], Currency: "EUR"}),
			})
		}
		_, _, err = l.UpdateRates(ctx, tester, hotel.Once{}, rates)
		must(err)
	}
	if c.facts != nil {
		c.facts(c)
	}
	for more := true; more; { // what is told first is what is sold
		more, err = l.DeriveDue(ctx)
		must(err)
	}
	var mappings []hotel.Mapping
	for _, p := range products {
		mappings = append(mappings, hotel.Mapping{RoomTypeID: c.roomIDs[p.Room], RatePlanID: c.planIDs[strings.TrimPrefix(p.Rate, p.Room+"-")], RemoteRoom: p.Room, RemoteRate: p.Rate})
	}
	must(l.MapChannel(ctx, tester, "ch_channex", hotel.Remap{StockPer: hotel.PerRoom, Mappings: mappings}))
	must(l.GoLive(ctx, tester, "ch_channex", 0))
}

// made returns the calls since it was last asked, by operation.
func (c *certification) made() map[string]int {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	out := map[string]int{}
	for _, operation := range c.calls {
		out[operation]++
	}
	c.calls = nil
	return out
}

// edit is one update of some nights, counted from today on: what is to be set of a
// room type and, where it is not "", of a rate plan.
type edit struct {
	room, plan string
	from, to   int
	values     string
}

// update sends edits as one call of /v1.
func (c *certification) update(kind string, edits ...edit) {
	c.t.Helper()
	var entries []string
	for _, e := range edits {
		plan := ""
		if e.plan != "" {
			plan = fmt.Sprintf(`"rate_plan_id":%q,`, c.planIDs[e.plan])
		}
		entries = append(entries, fmt.Sprintf(`{"room_type_id":%q,%s"date_from":"%s","date_to":"%s","values":{%s}}`,
			c.roomIDs[e.room], plan, c.today+hotel.Date(e.from), c.today+hotel.Date(e.to), e.values))
	}
	c.ok(c.token, "POST", "/"+kind+"/updates", `{"property_id":"certified","entries":[`+strings.Join(entries, ",")+`]}`)
}

// book makes a reservation of one night.
func (c *certification) book(room string, night int) {
	c.t.Helper()
	c.ok(c.token, "POST", "/reservations", fmt.Sprintf(`{"property_id":"certified","room_type_id":%q,"rate_plan_id":%q,"check_in":"%s","check_out":"%s","adults":2,"guest":{"last_name":"Curie"}}`,
		c.roomIDs[room], c.planIDs["BAR"], c.today+hotel.Date(night), c.today+hotel.Date(night+1)))
}

// shows returns what Channex shows of a group of a rate plan on a night.
func (c *certification) shows(room, plan string, g hotel.Group, night int) hotel.Offer {
	k := connectors.Key{Room: room, Group: g, Night: c.today + hotel.Date(night)}
	if g != hotel.Availability {
		k.Rate = room + "-" + plan
	}
	o, _ := c.channex.Book().Shown(k)
	return o
}

func amount(text string) string { return `"amount":{"amount":"` + text + `","currency":"EUR"}` }

// closingOvertakes closes a night while everything is to be told again, and waits
// because Channex was called just before: the next call is the closing.
func (c *certification) closingOvertakes() {
	c.t.Helper()
	for _, price := range []string{"501", "502"} {
		c.update("rates", edit{"T", "BAR", 100, 100, amount(price)})
		time.Sleep(time.Second)
	}
	c.made()
	_, run, _ := c.call(c.token, "POST", "/channels/ch_channex/sync", `{"kind":"ari_full"}`)
	status := func() any {
		return c.ok(c.token, "GET", fmt.Sprint("/sync-runs/", run["id"]), "")["status"]
	}
	time.Sleep(time.Second)
	c.update("restrictions", edit{"T", "BB", 150, 150, `"closed":true`})
	told := 0
	for ; told == 0; told = c.made()["restrictions"] {
		time.Sleep(100 * time.Millisecond)
	}
	if closed := c.shows("T", "BB", hotel.Closures, 150).Closed.Closed; told != 1 || !closed || status() == "completed" {
		c.t.Errorf("after %d calls of a full refresh, which is %v, a night is closed: %t", told, status(), closed)
	}
	time.Sleep(30 * time.Second)
	if made := c.made(); made["restrictions"] != 1 || status() != "completed" {
		c.t.Errorf("the refresh is %v after %v more", status(), made)
	}
}

// bookings is the eleventh scenario: a booking of an agency is made, changed and
// cancelled. A webhook has each revision fetched at once, and it is acknowledged. What
// Channex does not do to its count by itself it is told.
func (c *certification) bookings() {
	c.t.Helper()
	book, from := c.channex.Book(), c.today+60
	settled := func(what, status string, counts [2]int, most int) {
		c.t.Helper()
		time.Sleep(10 * time.Second)
		made := c.made()
		list, _ := c.ok(c.token, "GET", "/reservations?property_id=certified&channel_id=ch_channex", "")["data"].([]any)
		if len(list) != 1 || list[0].(map[string]any)["status"] != status || book.State().Waiting != 0 {
			c.t.Errorf("%s: %d are not acknowledged, and stored is %v", what, book.State().Waiting, list)
		}
		if got := [2]int{c.shows("T", "", hotel.Availability, 60).Available, c.shows("T", "", hotel.Availability, 61).Available}; got != counts || made["availability"] > most || made["restrictions"] != 0 {
			c.t.Errorf("%s: Channex shows %v after %v, want %v after at most %d calls", what, got, made, counts, most)
		}
	}
	time.Sleep(15 * time.Minute) // it is known what the counts were before
	c.made()
	b, err := book.Sell(testkit.Request{Room: "T", Rate: "T-BAR", CheckIn: from, CheckOut: from + 2, Adults: 2, LastName: "Franklin"})
	if err != nil {
		c.t.Fatal(err)
	}
	settled("a new booking, which Channex takes off itself", "confirmed", [2]int{7, 7}, 0)
	r := c.ok(c.token, "GET", "/reservations?property_id=certified&channel_id=ch_channex", "")["data"].([]any)[0].(map[string]any)
	if extras, _ := r["extras"].([]any); r["expected_arrival_time"] != "18:00" || r["guest_requests"] != "Comes by train" || len(extras) != 1 {
		c.t.Errorf("what the agency says besides is kept as %v, %v and %v", r["expected_arrival_time"], r["guest_requests"], r["extras"])
	}
	if _, err = book.Modify(testkit.Request{Reference: b.Reference, CheckIn: from - 1, CheckOut: from + 1}); err != nil {
		c.t.Fatal(err)
	}
	settled("a change", "confirmed", [2]int{7, 8}, 2)
	if _, err = book.Cancel(b.Reference); err != nil {
		c.t.Fatal(err)
	}
	settled("a cancellation", "cancelled", [2]int{8, 8}, 1)
}

// unmapped is a booking of a room that is mapped nowhere at Channex. It is stored and
// acknowledged, somebody is asked, and says which room it is for.
func (c *certification) unmapped() {
	c.t.Helper()
	book, from := c.channex.Book(), c.today+70
	if err := c.channex.Plant(testkit.Fault{Kind: testkit.Unmapped}); err != nil {
		c.t.Fatal(err)
	}
	if _, err := book.Sell(testkit.Request{Room: "T", Rate: "T-BB", CheckIn: from, CheckOut: from + 1, Adults: 2, LastName: "Meitner"}); err != nil {
		c.t.Fatal(err)
	}
	// What Channex cannot tell the room of it does not take off a count.
	all := connectors.Change{Key: connectors.Key{Room: "T", Group: hotel.Availability, Night: from}, Offer: hotel.Offer{Available: 8}}
	if _, err := book.Take([]connectors.Change{all}, testkit.Receipt{}); err != nil {
		c.t.Fatal(err)
	}
	time.Sleep(10 * time.Second)
	open, _ := c.ok(c.token, "GET", "/conflicts?property_id=certified&status=open", "")["data"].([]any)
	if len(open) != 1 || book.State().Waiting != 0 {
		c.t.Fatalf("%d are not acknowledged, and somebody is asked about %v", book.State().Waiting, open)
	}
	asked := open[0].(map[string]any)
	if asked["kind"] != "unmapped_booking" {
		c.t.Fatalf("somebody is asked about %v", asked)
	}
	c.ok(c.token, "POST", fmt.Sprintf("/conflicts/%s/resolve", asked["id"]), fmt.Sprintf(`{"option":"map","arguments":{"room_type_id":%q,"rate_plan_id":%q}}`, c.roomIDs["T"], c.planIDs["BB"]))
	time.Sleep(time.Minute)
	r := c.ok(c.token, "GET", fmt.Sprintf("/reservations/%s", asked["subject"].(map[string]any)["id"]), "")
	if r["room_type_id"] != c.roomIDs["T"] || r["rate_plan_id"] != c.planIDs["BB"] || c.shows("T", "", hotel.Availability, 70).Available != 7 {
		c.t.Errorf("stored is %v, and Channex shows %d rooms", r, c.shows("T", "", hotel.Availability, 70).Available)
	}
}

// resent is a booking of a room that Channex did not know, until somebody mends the
// mapping there and has it sent again: it is the same revision, and nobody has to say
// here which room it is.
func (c *certification) resent() {
	c.t.Helper()
	book, from := c.channex.Book(), c.today+75
	if err := c.channex.Plant(testkit.Fault{Kind: testkit.Unmapped}); err != nil {
		c.t.Fatal(err)
	}
	b, err := book.Sell(testkit.Request{Room: "T", Rate: "T-BB", CheckIn: from, CheckOut: from + 1, Adults: 2, LastName: "Noether"})
	if err != nil {
		c.t.Fatal(err)
	}
	time.Sleep(10 * time.Second)
	open, _ := c.ok(c.token, "GET", "/conflicts?property_id=certified&status=open", "")["data"].([]any)
	if len(open) != 1 {
		c.t.Fatalf("somebody is asked about %v", open)
	}
	if err := c.channex.Resend(b); err != nil {
		c.t.Fatal(err)
	}
	time.Sleep(time.Minute)
	r := c.ok(c.token, "GET", fmt.Sprintf("/reservations/%s", open[0].(map[string]any)["subject"].(map[string]any)["id"]), "")
	if b.Number%3 != 0 || fmt.Sprint(r["deposit_paid"]) == "<nil>" || fmt.Sprint(r["deposit_paid"]) == fmt.Sprint(r["total"].(map[string]any)["gross"]) {
		c.t.Errorf("of booking %d, at %v, %v is paid", b.Number, r["total"], r["deposit_paid"])
	}
	if r["room_type_id"] != c.roomIDs["T"] || r["rate_plan_id"] != c.planIDs["BB"] || c.shows("T", "", hotel.Availability, 75).Available != 7 {
		c.t.Errorf("stored is %v, and Channex shows %d rooms", r, c.shows("T", "", hotel.Availability, 75).Available)
	}
	if left, _ := c.ok(c.token, "GET", "/conflicts?property_id=certified&status=open", "")["data"].([]any); len(left) != 0 || book.State().Waiting != 0 {
		c.t.Errorf("%d are not acknowledged, and somebody is asked about %v", book.State().Waiting, left)
	}
}

// reported is an agency that is switched off at Channex and on again: somebody is asked
// about it, until it is over.
func (c *certification) reported() {
	c.t.Helper()
	agency := map[string]string{"title": "Locanda Online", "channel_id": "c1", "ota_name": "Locanda"}
	open := func() []any {
		time.Sleep(10 * time.Second)
		list, _ := c.ok(c.token, "GET", "/conflicts?property_id=certified&status=open", "")["data"].([]any)
		return list
	}
	for range 2 { // a webhook may come twice
		if err := c.channex.Report(c.t.Context(), "deactivate_channel", agency); err != nil {
			c.t.Fatal(err)
		}
	}
	asked := open()
	if len(asked) != 1 || asked[0].(map[string]any)["kind"] != "channel_report" || fmt.Sprint(asked[0].(map[string]any)["facts"]) != "map[of:Locanda Online report:deactivate_channel]" {
		c.t.Errorf("somebody is asked about %v", asked)
	}
	if err := c.channex.Report(c.t.Context(), "activate_channel", agency); err != nil {
		c.t.Fatal(err)
	}
	if asked = open(); len(asked) > 0 {
		c.t.Errorf("somebody is still asked about %v", asked)
	}
}

// keepsTaskIDs: the certification asks for the ids by which Channex names what it was told.
func (c *certification) keepsTaskIDs() {
	c.t.Helper()
	x := c.ok(c.token, "GET", fmt.Sprintf("/channels/ch_channex/explain?room_type_id=%s&rate_plan_id=%s&date=%s", c.roomIDs["T"], c.planIDs["BAR"], c.today+22), "")
	calls, _ := x["deliveries"].([]any)
	for _, call := range calls {
		if answer, _ := call.(map[string]any)["answer"].(map[string]any); fmt.Sprint(answer["reference"]) == "<nil>" {
			c.t.Errorf("of a call no task id is kept: %v", call)
		}
	}
	if len(calls) == 0 {
		c.t.Errorf("no call has carried the night: %v", x)
	}
}

// TestChannexCertification makes the scenarios of Channex's certification over /v1:
// each takes as many calls as it may.
func TestChannexCertification(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCertification(t, twoByTwo)
		time.Sleep(2 * time.Minute)
		if made := c.made(); made["availability"] != 1 || made["restrictions"] != 1 {
			t.Errorf("going live takes %v, want a call with counts and one with everything else", made)
		}
		if c.shows("D", "BB", hotel.Price, certified).Amount.Minor != 12000 || c.shows("T", "", hotel.Availability, certified).Available != 8 {
			t.Fatal("the first full sync does not show what is sold")
		}
		burst := 500
		if race.On {
			burst = 50
		}
		c.update("inventory", edit{"D", "", 25, 25, `"sell_limit":1`})
		time.Sleep(time.Minute)
		c.made()
		for _, s := range []struct {
			name      string
			operation string
			most      int
			edit      func()
			shown     func() bool
		}{
			{"1 full sync", "", 1, func() {
				c.ok(c.token, "POST", "/channels/ch_channex/sync", `{"kind":"ari_full"}`)
			}, func() bool { return c.shows("T", "BAR", hotel.Price, 100).Amount.Minor == 10000 }},
			{"2 one price on one date", "restrictions", 1, func() {
				c.update("rates", edit{"T", "BAR", 22, 22, amount("333")})
			}, func() bool { return c.shows("T", "BAR", hotel.Price, 22).Amount.Minor == 33300 }},
			{"3 a date each of several plans", "restrictions", 1, func() {
				c.update("rates", edit{"T", "BAR", 21, 21, amount("333")}, edit{"D", "BAR", 25, 25, amount("444")}, edit{"D", "BB", 29, 29, amount("456.23")})
			}, func() bool { return c.shows("D", "BB", hotel.Price, 29).Amount.Minor == 45623 }},
			{"4 spans of several plans", "restrictions", 1, func() {
				c.update("rates", edit{"T", "BAR", 1, 10, amount("241")}, edit{"D", "BAR", 10, 16, amount("312.66")}, edit{"D", "BB", 1, 20, amount("111")})
			}, func() bool { return c.shows("D", "BAR", hotel.Price, 16).Amount.Minor == 31266 }},
			{"5 minimum stays", "restrictions", 1, func() {
				c.update("restrictions", edit{"T", "BAR", 23, 23, `"min_stay_arrival":3`}, edit{"D", "BAR", 26, 26, `"min_stay_arrival":2`}, edit{"D", "BB", 15, 15, `"min_stay_arrival":5`})
			}, func() bool { return c.shows("D", "BB", hotel.Lengths, 15).Lengths.MinStayArrival == 5 }},
			{"6 closings", "restrictions", 1, func() {
				c.update("restrictions", edit{"T", "BAR", 14, 14, `"closed":true`}, edit{"D", "BAR", 16, 16, `"closed":true`}, edit{"D", "BB", 20, 20, `"closed":true`})
			}, func() bool { return c.shows("D", "BAR", hotel.Closures, 16).Closed.Closed }},
			{"7 several restrictions", "restrictions", 1, func() {
				c.update("restrictions",
					edit{"T", "BAR", 1, 10, `"closed_to_arrival":true,"closed_to_departure":false,"max_stay_arrival":4,"min_stay_arrival":1`},
					edit{"T", "BB", 12, 16, `"closed_to_arrival":false,"closed_to_departure":true,"min_stay_arrival":6`},
					edit{"D", "BAR", 10, 16, `"closed_to_arrival":true,"min_stay_arrival":2`}, edit{"D", "BB", 1, 20, `"min_stay_arrival":10`})
			}, func() bool {
				return c.shows("T", "BAR", hotel.Closures, 10).Closed.Arrival && c.shows("D", "BB", hotel.Lengths, 20).Lengths.MinStayArrival == 10 &&
					c.shows("T", "BAR", hotel.Lengths, 1).Lengths.MaxStayArrival == 4
			}},
			{"8 half a year", "restrictions", 1, func() {
				c.update("rates", edit{"T", "BAR", 30, 180, amount("432")}, edit{"D", "BAR", 30, 180, amount("342")})
				c.update("restrictions", edit{"T", "BAR", 30, 180, `"closed_to_arrival":false,"closed_to_departure":false,"min_stay_arrival":2`}, edit{"D", "BAR", 30, 180, `"min_stay_arrival":3`})
			}, func() bool {
				return c.shows("T", "BAR", hotel.Price, 180).Amount.Minor == 43200 && c.shows("D", "BAR", hotel.Lengths, 30).Lengths.MinStayArrival == 3
			}},
			{"9 counts, by bookings", "availability", 2, func() {
				c.book("T", 21)
				c.book("D", 25)
			}, func() bool {
				return c.shows("T", "", hotel.Availability, 21).Available == 7 && c.shows("D", "", hotel.Availability, 25).Available == 0
			}},
			{"10 counts on spans", "availability", 2, func() {
				c.update("inventory", edit{"T", "", 10, 16, `"sell_limit":3`}, edit{"D", "", 17, 24, `"sell_limit":4`})
			}, func() bool {
				return c.shows("T", "", hotel.Availability, 16).Available == 3 && c.shows("D", "", hotel.Availability, 24).Available == 4
			}},
			{"500 edits in a second", "restrictions", 2, func() {
				for i := range burst {
					c.update("rates", edit{[]string{"T", "D"}[i%2], "BB", i % 190, i % 190, amount(fmt.Sprint(200 + i))})
					time.Sleep(2 * time.Millisecond)
				}
			}, func() bool {
				return c.shows("D", "BB", hotel.Price, (burst-1)%190).Amount.Minor == int64(200+burst-1)*100
			}},
		} {
			s.edit()
			time.Sleep(30 * time.Second)
			made := c.made()
			for _, operation := range []string{"availability", "restrictions"} {
				if told := s.operation == "" || s.operation == operation; told != (made[operation] > 0) || made[operation] > s.most {
					t.Errorf("%s takes %v, want at most %d of %s", s.name, made, s.most, cmp.Or(s.operation, "each"))
				}
			}
			if !s.shown() {
				t.Errorf("%s is not shown", s.name)
			}
		}
		c.keepsTaskIDs()
		c.closingOvertakes()
		c.bookings()
		c.unmapped()
		c.resent()
		c.reported()
		c.made()
		time.Sleep(90 * time.Minute) // everything is read back once
		c.token = c.estate.token(auth.Production, "")
		if made, open := c.made(), ids(c.ok(c.token, "GET", "/conflicts?property_id=certified&status=open", "")); len(made) > 0 || len(open) > 0 {
			t.Errorf("what Channex shows was found to differ: %v are told again, conflicts %v", made, open)
		}
		if n := c.channex.OverLimit(); n > 0 {
			t.Errorf("%d calls came beyond the limits", n)
		}
	})
}

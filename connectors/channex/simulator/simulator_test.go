package simulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

var first = hotel.DateOf(2026, 12, 1)

// standing is a clock that is moved by hand.
type standing struct{ now time.Time }

func (c *standing) Now() time.Time                  { return c.now }
func (c *standing) Until(t time.Time) time.Duration { return t.Sub(c.now) }
func (c *standing) Steady() time.Time               { return c.Now() }

// bench is a simulator that a test holds in its hands.
type bench struct {
	t     *testing.T
	clock *standing
	sim   *Simulator
	hook  http.HandlerFunc
}

func newBench(t *testing.T, preset string) *bench {
	b := &bench{t: t, clock: &standing{first.Time().Add(12 * time.Hour)}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { b.hook(w, r) }))
	t.Cleanup(server.Close)
	sim, err := Open(connectors.SimulatorOptions{
		Preset: preset, Hotel: "P1", Secret: "k", Clock: b.clock, InboundURL: func() string { return server.URL },
		Products: []connectors.RemoteProduct{{Room: "TWIN", Rate: "BAR"}, {Room: "DBL", Rate: "BAR"}, {Room: "DBL", Rate: "BB"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	b.sim = sim
	t.Cleanup(func() { _ = sim.Close() })
	return b
}

// ask makes one request and returns the status and the body.
func (b *bench) ask(method, path, body string) (int, string) {
	r := httptest.NewRequest(method, base+path, strings.NewReader(body))
	r.Header.Set("user-api-key", "k")
	w := httptest.NewRecorder()
	b.sim.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// TestValues: what the real Channex does not take is warned of, and repeated.
func TestValues(t *testing.T) {
	b := newBench(t, both)
	const plan, room = `"property_id":"P1","rate_plan_id":"BB","date":"2026-12-05"`, `"property_id":"P1","room_type_id":"TWIN","date":"2026-12-05"`
	for _, c := range []struct {
		name, path, value, warning string
	}{
		{"decimal text", "restrictions", plan + `,"rate":"312.66"`, ""},
		{"minor units", "restrictions", plan + `,"rate":31266`, ""},
		{"a number with a point", "restrictions", plan + `,"rate":312.66`, `"rate":["is invalid"]`},
		{"more decimals than the currency has", "restrictions", plan + `,"rate":"312.666"`, `"rate":["is invalid"]`},
		{"a price of nothing", "restrictions", plan + `,"rate":"0.00"`, "must be greater than 0"},
		{"an occupancy that the plan has", "restrictions", plan + `,"rates":[{"occupancy":2,"rate":"1.00"}]`, ""},
		{"one that it does not have", "restrictions", plan + `,"rates":[{"occupancy":3,"rate":"1.00"}]`, "no such occupancy"},
		{"days of the week", "restrictions", `"property_id":"P1","rate_plan_id":"BB","date_from":"2026-12-05","date_to":"2026-12-20","days":["fr","sa"],"stop_sell":true`, ""},
		{"a day that there is not", "restrictions", plan + `,"days":["xx"],"stop_sell":true`, `"days":["is invalid"]`},
		{"a minimum stay of any kind", "restrictions", plan + `,"min_stay":2`, "is not supported"},
		{"a minimum of no night", "restrictions", plan + `,"min_stay_arrival":0`, "greater than or equal to 1"},
		{"no maximum", "restrictions", plan + `,"max_stay":0`, ""},
		{"a closing that is a number", "restrictions", plan + `,"stop_sell":1`, ""},
		{"a closing that is a word", "restrictions", plan + `,"stop_sell":"yes"`, `"stop_sell":["is invalid"]`},
		{"null", "restrictions", plan + `,"rate":null`, "non null value"},
		{"a field that there is not", "restrictions", plan + `,"rate":"1.00","min_los":2`, "non null value"},
		{"nothing", "restrictions", plan, "give at least one"},
		{"a plan that there is not", "restrictions", `"property_id":"P1","rate_plan_id":"X","date":"2026-12-05","stop_sell":true`, `"rate_plan_id":["is invalid"]`},
		{"another property", "restrictions", `"property_id":"P2","rate_plan_id":"BB","date":"2026-12-05","stop_sell":true`, `"property_id":["is invalid"]`},
		{"no date", "restrictions", `"property_id":"P1","rate_plan_id":"BB","stop_sell":true`, "give a date"},
		{"a date that is over", "restrictions", `"property_id":"P1","rate_plan_id":"BB","date":"2026-11-05","stop_sell":true`, "must be today or later"},
		{"a span that is partly over", "restrictions", `"property_id":"P1","rate_plan_id":"BB","date_from":"2026-11-05","date_to":"2026-12-05","stop_sell":true`, `"date_from 2026-11-05 is in the past`},
		{"a date too far ahead", "restrictions", `"property_id":"P1","rate_plan_id":"BB","date":"2029-12-05","stop_sell":true`, ""},
		{"a count", "availability", room + `,"availability":2`, ""},
		{"fewer rooms than none", "availability", room + `,"availability":-1`, "greater than or equal to 0"},
		{"a count with days of the week", "availability", room + `,"days":["fr"],"availability":1`, "non null value"},
		{"a room that there is not", "availability", `"property_id":"P1","room_type_id":"X","date":"2026-12-05","availability":1`, `"room_type_id":["is invalid"]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.clock.now = b.clock.now.Add(7 * time.Second)
			status, said := b.ask("POST", c.path, `{"values":[{`+c.value+`}]}`)
			if status != http.StatusOK || c.warning == "" == strings.Contains(said, "warnings") || !strings.Contains(said, c.warning) {
				t.Errorf("answered %d %s, want a warning with %q", status, said, c.warning)
			}
		})
	}
}

func TestRequests(t *testing.T) {
	b := newBench(t, both)
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		code                     string
	}{
		{"no values", "POST", "restrictions", `{"values":[]}`, 422, "validation_error"},
		{"no JSON", "POST", "availability", `values`, 400, "bad_request"},
		{"a body that is too large", "POST", "availability", `{"values":[` + strings.Repeat(" ", maxBody), 413, "request_entity_too_large"},
		{"restrictions that nobody named", "GET", "restrictions?filter[property_id]=P1&filter[date]=2026-12-05", "", 400, "bad_request"},
		{"another property", "GET", "rate_plans?filter[property_id]=P2", "", 404, "resource_not_found"},
		{"the property", "GET", "properties/P1", "", 200, `"min_stay_type":"both"`},
		{"the properties", "GET", "properties", "", 200, `"total":1`},
		{"a revision that there is not", "POST", "booking_revisions/x/ack", "", 404, "resource_not_found"},
		{"a page of a list", "GET", "rate_plans?pagination[page]=2&pagination[limit]=2", "", 200, `"total":3`},
	} {
		if status, said := b.ask(c.method, c.path, c.body); status != c.status || !strings.Contains(said, c.code) {
			t.Errorf("%s: answered %d %s, want %d %s", c.name, status, said, c.status, c.code)
		}
	}
	r := httptest.NewRequest("GET", base+"properties", nil)
	w := httptest.NewRecorder()
	if b.sim.ServeHTTP(w, r); w.Code != http.StatusUnauthorized {
		t.Errorf("without a key answered %d", w.Code)
	}
}

// Ten calls a minute of each operation, counted apart.
func TestLimits(t *testing.T) {
	b := newBench(t, both)
	for i := range 11 {
		status, _ := b.ask("POST", "restrictions", `{"values":[{}]}`)
		other, _ := b.ask("POST", "availability", `{"values":[{}]}`)
		if want := map[bool]int{true: 200, false: 429}[i < 10]; status != want || other != want {
			t.Errorf("call %d is answered %d and %d, want %d", i+1, status, other, want)
		}
	}
	if _, said := b.ask("POST", "restrictions", `{"values":[{}]}`); !strings.Contains(said, `"code":"http_too_many_requests"`) {
		t.Errorf("the refusal says %s", said)
	}
}

// Of two values about the same the later one counts, a part of a group leaves the rest
// as it is, and a plan without a room left is shown as closed.
func TestLastWins(t *testing.T) {
	b := newBench(t, through)
	const night = `"property_id":"P1","rate_plan_id":"BAR.TWIN","date":"2026-12-05"`
	b.ask("POST", "restrictions", `{"values":[{`+night+`,"closed_to_arrival":true,"rate":"1.00","min_stay":3,"min_stay_arrival":9},{`+night+`,"rate":"2.00"},{`+night+`,"closed_to_departure":true}]}`)
	_, said := b.ask("GET", "restrictions?filter[property_id]=P1&filter[date]=2026-12-05&filter[restrictions]=rate,stop_sell,closed_to_arrival,closed_to_departure,min_stay_arrival,min_stay_through", "")
	want := `"BAR.TWIN":{"2026-12-05":{"closed_to_arrival":true,"closed_to_departure":true,"min_stay_arrival":1,"min_stay_through":3,"rate":"2.00","stop_sell":true,"unavailable_reasons":[]}}`
	if !strings.Contains(said, want) {
		t.Errorf("it shows %s, want %s in it", said, want)
	}
}

// A webhook tells of each booking and carries the secret; one that fails comes again.
// A revision that is shown and not acknowledged for thirty minutes leaves the feed,
// and a webhook tells of that.
func TestFeedForgets(t *testing.T) {
	b := newBench(t, both)
	b.ask("POST", "availability", `{"values":[{"property_id":"P1","room_type_id":"DBL","date":"2026-12-05","availability":5}]}`)
	b.ask("POST", "restrictions", `{"values":[{"property_id":"P1","rate_plan_id":"BB","date":"2026-12-05","rate":"80.00"}]}`)
	if _, err := b.sim.Book().Sell(simkit.Request{Room: "DBL", Rate: "BB", CheckIn: first + 4, CheckOut: first + 5, Adults: 2}); err != nil {
		t.Fatal(err)
	}
	var heard []string
	b.hook = func(w http.ResponseWriter, r *http.Request) {
		var said struct{ Event string }
		_ = json.NewDecoder(r.Body).Decode(&said)
		heard = append(heard, said.Event+" "+r.Header.Get("X-Channex-Webhook-Secret"))
		if len(heard) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}
	call := func() {
		t.Helper()
		if more, err := b.sim.CallOldest(t.Context()); !more || err != nil && len(heard) > 1 {
			t.Errorf("a webhook: %t, %v", more, err)
		}
	}
	call()
	call()
	if _, said := b.ask("GET", "booking_revisions/feed", ""); !strings.Contains(said, `"card_number":"411111******1111"`) {
		t.Errorf("the feed shows %s", said)
	}
	b.clock.now = b.clock.now.Add(31 * time.Minute)
	if _, said := b.ask("GET", "booking_revisions/feed", ""); !strings.Contains(said, `"total":0`) {
		t.Errorf("half an hour later it shows %s", said)
	}
	call()
	if got, want := fmt.Sprint(heard), "[booking_new webhooks of k booking_new webhooks of k non_acked_booking webhooks of k]"; got != want {
		t.Errorf("heard %s, want %s", got, want)
	}
	if more, err := b.sim.CallOldest(t.Context()); more || err != nil {
		t.Errorf("more webhooks: %t, %v", more, err)
	}
}

// FuzzValue: whatever is sent is answered, and nothing senseless is shown.
func FuzzValue(f *testing.F) {
	f.Add(`{"values":[{"property_id":"P1","rate_plan_id":"BB","date_from":"2026-12-05","date_to":"2026-12-06","days":["fr"],"rates":[{"occupancy":2,"rate":"1.00"}]}]}`)
	f.Add(`{"values":[{"property_id":"P1","rate_plan_id":"BB","date":"2026-12-05","min_stay_through":2,"rate":-1}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		b := newBench(t, both)
		if status, said := b.ask("POST", "restrictions", body); status >= 500 {
			t.Errorf("answered %d %s", status, said)
		}
		for _, c := range b.sim.Book().Changes("DBL", hotel.Span{From: first, To: first + 40}) {
			if c.Key.Group == hotel.Price && c.Offer.Amount.Minor <= 0 {
				t.Errorf("%v costs %v", c.Key, c.Offer.Amount)
			}
		}
	})
}

// What is confirmed waits in a queue, and what comes behind it waits for it: the last
// that was taken is what is shown in the end.
func TestUpdatesTakeEffectInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim, err := Open(connectors.SimulatorOptions{
			Preset: both, Hotel: "P1", Secret: "k", Clock: &standing{first.Time()}, Products: []connectors.RemoteProduct{{Room: "TWIN", Rate: "BAR"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		b := &bench{t: t, sim: sim}
		tell := func(rooms int) {
			t.Helper()
			body := fmt.Sprintf(`{"values":[{"property_id":"P1","room_type_id":"TWIN","date":"2026-12-05","availability":%d}]}`, rooms)
			if status, said := b.ask(http.MethodPost, "availability", body); status != http.StatusOK || strings.Contains(said, "warnings") {
				t.Fatalf("told %d: %d %s", rooms, status, said)
			}
		}
		shows := func(when string, want int) {
			t.Helper()
			o, _ := sim.Book().Shown(connectors.Key{Room: "TWIN", Group: hotel.Availability, Night: first + 4})
			if o.Available != want {
				t.Errorf("%s %d is shown, want %d", when, o.Available, want)
			}
		}
		tell(5)
		if err := sim.Plant(simkit.Fault{Kind: simkit.Queued}); err != nil {
			t.Fatal(err)
		}
		tell(4)
		time.Sleep(simkit.QueuedBy / 2)
		tell(3)
		shows("while both wait", 5)
		time.Sleep(3 * simkit.QueuedBy / 4)
		shows("once the first has taken effect", 4)
		time.Sleep(simkit.QueuedBy)
		shows("once both have", 3)
		tell(2)
		shows("when nothing waits", 2)
		if err := sim.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestPlansOfBothModes: of the plans of one property some have a price for each number of
// guests and the others one, and each says which.
func TestPlansOfBothModes(t *testing.T) {
	b := newBench(t, mixed)
	if _, listed := b.ask("GET", "rate_plans?filter[property_id]=P1", ""); strings.Count(listed, `"sell_mode":"per_person"`) != 2 || strings.Count(listed, `"sell_mode":"per_room"`) != 1 {
		t.Errorf("listed are %s", listed)
	}
	for plan, taken := range map[string]bool{"BAR.TWIN": true, "BAR.DBL": false, "BB": true} {
		status, answer := b.ask("POST", "restrictions", `{"values":[{"property_id":"P1","rate_plan_id":"`+plan+`","date":"2026-12-05","rates":[{"occupancy":3,"rate":"90.00"}]}]}`)
		if status != http.StatusOK || strings.Contains(answer, "no such occupancy") == taken {
			t.Errorf("a price for three guests of %s: %d %s", plan, status, answer)
		}
	}
}

// TestNightsBehindTheState: of a span that reaches further than the property has nights the
// rest is dropped without a word.
func TestNightsBehindTheState(t *testing.T) {
	b := newBench(t, both)
	last := b.sim.last()
	body := fmt.Sprintf(`{"values":[{"property_id":"P1","room_type_id":"TWIN","date_from":%q,"date_to":%q,"availability":2}]}`, first, last+30)
	if status, said := b.ask("POST", "availability", body); status != http.StatusOK || strings.Contains(said, "warnings") {
		t.Fatalf("%d %s", status, said)
	}
	_, shown := b.ask("GET", fmt.Sprintf("availability?filter[property_id]=P1&filter[date][gte]=%s&filter[date][lte]=%s", last-1, last+30), "")
	if got := strings.Count(shown, ":2"); got != 2 || strings.Contains(shown, (last+1).String()) {
		t.Errorf("shown is %s", shown)
	}
	if days := int(last-first) + 1; days < stateLength || days > stateLength+1 {
		t.Errorf("it has %d nights", days)
	}
}

// TestCountsGoAhead: updates that wait have their effect in the order in which they came,
// but those of availability before all others.
func TestCountsGoAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim, err := Open(connectors.SimulatorOptions{
			Preset: both, Hotel: "P1", Secret: "k", Clock: &standing{first.Time()}, Products: []connectors.RemoteProduct{{Room: "TWIN", Rate: "BAR"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		b := &bench{t: t, sim: sim}
		tell := func(what, about, says string) {
			t.Helper()
			if status, said := b.ask("POST", what, `{"values":[{"property_id":"P1",`+about+`,"date":"2026-12-05",`+says+`}]}`); status != http.StatusOK || strings.Contains(said, "warnings") {
				t.Fatalf("%s: %d %s", says, status, said)
			}
		}
		price := func(amount string) { t.Helper(); tell("restrictions", `"rate_plan_id":"BAR"`, `"rate":"`+amount+`"`) }
		count := func(rooms string) { t.Helper(); tell("availability", `"room_type_id":"TWIN"`, `"availability":`+rooms) }
		if err := sim.Plant(simkit.Fault{Kind: simkit.Queued}); err != nil {
			t.Fatal(err)
		}
		for _, one := range []func(){func() { price("100.00") }, func() { price("110.00") }, func() { count("4") }, func() { count("3") }} {
			one()
			time.Sleep(time.Second)
		}
		var seen []string
		time.Sleep(simkit.QueuedBy - 4*time.Second)
		for range 4 {
			synctest.Wait()
			rooms, _ := sim.Book().Shown(connectors.Key{Room: "TWIN", Group: hotel.Availability, Night: first + 4})
			amount, _ := sim.Book().Shown(connectors.Key{Room: "TWIN", Rate: "BAR", Group: hotel.Price, Night: first + 4})
			seen = append(seen, fmt.Sprintf("%d at %d", rooms.Available, amount.Amount.Minor))
			time.Sleep(time.Second)
		}
		if got, want := strings.Join(seen, ", "), "4 at 0, 3 at 0, 3 at 10000, 3 at 11000"; got != want {
			t.Errorf("it shows %s, want %s", got, want)
		}
		if err := sim.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestAnswersTakeTime: an answer comes as late as it is said, and what it is about is done
// by then; who gives up before is not heard of.
func TestAnswersTakeTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim, err := Open(connectors.SimulatorOptions{
			Preset: both, Hotel: "P1", Secret: "k", Clock: &standing{first.Time()}, Latency: 3 * time.Second, Products: []connectors.RemoteProduct{{Room: "TWIN", Rate: "BAR"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		b, began, answered := &bench{t: t, sim: sim}, time.Now(), make(chan time.Duration)
		go func() {
			status, said := b.ask("POST", "availability", `{"values":[{"property_id":"P1","room_type_id":"TWIN","date":"2026-12-05","availability":4}]}`)
			if status != http.StatusOK || !strings.Contains(said, "task") {
				t.Errorf("%d %s", status, said)
			}
			answered <- time.Since(began)
		}()
		synctest.Wait()
		if o, _ := sim.Book().Shown(connectors.Key{Room: "TWIN", Group: hotel.Availability, Night: first + 4}); o.Available != 4 {
			t.Errorf("before the answer %d are shown", o.Available)
		}
		if took := <-answered; took != 3*time.Second {
			t.Errorf("it took %v", took)
		}
		if err := sim.Close(); err != nil {
			t.Fatal(err)
		}
	})
	if _, err := Open(connectors.SimulatorOptions{Hotel: "P1", Secret: "k", Latency: -1}); err == nil {
		t.Error("answers before the question are taken")
	}
}

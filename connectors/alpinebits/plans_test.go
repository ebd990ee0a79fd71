package alpinebits

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/connectors/alpinebits/simulator"
	"ostler.example/hotel"
)

// sells opens a channel to a simulator that makes the plan BAR there, and sells at the rates
// that it is told.
func sells(t *testing.T, preset string, rates *[]string, set func(*Config, *connectors.Env)) (*simulator.Simulator, connectors.Connector) {
	t.Helper()
	sim, url := portal(t, preset)
	cfg := sound()
	everything(&cfg)
	cfg.URL, cfg.WholePlans = url, Pairs{"BAR": "14"}
	with := env(t)
	with.Rooms = func(context.Context) ([]connectors.SoldRoom, error) {
		return []connectors.SoldRoom{{Room: "DBL", Rates: *rates}}, nil
	}
	set(&cfg, &with)
	opened, err := open(t.Context(), cfg, with)
	if err != nil {
		t.Fatal(err)
	}
	return sim, opened
}

// TestPlanIsTakenAway: a plan that we made goes when nothing is sold at it any more, in each
// version, and comes back as a whole.
func TestPlanIsTakenAway(t *testing.T) {
	for _, preset := range []string{"2024-10", "2022-10", "2020-10", "sets"} {
		rates := []string{"BAR"}
		sim, conn := sells(t, preset, &rates, func(*Config, *connectors.Env) {})
		shut := func() bool {
			o, _ := sim.Book().Shown(of(hotel.Closures, 0, hotel.Offer{}).Key)
			return o.Closed.Closed
		}
		count := connectors.Change{Key: connectors.Key{Room: "DBL", Group: hotel.Availability, Night: night}, Offer: hotel.Offer{Available: 2}}
		tellAll(t, conn, of(hotel.Price, 0, euro(12000)), count)
		rates = nil
		if tellAll(t, conn, count); shut() {
			t.Errorf("%s: it is taken away while nobody knows what is sold", preset)
		}
		rates = []string{"NRF"}
		if a := tellAll(t, conn, count); !shut() || !strings.Contains(a.Excerpt, "rate plan BAR is taken away") {
			t.Errorf("%s: it stays when it is not sold: %s", preset, a.Excerpt)
		}
		if a := tellAll(t, conn, of(hotel.Closures, 0, hotel.Offer{Closed: hotel.Closed{Closed: true}})); a.Rest != connectors.Applied || !strings.Contains(a.Excerpt, "no such rate plan any more") {
			t.Errorf("%s: what is closed of it is answered %+v", preset, a)
		}
		rates = []string{"BAR", "NRF"}
		tellAll(t, conn, of(hotel.Price, 0, euro(13000)))
		if o, _ := sim.Book().Shown(of(hotel.Price, 0, hotel.Offer{}).Key); shut() || o.Amount.Minor != 13000 {
			t.Errorf("%s: it does not come back, closed %t at %d", preset, shut(), o.Amount.Minor)
		}
	}
}

// TestPlanThatPortalKeeps: what does not become of it is said, and tried again with each
// call, unless the portal does not know the plan.
func TestPlanThatPortalKeeps(t *testing.T) {
	for _, c := range []struct {
		said    string
		notice  string
		removes int // of two calls
	}{
		{`<Success/><Warnings><Warning Type="3">it has bookings</Warning></Warnings>`, "it has bookings", 2},
		{`<Errors><Error Type="13">come back later</Error></Errors>`, "come back later", 2},
		{`<Errors><Error Type="13" Code="249"/></Errors>`, "is taken away", 1},
	} {
		rates := []string{"BAR"}
		s, conn := talkAs(t, map[string]string{message.RatePlans.Name: rs(message.Priced, `<Success/>`), message.FreeRooms.Name: rs(message.Answered, `<Success/>`)}, func(c *Config) {
			everything(c)
			c.WholePlans = Pairs{"BAR": "3"}
		})
		conn.rooms = func(context.Context) ([]connectors.SoldRoom, error) {
			return []connectors.SoldRoom{{Room: "DBL", Rates: rates}}, nil
		}
		tellAll(t, conn, of(hotel.Price, 0, euro(12000)))
		rates, s.asked = []string{"NRF"}, nil
		s.answers[message.RatePlans.Name] = rs(message.Priced, c.said)
		for i := range 2 {
			if answer, err := conn.Send(t.Context(), oneNight(t, conn)); err != nil || answer.Rest != connectors.Applied || i == 0 && !strings.Contains(answer.Excerpt, c.notice) {
				t.Errorf("%s: rooms are answered %+v, %v", c.said, answer, err)
			}
		}
		if n := len(slices.DeleteFunc(s.asked, func(a string) bool { return a != message.RatePlans.Name })); n != c.removes {
			t.Errorf("%s: it is taken away %d times, want %d", c.said, n, c.removes)
		}
	}
}

// TestAllPlansAgain: a portal that asks for all rate plans is told all that are ours, as a
// complete set where there are no others.
func TestAllPlansAgain(t *testing.T) {
	for _, complete := range []bool{false, true} {
		s, conn := talkAs(t, map[string]string{message.RatePlans.Name: rs(message.Priced, `<Success/>`)}, func(c *Config) {
			everything(c)
			c.WholePlans, c.CompletePlans = Pairs{"BAR": "3", "HB": "12", "OFF": "14"}, complete
		})
		hb := of(hotel.Price, 0, euro(15000))
		hb.Key.Rate = "HB"
		tellAll(t, conn, of(hotel.Price, 0, euro(12000)), hb)
		s.answers[message.RatePlans.Name] = rs(message.Priced, `<Success/><Warnings><Warning Type="11" Status="ALPINEBITS_SEND_RATEPLANS"/></Warnings>`)
		s.asked = nil
		a := tellAll(t, conn, of(hotel.Lengths, 0, hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: 2}}))
		set, err := message.ReadRatePlans([]byte(s.seen[message.RatePlans.Name]))
		if err != nil || !strings.Contains(a.Excerpt, "told again") {
			t.Fatalf("%v, %s", err, a.Excerpt)
		}
		var codes []string
		for _, p := range set.Plans {
			codes = append(codes, p.Code+" "+string(p.Kind))
		}
		want, messages := []string{"HB New"}, 3 // the last of them, behind the call
		if complete {
			want, messages = []string{"BAR New", "HB New"}, 2
		}
		if diff := cmp.Diff(want, codes); diff != "" || set.Complete != complete || len(s.asked) != messages {
			t.Errorf("complete %t: %d messages, the last one complete %t (-want +got):\n%s", complete, len(s.asked), set.Complete, diff)
		}
	}
}

// TestCompletePlansAreAll: a portal has no other plans than those of a complete set.
func TestCompletePlansAreAll(t *testing.T) {
	sim, err := simulator.Open(connectors.SimulatorOptions{
		Preset: "2022-10", Hotel: "H1", Secret: testSecret, Products: []connectors.RemoteProduct{{Room: "DBL", Rate: "BAR"}, {Room: "DBL", Rate: "OLD"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(sim)
	t.Cleanup(func() {
		server.Close()
		_ = sim.Close()
	})
	cfg := sound()
	everything(&cfg)
	cfg.URL, cfg.WholePlans, cfg.CompletePlans = server.URL, Pairs{"BAR": "14"}, true
	conn := connect(cfg, env(t))
	old := of(hotel.Price, 0, euro(9000))
	old.Key.Rate = "OLD"
	tellAll(t, conn, of(hotel.Price, 0, euro(12000)), old)
	agreed, err := conn.terms(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	bodies, err := conn.allPlans(t.Context(), agreed)
	if err != nil || len(bodies) != 1 {
		t.Fatalf("all plans are %d messages, %v", len(bodies), err)
	}
	if said, err := conn.ask(t.Context(), "tell prices", message.RatePlans, agreed, bodies[0], message.Priced); err != nil || said.Refused() {
		t.Fatalf("the set is answered %+v, %v", said, err)
	}
	for rate, shut := range map[string]bool{"BAR": false, "OLD": true} {
		if o, _ := sim.Book().Shown(connectors.Key{Room: "DBL", Rate: rate, Group: hotel.Closures, Night: night}); o.Closed.Closed != shut {
			t.Errorf("%s is closed: %t, want %t", rate, o.Closed.Closed, shut)
		}
	}
}

// TestFeesAreSupplements: fees that everybody pays beside the prices are told with a plan of
// ours, and the plan is told as a whole again when they have changed.
func TestFeesAreSupplements(t *testing.T) {
	year := time.Now().UTC().Year()
	first, last := hotel.DateOf(year, 1, 1), hotel.DateOf(year+3, 12, 31)
	to := hotel.DateOf(year+1, 4, 30)
	house := hotel.Property{Currency: "EUR", Taxes: []hotel.Tax{
		{Code: "cleaning", Name: "Endreinigung", Kind: hotel.PerStay, Value: "20.00", CountsAs: hotel.Fee},
		{Code: "wood", Kind: hotel.PerRoomNight, Value: "5", CountsAs: hotel.Fee, ValidTo: &to, Seasons: []hotel.Span{{From: hotel.DateOf(year, 11, 1), To: hotel.DateOf(year+1, 12, 31)}}},
		{Code: "vat", Kind: hotel.PercentTax, Value: "10", CountsAs: hotel.VAT, Included: true},
		{Code: "city", Kind: hotel.PerPersonTax, Value: "2", CountsAs: hotel.CityTax},
		{Code: "inside", Kind: hotel.PerStay, Value: "2", CountsAs: hotel.Fee, Included: true},
		{Code: "grown", Kind: hotel.PerPersonTax, Value: "2", CountsAs: hotel.Fee, AgeFrom: 14},
		{Code: "a_code_that_is_too_long", Kind: hotel.PerStay, Value: "2", CountsAs: hotel.Fee},
	}}
	rates := []string{"BAR"}
	sim, conn := sells(t, "2024-10", &rates, func(c *Config, e *connectors.Env) {
		c.Fees, c.Inventory = true, "de"
		e.Property = func(context.Context) (hotel.Property, error) { return house, nil }
	})
	tellAll(t, conn, of(hotel.Price, 0, euro(12000)))
	want := []simulator.Supplement{
		{Code: "cleaning", Charge: "18", Due: []string{first.String() + " " + last.String() + " 20.00"}},
		{Code: "wood", Charge: "19", Due: []string{hotel.DateOf(year, 11, 1).String() + " " + to.String() + " 5.00"}},
	}
	if diff := cmp.Diff(want, sim.Supplements("BAR")); diff != "" {
		t.Errorf("the portal has (-want +got):\n%s", diff)
	}
	house.Taxes = house.Taxes[:1]
	if tellAll(t, conn, of(hotel.Price, 0, euro(13000))); len(sim.Supplements("BAR")) != 1 {
		t.Errorf("after a change the portal has %v", sim.Supplements("BAR"))
	}
	house.Taxes = nil
	tellAll(t, conn, of(hotel.Lengths, 0, hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: 2}}))
	o, _ := sim.Book().Shown(of(hotel.Price, 0, hotel.Offer{}).Key)
	if left := sim.Supplements("BAR"); len(left) != 0 || o.Amount.Minor != 13000 {
		t.Errorf("without fees the portal has %v, and a price of %d", left, o.Amount.Minor)
	}
}

package sync_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// A channel that says when there is a booking to fetch says so no more for hours, with
// bookings in them: all are there within the time of the schedule, somebody is told, once,
// that nothing has announced them, and no more as soon as one is announced.
func TestPainHintsStopComing(t *testing.T) {
	hurts(t, func(p *pained) {
		const host = "hinting.test"
		far := testkit.OpenChannex(p.t, host, "", nil, p.house.Remote()) // it calls nobody
		defer func() { _ = far.Close() }()
		p.net.Serve(context.Background(), host, far)
		var mappings []hotel.Mapping
		for _, of := range far.Products() {
			plan := max(0, slices.IndexFunc(p.house.Plans, func(r hotel.RatePlan) bool { return r.Name == of.RateName }))
			mappings = append(mappings, hotel.Mapping{
				RoomTypeID: p.house.Rooms[p.house.RoomOf(of.Room)].ID, RatePlanID: p.house.Plans[plan].ID, RemoteRoom: of.Room, RemoteRate: of.Rate,
			})
		}
		_, _, err := p.ldg.CreateChannel(p.t.Context(), testkit.Tester, hotel.Once{}, hotel.Channel{
			Entity: hotel.Entity{ID: "c"}, PropertyID: p.house.Property.ID, Connector: "channex", Name: "c", Status: hotel.Testing,
			Settings: far.Settings(), Account: far.Account(), Schedule: "@every 5m",
		})
		if err == nil {
			err = p.ldg.MapChannel(p.t.Context(), testkit.Tester, "c", hotel.Remap{StockPer: hotel.PerRoom, Mappings: mappings})
		}
		if err != nil {
			p.t.Fatal(err)
		}
		if err := p.ldg.GoLive(p.t.Context(), testkit.Tester, "c", 0); err != nil {
			p.t.Fatal(err)
		}
		p.eng.Renew("c")
		p.pass(11 * time.Minute)
		var settings struct {
			Secret string `json:"webhook_secret"`
		}
		if err := json.Unmarshal(far.Settings(), &settings); err != nil {
			p.t.Fatal(err)
		}
		hint := func() {
			p.t.Helper()
			r := httptest.NewRequest(http.MethodPost, "/inbound/c/", strings.NewReader(`{"event":"booking_new","property_id":"P1"}`))
			r.Header.Set("X-Channex-Webhook-Secret", settings.Secret)
			w := httptest.NewRecorder()
			if p.eng.Handler().ServeHTTP(w, r); w.Code != http.StatusOK {
				p.t.Errorf("a hint is answered %d: %s", w.Code, w.Body)
			}
		}
		said := func() string {
			c, err := p.ldg.Channel(p.t.Context(), "c")
			if err != nil {
				p.t.Fatal(err)
			}
			var all []string
			for _, f := range c.Flags {
				all = append(all, f.Part+" "+string(f.Fault.Kind))
			}
			return strings.Join(all, ", ")
		}
		sold := 0
		book := func() {
			p.t.Helper()
			night := p.first + 3 + hotel.Date(sold)
			if _, err := far.Book().Sell(testkit.Request{
				Room: mappings[0].RemoteRoom, Rate: mappings[0].RemoteRate, CheckIn: night, CheckOut: night + 1, Adults: 2, LastName: "Guest",
			}); err != nil {
				p.t.Fatal(err)
			}
			sold++
		}
		for range 4 { // as long as hints come, however late, nothing is said
			book()
			p.pass(6 * time.Minute)
			hint()
			p.pass(10 * time.Second)
			if got := said(); got != "" {
				p.t.Fatalf("hints come, and the channel is flagged for %s", got)
			}
		}
		for hour, want := range []string{"", "", "hint unannounced", "hint unannounced"} {
			book()
			p.pass(time.Hour)
			if got := said(); got != want {
				p.t.Errorf("after %d bookings that nothing announced it is flagged for %q, want %q", hour+1, got, want)
			}
			if got := len(p.kept()); got != sold {
				p.t.Errorf("%d bookings are kept of %d", got, sold)
			}
		}
		hint()
		p.pass(10 * time.Second)
		if got := said(); got != "" {
			p.t.Errorf("a hint has come, and it is flagged for %s", got)
		}
		var told []ledger.Kind
		entries, err := p.ldg.Entries(p.t.Context(), 0, 10_000)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, e := range entries {
			if e.Kind == ledger.ChannelFlagged || e.Kind == ledger.ChannelUnflagged {
				told = append(told, e.Kind)
			}
		}
		if want := []ledger.Kind{ledger.ChannelFlagged, ledger.ChannelUnflagged}; !slices.Equal(told, want) {
			p.t.Errorf("the journal tells of %v, want %v", told, want)
		}
	})
}

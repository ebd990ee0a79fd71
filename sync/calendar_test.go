package sync_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/internal/testkit/profile"
)

// A site of calendars goes live, shows what is left, sells, and closes when the last
// room is sold elsewhere; its own stay is never told back to it, and ends here when
// it ends there.
func TestSiteOfCalendars(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		b.net.Serve(t.Context(), "inbound.test", b.eng.Handler())
		far := profile.Open(t, profile.Profile{Connector: "ical", Preset: "airbnb"}, "", &http.Client{Transport: b.net.Line(context.Background())}, b.house.Remote())
		b.net.Serve(t.Context(), "site.test", far)
		_, _, err := b.ldg.CreateChannel(t.Context(), testkit.Tester, hotel.Once{}, hotel.Channel{
			Entity: hotel.Entity{ID: "a"}, PropertyID: b.house.Property.ID, Connector: "ical", Name: "site", Status: hotel.Testing,
			Settings: far.Settings("http://site.test"), Account: "ical:site", Schedule: "@every 1m",
		})
		if err == nil {
			err = b.ldg.MapChannel(t.Context(), testkit.Tester, "a", hotel.Remap{StockPer: hotel.PerRoom, Mappings: []hotel.Mapping{
				{RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID, RemoteRoom: b.house.RemoteRoom(2)},
			}})
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.pass(5 * time.Second)
		plan, err := b.eng.Plan(t.Context(), "a", hotel.PlanQuery{Kind: hotel.PlanLive})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err = b.eng.Activate(t.Context(), testkit.Tester, hotel.Once{}, "a", hotel.Approval{
			PlanID: plan.ID, Accept: plan.Raises, Unchecked: plan.Unchecked, AcceptedBy: "Ada",
		}); err != nil {
			t.Fatal(err)
		}
		night, room := b.first+10, b.house.RemoteRoom(2)
		shows := func(when string, want int) {
			t.Helper()
			b.pass(2 * time.Minute)
			_ = far.Visit(t.Context(), "http://inbound.test/inbound/a") // rooms that are not mapped are told nothing
			o, set := far.Book().Shown(connectors.Key{Room: room, Group: hotel.Availability, Night: night})
			if !set || o.Available != want {
				t.Errorf("%s the site shows %d (set: %t), want %d", when, o.Available, set, want)
			}
		}
		reservations := func() (live []hotel.Reservation) {
			t.Helper()
			all, err := b.ldg.Reservations(t.Context(), hotel.ReservationFilter{PropertyIDs: []string{b.house.Property.ID}, Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range all {
				if r.Source.ChannelID == "a" && r.Status == hotel.Confirmed {
					live = append(live, r)
				}
			}
			return live
		}
		readAt := func() (at time.Time) {
			t.Helper()
			published, err := b.eng.Published(t.Context(), "a")
			if err != nil || len(published) == 0 {
				t.Fatalf("it comes to read %v: %v", published, err)
			}
			for _, p := range published {
				if p.Name == room+"-1" {
					at = p.ReadAt
				}
			}
			return at
		}
		if at := readAt(); !at.IsZero() {
			t.Errorf("before its first visit it has read at %v", at)
		}
		shows("once it is live", 1)
		if at := readAt(); !at.Equal(time.Now()) {
			t.Errorf("it has just read, and is said to have at %v", at)
		}
		sold, err := far.Book().Sell(profile.Request{Room: room, CheckIn: night, CheckOut: night + 2, Adults: 2})
		if err != nil {
			t.Fatal(err)
		}
		shows("when it has sold", 0)
		if got := reservations(); len(got) != 1 || got[0].Stay != sold.Stay() || got[0].RoomTypeID != b.house.Rooms[2].ID {
			t.Errorf("the ledger has %+v", got)
		}
		if _, err := far.Book().Cancel(sold.Reference); err != nil {
			t.Fatal(err)
		}
		shows("when that is cancelled", 1)
		if got := reservations(); len(got) != 0 {
			t.Errorf("the ledger has %+v", got)
		}
		for range testkit.Suites {
			if _, _, err := b.ldg.CreateReservation(t.Context(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
				PropertyID: b.house.Property.ID, RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID,
				Stay: hotel.Stay{CheckIn: night, CheckOut: night + 1}, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
			}); err != nil {
				t.Fatal(err)
			}
		}
		shows("when the house is full", 0)

		// Prices are the site's own affair: a night that comes within the horizon is on
		// sale there though nobody has said what it costs here.
		night = b.first + testkit.HorizonDays + 2
		time.Sleep(50 * time.Hour)
		shows("a night that has just come within the horizon, which has no price", 1)
	})
}

package main_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"ostler.example/hotel"
)

// patience is how long a test waits for what comes within a second when nothing
// else runs; how fast it is, the benchmarks tell.
const patience = 90 * time.Second

// sampleHotelIsOnEveryChannel compares every night of every product at every
// channel with what the ledger offers it.
func sampleHotelIsOnEveryChannel(t *testing.T, d *demo) { d.settled(t, everyNight()) }

// TestBookingReachesOthers follows one booking after the other through the house.
func TestBookingReachesOthers(t *testing.T) {
	t.Parallel()
	d := newDemo(t)
	alpha, bravo, charlie := d.channels[0], d.channels[1], d.channels[2]
	night := ahead(150)

	t.Run("sold at a channel that pushes", func(t *testing.T) {
		b := alpha.book(t, "standard", "flex", night, 1)
		d.showEverywhere(t, wanted{"standard", night, 4})
		alpha.act(t, "modify", map[string]any{"reference": b.Reference, "check_out": night + 2}, http.StatusOK)
		d.showEverywhere(t, wanted{"standard", night + 1, 4})
		alpha.act(t, "cancel", map[string]any{"reference": b.Reference}, http.StatusOK)
		d.showEverywhere(t, wanted{"standard", night, 5}, wanted{"standard", night + 1, 5})
	})
	t.Run("sold at a channel that is polled", func(t *testing.T) {
		b := bravo.book(t, "deluxe", "saver", night, 2)
		d.hears(t, bravo, b, "confirmed")
		d.showEverywhere(
			t, wanted{"deluxe", night, 7}, wanted{"deluxe", night + 1, 7},
			wanted{"twin", night, 7},       // the same rooms
			wanted{"family", night, 3},     // two of them joined
			wanted{"suite", night, 2},      // others
			wanted{"deluxe", night + 2, 8}, // the day they leave
		)
		bravo.act(t, "cancel", map[string]any{"reference": b.Reference}, http.StatusOK)
		d.hears(t, bravo, b, "cancelled")
		d.showEverywhere(t, wanted{"deluxe", night, 8})
	})
	t.Run("sold at a hub", func(t *testing.T) {
		b := charlie.book(t, "suite", "flex", night, 1)
		d.hears(t, charlie, b, "confirmed")
		d.showEverywhere(t, wanted{"suite", night, 1})
		// A hub leaves its own number alone when a stay grows or ends: it is told.
		charlie.act(t, "modify", map[string]any{"reference": b.Reference, "check_out": night + 2}, http.StatusOK)
		d.showEverywhere(t, wanted{"suite", night + 1, 1})
		charlie.act(t, "cancel", map[string]any{"reference": b.Reference}, http.StatusOK)
		d.hears(t, charlie, b, "cancelled")
		d.showEverywhere(t, wanted{"suite", night, 2})
	})
	t.Run("sold directly", func(t *testing.T) {
		h := d.mustHouse(t)
		a := d.post(t, "/reservations", stay(h.room("suite"), h.plan("flex"), night, 1, "Lamarr"), http.StatusCreated)
		d.showEverywhere(t, wanted{"suite", night, 1})
		var r reservation
		if err := a.read(&r); err != nil {
			t.Fatal(err)
		}
		d.post(t, "/reservations/"+r.ID+"/cancel", map[string]string{"reason": "guest_request"}, http.StatusOK)
		d.showEverywhere(t, wanted{"suite", night, 2})
	})
	t.Run("price changed", func(t *testing.T) {
		h := d.mustHouse(t)
		a := d.post(t, "/rates/updates", map[string]any{"property_id": property, "entries": []any{map[string]any{
			"room_type_id": h.room("deluxe"), "rate_plan_id": h.plan("flex"), "date_from": night.String(), "date_to": (night + 6).String(),
			"values": map[string]any{"amount": map[string]string{"amount": "201.55", "currency": "EUR"}},
		}}}, http.StatusOK)
		want := map[*farSide]string{alpha: "201.55", bravo: "225.74", charlie: "206.55"}
		eventually(t, patience, 50*time.Millisecond, func() error {
			for f, amount := range want {
				c, err := f.shows("deluxe", night+6)
				if err != nil {
					return err
				}
				if c.Prices["0"] != amount {
					return fmt.Errorf("%s shows %s, not %s", f.id, c.Prices["0"], amount)
				}
			}
			return nil
		})
		d.completes(t, a)
	})
	t.Run("stop sell", func(t *testing.T) {
		h := d.mustHouse(t)
		a := d.post(t, "/inventory/updates", map[string]any{"property_id": property, "entries": []any{map[string]any{
			"room_type_id": h.room("standard"), "date_from": night.String(), "date_to": night.String(), "values": map[string]any{"closed": true},
		}}}, http.StatusOK)
		d.showEverywhere(t, wanted{"standard", night, 0})
		d.completes(t, a)
	})
	d.settled(t, nights(140, 170))
}

// completes waits until a bulk update says that every channel is done.
func (d *demo) completes(t *testing.T, a answer) {
	t.Helper()
	var update struct{ ID, Status string }
	if err := a.read(&update); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, 100*time.Millisecond, func() error {
		if err := d.get("/ari-updates/"+update.ID, &update); err != nil {
			return err
		}
		if update.Status != "completed" {
			return fmt.Errorf("update %s is %s", update.ID, update.Status)
		}
		return nil
	})
}

// hears waits until a booking is known to /v1 with that status.
func (d *demo) hears(t *testing.T, f *farSide, b booking, status string) {
	t.Helper()
	eventually(t, patience, 50*time.Millisecond, func() error {
		found, err := d.reservations(url.Values{"channel_id": {f.id}, "channel_reference": {b.Reference}})
		if err != nil {
			return err
		}
		if len(found) != 1 || found[0].Status != status {
			return fmt.Errorf("of %s /v1 has %+v, waiting for one that is %s", b.Reference, found, status)
		}
		return nil
	})
}

// wanted is what every channel is to show.
type wanted struct {
	room  string
	night hotel.Date
	count int
}

// showEverywhere waits until every channel shows all of it.
func (d *demo) showEverywhere(t *testing.T, all ...wanted) {
	t.Helper()
	since := time.Now()
	eventually(t, patience, 10*time.Millisecond, func() error {
		for _, f := range d.channels {
			for _, w := range all {
				got, err := f.count(w.room, w.night)
				if err != nil {
					return err
				}
				if got != w.count {
					return fmt.Errorf("%s shows %d %s on %s, not %d", f.id, got, w.room, w.night, w.count)
				}
			}
		}
		return nil
	})
	t.Logf("%v everywhere after %s", all, time.Since(since).Round(time.Millisecond))
}

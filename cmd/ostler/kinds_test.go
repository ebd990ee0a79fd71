package main_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// kind is a channel that speaks a protocol of its own, and what of the sample hotel the
// test sells there.
type kind struct {
	connector  string
	room, rate string // as its far side calls them
	code       string // of our room type
}

var kinds = []kind{
	{"channex", "D-DLX", "D-flex.D-DLX", "deluxe"},
	{"alpinebits", "E-DLX", "E-flex", "deluxe"},
	{"ical", "family", "", "family"},
}

// TestOtherKinds sells at the demo's channels of other kinds than the mock: each booking
// arrives, is known to the others, and is kept by both sides when the plug is pulled;
// and what is said while nobody listens is heard after the next start.
func TestOtherKinds(t *testing.T) {
	t.Parallel()
	d := newDemo(t)
	h := d.mustHouse(t)
	from := ahead(150)
	for i, k := range kinds {
		f := d.others[k.connector]
		eventually(t, patience, 200*time.Millisecond, func() error { return d.onSale(f, k, from+hotel.Date(3*i)) })
		f.sell(t, k, from+hotel.Date(3*i))
		eventually(t, patience, 100*time.Millisecond, func() error { return d.arrived(h, f, k, 1) })
		want := map[string]int{"deluxe": 7, "family": 3}[k.code] // of 8, of which a family takes two
		for _, other := range d.channels {
			eventually(t, patience, 50*time.Millisecond, func() error {
				got, err := other.count(k.code, from+hotel.Date(3*i))
				if err == nil && got > want {
					err = fmt.Errorf("%s shows %d of %s, want at most %d", other.id, got, k.code, want)
				}
				return err
			})
		}
	}
	d.kill()
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	for i, k := range kinds {
		f := d.others[k.connector]
		state, err := f.state()
		if err != nil || len(state.Bookings) != 1 {
			t.Errorf("after the kill %s has %d bookings (%v), want the one it sold", f.id, len(state.Bookings), err)
		}
		if err := d.arrived(h, f, k, 1); err != nil {
			t.Errorf("after the kill: %v", err)
		}
		f.sell(t, k, from+20+hotel.Date(3*i))
	}
	d.kill() // before anybody was told, perhaps
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		f := d.others[k.connector]
		eventually(t, patience, 100*time.Millisecond, func() error { return d.arrived(h, f, k, 2) })
	}
	d.hasNoCatalogue(t)
	all, err := list[channel](&d.client, "/channels", url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	for _, ch := range all {
		if ch.Status != "active" || ch.Rejected > 0 {
			t.Errorf("channel %s is %s, with %d cells refused", ch.ID, ch.Status, ch.Rejected)
		}
	}
}

// hasNoCatalogue asks a portal what it sells, which it has no way to say: that is no
// trouble of the channel's.
func (d *demo) hasNoCatalogue(t *testing.T) {
	t.Helper()
	path := "/channels/" + d.others["alpinebits"].id
	if err := d.get(path+"/remote-products", &struct{}{}); err == nil || !strings.Contains(err.Error(), "take the codes from its extranet") {
		t.Errorf("what a portal sells: %v", err)
	}
	var ch map[string]any
	if err := d.get(path, &ch); err != nil || ch["last_error"] != nil {
		t.Errorf("afterwards its trouble is %v (%v), want none", ch["last_error"], err)
	}
}

// onSale returns nil when guests can buy there.
func (d *demo) onSale(f *farSide, k kind, night hotel.Date) error {
	state, err := f.state()
	if err != nil {
		return err
	}
	cells, err := state.cells()
	if err != nil {
		return err
	}
	for n := night; n < night+2; n++ {
		sold := slices.ContainsFunc(cells, func(c cell) bool {
			return c.Room == k.room && c.Rate == k.rate && c.Date == n && c.Available > 0 && !c.Closed && len(c.Prices) > 0
		})
		if !sold {
			return fmt.Errorf("%s does not sell %s on %s", f.id, k.room, n)
		}
	}
	return nil
}

// sell has a guest buy two nights.
func (f *farSide) sell(t *testing.T, k kind, from hotel.Date) {
	t.Helper()
	f.act(t, "book", map[string]any{
		"room": k.room, "rate": k.rate, "check_in": from, "check_out": from + 2, "adults": 2, "last_name": "Meitner",
	}, http.StatusCreated)
}

// arrived returns nil when so many bookings of the channel are stored, each of the room
// that was sold.
func (d *demo) arrived(h house, f *farSide, k kind, want int) error {
	found, err := d.reservations(url.Values{"channel_id": {f.id}})
	if err != nil {
		return err
	}
	if len(found) != want {
		return fmt.Errorf("%d bookings of %s are stored, want %d", len(found), f.id, want)
	}
	for _, r := range found {
		if r.RoomTypeID != h.room(k.code) || r.Status != "confirmed" {
			return fmt.Errorf("a booking of %s is %+v, want a confirmed one of %s", f.id, r, k.code)
		}
	}
	return nil
}

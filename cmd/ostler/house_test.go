package main_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ostler.example/connectors"
	_ "ostler.example/connectors/all" // the simulators of the channels
	"ostler.example/hotel"
)

// size is how much there is of a hotel that a test makes.
type size struct {
	types, plans, nights, channels int

	units   int    // of each room type
	fetched string // when bookings are fetched of the channels that keep them; "": as usual
}

// The kinds of far side that its channels are, in turn.
var kindsOfShop = []string{"push", "pull", "hub"}

// shop is the far side of one of its channels, in the process of the test. Its program can
// end and start again; its book lasts.
type shop struct {
	*farSide
	o connectors.SimulatorOptions

	takes atomic.Int64 // how long it takes over an answer, as a [time.Duration]

	mu   sync.RWMutex
	runs connectors.SimulatorInstance // nil: it is down
	end  func() error                 // of what runs
}

// ServeHTTP implements [http.Handler].
func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.RLock()
	runs := s.runs
	s.mu.RUnlock()
	if runs == nil {
		panic(http.ErrAbortHandler)
	}
	if takes := time.Duration(s.takes.Load()); takes > 0 {
		pause(takes)
	}
	runs.ServeHTTP(w, r)
}

// open starts its program, with guests who make a booking every so often; 0: they stand
// still.
func (s *shop) open(pace time.Duration) error {
	mock, _ := connectors.LookupSimulator("mock")
	s.o.Pace, s.o.Seed = pace, s.o.Seed+1
	runs, err := mock.New(s.o)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- runs.Run(ctx) }()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs, s.end = runs, func() error {
		cancel()
		return errors.Join(<-ended, runs.Close())
	}
	return nil
}

// shut ends its program, if it runs. Planted faults end with it.
func (s *shop) shut() error {
	s.mu.Lock()
	end := s.end
	s.runs, s.end = nil, nil
	s.mu.Unlock()
	if end == nil {
		return nil
	}
	return end()
}

// build makes a hotel of that size and sets its channels live, which are then told
// everything. inbound is where they push to.
func (z size) build(t testing.TB, c *client, inbound, property string) []*shop {
	t.Helper()
	type m = map[string]any
	post := func(path string, body m) string {
		t.Helper()
		var made struct{ ID string }
		if err := c.post(t, path, body, http.StatusCreated).read(&made); err != nil {
			t.Fatal(err)
		}
		return made.ID
	}
	post("/properties", m{"id": property, "name": "Grand Hotel", "time_zone": "Europe/Vienna", "currency": "EUR", "country": "AT", "booking_horizon_days": z.nights})
	var h house
	for i := range z.types {
		r := roomType{Code: fmt.Sprintf("t%02d", i)}
		r.ID = post("/room-types", m{
			"property_id": property, "code": r.Code, "name": "Room " + r.Code, "total_units": z.units, "base_occupancy": 2, "max_adults": 2, "max_occupancy": 3,
		})
		h.rooms = append(h.rooms, r)
	}
	books, err := workshop.folder()
	if err == nil {
		books, err = os.MkdirTemp(books, "books-")
	}
	if err != nil {
		t.Fatal(err)
	}
	var sellers []string
	shops := make([]*shop, z.channels)
	for i := range shops {
		s := &shop{o: connectors.SimulatorOptions{Preset: kindsOfShop[i%len(kindsOfShop)], Dir: filepath.Join(books, strconv.Itoa(i)), Hotel: property, Secret: "a pretend secret", Seed: uint64(i) << 32}}
		listens := httptest.NewServer(s)
		s.farSide = &farSide{hotel: property, url: listens.URL, secret: s.o.Secret, http: newHTTP()}
		t.Cleanup(func() {
			if err := s.shut(); err != nil {
				t.Errorf("%s: %v", s.id, err)
			}
			s.http.CloseIdleConnections()
			listens.Close()
		})
		settings := m{"url": s.url, "preset": s.o.Preset, "hotel": property, "secret": s.secret}
		channel := m{"property_id": property, "connector": "mock", "name": fmt.Sprintf("Shop %d", i), "settings": settings}
		if z.fetched != "" {
			channel["sync"] = m{"reservations_schedule": z.fetched}
		}
		s.id = post("/channels", channel)
		sellers, shops[i] = append(sellers, s.id), s
	}
	z.plan(t, c, property, &h, sellers)
	z.price(t, c, property, h)
	for _, s := range shops {
		s.o.InboundURL = func() string { return inbound + "/inbound/" + s.id + "/" }
		z.connect(t, c, h, s)
	}
	return shops
}

// plan makes the rate plans, of which the first half has prices of its own and each of the
// others follows one of them.
func (z size) plan(t testing.TB, c *client, property string, h *house, sellers []string) {
	t.Helper()
	type m = map[string]any
	var ids []string
	for _, r := range h.rooms {
		ids = append(ids, r.ID)
	}
	for i := range z.plans {
		p := ratePlan{Code: fmt.Sprintf("p%02d", i)}
		body := m{"property_id": property, "code": p.Code, "name": "Plan " + p.Code, "room_type_ids": ids, "audience": "public", "sold_by": sellers}
		if i >= z.own() {
			body["derived_from"] = m{"rate_plan_id": h.plans[i-z.own()].ID, "kind": "percent", "value": "-10"}
		}
		if err := c.post(t, "/rate-plans", body, http.StatusCreated).read(&p); err != nil {
			t.Fatal(err)
		}
		h.plans = append(h.plans, p)
	}
}

// own is how many of the plans have prices of their own.
func (z size) own() int { return (z.plans + 1) / 2 }

// price sets the prices, of one run of nights after the other.
func (z size) price(t testing.TB, c *client, property string, h house) {
	t.Helper()
	type m = map[string]any
	const run = 25 // nights of one price
	for _, p := range h.plans[:z.own()] {
		for i, r := range h.rooms {
			var entries []any
			for n := 0; n <= z.nights; n += run {
				amount := m{"amount": fmt.Sprintf("%d.00", 90+10*i+n%7), "currency": "EUR"}
				entries = append(entries, m{
					"room_type_id": r.ID, "rate_plan_id": p.ID, "date_from": ahead(n).String(), "date_to": ahead(min(n+run-1, z.nights)).String(), "values": m{"amount": amount},
				})
			}
			c.post(t, "/rates/updates", m{"property_id": property, "entries": entries}, http.StatusOK)
		}
	}
}

// connect opens a shop that shows nothing yet, maps all of the hotel to it, and sets the
// channel live by its plan.
func (z size) connect(t testing.TB, c *client, h house, s *shop) {
	t.Helper()
	type m = map[string]any
	var mappings []any
	for _, r := range h.rooms {
		for _, p := range h.plans {
			room, rate := s.room(r.Code), s.rate(p.Code)
			s.o.Products = append(s.o.Products, connectors.RemoteProduct{Room: room, RoomName: r.Name, Rate: rate, RateName: p.Code, Adults: 2})
			mappings = append(mappings, m{"room_type_id": r.ID, "rate_plan_id": p.ID, "remote_room_id": room, "remote_rate_id": rate})
		}
	}
	if err := s.open(0); err != nil {
		t.Fatal(err)
	}
	path := "/channels/" + s.id
	c.post(t, path+"/test", nil, http.StatusOK)
	if a, err := c.do(http.MethodPut, path+"/mappings", m{"mappings": mappings}, nil); err != nil || a.status != http.StatusOK {
		t.Fatalf("map %s: %d %s %v", s.id, a.status, a.body, err)
	}
	eventually(t, 10*time.Minute, 200*time.Millisecond, func() error {
		var plan struct {
			ID        string `json:"plan_id"`
			Raises    json.RawMessage
			Unchecked json.RawMessage
		}
		if err := c.get(path+"/plan?kind=live", &plan); err != nil {
			return err
		}
		a, err := c.do(http.MethodPost, path+"/activate", m{
			"mode": "live", "plan_id": plan.ID, "accept_raises": plan.Raises, "accept_unchecked": plan.Unchecked, "accepted_by": "the test",
		}, nil)
		if err == nil && a.status != http.StatusOK { // outdated while the prices are still being worked out
			err = fmt.Errorf("activate %s: %d %s", s.id, a.status, a.body)
		}
		return err
	})
}

// nightsOf is from the day after tomorrow, as far as the hotel surely sells.
func (z size) nightsOf() hotel.Span { return nights(2, z.nights-10) }

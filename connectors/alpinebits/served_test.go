package alpinebits

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/simulator"
	"ostler.example/connectors/connectortest"
	"ostler.example/hotel"
)

// systemHarness runs the kit against a pretend PMS.
func systemHarness(driver string) connectortest.Harness {
	return connectortest.Harness{
		Driver: driver,
		Start: func(connectortest.T) connectortest.FarSide {
			return connectortest.FarSide{
				Config:  fmt.Sprintf("far_side = \"pms\"\nhotel = \"H1\"\ninbound_user = \"pms\"\ninbound_password = %q\n", testSecret),
				Secrets: []string{testSecret}, Room: "DBL", Rate: "BAR", Currency: "EUR",
				System: system(),
			}
		},
	}
}

// system is a PMS as the kit plays it.
func system() *connectortest.System {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	with := func(url string, rooms int) *simulator.PMS {
		return simulator.NewPMS(simulator.PMSOptions{
			URL: url, User: "pms", Password: testSecret, Hotel: "H1", Version: "2022-10", Client: client, Rooms: map[string]int{"DBL": rooms},
		})
	}
	books := map[string]*simulator.PMS{}
	of := func(url string) *simulator.PMS {
		if books[url] == nil {
			books[url] = with(url, 0)
		}
		return books[url]
	}
	return &connectortest.System{
		Tell: func(t connectortest.T, url string, night hotel.Date, free int) bool {
			p := with(url, free)
			err := p.TellCounts(t.Context(), p.Counts(false, hotel.Span{From: night, To: night}))
			t.Logf("tell: %v", err)
			return err == nil
		},
		Ask: func(t connectortest.T, url string) ([]string, bool) {
			numbers, err := of(url).Fetch(t.Context())
			t.Logf("ask: %v", err)
			return numbers, err == nil
		},
		Acknowledge: func(t connectortest.T, url string, numbers ...string) bool {
			err := of(url).Acknowledge(t.Context(), numbers...)
			t.Logf("acknowledge: %v", err)
			return err == nil
		},
	}
}

func TestConformanceOfPMS(t *testing.T) { connectortest.Run(t, systemHarness("alpinebits")) }

// plantedHost is a channel to a PMS with one fault.
type plantedHost struct {
	served
	handler func(next http.Handler) http.Handler
	house   func(next connectors.House) connectors.House
}

// Serve implements [connectors.Host].
func (p plantedHost) Serve(house connectors.House) http.Handler {
	if p.house != nil {
		house = p.house(house)
	}
	if p.handler != nil {
		return p.handler(p.served.Serve(house))
	}
	return p.served.Serve(house)
}

// faultyHouse is a house with something of its own in front.
type faultyHouse struct {
	connectors.House
	write       func(next connectors.House, ctx context.Context, entries []hotel.InventoryEntry) error
	acknowledge func(next connectors.House, ctx context.Context, id string, revision int64) error
	known       *connectors.Layout // what it goes by, whatever becomes of the house; where that cannot tell of reservations, it has none
}

// Layout implements [connectors.House].
func (h faultyHouse) Layout(ctx context.Context) (connectors.Layout, error) {
	if h.known != nil {
		return *h.known, nil
	}
	return h.House.Layout(ctx)
}

// Reservations implements [connectors.House].
func (h faultyHouse) Reservations(ctx context.Context, since time.Time, after string) ([]hotel.Reservation, string, error) {
	list, next, err := h.House.Reservations(ctx, since, after)
	if h.known != nil {
		err = nil
	}
	return list, next, err
}

// WriteStock implements [connectors.House].
func (h faultyHouse) WriteStock(ctx context.Context, entries []hotel.InventoryEntry) error {
	if h.write != nil {
		return h.write(h.House, ctx, entries)
	}
	return h.House.WriteStock(ctx, entries)
}

// Acknowledge implements [connectors.House].
func (h faultyHouse) Acknowledge(ctx context.Context, id string, revision int64) error {
	if h.acknowledge != nil {
		return h.acknowledge(h.House, ctx, id, revision)
	}
	return h.House.Acknowledge(ctx, id, revision)
}

// TestPlantedFaultsOfServing: each case about what is served finds the fault that is meant
// for it, and no other case does.
func TestPlantedFaultsOfServing(t *testing.T) {
	faults := map[string]plantedHost{
		"": {},
		"ServedRefusesForgery": {handler: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.SetBasicAuth("pms", testSecret)
				next.ServeHTTP(w, r)
			})
		}},
		"ServedAnswersOnceKept": {house: func(next connectors.House) connectors.House {
			return faultyHouse{House: next, write: func(next connectors.House, ctx context.Context, entries []hotel.InventoryEntry) error {
				_ = next.WriteStock(ctx, entries)
				return nil
			}}
		}},
		"ServedTwiceIsSame": {house: func(next connectors.House) connectors.House {
			told := map[hotel.Span]bool{}
			return faultyHouse{House: next, write: func(next connectors.House, ctx context.Context, entries []hotel.InventoryEntry) error {
				for i, e := range entries {
					if told[e.Span] {
						entries[i].Given.Value++
					}
				}
				err := next.WriteStock(ctx, entries)
				for _, e := range entries {
					told[e.Span] = told[e.Span] || err == nil
				}
				return err
			}}
		}},
		"ServedAcknowledgesWhatWasTold": {house: func(next connectors.House) connectors.House {
			return faultyHouse{House: next, acknowledge: func(next connectors.House, ctx context.Context, id string, revision int64) error {
				if now, _, err := next.Reservations(ctx, time.Time{}, ""); err == nil && len(now) > 0 {
					revision = now[0].Revision
				}
				return next.Acknowledge(ctx, id, revision)
			}}
		}},
		"ServedFailsWithItsHouse": {house: func(next connectors.House) connectors.House {
			known, err := next.Layout(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return faultyHouse{House: next, known: &known}
		}},
		"ServedBoundsBadBodies": {handler: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				next.ServeHTTP(w, r)
			})
		}},
	}
	for _, c := range connectortest.Cases() {
		if _, planted := faults[c]; !planted && strings.HasPrefix(c, "Served") {
			t.Errorf("no fault shows that %s can fail", c)
		}
	}
	serial := 0
	for finds, fault := range faults {
		serial++
		driver := fmt.Sprintf("alpinebits_serving_%d", serial)
		connectors.Register(connectors.Driver[Config]{
			Name: driver, Summary: "with a fault", Capabilities: capabilities, Account: account, Place: place, Defaults: defaults, Example: example,
			Open: func(ctx context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
				opened, err := open(ctx, c, env)
				if err != nil {
					return nil, err
				}
				p := fault
				p.served = opened.(served)
				return p, nil
			},
		})
		results, err := connectortest.Results(t.Context(), systemHarness(driver))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			if finds == "ServedTwiceIsSame" && r.Case == "ServedFailsWithItsHouse" {
				continue // what was written and not answered comes again
			}
			if failed := len(r.Failures) > 0; failed != (r.Case == finds) {
				t.Errorf("with the fault for %q %s fails: %t; %v", finds, r.Case, failed, r.Failures)
			}
		}
	}
}

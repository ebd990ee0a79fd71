package ical

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/connectortest"
	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// planted is a connector with one fault in what it publishes.
type planted struct {
	*conn
	handler func(next http.Handler) http.Handler
	send    func(c *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error)
	unread  bool // it says of nothing that it was read
}

// Visits implements [connectors.Visited].
func (p planted) Visits(ctx context.Context) ([]hotel.Published, error) {
	visits, err := p.conn.Visits(ctx)
	for i := range visits {
		if p.unread {
			visits[i].ReadAt = time.Time{}
		}
	}
	return visits, err
}

// Published implements [connectors.Publisher].
func (p planted) Published() http.Handler {
	if p.handler != nil {
		return p.handler(p.conn.Published())
	}
	return p.conn.Published()
}

// Send implements [connectors.Connector].
func (p planted) Send(ctx context.Context, call connectors.Call) (connectors.Answer, error) {
	if p.send != nil {
		return p.send(p.conn, ctx, call)
	}
	return p.conn.Send(ctx, call)
}

// Each case about what is published finds the fault that is meant for it, and no
// other case does.
func TestPlantedFaults(t *testing.T) {
	faults := map[string]planted{
		"PublishedToNoStranger": {handler: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/" {
					return // an answer of 200
				}
				next.ServeHTTP(w, r)
			})
		}},
		"PublishedInOrder": {send: func(c *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error) {
			call.Version = 0
			return c.Send(ctx, call)
		}},
		"PublishedSurvivesRestart": {},
		"PublishedTellsVisits":     {unread: true},
		"PublishedFailsWithItsHouse": {handler: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				answer := httptest.NewRecorder()
				next.ServeHTTP(answer, r)
				if answer.Code == http.StatusServiceUnavailable {
					answer = httptest.NewRecorder()
					_, _ = answer.Write(calendar.Write(r.URL.Path, nil))
				}
				w.WriteHeader(answer.Code)
				_, _ = w.Write(answer.Body.Bytes())
			})
		}},
	}
	for _, c := range connectortest.Cases() {
		if _, planted := faults[c]; !planted && strings.HasPrefix(c, "Published") {
			t.Errorf("no fault shows that %s can fail", c)
		}
	}
	for finds, fault := range faults {
		driver := "ical_" + map[string]string{"PublishedToNoStranger": "open", "PublishedInOrder": "late", "PublishedSurvivesRestart": "forgetful", "PublishedTellsVisits": "unread", "PublishedFailsWithItsHouse": "empty"}[finds]
		connectors.Register(connectors.Driver[Config]{
			Name: driver, Summary: "with a fault", Capabilities: capabilities, Account: place, Place: place, Defaults: defaults, Example: example,
			Open: func(ctx context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
				if finds == "PublishedSurvivesRestart" {
					env.Shelf = &memory{kept: map[string][]byte{}}
				}
				opened, err := open(ctx, c, env)
				if err != nil {
					return nil, err
				}
				p := fault
				p.conn = opened.(*conn)
				return p, nil
			},
		})
		t.Run(finds, func(t *testing.T) {
			results, err := connectortest.Results(t.Context(), harness(driver, "airbnb"))
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range results {
				if failed := len(r.Failures) > 0; failed != (r.Case == finds) {
					t.Errorf("%s fails: %t; %v", r.Case, failed, r.Failures)
				}
			}
		})
	}
}

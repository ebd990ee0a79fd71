package channex

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/connectortest"
	"ostler.example/hotel"
)

// hearing is a sink that counts hints.
type hearing struct{ hints int }

// Deliver implements [connectors.Sink].
func (*hearing) Deliver(context.Context, connectors.Message) error { return nil }

// Hint implements [connectors.Sink].
func (h *hearing) Hint() { h.hints++ }

func TestWebhooks(t *testing.T) {
	config := sound()
	config.WebhookSecret = "sixteen characters"
	for _, c := range []struct {
		name, method, secret, body string
		status, hints              int
	}{
		{"a booking", "POST", config.WebhookSecret, `{"event":"booking_new","property_id":"P1","payload":{"revision_id":"r"}}`, 200, 1},
		{"a booking that nobody acknowledged", "POST", config.WebhookSecret, `{"event":"non_acked_booking","property_id":"P1"}`, 200, 1},
		{"something else", "POST", config.WebhookSecret, `{"event":"sync_error","property_id":"P1"}`, 200, 0},
		{"another property", "POST", config.WebhookSecret, `{"event":"booking","property_id":"P2"}`, 422, 0},
		{"another secret", "POST", "another", `{"event":"booking","property_id":"P1"}`, 401, 0},
		{"no secret", "POST", "", `{"event":"booking","property_id":"P1"}`, 401, 0},
		{"no JSON", "POST", config.WebhookSecret, `booking`, 400, 0},
		{"too much", "POST", config.WebhookSecret, strings.Repeat(" ", maxWebhook+1), 413, 0},
		{"not posted", "GET", config.WebhookSecret, ``, 405, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			sink, w := &hearing{}, httptest.NewRecorder()
			r := httptest.NewRequest(c.method, "/", strings.NewReader(c.body))
			r.Header.Set(secretHeader, c.secret)
			hinted{&conn{cfg: config, log: zap.NewNop(), shelf: kept{}}}.Handler(sink).ServeHTTP(w, r)
			if w.Code != c.status || sink.hints != c.hints {
				t.Errorf("answered %d with %d hints, want %d and %d", w.Code, sink.hints, c.status, c.hints)
			}
		})
	}
}

// deaf is a channel that answers webhooks and gives no hint.
type deaf struct{ hinted }

// Handler implements [connectors.Receiver].
func (d deaf) Handler(sink connectors.Sink) http.Handler {
	next := d.hinted.Handler(&hearing{})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(secretHeader) == d.cfg.WebhookSecret && r.ContentLength > 0 {
			defer func() { _ = sink.Deliver(r.Context(), connectors.Message{}) }()
		}
		next.ServeHTTP(w, r)
	})
}

// The kit finds out that a webhook gives no hint, and brings what it should not.
func TestKitFindsMissingHints(t *testing.T) {
	connectors.Register(connectors.Driver[Config]{
		Name: "channex_deaf", Summary: "a faulty connector", Capabilities: capabilities, Account: account, Place: account, Defaults: defaults, Example: example,
		Open: func(ctx context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
			made, err := open(ctx, c, env)
			return deaf{made.(hinted)}, err
		},
	})
	results, err := connectortest.Results(t.Context(), harness("channex_deaf", "both"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if (r.Case == "InboundHints") != (len(r.Failures) > 0) {
			t.Errorf("%s: %v", r.Case, r.Failures)
		}
	}
}

// FuzzWebhook: whoever has the secret may say anything.
func FuzzWebhook(f *testing.F) {
	f.Add(`{"event":"booking_new","property_id":"P1"}`)
	f.Add(`{"event":7,"property_id":null}`)
	f.Add(`{"event":"sync_error","property_id":"P1","payload":{"channel_name":"sixteen characters","error_type":["x"]}}`)
	f.Add(`{"event":"activate_channel","payload":{"title":7,"removal_date":"T"}}`)
	config := sound()
	config.WebhookSecret = "sixteen characters"
	var reports []hotel.ChannelReport
	h := hinted{&conn{cfg: config, log: zap.NewNop(), shelf: kept{}, tell: func(_ context.Context, r hotel.ChannelReport) error {
		reports = append(reports, r)
		return nil
	}}}
	f.Fuzz(func(t *testing.T, body string) {
		reports = nil
		sink, w := &hearing{}, httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Header.Set(secretHeader, config.WebhookSecret)
		h.Handler(sink).ServeHTTP(w, r)
		if sink.hints > 0 && w.Code != http.StatusOK {
			t.Errorf("a hint with %d", w.Code)
		}
		for _, r := range reports {
			if watched[r.Code] == "" || !r.Over && r.Severity == "" || !utf8.ValidString(r.Of+r.Reason) || strings.Contains(r.Of+r.Reason, config.WebhookSecret) {
				t.Errorf("%q is reported as %+v", body, r)
			}
		}
	})
}

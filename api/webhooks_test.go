package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// partner takes calls of webhooks.
type partner struct {
	status int
	calls  []*http.Request
	bodies [][]byte
}

// ServeHTTP takes one.
func (p *partner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	p.calls, p.bodies = append(p.calls, r), append(p.bodies, body)
	w.WriteHeader(p.status)
	_, _ = w.Write([]byte("well"))
}

func newWebhookHouse(t *testing.T) (*house, *partner) {
	t.Helper()
	h, p := newHouse(t), &partner{status: 200}
	h.outside = everywhere{p}
	h.serve(nil)
	return h, p
}

const hook = `{"url":"https://partner.example/hooks","event_types":["reservation.*"]}`

func (h *house) hook(t *testing.T) map[string]any {
	t.Helper()
	return h.call("POST", "/v1/webhook-endpoints", hook).want(t, 201, "").json(t)
}

func TestAWebhookEndpointLives(t *testing.T) {
	h, p := newWebhookHouse(t)
	body := `{"url":"https://partner.example/hooks","event_types":["reservation.*","inventory.updated"],"property_ids":["hotel_123"],"description":"PMS","acknowledge_required":true,"headers":{"X-Key":"s3cret"}}`
	made := h.call("POST", "/v1/webhook-endpoints", body, "Idempotency-Key: one").want(t, 201, "")
	e := made.json(t)
	path := "/v1/webhook-endpoints/" + e["id"].(string)
	if !strings.HasPrefix(e["secret"].(string), auth.WebhookSecretPrefix) || e["status"] != "enabled" || made.Header.Get("Location") != "https://hotel.example"+path {
		t.Fatalf("made %s", made.body)
	}
	again := h.call("POST", "/v1/webhook-endpoints", body, "Idempotency-Key: one").want(t, 201, "").json(t)
	if again["id"] != e["id"] || again["secret"] != nil {
		t.Errorf("the secret is shown twice: %v", again)
	}
	got := h.call("GET", path, "").want(t, 200, "")
	if text := string(got.body); strings.Contains(text, "s3cret") || strings.Contains(text, "whsec_") || fmt.Sprint(got.json(t)["header_names"]) != "[X-Key]" {
		t.Errorf("shown %s", text)
	}
	if r := h.call("GET", path, "", "If-None-Match: "+got.Header.Get("ETag")); r.StatusCode != 304 {
		t.Errorf("unchanged: %d", r.StatusCode)
	}
	if list := h.call("GET", "/v1/webhook-endpoints", "").want(t, 200, "").json(t)["data"].([]any); len(list) != 1 {
		t.Errorf("list %v", list)
	}

	tested := h.call("POST", path+"/test", "", "Idempotency-Key: two").want(t, 200, "").json(t)
	attempt := tested["attempts"].([]any)[0].(map[string]any)
	if len(p.calls) != 1 || tested["status"] != "delivered" || attempt["http_status"] != 200.0 || attempt["response_excerpt"] != "well" || p.calls[0].Header.Get("X-Key") != "s3cret" {
		t.Errorf("tested %v", tested)
	}
	h.call("POST", path+"/test", "", "Idempotency-Key: two").want(t, 200, "")
	if len(p.calls) != 1 {
		t.Error("a test that is repeated calls again")
	}
	h.call("POST", "/v1/webhook-deliveries/"+tested["id"].(string)+"/retry", "").want(t, 409, "invalid_transition")
	h.call("POST", path+"/test", `{"event_type":"reservation.eaten"}`).want(t, 422, "validation_failed")
	h.call("POST", path+"/test", `{"event_type":"reservation.created"}`).want(t, 200, "")
	var sample struct {
		Type   string
		Sample bool
		Data   struct{ Object reservationBody }
	}
	if err := json.Unmarshal(p.bodies[len(p.bodies)-1], &sample); err != nil || sample.Type != "reservation.created" || !sample.Sample || sample.Data.Object.RoomTypeID == nil {
		t.Errorf("a sample %+v, %v", sample, err)
	}
	p.status = 500
	if tested := h.call("POST", path+"/test", "").want(t, 200, "").json(t); tested["status"] != "dead" {
		t.Errorf("failed %v", tested)
	}

	changed := h.call("PATCH", path, `{"event_types":["*"],"headers":null,"property_ids":null,"status":"paused"}`, "If-Match: "+got.Header.Get("ETag")).want(t, 200, "")
	if b := changed.json(t); b["status"] != "paused" || fmt.Sprint(b["header_names"], b["property_ids"]) != "[] []" || b["description"] != "PMS" {
		t.Errorf("changed %v", b)
	}
	h.call("PATCH", path, `{"status":"enabled"}`, "If-Match: "+got.Header.Get("ETag")).want(t, 412, "precondition_failed")
	if b := h.call("POST", path+"/enable", "").want(t, 200, "").json(t); b["status"] != "enabled" {
		t.Errorf("enabled %v", b)
	}

	rotated := h.call("POST", path+"/rotate-secret", `{"overlap_hours":2}`).want(t, 200, "").json(t)
	secrets := rotated["secrets"].([]any)
	if rotated["secret"] == e["secret"] || len(secrets) != 2 || secrets[1].(map[string]any)["expires_at"] != "2026-11-21T12:00:00.000Z" {
		t.Errorf("rotated %v", rotated)
	}
	h.clock.move(3 * time.Hour)
	h.token = h.tokenOf(h.client)
	if secrets := h.call("GET", path, "").want(t, 200, "").json(t)["secrets"].([]any); len(secrets) != 1 {
		t.Errorf("after the overlap %v", secrets)
	}
	if rotated := h.call("POST", path+"/rotate-secret", "").want(t, 200, "").json(t); len(rotated["secrets"].([]any)) != 2 {
		t.Errorf("rotated %v", rotated)
	}
	leaked := h.call("POST", path+"/rotate-secret", `{"overlap_hours":0}`).want(t, 200, "").json(t)["secrets"].([]any)
	if now := h.call("GET", path, "").json(t)["secrets"].([]any); len(now) != 1 || now[0].(map[string]any)["id"] != leaked[0].(map[string]any)["id"] {
		t.Errorf("a secret that is to sign no more still does: %v", now)
	}
	if said := h.call("POST", path+"/rotate-secret", "{}").want(t, 200, "").json(t)["secrets"].([]any); len(said) != 2 || said[1].(map[string]any)["expires_at"] != "2026-11-22T13:00:00.000Z" {
		t.Errorf("without a word about it the overlap is of %v, want a day", said)
	}
	h.call("DELETE", path, "", "If-Match: \"r1\"").want(t, 412, "precondition_failed")
	h.call("DELETE", path, "").want(t, 204, "")
	h.call("GET", path, "").want(t, 404, "not_found")
	h.call("GET", "/v1/webhook-deliveries/"+tested["id"].(string), "").want(t, 404, "not_found")
}

func TestWebhooksThatAreRefused(t *testing.T) {
	h, _ := newWebhookHouse(t)
	narrow, _ := h.newClient("narrow", auth.ScopesOf(auth.WebhooksRead, auth.WebhooksWrite, auth.ReservationsRead), "hotel_123")
	token := "Authorization: Bearer " + h.tokenOf(narrow)
	for _, tt := range []struct{ name, body, pointer, code string }{
		{"without TLS", `{"url":"http://partner.example/","event_types":["*"]}`, "/url", "format"},
		{"inside", `{"url":"https://127.0.0.1/","event_types":["*"]}`, "/url", "format"},
		{"a type that there is not", `{"url":"https://a.example/","event_types":["reservation.made"]}`, "/event_types/0", "enum"},
		{"a type of what it may not read", `{"url":"https://a.example/","event_types":["reservation.created","rates.updated"]}`, "/event_types/1", "enum"},
		{"a group of what it may not read", `{"url":"https://a.example/","event_types":["channel.*"]}`, "/event_types/0", "enum"},
		{"a property without a grant", `{"url":"https://a.example/","event_types":["*"],"property_ids":["hotel_123","hotel_456"]}`, "/property_ids/1", "enum"},
		{"six headers", `{"url":"https://a.example/","event_types":["*"],"headers":{"A":"1","B":"1","C":"1","D":"1","E":"1","F":"1"}}`, "/headers", "length"},
		{"a header of ours", `{"url":"https://a.example/","event_types":["*"],"headers":{"Webhook-Id":"1"}}`, "/headers/Webhook-Id", "format"},
		{"a place that the journal has not come to", `{"url":"https://a.example/","event_types":["*"],"start_after":100000}`, "/start_after", "max"},
		{"no types", `{"url":"https://a.example/","event_types":[]}`, "/event_types", "length"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := h.call("POST", "/v1/webhook-endpoints", tt.body, token).want(t, 422, "validation_failed")
			item := r.json(t)["errors"].([]any)[0].(map[string]any)
			if item["pointer"] != tt.pointer || item["code"] != tt.code {
				t.Errorf("told %v", item)
			}
		})
	}
	one := h.call("POST", "/v1/webhook-endpoints", `{"url":"https://a.example/","event_types":["*"]}`, token).want(t, 201, "").json(t)
	path := "/v1/webhook-endpoints/" + one["id"].(string)
	h.call("PATCH", path, `{"url":null}`, token).want(t, 422, "validation_failed")
	h.call("PATCH", path, `{"event_types":["rates.updated"]}`, token).want(t, 422, "validation_failed")
	h.call("POST", path+"/replay", `{}`, token).want(t, 422, "validation_failed")
	both := h.call("POST", path+"/replay", `{"since":"2026-11-21T00:00:00Z","after_sequence":1}`, token).want(t, 422, "validation_failed").json(t)
	if e := both["errors"].([]any)[0].(map[string]any); e["pointer"] != "/after_sequence" || e["code"] != "type" {
		t.Errorf("both a time and a sequence: %v", e)
	}
	h.call("GET", path, "").want(t, 404, "not_found") // of another client, whatever that may see
	if list := h.call("GET", "/v1/webhook-endpoints", "").want(t, 200, "").json(t)["data"].([]any); len(list) != 0 {
		t.Errorf("lists another client's %v", list)
	}
	for range hotel.WebhookEndpoints - 1 {
		h.call("POST", "/v1/webhook-endpoints", `{"url":"https://a.example/","event_types":["*"]}`, token).want(t, 201, "")
	}
	h.call("POST", "/v1/webhook-endpoints", `{"url":"https://a.example/","event_types":["*"]}`, token).want(t, 409, "resource_in_use")
	r := httptest.NewRequest("POST", "/v1/webhook-endpoints", strings.NewReader(hook))
	r.Header.Set("Content-Type", mediaJSON)
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, AsOperator(r, "root"))
	if w.Code != 403 {
		t.Errorf("a person at the machine made one: %d", w.Code)
	}
}

// A replay is noted and runs behind the answer; a second one waits for it. What is
// disabled is enabled by its own address alone.
func TestWebhooksAreReplayedAndEnabled(t *testing.T) {
	h, _ := newWebhookHouse(t)
	h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-03")).want(t, 201, "")
	e := h.hook(t)
	path := "/v1/webhook-endpoints/" + e["id"].(string)
	again := h.call("POST", path+"/replay", `{"after_sequence":2,"event_types":["reservation.created"],"only_failed":true}`).want(t, 202, "").json(t)
	replay := again["replay"].(map[string]any)
	if replay["after_sequence"] != 2.0 || replay["through_sequence"] != e["position"] || replay["only_failed"] != true {
		t.Errorf("replay %v of %v", replay, e["position"])
	}
	h.call("POST", path+"/replay", `{"since":"2026-11-21T00:00:00Z"}`).want(t, 409, "resource_in_use")
	h.clock.move(31 * 24 * time.Hour)
	h.token = h.tokenOf(h.client)
	h.call("PATCH", "/v1/room-types/"+h.standard.ID, `{"name":"Other"}`).want(t, 200, "")
	h.call("POST", path+"/replay", `{"after_sequence":2}`).want(t, 410, "cursor_expired")
	_, _, err := h.ledger.ChangeWebhookEndpoint(t.Context(), tester, hotel.Once{}, e["id"].(string), hotel.Change[hotel.WebhookEndpoint]{
		Apply: func(e *hotel.WebhookEndpoint) error {
			e.Status, e.Reason = hotel.WebhookDisabled, hotel.WebhookGone
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if b := h.call("GET", path, "").want(t, 200, "").json(t); b["disabled_reason"] != "gone" {
		t.Errorf("disabled %v", b)
	}
	h.call("PATCH", path, `{"status":"enabled"}`).want(t, 409, "invalid_transition")
	h.call("POST", path+"/enable", "").want(t, 200, "")
}

// An event is written as GET shows what it is about, but for how to reach guests.
func TestEventsAreWrittenForThoseWhoAreCalled(t *testing.T) {
	h, _ := newWebhookHouse(t)
	made := h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-03")).want(t, 201, "").json(t)["id"].(string)
	h.call("PATCH", "/v1/reservations/"+made, `{"check_out":"2026-12-04","notes":"Frau Müller"}`).want(t, 200, "")
	types, page := h.events("?type=reservation.updated")
	if types != "reservation.updated" {
		t.Fatalf("told %s", types)
	}
	event := page["data"].([]any)[0].(map[string]any)
	previous := event["data"].(map[string]any)["previous"].(map[string]any)
	if previous["check_out"] != "2026-12-03" || previous["notes"] != "" || previous["check_in"] != nil {
		t.Errorf("previous %v", previous)
	}
	entry, err := h.ledger.Entry(t.Context(), event["id"].(string))
	if err != nil {
		t.Fatal(err)
	}
	body, err := h.handler.(Handler).WebhookBody(t.Context(), h.client.Who(), []desk.Event{entry})
	if err != nil {
		t.Fatal(err)
	}
	text := string(body.JSON)
	if !strings.Contains(text, `"check_out":"2026-12-04"`) || strings.Contains(text, "@") || !strings.Contains(fmt.Sprint(body.Private), "Frau Müller") || !strings.Contains(fmt.Sprint(body.Private), "Lovelace") {
		t.Errorf("written %s, private %q", text, body.Private)
	}
	entries, err := h.ledger.EventsTogether(t.Context(), hotel.WebhookDelivery{First: 1, Event: hotel.WebhookEvent{
		PropertyID: "hotel_123", Kind: "inventory.updated", Subject: h.standard.ID, Sequence: 1 << 40,
	}})
	if err != nil || len(entries) < 2 {
		t.Fatal(len(entries), err)
	}
	if body, err = h.handler.(Handler).WebhookBody(t.Context(), h.client.Who(), entries); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{entries[len(entries)-1].ID, `{"date_from":"2026-12-01","date_to":"2026-12-03","available":4}`, `"available":5`} {
		if !strings.Contains(string(body.JSON), want) {
			t.Errorf("%s is missing in %s", want, body.JSON)
		}
	}
}

// An operator disables what a client of the house's has heard by, and alone enables it
// again; the client is told who it was, and goes on where it stopped. Nobody else disables
// anything, and an operator changes nothing else of it.
func TestAnOperatorDisablesAnEndpoint(t *testing.T) {
	h, _ := newWebhookHouse(t)
	partner, _ := h.newClient("partner", auth.AllScopes()&^auth.ScopesOf(auth.AdminClients), "hotel_123")
	as, operator := "Authorization: Bearer "+h.tokenOf(partner), h.admin()
	made := h.call("POST", "/v1/webhook-endpoints", `{"url":"https://partner.example/hooks","event_types":["*"]}`, as).want(t, 201, "").json(t)
	path := "/v1/webhook-endpoints/" + made["id"].(string)
	h.call("PATCH", path, `{"status":"disabled"}`, as).want(t, 403, "insufficient_scope")
	h.call("PATCH", path, `{"status":"disabled","url":"https://elsewhere.example/"}`, operator).want(t, 422, "validation_failed")
	h.call("PATCH", path, `{"url":"https://elsewhere.example/"}`, operator).want(t, 404, "not_found")
	h.call("POST", path+"/rotate-secret", "", operator).want(t, 404, "not_found")
	if got := h.call("GET", "/v1/webhook-endpoints?client_id="+partner.ID, "", operator).want(t, 200, "").ids(t); got != made["id"] {
		t.Errorf("the operator is shown %s", got)
	}
	h.call("GET", "/v1/webhook-endpoints?client_id="+partner.ID, "").want(t, 403, "insufficient_scope")
	off := h.call("PATCH", path, `{"status":"disabled"}`, operator, "Idempotency-Key: off").want(t, 200, "").json(t)
	if off["status"] != "disabled" || off["disabled_reason"] != "operator" || off["client_id"] != partner.ID || off["url"] != made["url"] {
		t.Errorf("disabled %v", off)
	}
	h.call("PATCH", path, `{"status":"enabled"}`, as).want(t, 409, "invalid_transition")
	if scope := h.call("POST", path+"/enable", "", as).want(t, 403, "insufficient_scope").json(t)["scope"]; scope != "admin:clients" {
		t.Errorf("enabling it needs %v", scope)
	}
	h.call("POST", path+"/test", "", as).want(t, 403, "insufficient_scope")
	h.call("DELETE", path, "", as).want(t, 403, "insufficient_scope")
	told := h.call("GET", "/v1/events?type=webhook_endpoint.disabled", "", as).want(t, 200, "").json(t)["data"].([]any)
	if len(told) != 1 || told[0].(map[string]any)["actor"].(map[string]any)["kind"] != "client" || told[0].(map[string]any)["data"].(map[string]any)["object"].(map[string]any)["disabled_reason"] != "operator" {
		t.Errorf("its client hears %v", told)
	}
	on := h.call("POST", path+"/enable", "", operator).want(t, 200, "").json(t)
	if on["status"] != "enabled" || on["disabled_reason"] != nil || on["position"] != made["position"] {
		t.Errorf("enabled %v, made %v", on, made)
	}
	h.call("PATCH", path, `{"status":"paused"}`, as).want(t, 200, "")
}

// Whoever administers a client looks after what is delivered to it: sees the calls, tests,
// has one sent again and the past told again. Nobody else does.
func TestAnOperatorLooksAfterDeliveries(t *testing.T) {
	h, called := newWebhookHouse(t)
	partner, _ := h.newClient("partner", auth.AllScopes()&^auth.ScopesOf(auth.AdminClients), "hotel_123")
	as, operator := "Authorization: Bearer "+h.tokenOf(partner), h.admin()
	made := h.call("POST", "/v1/webhook-endpoints", `{"url":"https://partner.example/hooks","event_types":["*"]}`, as).want(t, 201, "").json(t)
	path := "/v1/webhook-endpoints/" + made["id"].(string)
	other := "Authorization: Bearer " + h.tokenOf(must2(h.newClient("other", auth.AllScopes()&^auth.ScopesOf(auth.AdminClients), "hotel_123")))
	called.status = 500
	sent := h.call("POST", path+"/test", "", operator).want(t, 200, "").json(t)
	delivery := "/v1/webhook-deliveries/" + sent["id"].(string)
	if len(called.calls) != 1 {
		t.Fatalf("the receiver was called %d times", len(called.calls))
	}
	if got := h.call("GET", path+"/deliveries", "", operator).want(t, 200, "").ids(t); got != sent["id"] {
		t.Errorf("the operator is shown %s", got)
	}
	for _, ask := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", path + "/deliveries", "", 200},
		{"GET", delivery, "", 200},
		{"POST", delivery + "/retry", "", 409},
		{"POST", path + "/replay", `{"after_sequence":2,"only_failed":true}`, 202},
	} {
		h.call(ask.method, ask.path, ask.body, other).want(t, 404, "not_found")
		if got := h.call(ask.method, ask.path, ask.body, operator); got.StatusCode != ask.status {
			t.Errorf("%s %s: %d %s", ask.method, ask.path, got.StatusCode, got.body)
		}
	}
	h.call("POST", path+"/test", "", other).want(t, 404, "not_found")
}

// An endpoint whose address was let through once and is not any more is paused and
// changed all the same; only an address that is sent is looked at.
func TestAnEndpointWhoseAddressWouldBeRefused(t *testing.T) {
	h, _ := newWebhookHouse(t)
	made := h.hook(t)
	path := "/v1/webhook-endpoints/" + made["id"].(string)
	plain := "http://10.1.0.9/hooks"
	_, _, err := h.ledger.ChangeWebhookEndpoint(t.Context(), tester, hotel.Once{}, made["id"].(string), hotel.Change[hotel.WebhookEndpoint]{
		Apply: func(e *hotel.WebhookEndpoint) error { e.URL = plain; return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	got := h.call("PATCH", path, `{"status":"paused","description":"moves to TLS"}`).want(t, 200, "").json(t)
	if got["status"] != "paused" || got["url"] != plain {
		t.Errorf("paused %v", got)
	}
	h.call("PATCH", path, `{"url":"`+plain+`"}`).want(t, 422, "validation_failed")
	h.call("PATCH", path, `{"url":"https://partner.example/hooks","status":"enabled"}`).want(t, 200, "")
}

// The endpoints of a sandbox's client are not in production's ledger: that is said, and
// not that there are none.
func TestEndpointsOfASandboxAreNotListedInProduction(t *testing.T) {
	h, _ := newWebhookHouse(t)
	c, err := h.auth.CreateClient(t.Context(), tester, hotel.Once{}, auth.Client{Name: "partner", Environment: auth.Sandbox, Scopes: auth.AllScopes(), PropertyIDs: []string{"*"}})
	if err != nil {
		t.Fatal(err)
	}
	refused := h.call("GET", "/v1/webhook-endpoints?client_id="+c.ID, "", h.admin()).want(t, 400, "invalid_parameter").json(t)
	item := refused["errors"].([]any)[0].(map[string]any)
	if item["parameter"] != "client_id" || !strings.Contains(item["detail"].(string), "suspend it") {
		t.Errorf("told %v", item)
	}
}

// What an endpoint was let through with is not looked at again when something else of it
// changes: its client may read less by then.
func TestAnEndpointIsChangedByAClientThatMayReadLess(t *testing.T) {
	h := newHouse(t)
	less, _ := h.newClient("less", h.client.Scopes, "*")
	as := "Authorization: Bearer " + h.tokenOf(less)
	made := h.call("POST", "/v1/webhook-endpoints", `{"url":"https://partner.example/hook","event_types":["guest.created"]}`, as).want(t, 201, "").json(t)
	_, _, err := h.auth.ChangeClient(t.Context(), tester, hotel.Once{}, less.ID, 0, func(c *auth.Client) error {
		c.Scopes &^= auth.ScopesOf(auth.GuestsRead)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	less.Scopes &^= auth.ScopesOf(auth.GuestsRead)
	as = "Authorization: Bearer " + h.tokenOf(less)
	path := "/v1/webhook-endpoints/" + made["id"].(string)
	if got := h.call("PATCH", path, `{"description":"of the shop"}`, as).want(t, 200, "").json(t); got["description"] != "of the shop" {
		t.Errorf("changed to %v", got)
	}
	h.call("PATCH", path, `{"event_types":["guest.created"]}`, as).want(t, 422, "validation_failed")
}

package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/internal/auth"
)

const useCase = `"organisation":"Tours Ltd","contact_name":"Ada","contact_email":"ada@example.com","use_case":"We sell rooms to people who walk far."`

// quieted lets a minute go by, in which addresses recover.
func (h *house) quieted() { h.clock.move(time.Minute) }

// From the first letter to production credentials, with everything that is refused on
// the way.
func TestAccessInThreeSteps(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	made := h.call("POST", "/v1/access-requests", `{"kind":"technology_partner","preset":"rms",`+useCase+`}`, "Authorization:").want(t, 201, "").json(t)
	ask := `{"kind":"technology_partner","preset":"rms",` + useCase + `}`
	h.call("POST", "/v1/access-requests", ask, "Authorization:", "Idempotency-Key: ask").want(t, 201, "")
	if r := h.call("POST", "/v1/access-requests", ask, "Authorization:", "Idempotency-Key: ask").want(t, 201, ""); r.Header.Get("Idempotent-Replayed") != "true" || r.json(t)["claim_token"] != nil {
		t.Errorf("asked again: %v %s", r.Header, r.body)
	}
	at, claim := "/v1/access-requests/"+made["id"].(string), "Authorization: Bearer "+made["claim_token"].(string)
	refused := func(path, who, code string, status int) reply {
		t.Helper()
		return h.call("POST", at+path, "", who).want(t, status, code)
	}
	if got := h.call("GET", at, "", claim).want(t, 200, "").json(t); got["status"] != "submitted" || got["claim_token"] != nil {
		t.Errorf("it is %v", got)
	}
	refused("/claim", claim, "invalid_transition", 409)
	refused("/approve-sandbox", claim, "invalid_token", 401)
	refused("/approve-production", admin, "invalid_transition", 409)
	h.call("GET", "/v1/properties", "", claim).want(t, 401, "invalid_token")
	other := h.call("POST", "/v1/access-requests", `{"kind":"ota",`+useCase+`}`, "Authorization:").want(t, 201, "").json(t)
	h.call("GET", "/v1/access-requests/"+other["id"].(string), "", claim).want(t, 404, "not_found")

	h.quieted()
	h.call("POST", at+"/approve-sandbox", `{"scopes":["admin:clients"]}`, admin).want(t, 422, "validation_failed")
	first := h.call("POST", at+"/approve-sandbox", `{}`, admin, "Idempotency-Key: one").want(t, 200, "").json(t)
	again := h.call("POST", at+"/approve-sandbox", `{}`, admin, "Idempotency-Key: one").want(t, 200, "")
	if first["status"] != "sandbox_issued" || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%v, then %v", first["status"], again.Header)
	}
	h.call("POST", at+"/claim", "", claim, `If-Match: "r1"`, "Idempotency-Key: c").want(t, 412, "precondition_failed")
	keys := h.call("POST", at+"/claim", "", claim, `If-Match: "r2"`, "Idempotency-Key: c").want(t, 200, "").json(t)
	if keys["environment"] != "sandbox" || !strings.HasPrefix(keys["client_id"].(string), "cli_test_") {
		t.Errorf("claimed: %v", keys)
	}
	if got := h.call("POST", at+"/claim", "", claim, "Idempotency-Key: c").want(t, 200, "").json(t); got["client_secret"] != nil || got["client_id"] != keys["client_id"] {
		t.Errorf("claimed again with the key: %v", got)
	}
	refused("/claim", claim, "invalid_transition", 409)

	missing := refused("/submit-certification", claim, "invalid_transition", 409).json(t)["missing"].([]any)
	want := []any{
		"token_obtained", "availability_read", "etag_used", "ari_update_sent", "webhook_verified", "events_feed_read", "rate_limit_headers_respected", "errors_below_5pct",
	}
	if !slices.Equal(missing, want) {
		t.Errorf("missing: %v", missing)
	}
	h.quieted()
	h.practise(t, keys["client_id"].(string), keys["client_secret"].(string))
	checks := fmt.Sprint(h.call("GET", at+"/certification", "", claim).want(t, 200, "").json(t)["checks"])
	for _, passed := range []string{"token_obtained", "availability_read", "etag_used", "ari_update_sent", "events_feed_read", "rate_limit_headers_respected", "errors_below_5pct"} {
		if !strings.Contains(checks, "check:"+passed+" status:passed") {
			t.Errorf("%s is not passed: %s", passed, checks)
		}
	}
	refused("/submit-certification", claim, "invalid_transition", 409)
	h.call("POST", at+"/waive", `{"check":"patience"}`, admin).want(t, 422, "validation_failed")
	h.call("POST", at+"/waive", `{"check":"webhook_verified","message":"You have none."}`, admin).want(t, 200, "")
	if got := h.call("GET", at, "", claim).want(t, 200, "").json(t); got["message"] != "You have none." {
		t.Errorf("told: %v", got["message"])
	}
	h.call("POST", at+"/submit-certification", "", claim).want(t, 200, "")
	h.call("POST", at+"/request-changes", `{"message":"Show us a cancellation."}`, admin).want(t, 200, "")
	if got := h.call("GET", at, "", claim).want(t, 200, "").json(t); got["status"] != "sandbox_issued" || got["message"] != "Show us a cancellation." {
		t.Errorf("%v: %v", got["status"], got["message"])
	}
	h.call("POST", at+"/submit-certification", "", claim).want(t, 200, "")
	h.quieted()
	h.call("POST", at+"/approve-production", `{"tier":"gold"}`, admin).want(t, 422, "validation_failed")
	h.call("POST", at+"/approve-production", `{"property_ids":["hotel_none"]}`, admin).want(t, 422, "validation_failed")
	h.call("POST", at+"/approve-production", `{"tier":"partner","property_ids":["hotel_123"],"scopes":["properties:read"],"message":"Welcome."}`, admin).want(t, 200, "")
	if got := h.call("GET", at, "", claim).want(t, 200, "").json(t); got["message"] != "Welcome." {
		t.Errorf("told: %v", got["message"])
	}
	live := h.call("POST", at+"/claim", "", claim).want(t, 200, "").json(t)
	if live["environment"] != "production" {
		t.Errorf("claimed: %v", live)
	}
	token := h.tokenFor(t, live["client_id"].(string), live["client_secret"].(string))
	if got := h.call("GET", "/v1/properties", "", token).want(t, 200, ""); got.Header.Get("X-RateLimit-Limit") != "5000" {
		t.Errorf("limit: %v", got.Header)
	}
	h.call("GET", "/v1/events", "", token).want(t, 403, "insufficient_scope") // it was granted less than it asked for
	h.call("POST", at+"/withdraw", "", claim).want(t, 409, "invalid_transition")
	h.call("POST", at+"/revoke", "", admin).want(t, 200, "")
	h.call("GET", "/v1/properties", "", token).want(t, 401, "invalid_token")
	if got := h.call("GET", "/v1/clients/"+keys["client_id"].(string), "", admin).json(t); got["status"] != "revoked" {
		t.Errorf("its client of the sandbox is %v", got["status"])
	}
	list := h.call("GET", "/v1/access-requests?status=rejected,revoked", "", admin).want(t, 200, "").json(t)["data"].([]any)
	if len(list) != 1 {
		t.Errorf("revoked: %v", list)
	}
}

// practise does in the sandbox what most checks ask for.
func (h *house) practise(t *testing.T, id, secret string) {
	t.Helper()
	h.reached = http.StatusOK
	token := h.tokenFor(t, id, secret)
	h.call("GET", "/v1/availability?property_id=hotel_123", "", token)
	h.call("POST", "/v1/rates/updates", `{}`, token)
	h.call("GET", "/v1/rate-plans/x", "", token, `If-None-Match: "r1"`)
	for range 20 {
		h.call("GET", "/v1/events", "", token)
	}
}

// tokenFor gets a token as a client does, and returns the header.
func (h *house) tokenFor(t *testing.T, id, secret string) string {
	t.Helper()
	form := "grant_type=client_credentials&client_id=" + id + "&client_secret=" + secret
	got := h.call("POST", "/v1/oauth/token", form, "Authorization:", "Content-Type: "+mediaForm).want(t, 200, "").json(t)
	return "Authorization: Bearer " + got["access_token"].(string)
}

// Anybody may ask, but not often, and not for everything.
func TestAskingForAccess(t *testing.T) {
	h := newHouse(t)
	for _, c := range []struct {
		name, body string
		status     int
	}{
		{"scopes of its own", `{"kind":"technology_partner","scopes":["rates:read"],` + useCase + `}`, 201},
		{"no scopes", `{"kind":"technology_partner",` + useCase + `}`, 422},
		{"the operator's scope", `{"kind":"technology_partner","scopes":["admin:clients"],` + useCase + `}`, 422},
		{"an OTA with more than its own", `{"kind":"ota","scopes":["rates:write"],` + useCase + `}`, 422},
		{"the preset of an OTA for others", `{"kind":"enterprise_hotel","preset":"ota",` + useCase + `}`, 422},
		{"no address to write to", strings.Replace(`{"kind":"ota",`+useCase+`}`, "ada@example.com", "ada at home", 1), 422},
		{"a use case of three words", strings.Replace(`{"kind":"ota",`+useCase+`}`, "We sell rooms to people who walk far.", "We sell rooms", 1), 422},
		{"a property that cannot be", `{"kind":"ota","property_ids":["a b"],` + useCase + `}`, 422},
		{"all properties", `{"kind":"ota","property_ids":["all"],` + useCase + `}`, 201},
	} {
		h.call("POST", "/v1/access-requests", c.body, "Authorization:").want(t, c.status, map[int]string{422: "validation_failed"}[c.status])
	}
	h.call("POST", "/v1/access-requests", `{}`, "Authorization:")
	h.call("POST", "/v1/access-requests", `{}`, "Authorization:").want(t, 429, "rate_limit_exceeded")
	h.quieted()
	h.call("GET", "/v1/access-requests/acr_x", "", "Authorization: Bearer osc_live_nothing").want(t, 401, "invalid_token")
	h.call("GET", "/v1/access-requests/acr_x", "", h.admin()).want(t, 404, "not_found")
	h.call("GET", "/v1/access-requests/acr_x", "", "Authorization:").want(t, 401, "missing_token")
}

// Whoever stands for a channel does so in the sandbox as well, and in production for
// the one that the operator names.
func TestAccessOfAnOTA(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	made := h.call("POST", "/v1/access-requests", `{"kind":"ota",`+useCase+`}`, "Authorization:").want(t, 201, "").json(t)
	at, claim := "/v1/access-requests/"+made["id"].(string), "Authorization: Bearer "+made["claim_token"].(string)
	got := h.call("POST", at+"/approve-sandbox", "", admin).want(t, 200, "").json(t)["sandbox"].(map[string]any)
	if got["channel_id"] != "ch_alpha" || fmt.Sprint(got["property_ids"]) != "[hotel_123]" {
		t.Errorf("granted in the sandbox: %v", got)
	}
	h.call("POST", at+"/claim", "", claim).want(t, 200, "")
	for _, check := range auth.Checks() {
		h.call("POST", at+"/waive", `{"check":"`+check+`"}`, admin).want(t, 200, "")
	}
	h.call("POST", at+"/submit-certification", "", claim).want(t, 200, "")
	h.call("POST", at+"/approve-production", `{"property_ids":["hotel_123"]}`, admin).want(t, 422, "validation_failed")
	h.call("POST", at+"/reject", `{"message":"Not now."}`, admin).want(t, 200, "")
	h.call("POST", at+"/reject", "", admin).want(t, 409, "invalid_transition")
}

// Strangers who choose the same key are two, and learn nothing of each other.
func TestKeysOfStrangersAreTheirOwn(t *testing.T) {
	h := newHouse(t)
	ask := func(address, body string) (int, string) {
		req := httptest.NewRequest("POST", "/v1/access-requests", strings.NewReader(body))
		req.RemoteAddr = address
		req.Header.Set("Content-Type", mediaJSON)
		req.Header.Set("Idempotency-Key", "1")
		rec := httptest.NewRecorder()
		h.handler.ServeHTTP(rec, req)
		var made struct{ ID string }
		_ = json.Unmarshal(rec.Body.Bytes(), &made)
		return rec.Code, made.ID
	}
	body := `{"kind":"technology_partner","preset":"rms",` + useCase + `}`
	_, first := ask("192.0.2.7:1", body)
	if status, again := ask("192.0.2.7:2", body); status != 201 || again != first {
		t.Errorf("the same again: %d, %s after %s", status, again, first)
	}
	if status, other := ask("192.0.2.8:1", body); status != 201 || other == first {
		t.Errorf("somebody else is answered %d with %s", status, other)
	}
	if status, _ := ask("192.0.2.9:1", strings.Replace(body, "rms", "pms", 1)); status != 201 {
		t.Errorf("somebody else with another request is answered %d", status)
	}
}

// The operator says which of the properties of the sandbox a partner is to have there.
func TestSandboxForOneProperty(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	made := h.call("POST", "/v1/access-requests", `{"kind":"technology_partner","preset":"rms",`+useCase+`}`, "Authorization:").want(t, 201, "").json(t)
	at := "/v1/access-requests/" + made["id"].(string)
	got := h.call("POST", at+"/approve-sandbox", `{"property_ids":["hotel_123"]}`, admin).want(t, 200, "").json(t)
	if terms := got["sandbox"].(map[string]any); fmt.Sprint(terms["property_ids"]) != "[hotel_123]" {
		t.Errorf("granted %v", terms)
	}
	h.call("POST", at+"/claim", "", "Authorization: Bearer "+made["claim_token"].(string)).want(t, 200, "")
}

// Where webhooks would go is looked at when somebody asks for access, as it is when an
// endpoint is made.
func TestAccessRequestNamesAnAddressThatCanBeCalled(t *testing.T) {
	h := newHouse(t)
	for address, want := range map[string]int{"ftp://x": 422, "https://": 422, "partner": 422, "https://partner.example/hooks": 201} {
		got := h.call("POST", "/v1/access-requests", `{"kind":"technology_partner","preset":"rms","webhook_url":"`+address+`",`+useCase+`}`, "Authorization:")
		if got.StatusCode != want || want == 422 && got.items(t) != "/webhook_url format" {
			t.Errorf("%s: %d %s", address, got.StatusCode, got.body)
		}
	}
}

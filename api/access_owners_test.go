package api

import (
	"fmt"
	"strings"
	"testing"

	"ostler.example/internal/auth"
)

// Whoever administers clients of one house neither sees nor decides who asks about
// another, or about every one; of those of its own it acts in nobody's place who may do
// more, and gives out nothing of the sandbox.
func TestAccessRequestsAreTheHousesThatTheyAreAbout(t *testing.T) {
	h := newHouse(t)
	h.handler.(*server).applicants = auth.NewThrottle(1<<20, 1)
	admin := h.admin()
	header := func(name string, scopes auth.Scopes, properties ...string) string {
		c, _ := h.newClient(name, scopes, properties...)
		return "Authorization: Bearer " + h.tokenOf(c)
	}
	here, there := header("here", auth.AllScopes(), "hotel_123"), header("there", auth.AllScopes(), "hotel_456")
	clerk := header("clerk", auth.ScopesOf(auth.AdminClients), "hotel_123")
	ask := func(properties string) (at, claim string) {
		made := h.call("POST", "/v1/access-requests", `{"kind":"technology_partner","preset":"rms",`+properties+useCase+`}`, "Authorization:").want(t, 201, "").json(t)
		return "/v1/access-requests/" + made["id"].(string), "Authorization: Bearer " + made["claim_token"].(string)
	}
	at, claim := ask(`"property_ids":["hotel_123"],`)
	everywhere, _ := ask("")
	listed := func(who string) string {
		var ids []string
		for _, r := range h.call("GET", "/v1/access-requests", "", who).want(t, 200, "").json(t)["data"].([]any) {
			ids = append(ids, "/v1/access-requests/"+r.(map[string]any)["id"].(string))
		}
		return strings.Join(ids, " ")
	}
	if all := listed(admin); !strings.Contains(all, at) || !strings.Contains(all, everywhere) || listed(here) != at || listed(there) != "" {
		t.Errorf("listed: %q; here %q; there %q", listed(admin), listed(here), listed(there))
	}
	h.call("GET", everywhere, "", here).want(t, 404, "not_found")

	steps := []string{"claim", "submit-certification", "withdraw", "approve-sandbox", "approve-production", "request-changes", "reject", "revoke"}
	strangersTry := func() {
		t.Helper()
		for _, step := range steps {
			h.call("POST", at+"/"+step, "", there).want(t, 404, "not_found")
		}
		h.call("POST", at+"/waive", `{"check":"etag_used"}`, there).want(t, 404, "not_found")
		h.call("GET", at+"/certification", "", there).want(t, 404, "not_found")
	}
	strangersTry()
	h.call("POST", at+"/approve-sandbox", "", here).want(t, 403, "insufficient_scope")
	nearly := header("nearly", auth.ScopesOf(auth.AdminClients, auth.RatesRead), "*")
	h.call("POST", at+"/approve-sandbox", "", nearly).want(t, 422, "validation_failed")
	h.call("POST", at+"/approve-sandbox", `{"scopes":["rates:write"]}`, nearly).want(t, 422, "validation_failed")
	h.call("POST", at+"/approve-sandbox", "", admin).want(t, 200, "")
	strangersTry()
	h.call("POST", at+"/claim", "", here).want(t, 403, "insufficient_scope")
	h.call("POST", at+"/claim", "", claim).want(t, 200, "")
	for _, check := range auth.Checks() {
		h.call("POST", at+"/waive", `{"check":"`+check+`"}`, here).want(t, 200, "")
	}
	for _, step := range []string{"submit-certification", "withdraw"} {
		h.call("POST", at+"/"+step, "", clerk).want(t, 403, "insufficient_scope")
	}
	h.call("POST", at+"/submit-certification", "", here).want(t, 200, "")
	h.call("POST", at+"/approve-production", "", here).want(t, 200, "")
	strangersTry()
	h.call("POST", at+"/claim", "", clerk).want(t, 403, "insufficient_scope")
	got := h.call("POST", at+"/claim", "", here, "Idempotency-Key: k").want(t, 200, "").json(t)
	again := h.call("POST", at+"/claim", "", here, "Idempotency-Key: k").want(t, 200, "").json(t)
	if got["environment"] != "production" || fmt.Sprint(again["client_id"]) != fmt.Sprint(got["client_id"]) {
		t.Errorf("claimed %v, then %v", got, again)
	}

	// What was granted more than it asked for is of all those houses.
	at, claim = ask(`"property_ids":["hotel_456"],`)
	h.call("POST", at+"/approve-sandbox", "", admin).want(t, 200, "")
	h.call("POST", at+"/claim", "", claim).want(t, 200, "")
	for _, check := range auth.Checks() {
		h.call("POST", at+"/waive", `{"check":"`+check+`"}`, there).want(t, 200, "")
	}
	h.call("POST", at+"/submit-certification", "", claim).want(t, 200, "")
	h.call("POST", at+"/approve-production", `{"property_ids":["hotel_123"]}`, admin).want(t, 200, "")
	h.call("POST", at+"/revoke", "", there).want(t, 404, "not_found")
}

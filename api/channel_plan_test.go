package api

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

func TestPlansOfAChannel(t *testing.T) {
	h := newHouse(t)
	id := h.live()
	path := "/v1/channels/" + id
	if delta := h.call("GET", path+"/plan", "").want(t, 200, "").json(t); delta["kind"] != "delta" || delta["calls_total"] != 0.0 {
		t.Errorf("in sync: %v", delta)
	}
	asked := path + "/plan?kind=full&date_from=2026-12-01&date_to=2026-12-02"
	full := h.call("GET", asked, "").want(t, 200, "").json(t)
	calls := full["calls"].([]any)
	call := calls[0].(map[string]any)
	if len(calls) == 0 || full["calls_total"] != float64(len(calls)) || call["order"] != 1.0 || call["cells"] == 0.0 || call["payload"] != nil || len(full["buckets"].([]any)) == 0 {
		t.Errorf("full: %v", full)
	}
	whole := h.call("GET", asked+"&include=payloads", "").want(t, 200, "")
	payload := whole.json(t)["calls"].([]any)[0].(map[string]any)["payload"].(string)
	if sum := sha256.Sum256([]byte(payload)); hex.EncodeToString(sum[:]) != call["payload_sha256"] || !strings.HasPrefix(payload, call["payload_excerpt"].(string)) {
		t.Errorf("payload %s", payload)
	}
	if strings.Contains(string(whole.body), farSecret) {
		t.Error("a payload tells the secret")
	}
	if again := whole.json(t)["plan_id"]; again != full["plan_id"] {
		t.Errorf("asked again it is %v, was %v", again, full["plan_id"])
	}

	apply := path + "/plan/" + full["plan_id"].(string) + "/apply"
	first := h.call("POST", apply, "", "Idempotency-Key: k").want(t, 202, "")
	if run := first.json(t); run["kind"] != "ari_full" || !strings.HasSuffix(first.Header.Get("Location"), "/v1/sync-runs/"+run["id"].(string)) {
		t.Errorf("applied: %v at %s", run, first.Header.Get("Location"))
	}
	if again := h.call("POST", apply, "", "Idempotency-Key: k").want(t, 202, ""); again.Header.Get("Idempotent-Replayed") != "true" || again.json(t)["id"] != first.json(t)["id"] {
		t.Errorf("repeated: %s", again.body)
	}

	h.call("PUT", "/v1/inventory/"+h.standard.ID+"/2026-12-01", `{"total":3}`).want(t, 200, "")
	h.tell(id)
	outdated := h.call("POST", apply, "").want(t, 409, "plan_outdated").json(t)
	if outdated["planned_at_sequence"] != full["at_sequence"] || outdated["current_sequence"].(float64) <= full["at_sequence"].(float64) {
		t.Errorf("outdated: %v", outdated)
	}
	h.call("POST", path+"/plan/none/apply", "").want(t, 409, "plan_outdated")
	h.call("PATCH", path, `{"mode":"shadow"}`).want(t, 200, "")
	h.call("POST", apply, "").want(t, 409, "channel_in_shadow")
	h.call("POST", "/v1/channels/none/plan/x/apply", "").want(t, 404, "not_found")
}

func TestPlansThatCannotBe(t *testing.T) {
	h := newHouse(t)
	path := "/v1/channels/" + h.draft()
	for _, query := range []string{
		"?kind=half", "?kind=full&date_from=2026-12-01", "?kind=full&date_to=2026-12-01", "?kind=full&date_from=2026-12-02&date_to=2026-12-01",
		"?kind=delta&date_from=2026-12-01&date_to=2028-12-01", "?kind=live&date_from=2026-12-01&date_to=2026-12-02", "?include=secrets",
	} {
		h.call("GET", path+"/plan"+query, "").want(t, 400, "invalid_parameter")
	}
	h.call("POST", path+"/plan/x/apply", "").want(t, 409, "channel_not_active")
}

package api

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// canary stands wherever a request can name a person.
const canary = "qzcanaryqz"

// traces lists the files of the ledger in which the canary stands.
func (h *house) traces() (found []string) {
	h.t.Helper()
	for _, path := range must(filepath.Glob(filepath.Join(h.dir, "*")))(h.t) {
		if bytes.Contains(bytes.ToLower(must(os.ReadFile(path))(h.t)), []byte(canary)) {
			found = append(found, filepath.Base(path))
		}
	}
	return found
}

// Whatever door of the API a guest's name, address or words came in by, nothing of them is
// left in the ledger's files once the guest is forgotten: not of bookings made, imported or
// repeated, of requests that were refused, of searches, and of what was said on the way.
// Tags and the names of extras are no place for one: they are in the journal, and stay.
func TestNothingThatCameInIsLeftOfWhoIsForgotten(t *testing.T) {
	h := newHouse(t)
	h.call("POST", "/v1/webhook-endpoints", `{"url":"https://partner.example/hooks","event_types":["*"]}`).want(t, 201, "")
	guest := `{"first_name":"` + canary + `","last_name":"` + canary + `","email":"` + canary + `@example.com","company":"` + canary + `","address":{"line1":"` + canary + `"}}`
	booking := strings.Replace(h.booking("2026-12-01", "2026-12-02"), `{"first_name":"Ada","last_name":"Lovelace","email":"ada@example.com"}`, guest, 1)
	booking = strings.Replace(booking, `"adults"`, `"notes":"`+canary+`","guest_requests":"`+canary+`","metadata":{"k":"`+canary+`"},"invoice_address":{"name":"`+canary+`"},"adults"`, 1)
	r := h.call("POST", "/v1/reservations", booking, "Idempotency-Key: once").want(t, 201, "").json(t)
	h.call("POST", "/v1/reservations", booking, "Idempotency-Key: once").want(t, 201, "")
	id := guestOfBody(r)
	path, booked := "/v1/guests/"+id, "/v1/reservations/"+r["id"].(string)
	h.call("POST", "/v1/reservations", strings.Replace(booking, "2026-12-02", "2026-12-01", 1), "Idempotency-Key: refused").want(t, 422, "validation_failed")
	h.call("POST", "/v1/reservations", strings.Replace(booking, `"adults":2`, `"adults":2,"expected_total":{"amount":"1.00","currency":"EUR"}`, 1), "Idempotency-Key: dear").want(t, 409, "price_changed")
	h.call("PATCH", path, `{"phone":"+4930111","external_ids":{"pms":"`+canary+`"},"metadata":{"k":"`+canary+`"}}`).want(t, 200, "")
	h.call("PATCH", path+"/preferences", `{"notes":[{"value":"`+canary+`","source":"staff"}]}`).want(t, 200, "")
	h.call("GET", "/v1/guests?email="+canary+"@example.com", "").want(t, 200, "")
	h.call("GET", "/v1/guests?name="+canary, "")
	h.call("GET", path+"/export", "").want(t, 200, "")
	h.call("PATCH", booked, `{"guest":{"last_name":"`+canary+`2"},"notes":"`+canary+`3"}`).want(t, 200, "")
	imported := strings.Replace(h.booking("2026-10-01", "2026-10-02"), `{"first_name":"Ada","last_name":"Lovelace","email":"ada@example.com"}`, guest, 1)
	imported = strings.Replace(imported, `"property_id":"hotel_123",`, `"status":"checked_out","source":{"channel_reference":"`+"R1"+`"},`, 1)
	h.call("POST", "/v1/imports/reservations", `{"property_id":"hotel_123","rows":[`+imported+`]}`, "Idempotency-Key: rows").want(t, 200, "")
	h.call("POST", booked+"/cancel", `{"reason":"guest","note":"`+canary+`"}`, "Idempotency-Key: over").want(t, 200, "")
	if len(h.traces()) == 0 {
		t.Fatal("the canary was nowhere")
	}
	for _, of := range h.call("GET", "/v1/guests", "").want(t, 200, "").json(t)["data"].([]any) {
		if other := of.(map[string]any)["id"].(string); other != id {
			h.call("POST", path+"/merge", `{"source_guest_id":"`+other+`"}`, "Idempotency-Key: "+other).want(t, 200, "")
		}
	}
	h.call("POST", path+"/anonymize", `{"reason":"guest_request"}`).want(t, 200, "")
	if found := h.traces(); len(found) > 0 {
		t.Errorf("the canary is still in %v", found)
	}
	again := h.call("POST", "/v1/reservations", booking, "Idempotency-Key: once").want(t, 201, "")
	if again.Header.Get("Idempotent-Replayed") != "true" || bytes.Contains(again.body, []byte(canary)) {
		t.Errorf("a request that was repeated is answered %s", again.body)
	}
	if found := h.traces(); len(found) > 0 {
		t.Errorf("a request that was repeated brought it back to %v", found)
	}
}

package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// The last event of a type, as a client with all scopes is told it.
func (h *house) lastEvent(t *testing.T, kind string) map[string]any {
	t.Helper()
	_, page := h.events("?limit=200&type=" + kind)
	all := page["data"].([]any)
	if len(all) == 0 {
		t.Fatalf("no event %s", kind)
	}
	return all[len(all)-1].(map[string]any)["data"].(map[string]any)["object"].(map[string]any)
}

func TestEventsTellWhatTheyAreAbout(t *testing.T) {
	h := newHouse(t)
	id := h.live()
	h.call("PUT", "/v1/inventory/"+h.standard.ID+"/2026-12-01", `{"total":3}`).want(t, 200, "")
	h.tell(id)
	if err := h.ledger.CompleteUpdates(t.Context()); err != nil {
		t.Fatal(err)
	}
	update := h.lastEvent(t, "ari_update.completed")
	if !strings.HasPrefix(update["id"].(string), "ari_") || update["status"] != "completed" {
		t.Errorf("update %v", update)
	}
	h.call("PATCH", "/v1/channels/"+id, `{"mode":"shadow"}`).want(t, 200, "")
	if c := h.lastEvent(t, "channel.mode_changed"); c["id"] != id || c["mode"] != "shadow" {
		t.Errorf("channel %v", c)
	}
	e := h.hook(t)
	h.call("DELETE", "/v1/webhook-endpoints/"+e["id"].(string), "").want(t, 204, "")
	narrow, _ := h.newClient("narrow", auth.ScopesOf(auth.EventsRead, auth.InventoryRead), "*")
	if types, _ := h.events("?type=ari_update.*,rates.*", "Authorization: Bearer "+h.tokenOf(narrow)); types == "" || strings.Contains(types, "rates") {
		t.Errorf("with one scope of two: %s", types)
	}
	drift := desk.Event{Kind: "sync.drift_found", Subject: id, Body: json.RawMessage(`{"cells":[{"room_type_id":"rt","group":"availability","verdict":"lost","cells":2},{"room_type_id":"rt","group":"prices","verdict":"lost","cells":3}]}`)}
	found, err := h.handler.(*server).syncEvent(t.Context(), drift)
	if d := found.(driftEvent); err != nil || d.ChannelID != id || d.Cells != 5 || len(d.Verdicts) != 2 {
		t.Errorf("drift %v, %v", found, err)
	}
}

// Every type of event says what it is about, in the catalogue and in the document.
func TestEveryTypeOfEventHasASchema(t *testing.T) {
	h := newHouse(t)
	doc := h.handler.(*server).document()
	types := h.call("GET", "/v1/event-types", "", "Authorization:").want(t, 200, "").json(t)["data"].([]any)
	for _, one := range types {
		e := one.(map[string]any)
		if e["name"] == desk.WebhookPing { // it is about nothing
			h.call("POST", "/v1/webhook-endpoints", `{"url":"https://partner.example/hooks","event_types":["webhook.ping"]}`).want(t, 201, "")
			continue
		}
		ref := strings.TrimPrefix(e["schema"].(map[string]any)["$ref"].(string), "https://hotel.example/v1/openapi.json")
		if doc.Components.Schemas.SchemaFromRef(ref) == nil || len(e["scopes"].([]any)) == 0 || doc.Webhooks[e["name"].(string)] == nil {
			t.Errorf("event type %v", e)
		}
	}
	if len(doc.Webhooks) != len(types) || doc.Webhooks[desk.WebhookPing] == nil {
		t.Errorf("%d webhooks of %d types", len(doc.Webhooks), len(types))
	}
}

// A hotel that checks its guests in elsewhere hears which arrivals and departures were only
// taken for granted: what somebody has done says nothing of it.
func TestWhatWasTakenForGrantedIsTold(t *testing.T) {
	h := newHouse(t)
	today := h.clock.Now().Format("2006-01-02")
	next := h.clock.Now().AddDate(0, 0, 1).Format("2006-01-02")
	seen, unseen := h.book(today, next)["id"].(string), h.book(today, next)["id"].(string)
	h.call("POST", "/v1/reservations/"+seen+"/check-in", "{}").want(t, 200, "")
	h.clock.move(36 * time.Hour)
	if err := h.ledger.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := h.ledger.DueStays(t.Context()); err != nil || n == 0 {
		t.Fatal(n, err)
	}
	var told []string
	as := "Authorization: Bearer " + h.tokenOf(h.client)
	for _, e := range h.call("GET", "/v1/events?type=reservation.checked_in", "", as).want(t, 200, "").json(t)["data"].([]any) {
		data := e.(map[string]any)["data"].(map[string]any)
		told = append(told, fmt.Sprint(data["object"].(map[string]any)["id"], data["assumed"]))
	}
	if got, want := strings.Join(told, " "), fmt.Sprint(seen, nil)+" "+fmt.Sprint(unseen, true); got != want {
		t.Errorf("told %s, want %s", got, want)
	}
}

package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/internal/auth"
)

// bodyOperation is an operation of the document that takes a body.
type bodyOperation struct {
	id, method, target, media string
	schema                    *huma.Schema
}

// busyHouse is a house with one of everything that has an address of its own,
// whose clients may ask as often as they like.
type busyHouse struct {
	*house
	registry   huma.Registry
	operations []bodyOperation
	samples    map[string]any    // of members, by name
	ids        map[string]string // of what there is one of, by the collection's path
	inSandbox  string            // a token of the sandbox
}

func newBusyHouse(t testing.TB) *busyHouse {
	t.Helper()
	h := &busyHouse{house: newHouse(t)}
	h.outside = everywhere{openFar(t)}
	h.serve(auth.Tiers{auth.Standard: 1 << 30})
	h.handler.(*server).applicants = auth.NewThrottle(1<<20, time.Second)
	all, _ := h.newClient("everything", auth.AllScopes(), "*")
	other, _ := h.newClient("other", auth.AllScopes(), "*")
	h.token, h.inSandbox = h.tokenOf(all), h.sandboxToken()
	channel := h.call("POST", "/v1/channels", channel("http://far.test", "")).want(t, 201, "").json(t)["id"].(string)
	block := h.call("POST", "/v1/blocks", h.blockJSON("")).want(t, 201, "").json(t)["id"].(string)
	booked := h.book("2026-12-10", "2026-12-12")["id"].(string)
	group := h.call("POST", "/v1/reservation-groups", h.groupOfRooms(1, "", "2026-12-10", "2026-12-12")).want(t, 201, "").json(t)
	rule := h.call("POST", "/v1/pricing-rules", `{"property_id":"hotel_123","name":"Late","priority":9,"action":{"kind":"percent","value":"5"}}`).want(t, 201, "").json(t)
	guest := h.call("POST", "/v1/guests", `{"property_id":"hotel_123","last_name":"Hopper"}`).want(t, 201, "").json(t)["id"].(string)
	webhook := h.call("POST", "/v1/webhook-endpoints", `{"url":"https://partner.example/hooks","event_types":["*"]}`).want(t, 201, "").json(t)["id"].(string)
	delivery := h.call("POST", "/v1/webhook-endpoints/"+webhook+"/test", "").want(t, 200, "").json(t)["id"].(string)
	pool := h.standard.Consumes[0].AnyOf[0]
	h.samples = map[string]any{
		"property_id": "hotel_123", "room_type_id": h.standard.ID, "rate_plan_id": h.flex.ID, "pool_id": pool, "block_id": block,
		"room_type_ids": []any{h.standard.ID}, "rate_plan_ids": []any{h.flex.ID}, "channel_id": "direct",
		"time_zone": "Europe/Berlin", "currency": "EUR", "country": "DE", "language": "de", "phone": "+4930123456", "email": "ada@example.com",
		"check_in": "2026-12-01", "check_out": "2026-12-03", "date_from": "2026-12-01", "date_to": "2026-12-02", "value": "5", "code": "code", "last4": "4242",
		"url": "https://partner.example/hooks", "event_types": []any{"reservation.*"}, "property_ids": []any{"hotel_123"},
		"additional_guest_ids": []any{guest}, "reason": "guest_request", "nationality": "DE", "days_of_week": []any{"tue", "wed"}, "exclude_dates": []any{"2026-12-02"},
	}
	h.ids = map[string]string{
		"/reservations/": booked, "/reservation-groups/": group["id"].(string), "/blocks/": block, "/pools/": pool, "/properties/": "hotel_123",
		"/room-types/": h.standard.ID, "/rate-plans/": h.flex.ID, "/pricing-rules/": rule["id"].(string), "/channels/": channel, "/clients/": other.ID,
		"/guests/":            guest,
		"/webhook-endpoints/": webhook, "/webhook-deliveries/": delivery,
	}
	doc := h.handler.(*server).document()
	h.registry = doc.Components.Schemas
	for path, item := range doc.Paths {
		target := h.target(path)
		for method, op := range operationsOf(item) {
			if op.RequestBody == nil {
				continue
			}
			for media, content := range op.RequestBody.Content {
				if media == mediaCSV && op.OperationID == "import-reservations" { // FuzzImportOfAFile sends those
					continue
				}
				h.operations = append(h.operations, bodyOperation{op.OperationID + " " + media, method, target, media, content.Schema})
			}
		}
	}
	slices.SortFunc(h.operations, func(a, b bodyOperation) int { return strings.Compare(a.id, b.id) })
	return h
}

// target is the address of what there is one of.
func (h *busyHouse) target(path string) string {
	id := "none"
	for start, known := range h.ids {
		if strings.HasPrefix(path, start) {
			id = known
		}
	}
	return prefix + strings.NewReplacer("{id}", id, "{room_type_id}", h.standard.ID, "{rate_plan_id}", h.flex.ID, "{date}", "2026-12-05").Replace(path)
}

// operationsOf are the operations of an address.
func operationsOf(item *huma.PathItem) map[string]*huma.Operation {
	all := map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PATCH": item.Patch, "PUT": item.Put, "DELETE": item.Delete}
	maps.DeleteFunc(all, func(_ string, op *huma.Operation) bool { return op == nil })
	return all
}

func (h *busyHouse) send(op bodyOperation, body string) reply {
	if strings.HasPrefix(op.target, prefix+"/sandbox/") {
		return h.call(op.method, op.target, body, "Content-Type: "+op.media, "Authorization: Bearer "+h.inSandbox)
	}
	return h.call(op.method, op.target, body, "Content-Type: "+op.media)
}

// everywhere is an outside world in which every address is that of one handler.
type everywhere struct{ http.Handler }

// RoundTrip asks the handler.
func (e everywhere) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w.Result(), nil
}

// sample makes a value that a schema allows: with all its members, or with those
// that it needs.
func (h *busyHouse) sample(s *huma.Schema, name string, whole bool) any {
	if s = h.resolve(s); s == nil {
		return map[string]any{}
	}
	if known, ok := h.samples[name]; ok && (s.Type == "string" || s.Type == "array") {
		return known
	}
	switch {
	case len(s.Examples) > 0:
		return s.Examples[0]
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.OneOf) > 0:
		return h.sample(s.OneOf[0], name, whole)
	}
	switch s.Type {
	case "boolean":
		return true
	case "integer", "number":
		if s.Minimum != nil {
			return max(1, *s.Minimum)
		}
		return 1
	case "array":
		return []any{h.sample(s.Items, strings.TrimSuffix(name, "s"), whole)}
	case "object":
		return h.object(s, whole)
	}
	switch s.Format {
	case "date":
		return "2026-12-01"
	case "date-time":
		return "2026-12-01T10:00:00Z"
	}
	for _, text := range []string{"text", "17:30", "1", "EUR", "DE", "#00ff00"} {
		if s.Pattern == "" || fitsPattern(s.Pattern, text) {
			return text
		}
	}
	return "text"
}

func (h *busyHouse) object(s *huma.Schema, whole bool) map[string]any {
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !h.resolve(s.Properties[name]).ReadOnly && (whole || slices.Contains(s.Required, name)) {
			out[name] = h.sample(s.Properties[name], name, whole)
		}
	}
	if more, ok := s.AdditionalProperties.(*huma.Schema); ok && whole {
		out["2"] = h.sample(more, "", whole)
	}
	return out
}

func (h *busyHouse) resolve(s *huma.Schema) *huma.Schema {
	for s != nil && s.Ref != "" {
		s = h.registry.SchemaFromRef(s.Ref)
	}
	return s
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

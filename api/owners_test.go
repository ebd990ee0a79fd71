package api

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/internal/auth"
)

// stranger is a client that asks for what is not its own.
type stranger struct {
	name  string
	token string
	own   []string // collections of which it may read what is there
}

// strangers are a client with every scope but one at another property, one that stands
// for another channel of this one, and one that administers clients of another property.
func (h *busyHouse) strangers() []stranger {
	h.t.Helper()
	elsewhere, _ := h.newClient("elsewhere", auth.AllScopes()&^auth.ScopesOf(auth.AdminClients), "hotel_456")
	administrator, _ := h.newClient("administrator elsewhere", auth.AllScopes(), "hotel_456")
	channel := h.call("POST", "/v1/channels", channel("http://other.test", "")).want(h.t, 201, "").json(h.t)["id"].(string)
	body := `{"name":"ota","environment":"production","kind":"ota","channel_id":"` + channel + `","property_ids":["hotel_123"],"scopes":[` +
		`"` + strings.ReplaceAll(auth.OTAScopes().String(), " ", `","`) + `"]}`
	id := h.call("POST", "/v1/clients", body).want(h.t, 201, "").json(h.t)["id"].(string)
	bound, found, err := h.auth.Client(h.t.Context(), id)
	if err != nil || !found {
		h.t.Fatal("the new client is not found", err)
	}
	return []stranger{
		{name: "another property's", token: h.tokenOf(elsewhere)},
		{name: "another channel's", token: h.tokenOf(bound), own: []string{"/rate-plans/"}},
		{name: "another property's administrator", token: h.tokenOf(administrator)},
	}
}

// What is somebody else's reads as what does not exist, whatever is asked of it: at
// every address that names a thing, with every method, and the same for an id that
// there is and for one that there is not. Nothing of it changes.
func TestWhatIsOthersReadsAsAbsent(t *testing.T) {
	h := newAuditedHouse(t).busyHouse // it has a conflict, a run and an update too
	h.ids["/access-requests/"] = h.call("POST", "/v1/access-requests", `{"kind":"technology_partner","preset":"rms","property_ids":["hotel_123"],`+useCase+`}`).want(t, 201, "").json(t)["id"].(string)
	strangers := h.strangers()
	before := h.everything(t)
	for path, item := range h.handler.(*server).document().Paths {
		collection := path[:strings.Index(path[1:]+"/", "/")+1] + "/"
		if h.ids[collection] == "" || !strings.Contains(path, "{id}") {
			continue
		}
		for method, op := range operationsOf(item) {
			for _, who := range strangers {
				if slices.Contains(who.own, collection) && method == http.MethodGet {
					continue
				}
				h.absent(t, who, method, h.target(path), op, collection)
			}
		}
	}
	if after := h.everything(t); after != before {
		t.Errorf("what strangers did has changed something:\n%s\n%s", before, after)
	}
}

// absent asks for what there is and for what there is not.
func (h *busyHouse) absent(t *testing.T, who stranger, method, target string, op *huma.Operation, collection string) {
	t.Helper()
	body := ""
	if op.RequestBody != nil {
		if content := op.RequestBody.Content[mediaJSON]; content != nil {
			body = text(h.sample(content.Schema, "", false))
		}
	}
	target += "?"
	for _, p := range op.Parameters {
		if p.In == "query" && p.Required {
			target += p.Name + "=" + map[string]string{"date": "2026-12-01", "date_from": "2026-12-01", "date_to": "2026-12-02", "room_type_id": h.standard.ID}[p.Name] + "&"
		}
	}
	ask := func(target string) reply { return h.call(method, target, body, "Authorization: Bearer "+who.token) }
	there, nowhere := ask(target), ask(strings.Replace(target, h.ids[collection], "nothing", 1))
	if there.StatusCode == http.StatusForbidden && nowhere.StatusCode == http.StatusForbidden {
		return // it has no scope for either
	}
	if there.StatusCode != http.StatusNotFound || there.code() != nowhere.code() || strings.Contains(string(there.body), "Lovelace") || strings.Contains(string(there.body), "Tours") {
		t.Errorf("%s %s for %s: %d %s; for an id that does not exist: %d %s", method, target, who.name, there.StatusCode, there.body, nowhere.StatusCode, nowhere.body)
	}
}

// Lists and writes that name a property are refused to clients of another one, as
// for a property that does not exist, and lists that name none leave its things
// out.
func TestAnotherPropertyIsNeitherListedNorWritten(t *testing.T) {
	h := newBusyHouse(t)
	before := h.everything(t)
	token := h.strangers()[0].token
	call := func(method, target, body string) reply {
		return h.call(method, target, body, "Authorization: Bearer "+token)
	}
	for path, item := range h.handler.(*server).document().Paths {
		for method, op := range operationsOf(item) {
			if method == http.MethodGet && names(op, "property_id") {
				target := h.target(path) + "?property_id=hotel_123"
				if names(op, "date_from") {
					target += "&date_from=2026-12-01&date_to=2026-12-02"
				}
				if names(op, "check_in") {
					target += "&check_in=2026-12-01&check_out=2026-12-02"
				}
				if names(op, "pickup_since") {
					target += "&pickup_since=2026-11-20T10:00:00Z"
				}
				call(method, target, "").want(t, http.StatusNotFound, "property_not_found")
				if !required(op, "property_id") {
					if r := call(method, h.target(path), ""); strings.Contains(string(r.body), "hotel_123") {
						t.Errorf("%s %s lists what is another property's: %s", method, path, r.body)
					}
				}
			}
			if op.RequestBody == nil || op.RequestBody.Content[mediaJSON] == nil {
				continue
			}
			schema := h.resolve(op.RequestBody.Content[mediaJSON].Schema)
			if schema.Properties["property_id"] == nil || op.OperationID == "create-property" {
				continue
			}
			for _, whole := range []bool{false, true} {
				body := h.object(schema, whole)
				write := func(property string) reply {
					body["property_id"] = property
					return call(method, h.target(path), text(body))
				}
				there, nowhere := write("hotel_123"), write("nothing")
				if there.StatusCode < 400 || there.StatusCode != nowhere.StatusCode || there.code() != nowhere.code() {
					t.Errorf("%s %s of another property: %d %s; of one that does not exist: %d %s",
						method, path, there.StatusCode, there.body, nowhere.StatusCode, nowhere.body)
				}
			}
		}
	}
	if after := h.everything(t); after != before {
		t.Errorf("what strangers did has changed something:\n%s\n%s", before, after)
	}
}

// A client that stands for another channel lists nothing of what the house and its other
// channels have, whatever filter it names, and none of its bodies changes it: every list
// and every body of the document.
func TestAnotherChannelsThingsAreNeitherListedNorWritten(t *testing.T) {
	h := newAuditedHouse(t).busyHouse
	who := h.strangers()[1]
	own := h.call("GET", "/v1/client", "", "Authorization: Bearer "+who.token).want(t, 200, "").json(t)["channel_id"]
	foreign := maps.Clone(h.ids)
	for _, shared := range []string{"/properties/", "/room-types/", "/pools/", "/rate-plans/"} {
		delete(foreign, shared) // what its own bookings and nights are of
	}
	before := h.everything(t)
	call := func(method, target, body string) reply {
		return h.call(method, target, body, "Authorization: Bearer "+who.token)
	}
	clean := func(what string, r reply) {
		for collection, id := range foreign {
			if strings.Contains(string(r.body), `"`+id+`"`) && r.StatusCode < 400 {
				t.Errorf("%s shows the %s %s: %d %s", what, collection, id, r.StatusCode, r.body)
			}
		}
	}
	filters := map[string]string{"channel_id": "/channels/", "guest_id": "/guests/", "group_id": "/reservation-groups/", "block_id": "/blocks/"}
	lists, writes := 0, 0
	for path, item := range h.handler.(*server).document().Paths {
		for method, op := range operationsOf(item) {
			if method == http.MethodGet && !strings.Contains(path, "{") && len(op.Security) > 0 {
				query := ""
				for name, value := range map[string]string{
					"property_id": "hotel_123", "date_from": "2026-12-01", "date_to": "2026-12-20", "check_in": "2026-12-10", "check_out": "2026-12-12", "pickup_since": "2026-11-20T10:00:00Z",
				} {
					if names(op, name) {
						query += "&" + name + "=" + value
					}
				}
				lists++
				clean("GET "+path, call(method, prefix+path+"?"+strings.TrimPrefix(query, "&"), ""))
				for name, collection := range filters {
					if names(op, name) {
						clean("GET "+path+" by "+name, call(method, prefix+path+"?"+name+"="+foreign[collection]+query, ""))
					}
				}
			}
			if op.RequestBody == nil || op.RequestBody.Content[mediaJSON] == nil || strings.Contains(path, "{id}") {
				continue
			}
			schema := h.resolve(op.RequestBody.Content[mediaJSON].Schema)
			for _, whole := range []bool{false, true} {
				body := h.object(schema, whole)
				if schema.Properties["source"] != nil {
					body["source"] = map[string]any{"channel_id": foreign["/channels/"], "channel_reference": "B1"}
				}
				writes++
				r := call(method, h.target(path), text(body))
				clean(method+" "+path, r)
				if r.StatusCode < 400 && strings.HasPrefix(path, "/reservation") {
					for _, of := range append([]any{r.json(t)}, anyList(r.json(t)["reservations"])...) {
						if source, is := of.(map[string]any)["source"].(map[string]any); is && source["channel_id"] != own {
							t.Errorf("%s %s books for another channel: %v", method, path, source)
						}
					}
				}
			}
		}
	}
	if after := h.everything(t); after != before {
		t.Errorf("what it did has changed something:\n%s\n%s", before, after)
	}
	if lists < 20 || writes < 20 {
		t.Errorf("%d lists and %d bodies were tried", lists, writes)
	}
}

func anyList(v any) []any {
	list, _ := v.([]any)
	return list
}

// everything is what the owner of the house reads of what there is one of.
func (h *busyHouse) everything(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, collection := range slices.Sorted(maps.Keys(h.ids)) {
		all.Write(h.call("GET", prefix+collection+h.ids[collection], "").want(t, 200, "").body)
	}
	return all.String()
}

func names(op *huma.Operation, parameter string) bool {
	return slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.In == "query" && p.Name == parameter })
}

func required(op *huma.Operation, parameter string) bool {
	return slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.In == "query" && p.Name == parameter && p.Required })
}

package api

import (
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/casing"

	"ostler.example/internal/desk"
)

// eventObjects are what events are about: by their name, or else by the first part
// of it.
var eventObjects = map[string]reflect.Type{
	"reservation":            reflect.TypeFor[reservationBody](),
	"guest":                  reflect.TypeFor[thinGuest](),
	"block":                  reflect.TypeFor[blockBody](),
	"inventory":              reflect.TypeFor[houseRanges](),
	"inventory.overbooked":   reflect.TypeFor[overbookedEvent](),
	"rates":                  reflect.TypeFor[houseRanges](),
	"restrictions":           reflect.TypeFor[houseRanges](),
	"ari_update":             reflect.TypeFor[ariUpdateBody](),
	"property":               reflect.TypeFor[propertyBody](),
	"pool":                   reflect.TypeFor[poolBody](),
	"room_type":              reflect.TypeFor[roomTypeBody](),
	"rate_plan":              reflect.TypeFor[ratePlanBody](),
	"pricing_rule":           reflect.TypeFor[ruleBody](),
	"channel":                reflect.TypeFor[channelBody](),
	"channel.circuit_opened": reflect.TypeFor[circuitEvent](),
	"channel.circuit_closed": reflect.TypeFor[circuitEvent](),
	"sync":                   reflect.TypeFor[conflictBody](),
	"sync.drift_found":       reflect.TypeFor[driftEvent](),
	"client":                 reflect.TypeFor[secretEvent](),
	"webhook_endpoint":       reflect.TypeFor[webhookBody](),
}

// eventSchema returns the schema of what an event is about, by reference.
func (s *server) eventSchema(name string) *huma.Schema {
	object, known := eventObjects[name]
	if !known {
		object, known = eventObjects[desk.EventGroup(name)]
	}
	if !known {
		panic("api: nobody says what the event " + name + " is about")
	}
	return s.api.OpenAPI().Components.Schemas.Schema(object, true, "")
}

// documentWebhooks writes into the document what a receiver is called with.
func (s *server) documentWebhooks() {
	doc := s.api.OpenAPI()
	doc.Webhooks = map[string]*huma.PathItem{}
	envelope := doc.Components.Schemas.Schema(reflect.TypeFor[eventBody](), true, "")
	header := func(name, text string) *huma.Param {
		return &huma.Param{Name: name, In: "header", Required: true, Description: text, Schema: &huma.Schema{Type: huma.TypeString}}
	}
	types := append(eventTypes(), desk.EventType{Name: desk.WebhookPing, When: pingWhen})
	for _, t := range types {
		event := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{
			"type": {Type: huma.TypeString, Enum: []any{t.Name}},
		}}
		body := &huma.Schema{AllOf: []*huma.Schema{envelope, event}}
		if t.Name == desk.WebhookPing {
			body = event // it is of no property and has no sequence
		} else {
			event.Properties["data"] = &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{"object": s.eventSchema(t.Name)}}
		}
		doc.Webhooks[t.Name] = &huma.PathItem{Post: &huma.Operation{
			OperationID: "hear-" + casing.Kebab(strings.ReplaceAll(t.Name, ".", "_")), Method: http.MethodPost,
			Summary: t.Name, Description: t.When, Tags: []string{tagWebhooks}, Security: []map[string][]string{},
			Parameters: []*huma.Param{
				header("webhook-id", "The event's id: the same each time it is sent."),
				header("webhook-timestamp", "Of this call, in seconds since 1970."),
				header("webhook-signature", "v1, and the HMAC-SHA256 of id.timestamp.body in base64; several with spaces between them while a secret is changed."),
			},
			RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{mediaJSON: {Schema: body}}},
			Responses: map[string]*huma.Response{
				"2XX": {Description: "Taken. Answer within 15 seconds and work afterwards."},
				"410": {Description: "Nobody is there any more: the endpoint is disabled."},
			},
		}}
	}
}

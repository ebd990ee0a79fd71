package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

type eventTypeBody struct {
	Name   string         `json:"name" example:"reservation.created"`
	Scopes []auth.Scope   `json:"scopes" doc:"One of them is needed besides events:read, or webhooks:write."`
	When   string         `json:"when"`
	Schema map[string]any `json:"schema" doc:"The JSON Schema of data.object, in GET /openapi.json; of webhook.ping, which has none, that of data."`
}

func (s *server) registerEventTypes() {
	op := huma.Operation{
		OperationID: "list-event-types", Method: http.MethodGet, Path: "/event-types",
		Summary: "The types of events", Tags: []string{tagEvents},
	}
	register(s, op, access{public: true}, func(context.Context, *struct{}) (*kept[ListBody[eventTypeBody]], error) {
		out := &kept[ListBody[eventTypeBody]]{Cache: publicCache}
		for _, t := range eventTypes() {
			ref := s.eventSchema(t.Name).Ref
			out.Body.Data = append(out.Body.Data, eventTypeBody{
				t.Name, desk.EventScopes(t.Name), t.When, map[string]any{"$ref": s.base() + "/openapi.json" + ref},
			})
		}
		// It is sent when somebody tests an endpoint, and to nobody who has not asked for it.
		out.Body.Data = append(out.Body.Data, eventTypeBody{
			desk.WebhookPing, []auth.Scope{auth.WebhooksWrite}, pingWhen, map[string]any{"type": "object"},
		})
		return out, nil
	})
	s.documentWebhooks()
}

// pingWhen is when an endpoint is sent a ping.
const pingWhen = "Somebody tests the endpoint; data is empty."

// eventTypes are the types of events, each once.
func eventTypes() []desk.EventType {
	var types []desk.EventType
	seen := map[string]bool{}
	for _, t := range desk.EventTypes() {
		if !seen[t.Name] {
			types = append(types, t)
		}
		seen[t.Name] = true
	}
	return types
}

package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

func (s *server) registerWebhookSteps() {
	enable := huma.Operation{
		OperationID: "enable-webhook-endpoint", Method: http.MethodPost, Path: "/webhook-endpoints/{id}/enable",
		Summary: "Go on with deliveries", Tags: []string{tagWebhooks}, DefaultStatus: http.StatusOK,
		Description: "After an endpoint was disabled. They go on where they stopped. What an operator has disabled needs admin:clients.",
	}
	register(s, enable, needs(auth.WebhooksWrite), func(ctx context.Context, in *webhookStepIn) (*resource[webhookBody], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		v, replayed, err := s.desk.EnableWebhookEndpoint(ctx, callerOf(ctx), in.ID, revision)
		return s.changedWebhook(ctx, v, replayed, err)
	})

	type rotateIn struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the endpoint is at another revision."`
		Body    *struct {
			OverlapHours *int `json:"overlap_hours,omitempty" minimum:"0" maximum:"168" doc:"For so long the old secret signs too: 24 unless it is said, 0 for not at all."`
		}
	}
	rotate := huma.Operation{
		OperationID: "rotate-webhook-secret", Method: http.MethodPost, Path: "/webhook-endpoints/{id}/rotate-secret",
		Summary: "Take another secret", Tags: []string{tagWebhooks}, DefaultStatus: http.StatusOK,
		Description: "Calls are signed with both until the overlap is over; a receiver takes whichever fits.",
	}
	register(s, rotate, needs(auth.WebhooksWrite), func(ctx context.Context, in *rotateIn) (*resource[newWebhookBody], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		overlap := 24
		if in.Body != nil && in.Body.OverlapHours != nil {
			overlap = *in.Body.OverlapHours
		}
		v, replayed, err := s.desk.RotateWebhookSecret(ctx, callerOf(ctx), in.ID, revision, time.Duration(overlap)*time.Hour)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return &resource[newWebhookBody]{Status: http.StatusOK, ETag: shownTag(v.Revision, webhookOf(v)), Cache: "no-store", Body: newWebhookBody{webhookOf(v), v.Secret}}, nil
	})

	type replayIn struct {
		ID   string `path:"id"`
		Body struct {
			Since         *time.Time `json:"since,omitempty" doc:"Inclusive; within the window of the feed."`
			AfterSequence *int64     `json:"after_sequence,omitempty" minimum:"0" doc:"In place of since."`
			Until         *time.Time `json:"until,omitempty" doc:"Exclusive; now when it is left out."`
			EventTypes    []string   `json:"event_types,omitempty" maxItems:"100" doc:"All that the endpoint hears when it is left out."`
			OnlyFailed    bool       `json:"only_failed,omitempty" doc:"Only what was tried as often as the schedule says, in vain."`
		}
	}
	again := huma.Operation{
		OperationID: "replay-webhook-endpoint", Method: http.MethodPost, Path: "/webhook-endpoints/{id}/replay",
		Summary: "Hear a part of the past again", Tags: []string{tagWebhooks}, DefaultStatus: http.StatusAccepted,
		Description: "Since an instant or behind a sequence, within the window of the feed. Events come under the ids that they had.",
	}
	register(s, again, needs(auth.WebhooksWrite), func(ctx context.Context, in *replayIn) (*accepted[webhookBody], error) {
		q := desk.ReplayQuery{After: in.Body.AfterSequence, EventTypes: in.Body.EventTypes, OnlyFailed: in.Body.OnlyFailed}
		if in.Body.Since != nil {
			q.Since = *in.Body.Since
		}
		if in.Body.Until != nil {
			q.Until = *in.Body.Until
		}
		v, replayed, err := s.desk.ReplayWebhooks(ctx, callerOf(ctx), in.ID, q)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return &accepted[webhookBody]{"no-store", webhookOf(v)}, nil
	})

	test := huma.Operation{
		OperationID: "test-webhook-endpoint", Method: http.MethodPost, Path: "/webhook-endpoints/{id}/test",
		Summary: "Call the endpoint now", Tags: []string{tagWebhooks}, DefaultStatus: http.StatusOK,
		Description: "Sends webhook.ping once, or the example of an event, signed as every call is, also to a paused endpoint, and tells what came of it. An example says sample: true, and has no property and no sequence.",
	}
	register(s, test, needs(auth.WebhooksWrite), func(ctx context.Context, in *struct {
		ID   string `path:"id"`
		Body *struct {
			EventType string `json:"event_type,omitempty" default:"webhook.ping" doc:"Of what an example is sent; GET /event-types lists them."`
		}
	},
	) (*answer[webhookDeliveryBody], error) {
		kind := desk.WebhookPing
		if in.Body != nil && in.Body.EventType != "" {
			kind = in.Body.EventType
		}
		data, err := s.sampleOf(kind)
		if err != nil {
			return nil, err
		}
		d, replayed, err := s.desk.TestWebhook(ctx, callerOf(ctx), in.ID, kind, data)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		if s.environment == auth.Sandbox && d.Status == hotel.WebhookDelivered {
			s.auth.NoteCall(callerOf(ctx).ClientID, auth.Call{Operation: auth.CallWebhookVerified, Status: http.StatusOK}, 0)
		}
		return &answer[webhookDeliveryBody]{webhookDeliveryOf(d)}, nil
	})
}

// sampleOf is an example of what an event of a type tells, made as those of the document
// are; nil for a ping.
func (s *server) sampleOf(name string) (json.RawMessage, error) {
	if name == desk.WebhookPing {
		return nil, nil
	}
	if !slices.ContainsFunc(eventTypes(), func(t desk.EventType) bool { return t.Name == name }) {
		return nil, hotel.Invalid("/event_type", "enum", "there is no such type of event; GET /event-types lists them")
	}
	return json.Marshal(map[string]any{"object": exemplar{s.api.OpenAPI().Components.Schemas}.of(s.eventSchema(name), "", true, 0)})
}

// accepted is the reply to a request for something that is done later.
type accepted[T any] struct {
	Cache string `header:"Cache-Control"`
	Body  T
}

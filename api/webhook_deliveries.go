package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type webhookDeliveryBody struct {
	ID            string               `json:"id"`
	EndpointID    string               `json:"endpoint_id"`
	EventID       string               `json:"event_id" doc:"The webhook-id of every call."`
	EventType     string               `json:"event_type"`
	PropertyID    *string              `json:"property_id"`
	Sequence      *int64               `json:"sequence" doc:"Of the event; null for a test."`
	FirstSequence *int64               `json:"first_sequence" doc:"Where several changes of a house value go as one: of the first of them."`
	Status        string               `json:"status" enum:"pending,delivered,dead" doc:"What is dead was tried as often as the schedule says."`
	NextAttemptAt *string              `json:"next_attempt_at" format:"date-time"`
	CreatedAt     string               `json:"created_at" format:"date-time"`
	UpdatedAt     string               `json:"updated_at" format:"date-time"`
	Revision      int64                `json:"revision"`
	Attempts      []webhookAttemptBody `json:"attempts" doc:"Oldest first."`
}

type webhookAttemptBody struct {
	At         string  `json:"at" format:"date-time"`
	DurationMS int64   `json:"duration_ms"`
	HTTPStatus *int    `json:"http_status" doc:"Null: there was no answer."`
	Error      *string `json:"error" doc:"Why there was none."`
	Excerpt    string  `json:"response_excerpt" doc:"The first KiB of the answer; what it repeats of people is left out."`
}

func webhookDeliveryOf(d hotel.WebhookDelivery) webhookDeliveryBody {
	b := webhookDeliveryBody{
		ID: d.ID, EndpointID: d.EndpointID, EventID: d.Event.ID, EventType: d.Event.Kind, PropertyID: orNull(d.Event.PropertyID),
		Status: string(d.Status), CreatedAt: stamp(d.CreatedAt), UpdatedAt: stamp(d.UpdatedAt), Revision: d.Revision, Attempts: []webhookAttemptBody{},
	}
	if !d.IsTest() {
		b.Sequence, b.FirstSequence = &d.Event.Sequence, &d.First
	}
	if d.Status == hotel.WebhookPending {
		b.NextAttemptAt = stampOrNull(d.NextAt)
	}
	for _, a := range d.Attempts {
		one := webhookAttemptBody{At: stamp(a.At), DurationMS: a.Duration.Milliseconds(), Error: orNull(a.Error), Excerpt: a.Excerpt}
		if a.Status != 0 {
			one.HTTPStatus = &a.Status
		}
		b.Attempts = append(b.Attempts, one)
	}
	return b
}

func (s *server) registerWebhookDeliveries() {
	type listIn struct {
		ID string `path:"id"`
		Paging
		Status    []string        `query:"status" enum:"pending,delivered,dead" doc:"One of several."`
		EventType []deliveredType `query:"event_type" doc:"One of several."`
		Since     time.Time       `query:"since" doc:"Made at or after."`
	}
	list := huma.Operation{
		OperationID: "list-webhook-deliveries", Method: http.MethodGet, Path: "/webhook-endpoints/{id}/deliveries",
		Summary: "What was delivered to an endpoint, and how", Tags: []string{tagWebhooks},
		Description: "The newest first. What is over is kept for 30 days.",
	}
	register(s, list, needs(auth.WebhooksRead), func(ctx context.Context, in *listIn) (*listOf[webhookDeliveryBody], error) {
		from, err := s.readCursor(callOf(ctx).url, in.Cursor)
		if err != nil {
			return nil, err
		}
		f := hotel.WebhookDeliveryFilter{
			EndpointID: in.ID, Statuses: several[hotel.WebhookDeliveryStatus](in.Status), Kinds: several[string](in.EventType), Since: in.Since, Limit: in.Limit + 1,
		}
		if from != nil {
			f.Before = from.id
		}
		all, err := s.desk.WebhookDeliveries(ctx, callerOf(ctx), f)
		if err != nil {
			return nil, err
		}
		var last *position
		if len(all) > in.Limit {
			all = all[:in.Limit]
			last = &position{id: all[in.Limit-1].ID}
		}
		bodies := make([]webhookDeliveryBody, len(all))
		for i, d := range all {
			bodies[i] = webhookDeliveryOf(d)
		}
		return page(ctx, s, bodies, last), nil
	})
	get := huma.Operation{
		OperationID: "get-webhook-delivery", Method: http.MethodGet, Path: "/webhook-deliveries/{id}",
		Summary: "One delivery and its calls", Tags: []string{tagWebhooks},
	}
	register(s, get, needs(auth.WebhooksRead), func(ctx context.Context, in *byID) (*resource[webhookDeliveryBody], error) {
		d, err := s.desk.WebhookDelivery(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		shown := webhookDeliveryOf(d)
		return taggedAs(in.IfNoneMatch, shownTag(d.Revision, shown), shown), nil
	})
	retry := huma.Operation{
		OperationID: "retry-webhook-delivery", Method: http.MethodPost, Path: "/webhook-deliveries/{id}/retry",
		Summary: "Send a delivery again", Tags: []string{tagWebhooks}, DefaultStatus: http.StatusAccepted,
		Description: "Whatever became of it, under the same webhook-id: at once, and then by the whole schedule. To an endpoint that is paused or disabled it goes when that is enabled.",
	}
	register(s, retry, needs(auth.WebhooksWrite), func(ctx context.Context, in *struct {
		ID string `path:"id"`
	},
	) (*accepted[webhookDeliveryBody], error) {
		d, replayed, err := s.desk.RetryWebhook(ctx, callerOf(ctx), in.ID)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return &accepted[webhookDeliveryBody]{"no-store", webhookDeliveryOf(d)}, nil
	})
}

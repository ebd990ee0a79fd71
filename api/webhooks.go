package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

type webhookBody struct {
	EntityBody
	ClientID            string   `json:"client_id" doc:"Whose it is."`
	URL                 string   `json:"url"`
	EventTypes          []string `json:"event_types"`
	PropertyIDs         []string `json:"property_ids" doc:"None: every granted one."`
	Description         string   `json:"description"`
	AcknowledgeRequired bool     `json:"acknowledge_required"`
	HeaderNames         []string `json:"header_names" doc:"The static headers; their values are not shown."`
	Status              string   `json:"status" enum:"enabled,paused,disabled"`
	DisabledReason      *string  `json:"disabled_reason" enum:"gone,failing,operator" doc:"The receiver answered 410, nothing went well for five days, or an operator has disabled it, who alone enables it again; the actor of webhook_endpoint.disabled says who."`
	Position            int64    `json:"position" doc:"Everything up to here in the journal was turned into deliveries."`

	Replay  *replayBody         `json:"replay" doc:"What is being heard again; null when nothing is."`
	Secrets []webhookSecretBody `json:"secrets" doc:"Those that sign, the newest first."`
	Health  webhookHealthBody   `json:"health"`
}

type webhookSecretBody struct {
	ID        string  `json:"id"`
	CreatedAt string  `json:"created_at" format:"date-time"`
	ExpiresAt *string `json:"expires_at" format:"date-time" doc:"Null for the present one."`
}

type webhookHealthBody struct {
	SuccessRate   *float64 `json:"success_rate_24h" doc:"Which part of the calls of a day went well; null when there were none."`
	LastSuccessAt *string  `json:"last_success_at" format:"date-time"`
	FailingSince  *string  `json:"failing_since" format:"date-time" doc:"After five days without a success the endpoint is disabled."`
	Queued        int      `json:"queued" doc:"Deliveries that wait, or are to be repeated."`
}

type replayBody struct {
	AfterSequence   int64    `json:"after_sequence" doc:"It has come so far."`
	ThroughSequence int64    `json:"through_sequence"`
	EventTypes      []string `json:"event_types"`
	OnlyFailed      bool     `json:"only_failed"`
}

// WebhookBody is named so that its members are described where it is embedded.
type WebhookBody = webhookBody

// newWebhookBody is an endpoint with a secret, which is shown once.
type newWebhookBody struct {
	WebhookBody
	Secret string `json:"secret,omitempty" example:"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=" doc:"Shown this once: not to a request that is repeated."`
}

func webhookOf(v desk.WebhookView) webhookBody {
	b := webhookBody{
		EntityBody: entityOf(v.Entity), ClientID: v.ClientID, URL: v.URL, EventTypes: some(v.EventTypes), PropertyIDs: some(v.PropertyIDs), Description: v.Description,
		AcknowledgeRequired: v.Acknowledges, HeaderNames: some(v.HeaderNames), Status: string(v.Status), DisabledReason: orNull(string(v.Reason)),
		Position: v.Position, Secrets: []webhookSecretBody{},
		Health: webhookHealthBody{
			SuccessRate: v.SuccessRate, LastSuccessAt: stampOrNull(v.LastSuccess), FailingSince: stampOrNull(v.FailingSince), Queued: v.Queued,
		},
	}
	for _, s := range v.Secrets {
		b.Secrets = append(b.Secrets, webhookSecretBody{s.ID, stamp(s.CreatedAt), stampOrNull(s.ExpiresAt)})
	}
	if r := v.Replay; r != nil {
		b.Replay = &replayBody{r.After, r.Through, some(r.EventTypes), r.OnlyFailed}
	}
	return b
}

type webhookInput struct {
	URL                 string            `json:"url" minLength:"1" maxLength:"2000" example:"https://partner.example/hooks"`
	EventTypes          []string          `json:"event_types" minItems:"1" maxItems:"100" example:"[\"reservation.*\"]" doc:"Names, reservation.* for a group, * for all that your scopes let you read."`
	PropertyIDs         []string          `json:"property_ids,omitempty" maxItems:"1000" doc:"Every granted one when it is left out."`
	Description         string            `json:"description,omitempty" maxLength:"500"`
	AcknowledgeRequired bool              `json:"acknowledge_required,omitempty" doc:"You acknowledge bookings, and want to be reminded of those that you have not."`
	Headers             map[string]string `json:"headers,omitempty" doc:"At most five, sent with every call and never shown."`
	StartAfter          *int64            `json:"start_after,omitempty" minimum:"0" doc:"A sequence, to hear what happened since; from now on when it is left out."`
}

type webhookPatch struct {
	URL                 optional[string]            `json:"url,omitzero" minLength:"1" maxLength:"2000"`
	EventTypes          optional[[]string]          `json:"event_types,omitzero" minItems:"1" maxItems:"100"`
	PropertyIDs         optional[[]string]          `json:"property_ids,omitzero" maxItems:"1000"`
	Description         optional[string]            `json:"description,omitzero" maxLength:"500"`
	AcknowledgeRequired optional[bool]              `json:"acknowledge_required,omitzero"`
	Headers             optional[map[string]string] `json:"headers,omitzero" doc:"In place of all that there are."`
	Status              optional[string]            `json:"status,omitzero" enum:"enabled,paused,disabled" doc:"A paused endpoint is not called; nothing is passed over meanwhile. disabled is for who has admin:clients, also at endpoints of other clients, and comes alone. One that was disabled is enabled by its own address."`
}

func (p webhookPatch) read() (desk.WebhookChange, error) {
	if err := keep(member{"url", p.URL.Null}, member{"event_types", p.EventTypes.Null}, member{"status", p.Status.Null}); err != nil {
		return desk.WebhookChange{}, err
	}
	c := desk.WebhookChange{
		URL: p.URL.pointer(), Description: p.Description.orZero(), EventTypes: p.EventTypes.pointer(), PropertyIDs: p.PropertyIDs.orZero(),
		Acknowledges: p.AcknowledgeRequired.orZero(), Headers: p.Headers.orZero(),
	}
	if status := p.Status.pointer(); status != nil {
		c.Status = new(hotel.WebhookStatus(*status))
	}
	return c, nil
}

func (s *server) registerWebhooks() {
	list := huma.Operation{
		OperationID: "list-webhook-endpoints", Method: http.MethodGet, Path: "/webhook-endpoints",
		Summary: "Where your events are delivered", Tags: []string{tagWebhooks},
	}
	register(s, list, needs(auth.WebhooksRead), func(ctx context.Context, in *struct {
		Paging
		ClientID string `query:"client_id" doc:"Those of another client of the same environment, for who has admin:clients."`
	},
	) (*listOf[webhookBody], error) {
		all, err := s.desk.WebhookEndpoints(ctx, callerOf(ctx), in.ClientID)
		if err != nil {
			return nil, inParameters(err)
		}
		return pageOf(ctx, s, in.Paging, all, func(v desk.WebhookView) position { return position{id: v.ID} }, webhookOf)
	})
	get := huma.Operation{
		OperationID: "get-webhook-endpoint", Method: http.MethodGet, Path: "/webhook-endpoints/{id}",
		Summary: "One endpoint and how it fares", Tags: []string{tagWebhooks},
	}
	register(s, get, needs(auth.WebhooksRead), func(ctx context.Context, in *byID) (*resource[webhookBody], error) {
		v, err := s.desk.WebhookEndpoint(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return resourceOf(in.IfNoneMatch, v.Revision, webhookOf(v)), nil
	})
	create := huma.Operation{
		OperationID: "create-webhook-endpoint", Method: http.MethodPost, Path: "/webhook-endpoints",
		Summary: "Have events delivered", Tags: []string{tagWebhooks}, DefaultStatus: http.StatusCreated,
		Description: "Calls are signed as Standard Webhooks 1.0.0 has it, with the secret that is shown in this answer and never again. A client has at most 20 endpoints.",
	}
	register(s, create, needs(auth.WebhooksWrite), func(ctx context.Context, in *struct{ Body webhookInput }) (*created[newWebhookBody], error) {
		b := in.Body
		v, replayed, err := s.desk.CreateWebhookEndpoint(ctx, callerOf(ctx), desk.NewWebhook{
			WebhookSettings: hotel.WebhookSettings{
				URL: b.URL, EventTypes: b.EventTypes, PropertyIDs: b.PropertyIDs, Description: b.Description, Acknowledges: b.AcknowledgeRequired,
			},
			Headers: b.Headers, StartAfter: b.StartAfter,
		})
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return &created[newWebhookBody]{
			Location: baseOf(ctx) + "/webhook-endpoints/" + v.ID, ETag: shownTag(v.Revision, webhookOf(v)), Cache: "no-store", Body: newWebhookBody{webhookOf(v), v.Secret},
		}, nil
	})
	s.registerWebhookChange()
	s.registerWebhookSteps()
	s.registerWebhookDeliveries()
}

func (s *server) registerWebhookChange() {
	type changeIn struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the endpoint is at another revision."`
		Body    webhookPatch
	}
	change := huma.Operation{
		OperationID: "update-webhook-endpoint", Method: http.MethodPatch, Path: "/webhook-endpoints/{id}",
		Summary: "Change an endpoint", Tags: []string{tagWebhooks},
		Description: "A merge patch. Deliveries that wait go to the new address too.",
	}
	register(s, change, needs(auth.WebhooksWrite), func(ctx context.Context, in *changeIn) (*resource[webhookBody], error) {
		c, err := in.Body.read()
		if err != nil {
			return nil, err
		}
		if c.IfRevision, err = s.ifMatch(in.IfMatch); err != nil {
			return nil, err
		}
		v, replayed, err := s.desk.ChangeWebhookEndpoint(ctx, callerOf(ctx), in.ID, c)
		return s.changedWebhook(ctx, v, replayed, err)
	})
	content := s.api.OpenAPI().Paths[change.Path].Patch.RequestBody.Content
	content[mediaMergePatch] = content[mediaJSON]

	remove := huma.Operation{
		OperationID: "delete-webhook-endpoint", Method: http.MethodDelete, Path: "/webhook-endpoints/{id}",
		Summary: "Have events delivered no more", Tags: []string{tagWebhooks}, DefaultStatus: http.StatusNoContent,
	}
	register(s, remove, needs(auth.WebhooksWrite), func(ctx context.Context, in *webhookStepIn) (*struct{}, error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		return nil, s.desk.DeleteWebhookEndpoint(ctx, callerOf(ctx), in.ID, revision)
	})
}

// webhookStepIn is a request that is all in its address.
type webhookStepIn struct {
	ID      string `path:"id"`
	IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the endpoint is at another revision."`
}

func (s *server) changedWebhook(ctx context.Context, v desk.WebhookView, replayed bool, err error) (*resource[webhookBody], error) {
	replay(ctx, replayed)
	if err != nil {
		return nil, err
	}
	return resourceOf("", v.Revision, webhookOf(v)), nil
}

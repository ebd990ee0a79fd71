package desk

import (
	"context"
	"encoding/json"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// webhooks is what is kept of where clients have events delivered.
type webhooks interface {
	WebhookEndpoint(ctx context.Context, id string) (hotel.WebhookEndpoint, error)
	WebhookEndpoints(ctx context.Context, clientID string) ([]hotel.WebhookEndpoint, error)
	WebhookSuccessRate(ctx context.Context, id string, since time.Time) (float64, bool, error)
	WebhookDelivery(ctx context.Context, id string) (hotel.WebhookDelivery, error)
	WebhookDeliveries(ctx context.Context, f hotel.WebhookDeliveryFilter) ([]hotel.WebhookDelivery, error)

	CreateWebhookEndpoint(ctx context.Context, by hotel.By, once hotel.Once, e hotel.WebhookEndpoint, secret []byte) (made hotel.WebhookEndpoint, replayed bool, err error)
	ChangeWebhookEndpoint(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.Change[hotel.WebhookEndpoint]) (changed hotel.WebhookEndpoint, replayed bool, err error)
	RotateWebhookSecret(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, secret []byte, overlap time.Duration) (e hotel.WebhookEndpoint, replayed bool, err error)
	DeleteWebhookEndpoint(ctx context.Context, by hotel.By, id string, ifRevision int64) error
	ReplayWebhooks(ctx context.Context, by hotel.By, once hotel.Once, id string, r hotel.WebhookReplay) (e hotel.WebhookEndpoint, replayed bool, err error)
	RetryWebhook(ctx context.Context, by hotel.By, once hotel.Once, id string) (d hotel.WebhookDelivery, replayed bool, err error)
	TestWebhook(ctx context.Context, by hotel.By, once hotel.Once, endpointID, kind string) (d hotel.WebhookDelivery, replayed bool, err error)
	SettleWebhook(ctx context.Context, sent hotel.WebhookDelivery, o hotel.WebhookOutcome) error
}

// Post calls the receivers of webhooks.
type Post interface {
	// CheckAddress returns why no webhook can be sent to an address, nil when one can.
	CheckAddress(address string) error
	// CheckHeader returns why webhooks cannot carry a static header.
	CheckHeader(name, value string) error
	// Ping calls an endpoint, of no event. data is an example of what such an event
	// would tell; nil: nothing.
	Ping(ctx context.Context, e hotel.WebhookEndpoint, d hotel.WebhookDelivery, data json.RawMessage) hotel.WebhookOutcome
}

// WebhookBody is an event as it is sent.
type WebhookBody struct {
	JSON    []byte
	Private []string // what it tells of people, which is kept nowhere else
}

// WebhookView is an endpoint with how it has fared.
type WebhookView struct {
	hotel.WebhookEndpoint
	Secret      string // shown this once; "" otherwise
	SuccessRate *float64
}

func (d *Desk) webhookView(ctx context.Context, e hotel.WebhookEndpoint, secret string) (WebhookView, error) {
	v := WebhookView{WebhookEndpoint: e, Secret: secret}
	rate, known, err := d.ledger.WebhookSuccessRate(ctx, e.ID, d.clock.Now().Add(-24*time.Hour))
	if known {
		v.SuccessRate = &rate
	}
	return v, said(err)
}

// WebhookEndpoints lists the caller's endpoints, or those of a client that it
// administers.
func (d *Desk) WebhookEndpoints(ctx context.Context, c Caller, clientID string) ([]WebhookView, error) {
	if err := c.need(auth.WebhooksRead); err != nil {
		return nil, err
	}
	if clientID == "" {
		clientID = c.ClientID
	} else if clientID != c.ClientID {
		of, err := d.administered(ctx, c, clientID)
		if err != nil {
			return nil, err
		}
		if of.Environment != c.Environment || of.SandboxID != c.SandboxID {
			return nil, hotel.Invalid("/client_id", "enum", "is a client of environment %s, and its endpoints are kept there: suspend it to end their calls", of.Environment)
		}
	}
	all, err := d.ledger.WebhookEndpoints(ctx, clientID)
	if err != nil {
		return nil, said(err)
	}
	views := make([]WebhookView, len(all))
	for i, e := range all {
		if views[i], err = d.webhookView(ctx, e, ""); err != nil {
			return nil, err
		}
	}
	return views, nil
}

// WebhookEndpoint returns one of the caller's endpoints, or of a client's that it
// administers.
func (d *Desk) WebhookEndpoint(ctx context.Context, c Caller, id string) (WebhookView, error) {
	e, err := d.anyWebhook(ctx, c, auth.WebhooksRead, id)
	if err != nil {
		return WebhookView{}, err
	}
	return d.webhookView(ctx, e, "")
}

// webhook reads an endpoint of the caller's own.
func (d *Desk) webhook(ctx context.Context, c Caller, scope auth.Scope, id string) (hotel.WebhookEndpoint, error) {
	if err := c.need(scope); err != nil {
		return hotel.WebhookEndpoint{}, err
	}
	e, err := d.ledger.WebhookEndpoint(ctx, id)
	if err != nil {
		return hotel.WebhookEndpoint{}, said(err)
	}
	if e.ClientID != c.ClientID {
		return hotel.WebhookEndpoint{}, nothing()
	}
	return e, nil
}

// anyWebhook reads an endpoint of the caller's own, or of a client that it administers.
func (d *Desk) anyWebhook(ctx context.Context, c Caller, scope auth.Scope, id string) (hotel.WebhookEndpoint, error) {
	e, err := d.webhook(ctx, c, scope, id)
	if err == nil || !c.Scopes.Has(auth.AdminClients) {
		return e, err
	}
	if e, err = d.ledger.WebhookEndpoint(ctx, id); err != nil {
		return e, said(err)
	}
	_, err = d.administered(ctx, c, e.ClientID)
	return e, err
}

// NewWebhook is an endpoint that somebody makes.
type NewWebhook struct {
	hotel.WebhookSettings
	Headers    map[string]string
	StartAfter *int64 // a sequence; nil: with what happens from now on
}

// CreateWebhookEndpoint makes an endpoint. Its secret is shown this once.
func (d *Desk) CreateWebhookEndpoint(ctx context.Context, c Caller, n NewWebhook) (v WebhookView, replayed bool, err error) {
	if err := c.need(auth.WebhooksWrite); err != nil {
		return WebhookView{}, false, err
	}
	if c.Operator != "" {
		return WebhookView{}, false, hotel.Refuse("insufficient_scope", "a webhook belongs to a client: make it with the client's own token")
	}
	e := hotel.WebhookEndpoint{ClientID: c.ClientID, WebhookSettings: n.WebhookSettings, Position: -1}
	asked := WebhookChange{URL: &n.URL, EventTypes: &n.EventTypes, PropertyIDs: &n.PropertyIDs, Headers: &n.Headers}
	if err := d.checkWebhook(ctx, c, asked); err != nil {
		return WebhookView{}, false, err
	}
	e.HeaderNames = headerNames(n.Headers)
	if n.StartAfter != nil {
		if newest, err := d.ledger.Sequence(ctx); err != nil || *n.StartAfter > newest {
			return WebhookView{}, false, orElse(said(err), hotel.Invalid("/start_after", "max", "the journal has come to %d", newest))
		}
		if e.Position, err = d.feedStart(ctx, EventQuery{After: n.StartAfter}); err != nil {
			return WebhookView{}, false, err
		}
	}
	if e.Headers, err = d.sealHeaders(c.ClientID, n.Headers); err != nil {
		return WebhookView{}, false, err
	}
	secret := auth.NewWebhookSecret()
	made, replayed, err := d.ledger.CreateWebhookEndpoint(ctx, c.by(), c.Once, e, d.seal.Close([]byte(secret), c.ClientID))
	return d.sealedView(ctx, made, secret, replayed, err)
}

func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// sealedView shows an endpoint after a change that made a secret, which a request
// that is repeated is not shown again.
func (d *Desk) sealedView(ctx context.Context, e hotel.WebhookEndpoint, secret string, replayed bool, err error) (WebhookView, bool, error) {
	if err != nil {
		return WebhookView{}, replayed, said(err)
	}
	if replayed {
		secret = ""
	}
	v, err := d.webhookView(ctx, e, secret)
	return v, replayed, err
}

func (d *Desk) sealHeaders(clientID string, headers map[string]string) ([]byte, error) {
	if len(headers) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(headers)
	return d.seal.Close(text, clientID), err
}

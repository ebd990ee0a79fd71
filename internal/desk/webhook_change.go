package desk

import (
	"context"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// WebhookChange is what is to be different about an endpoint; nil: as it is.
type WebhookChange struct {
	URL, Description        *string
	EventTypes, PropertyIDs *[]string
	Acknowledges            *bool
	Headers                 *map[string]string // in place of all that there are
	Status                  *hotel.WebhookStatus
	IfRevision              int64
}

// ChangeWebhookEndpoint makes an endpoint different. What is delivered from then on
// is what it says by then.
func (d *Desk) ChangeWebhookEndpoint(ctx context.Context, c Caller, id string, ch WebhookChange) (v WebhookView, replayed bool, err error) {
	if ch.Status != nil && *ch.Status == hotel.WebhookDisabled {
		return d.disableWebhook(ctx, c, id, ch)
	}
	if _, err := d.webhook(ctx, c, auth.WebhooksWrite, id); err != nil {
		return WebhookView{}, false, err
	}
	if err := d.checkWebhook(ctx, c, ch); err != nil {
		return WebhookView{}, false, err
	}
	sealed, err := d.sealHeaders(c.ClientID, ch.headers())
	if err != nil {
		return WebhookView{}, false, err
	}
	changed, replayed, err := d.ledger.ChangeWebhookEndpoint(ctx, c.by(), c.Once, id, hotel.Change[hotel.WebhookEndpoint]{
		IfRevision: ch.IfRevision,
		Apply: func(e *hotel.WebhookEndpoint) error {
			ch.over(&e.WebhookSettings)
			if ch.Headers != nil {
				e.Headers = sealed
			}
			return ch.turn(e)
		},
	})
	return d.sealedView(ctx, changed, "", replayed, err)
}

// headers are those that are said; nil for none.
func (ch WebhookChange) headers() map[string]string {
	if ch.Headers == nil {
		return nil
	}
	return *ch.Headers
}

func (ch WebhookChange) over(s *hotel.WebhookSettings) {
	if ch.URL != nil {
		s.URL = *ch.URL
	}
	if ch.Description != nil {
		s.Description = *ch.Description
	}
	if ch.EventTypes != nil {
		s.EventTypes = *ch.EventTypes
	}
	if ch.PropertyIDs != nil {
		s.PropertyIDs = *ch.PropertyIDs
	}
	if ch.Acknowledges != nil {
		s.Acknowledges = *ch.Acknowledges
	}
	if ch.Headers != nil {
		s.HeaderNames = headerNames(*ch.Headers)
	}
}

// turn pauses an endpoint, or ends its pause.
func (ch WebhookChange) turn(e *hotel.WebhookEndpoint) error {
	if ch.Status == nil {
		return nil
	}
	next := *ch.Status
	if e.Status == hotel.WebhookDisabled {
		r := hotel.Refuse("invalid_transition", "the endpoint was disabled (%s): see that it answers, then POST to its enable", e.Reason)
		r.Members = map[string]any{"from": e.Status, "to": next, "allowed": []hotel.WebhookStatus{}}
		return r
	}
	e.Status = next
	return nil
}

// disableWebhook has an operator disable an endpoint of its own or of a client that it
// administers, and change nothing else of it.
func (d *Desk) disableWebhook(ctx context.Context, c Caller, id string, ch WebhookChange) (v WebhookView, replayed bool, err error) {
	if err := c.need(auth.AdminClients); err != nil {
		return WebhookView{}, false, err
	}
	if _, err := d.anyWebhook(ctx, c, auth.WebhooksWrite, id); err != nil {
		return WebhookView{}, false, err
	}
	ifRevision := ch.IfRevision
	if ch.Status, ch.IfRevision = nil, 0; ch != (WebhookChange{}) {
		return WebhookView{}, false, hotel.Invalid("/status", "enum", "is disabled alone: send what else is to change with a request of its own")
	}
	changed, replayed, err := d.ledger.ChangeWebhookEndpoint(ctx, c.by(), c.Once, id, hotel.Change[hotel.WebhookEndpoint]{
		IfRevision: ifRevision,
		Apply: func(e *hotel.WebhookEndpoint) error {
			e.Status, e.Reason = hotel.WebhookDisabled, hotel.WebhookByOperator
			return nil
		},
	})
	return d.sealedView(ctx, changed, "", replayed, err)
}

// EnableWebhookEndpoint has deliveries go on where they stopped. What an operator has
// disabled an operator enables.
func (d *Desk) EnableWebhookEndpoint(ctx context.Context, c Caller, id string, ifRevision int64) (v WebhookView, replayed bool, err error) {
	if _, err := d.anyWebhook(ctx, c, auth.WebhooksWrite, id); err != nil {
		return WebhookView{}, false, err
	}
	changed, replayed, err := d.ledger.ChangeWebhookEndpoint(ctx, c.by(), c.Once, id, hotel.Change[hotel.WebhookEndpoint]{
		IfRevision: ifRevision,
		Apply: func(e *hotel.WebhookEndpoint) error {
			e.Status = hotel.WebhookEnabled
			return c.mayUse(e)
		},
	})
	return d.sealedView(ctx, changed, "", replayed, err)
}

// RotateWebhookSecret gives an endpoint another secret, which is shown this once.
// The old one signs too until the overlap is over.
func (d *Desk) RotateWebhookSecret(ctx context.Context, c Caller, id string, ifRevision int64, overlap time.Duration) (v WebhookView, replayed bool, err error) {
	if _, err := d.webhook(ctx, c, auth.WebhooksWrite, id); err != nil {
		return WebhookView{}, false, err
	}
	secret := auth.NewWebhookSecret()
	e, replayed, err := d.ledger.RotateWebhookSecret(ctx, c.by(), c.Once, id, ifRevision, d.seal.Close([]byte(secret), c.ClientID), overlap)
	return d.sealedView(ctx, e, secret, replayed, err)
}

// mayUse refuses to have an endpoint called, or made anew, that an operator has disabled:
// that is for an operator.
func (c Caller) mayUse(e *hotel.WebhookEndpoint) error {
	if e.Reason != hotel.WebhookByOperator {
		return nil
	}
	return c.need(auth.AdminClients)
}

// DeleteWebhookEndpoint removes an endpoint.
func (d *Desk) DeleteWebhookEndpoint(ctx context.Context, c Caller, id string, ifRevision int64) error {
	e, err := d.webhook(ctx, c, auth.WebhooksWrite, id)
	if err != nil {
		return err
	}
	if err := c.mayUse(&e); err != nil {
		return err
	}
	return said(d.ledger.DeleteWebhookEndpoint(ctx, c.by(), id, ifRevision))
}

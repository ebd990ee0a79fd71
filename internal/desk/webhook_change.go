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
	Paused                  *bool
	IfRevision              int64
}

// ChangeWebhookEndpoint makes an endpoint different. What is delivered from then on
// is what it says by then.
func (d *Desk) ChangeWebhookEndpoint(ctx context.Context, c Caller, id string, ch WebhookChange) (v WebhookView, replayed bool, err error) {
	now, err := d.webhook(ctx, c, auth.WebhooksWrite, id)
	if err != nil {
		return WebhookView{}, false, err
	}
	next := now.WebhookSettings
	ch.over(&next)
	var headers map[string]string
	if ch.Headers != nil {
		headers = *ch.Headers
	}
	if err := d.checkWebhook(ctx, c, &next, headers); err != nil {
		return WebhookView{}, false, err
	}
	sealed, err := d.sealHeaders(c.ClientID, headers)
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
	if ch.Paused == nil {
		return nil
	}
	next := hotel.WebhookEnabled
	if *ch.Paused {
		next = hotel.WebhookPaused
	}
	if e.Status == hotel.WebhookDisabled && next != e.Status {
		r := hotel.Refuse("invalid_transition", "the endpoint was disabled (%s): see that it answers, then POST to its enable", e.Reason)
		r.Members = map[string]any{"from": e.Status, "to": next, "allowed": []hotel.WebhookStatus{}}
		return r
	}
	e.Status = next
	return nil
}

// EnableWebhookEndpoint has deliveries go on where they stopped.
func (d *Desk) EnableWebhookEndpoint(ctx context.Context, c Caller, id string, ifRevision int64) (v WebhookView, replayed bool, err error) {
	if _, err := d.webhook(ctx, c, auth.WebhooksWrite, id); err != nil {
		return WebhookView{}, false, err
	}
	changed, replayed, err := d.ledger.ChangeWebhookEndpoint(ctx, c.by(), c.Once, id, hotel.Change[hotel.WebhookEndpoint]{
		IfRevision: ifRevision,
		Apply: func(e *hotel.WebhookEndpoint) error {
			e.Status = hotel.WebhookEnabled
			return nil
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

// DeleteWebhookEndpoint removes an endpoint.
func (d *Desk) DeleteWebhookEndpoint(ctx context.Context, c Caller, id string, ifRevision int64) error {
	if _, err := d.webhook(ctx, c, auth.WebhooksWrite, id); err != nil {
		return err
	}
	return said(d.ledger.DeleteWebhookEndpoint(ctx, c.by(), id, ifRevision))
}

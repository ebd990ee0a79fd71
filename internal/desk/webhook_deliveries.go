package desk

import (
	"context"
	"encoding/json"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// ReplayQuery says which part of the past an endpoint is to hear again: from Since
// or behind After, up to Until.
type ReplayQuery struct {
	After        *int64
	Since, Until time.Time // Until is exclusive; zero: now
	EventTypes   []string  // none: all that the endpoint hears
	OnlyFailed   bool
}

// ReplayWebhooks has an endpoint hear a part of the past again, under the same ids.
func (d *Desk) ReplayWebhooks(ctx context.Context, c Caller, id string, q ReplayQuery) (v WebhookView, replayed bool, err error) {
	e, err := d.anyWebhook(ctx, c, auth.WebhooksWrite, id)
	if err != nil {
		return WebhookView{}, false, err
	}
	switch {
	case q.After == nil && q.Since.IsZero():
		return WebhookView{}, false, hotel.Invalid("/since", "required", "name where to begin by one of since and after_sequence")
	case q.After != nil && !q.Since.IsZero():
		return WebhookView{}, false, hotel.Invalid("/after_sequence", "type", "name since or after_sequence, not both")
	}
	if items := checkEventTypes(c, q.EventTypes); len(items) > 0 {
		return WebhookView{}, false, refusedFor(items)
	}
	r := hotel.WebhookReplay{Through: e.Position, EventTypes: q.EventTypes, OnlyFailed: q.OnlyFailed}
	if r.After, err = d.feedStart(ctx, EventQuery{After: q.After, Since: q.Since}); err != nil {
		return WebhookView{}, false, err
	}
	if !q.Until.IsZero() {
		if r.Through, err = d.ledger.SequenceBefore(ctx, q.Until); err != nil {
			return WebhookView{}, false, said(err)
		}
	}
	e, replayed, err = d.ledger.ReplayWebhooks(ctx, c.by(), c.Once, id, r)
	return d.sealedView(ctx, e, "", replayed, err)
}

// WebhookDeliveries lists deliveries of one of the caller's endpoints, or of a client's
// that it administers, the newest first.
func (d *Desk) WebhookDeliveries(ctx context.Context, c Caller, f hotel.WebhookDeliveryFilter) ([]hotel.WebhookDelivery, error) {
	if _, err := d.anyWebhook(ctx, c, auth.WebhooksRead, f.EndpointID); err != nil {
		return nil, err
	}
	list, err := d.ledger.WebhookDeliveries(ctx, f)
	return list, said(err)
}

// WebhookDelivery returns one delivery with its calls.
func (d *Desk) WebhookDelivery(ctx context.Context, c Caller, id string) (hotel.WebhookDelivery, error) {
	return d.webhookDelivery(ctx, c, auth.WebhooksRead, id)
}

func (d *Desk) webhookDelivery(ctx context.Context, c Caller, scope auth.Scope, id string) (hotel.WebhookDelivery, error) {
	if err := c.need(scope); err != nil {
		return hotel.WebhookDelivery{}, err
	}
	w, err := d.ledger.WebhookDelivery(ctx, id)
	if err != nil {
		return hotel.WebhookDelivery{}, said(err)
	}
	_, err = d.anyWebhook(ctx, c, scope, w.EndpointID)
	return w, err
}

// RetryWebhook has a delivery sent again at once, under the same id.
func (d *Desk) RetryWebhook(ctx context.Context, c Caller, id string) (w hotel.WebhookDelivery, replayed bool, err error) {
	if _, err := d.webhookDelivery(ctx, c, auth.WebhooksWrite, id); err != nil {
		return hotel.WebhookDelivery{}, false, err
	}
	w, replayed, err = d.ledger.RetryWebhook(ctx, c.by(), c.Once, id)
	return w, replayed, said(err)
}

// WebhookPing is the kind of a test.
const WebhookPing = "webhook.ping"

// TestWebhook calls an endpoint once, of no event, and tells what came of it. data is an
// example of what an event of the kind would tell; nil: nothing, for a WebhookPing.
func (d *Desk) TestWebhook(ctx context.Context, c Caller, id, kind string, data json.RawMessage) (w hotel.WebhookDelivery, replayed bool, err error) {
	e, err := d.anyWebhook(ctx, c, auth.WebhooksWrite, id)
	if err != nil {
		return hotel.WebhookDelivery{}, false, err
	}
	if err := c.mayUse(&e); err != nil {
		return hotel.WebhookDelivery{}, false, err
	}
	w, replayed, err = d.ledger.TestWebhook(ctx, c.by(), c.Once, id, kind)
	if err != nil || replayed {
		return w, replayed, said(err)
	}
	if err := d.ledger.SettleWebhook(ctx, w, d.post.Ping(ctx, e, w, data)); err != nil {
		return hotel.WebhookDelivery{}, false, said(err)
	}
	w, err = d.ledger.WebhookDelivery(ctx, w.ID)
	return w, false, said(err)
}

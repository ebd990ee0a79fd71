package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/backoff"
	"ostler.example/ledger/internal/ledgerdb"
)

// ClaimWebhooks takes deliveries whose time has come, at most so many of each
// endpoint, in the order of their events. Each is counted as tried before a byte is
// sent, so that no crash calls a receiver more often than its schedule says; until
// it is settled it counts as having failed.
func (l *Ledger) ClaimWebhooks(ctx context.Context, room map[string]int) ([]hotel.WebhookDelivery, error) {
	var claimed []hotel.WebhookDelivery // no named results: see underKey
	err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		for id, n := range room {
			due, err := t.q.DueWebhookDeliveries(t.ctx, ledgerdb.DueWebhookDeliveriesParams{EndpointID: id, Now: t.micros(), AtMost: int64(n)})
			if err != nil {
				return fmt.Errorf("read what is due at webhook endpoint %s: %w", id, err)
			}
			for _, row := range due {
				d := webhookDeliveryOf(row)
				if d.Tries == hotel.WebhookTries { // the last call was never answered for
					d.Status = hotel.WebhookDead
				} else {
					d.Tries++
					d.NextAt = t.now.Add(hotel.WebhookTimeout + afterTry(d))
					claimed = append(claimed, d)
				}
				if err := t.setWebhookDelivery(d); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return claimed, nil
}

// afterTry is how long to wait behind the last try of a delivery for the next.
func afterTry(d hotel.WebhookDelivery) time.Duration {
	if d.Tries >= backoff.Calls {
		return 0
	}
	return backoff.Call(d.Tries+1, d.ID)
}

func (t *tx) setWebhookDelivery(d hotel.WebhookDelivery) error {
	err := t.q.SetWebhookDelivery(t.ctx, ledgerdb.SetWebhookDeliveryParams{
		Status: string(d.Status), Tries: int64(d.Tries), NextAt: d.NextAt.UnixMicro(), UpdatedAt: t.micros(), ID: d.ID,
	})
	if err != nil {
		return fmt.Errorf("store webhook delivery %s: %w", d.ID, err)
	}
	return nil
}

// SettleWebhook stores what became of a call, for the delivery and for its
// endpoint: gone disables it at once, and so does failing for long.
func (l *Ledger) SettleWebhook(ctx context.Context, sent hotel.WebhookDelivery, o hotel.WebhookOutcome) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		e, err := loadWebhook(t.ctx, t.q, sent.EndpointID, t.now)
		if err != nil {
			return ignoreNotFound(err) // it was deleted meanwhile
		}
		row, err := t.q.GetWebhookDelivery(t.ctx, sent.ID)
		if err != nil {
			return ignoreNotFound(notFound(err))
		}
		err = t.q.InsertWebhookAttempt(t.ctx, ledgerdb.InsertWebhookAttemptParams{
			ID: hotel.NewID("wha"), DeliveryID: sent.ID, EndpointID: e.ID, At: o.At.UnixMicro(), DurationUs: o.Duration.Microseconds(),
			HttpStatus: int64(o.Status), Error: o.Error, Excerpt: o.Excerpt,
		})
		if err != nil {
			return fmt.Errorf("store a call of webhook delivery %s: %w", sent.ID, err)
		}
		if err := t.hooked(e.ClientID, o); err != nil {
			return err
		}
		if d := webhookDeliveryOf(row); d.Tries == sent.Tries && d.Event.Sequence == sent.Event.Sequence {
			if err := t.settleWebhookDelivery(d, o); err != nil {
				return err
			}
		}
		if sent.IsTest() || o.Void {
			return nil
		}
		return t.settleWebhookEndpoint(e, o)
	})
}

func (t *tx) settleWebhookDelivery(d hotel.WebhookDelivery, o hotel.WebhookOutcome) error {
	switch {
	case o.Well():
		d.Status = hotel.WebhookDelivered
	case d.Status != hotel.WebhookPending:
	case d.Tries == hotel.WebhookTries || o.Void:
		d.Status = hotel.WebhookDead
	default:
		d.NextAt = t.now.Add(afterTry(d))
		if o.RetryAfter.After(d.NextAt) {
			d.NextAt = o.RetryAfter
		}
	}
	return t.setWebhookDelivery(d)
}

func (t *tx) settleWebhookEndpoint(e hotel.WebhookEndpoint, o hotel.WebhookOutcome) error {
	if o.Well() {
		at := t.micros()
		return t.q.WebhookSucceeded(t.ctx, ledgerdb.WebhookSucceededParams{LastSuccess: &at, ID: e.ID})
	}
	at := t.micros()
	if err := t.q.WebhookFailed(t.ctx, ledgerdb.WebhookFailedParams{At: &at, Slow: flag(o.Busy), ID: e.ID}); err != nil {
		return err
	}
	const gone = 410
	if o.Status == gone {
		return t.disableWebhook(e, hotel.WebhookGone)
	}
	return t.giveWebhookUp(e)
}

// giveWebhookUp disables an endpoint at which nothing has gone well for long.
func (t *tx) giveWebhookUp(e hotel.WebhookEndpoint) error {
	if e.FailingSince.IsZero() || t.now.Sub(e.FailingSince) < hotel.WebhookGivenUp {
		return nil
	}
	return t.disableWebhook(e, hotel.WebhookFailing)
}

func (t *tx) disableWebhook(e hotel.WebhookEndpoint, reason hotel.WebhookReason) error {
	if e.Status == hotel.WebhookDisabled {
		return nil
	}
	e, err := loadWebhook(t.ctx, t.q, e.ID, t.now) // with what the call has just changed
	if err != nil {
		return err
	}
	e.Status, e.Reason = hotel.WebhookDisabled, reason
	if err := t.putWebhook(&e); err != nil {
		return err
	}
	return t.tellWebhook(WebhookEndpointDisabled, e)
}

// GiveWebhooksUp disables the endpoints at which nothing has gone well for long and
// nothing is tried any more.
func (l *Ledger) GiveWebhooksUp(ctx context.Context, ids []string) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		for _, id := range ids {
			e, err := loadWebhook(t.ctx, t.q, id, t.now)
			if errors.Is(err, ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			if err := t.giveWebhookUp(e); err != nil {
				return err
			}
		}
		return nil
	})
}

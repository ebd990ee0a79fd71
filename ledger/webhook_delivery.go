package ledger

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

func webhookDeliveryOf(r ledgerdb.WebhookDelivery) hotel.WebhookDelivery {
	return hotel.WebhookDelivery{
		ID: r.ID, EndpointID: r.EndpointID, First: r.First, Status: hotel.WebhookDeliveryStatus(r.Status), Tries: int(r.Tries),
		Event:  hotel.WebhookEvent{ID: r.EventID, Kind: r.Kind, PropertyID: r.PropertyID, Subject: r.Subject, Sequence: r.Sequence},
		NextAt: instant(r.NextAt), CreatedAt: instant(r.CreatedAt), UpdatedAt: instant(r.UpdatedAt), Revision: r.Revision,
	}
}

// WebhookDelivery returns a delivery with its attempts, or [ErrNotFound].
func (l *Ledger) WebhookDelivery(ctx context.Context, id string) (hotel.WebhookDelivery, error) {
	return loadWebhookDelivery(ctx, l.read, id)
}

func loadWebhookDelivery(ctx context.Context, q *ledgerdb.Queries, id string) (hotel.WebhookDelivery, error) {
	row, err := q.GetWebhookDelivery(ctx, id)
	if err != nil {
		return hotel.WebhookDelivery{}, notFound(err)
	}
	d := webhookDeliveryOf(row)
	return d, withAttempts(ctx, q, &d)
}

func withAttempts(ctx context.Context, q *ledgerdb.Queries, d *hotel.WebhookDelivery) error {
	rows, err := q.ListWebhookAttempts(ctx, d.ID)
	if err != nil {
		return fmt.Errorf("read the calls of webhook delivery %s: %w", d.ID, err)
	}
	for _, a := range rows {
		d.Attempts = append(d.Attempts, hotel.WebhookAttempt{
			At: instant(a.At), Duration: time.Duration(a.DurationUs) * time.Microsecond, Status: int(a.HttpStatus), Error: a.Error, Excerpt: a.Excerpt,
		})
	}
	return nil
}

// WebhookDeliveries lists deliveries of an endpoint with their attempts, the newest
// first.
func (l *Ledger) WebhookDeliveries(ctx context.Context, f hotel.WebhookDeliveryFilter) ([]hotel.WebhookDelivery, error) {
	before := f.Before
	if before == "" {
		before = "~" // behind every id
	}
	since := int64(0)
	if !f.Since.IsZero() {
		since = f.Since.UnixMicro()
	}
	rows, err := l.read.ListWebhookDeliveries(ctx, ledgerdb.ListWebhookDeliveriesParams{
		EndpointID: f.EndpointID, Before: before, Since: since, Statuses: jsonList(f.Statuses), Kinds: jsonList(f.Kinds), AtMost: int64(f.Limit),
	})
	if err != nil {
		return nil, fmt.Errorf("list deliveries of webhook endpoint %s: %w", f.EndpointID, err)
	}
	list := make([]hotel.WebhookDelivery, len(rows))
	for i, r := range rows {
		list[i] = webhookDeliveryOf(r)
		if err := withAttempts(ctx, l.read, &list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// RetryWebhook has a delivery sent again at once, by its whole schedule.
func (l *Ledger) RetryWebhook(ctx context.Context, by hotel.By, once hotel.Once, id string) (hotel.WebhookDelivery, bool, error) {
	return l.onWebhookDelivery(ctx, by, once, func(t *tx) (string, error) {
		row, err := t.q.GetWebhookDelivery(t.ctx, id)
		if err != nil {
			return "", notFound(err)
		}
		if webhookDeliveryOf(row).IsTest() {
			return "", hotel.Refuse("invalid_transition", "this was a test: make another")
		}
		if err := t.renewWebhook(id); err != nil {
			return "", err
		}
		_, err = t.append(entry{kind: WebhookDeliveryRetried, subject: id, body: map[string]any{"endpoint_id": row.EndpointID}})
		return id, err
	})
}

// TestWebhook stores a call that is about to be made of no event. It is made once.
func (l *Ledger) TestWebhook(ctx context.Context, by hotel.By, once hotel.Once, endpointID, kind string) (hotel.WebhookDelivery, bool, error) {
	return l.onWebhookDelivery(ctx, by, once, func(t *tx) (string, error) {
		id := hotel.NewID("whd")
		err := t.q.InsertWebhookDelivery(t.ctx, ledgerdb.InsertWebhookDeliveryParams{
			ID: id, EndpointID: endpointID, EventID: hotel.NewID("evt"), Kind: kind, Status: string(hotel.WebhookDead), Tries: 1,
			NextAt: t.micros(), CreatedAt: t.micros(), UpdatedAt: t.micros(),
		})
		if err != nil {
			return "", fmt.Errorf("store a test of webhook endpoint %s: %w", endpointID, err)
		}
		_, err = t.append(entry{kind: WebhookEndpointTested, subject: endpointID, body: map[string]any{"delivery_id": id, "event_type": kind}})
		return id, err
	})
}

// onWebhookDelivery does something about a delivery once for a request's key. f
// returns its id.
func (l *Ledger) onWebhookDelivery(ctx context.Context, by hotel.By, once hotel.Once, f func(t *tx) (string, error)) (hotel.WebhookDelivery, bool, error) {
	return storeUnderKey(ctx, l, by, once, f, func(t *tx, id string) (hotel.WebhookDelivery, error) { return loadWebhookDelivery(t.ctx, t.q, id) })
}

// TidyWebhooks removes deliveries that are long over, those of endpoints that were
// deleted, and secrets that sign no more.
func (l *Ledger) TidyWebhooks(ctx context.Context) error {
	now := l.clock.Now()
	for {
		ids, err := l.read.OldWebhookDeliveries(ctx, ledgerdb.OldWebhookDeliveriesParams{
			Before: now.Add(-hotel.WebhookKept).UnixMicro(), AtMost: 10 * cutItem,
		})
		if err != nil {
			return fmt.Errorf("list old webhook deliveries: %w", err)
		}
		for part := range slices.Chunk(ids, cutItem) {
			err := l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.q.DeleteWebhookDeliveries(t.ctx, part) })
			if err != nil {
				return fmt.Errorf("remove old webhook deliveries: %w", err)
			}
		}
		if len(ids) < 10*cutItem {
			break
		}
	}
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		until := now.UnixMicro()
		return t.q.DeleteExpiredWebhookSecrets(t.ctx, &until)
	})
}

// EventsTogether returns the entries that a delivery tells as one, in order.
func (l *Ledger) EventsTogether(ctx context.Context, d hotel.WebhookDelivery) ([]Entry, error) {
	rows, err := l.read.EntriesOfSubject(ctx, ledgerdb.EntriesOfSubjectParams{
		PropertyID: d.Event.PropertyID, First: d.First, Through: d.Event.Sequence, Kind: d.Event.Kind, Subject: d.Event.Subject,
	})
	if err != nil {
		return nil, fmt.Errorf("read what webhook delivery %s tells: %w", d.ID, err)
	}
	return entriesOf(rows), nil
}

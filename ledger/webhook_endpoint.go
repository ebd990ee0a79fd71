package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// The journal's words for webhooks. An address may carry a secret, so the journal
// does not have it.
const (
	WebhookEndpointCreated  Kind = "webhook_endpoint.created"
	WebhookEndpointUpdated  Kind = "webhook_endpoint.updated"
	WebhookEndpointRotated  Kind = "webhook_endpoint.secret_rotated"
	WebhookEndpointDisabled Kind = "webhook_endpoint.disabled"
	WebhookEndpointDeleted  Kind = "webhook_endpoint.deleted"
	WebhookEndpointTested   Kind = "webhook_endpoint.tested"
	WebhookEndpointReplayed Kind = "webhook_endpoint.replayed"
	WebhookDeliveryRetried  Kind = "webhook_delivery.retried"
)

// WebhookFact is the body of an endpoint's entries.
type WebhookFact struct {
	ID          string              `json:"id"`
	ClientID    string              `json:"client_id"`
	EventTypes  []string            `json:"event_types,omitempty"`
	PropertyIDs []string            `json:"property_ids,omitempty"`
	Status      hotel.WebhookStatus `json:"status,omitempty"`
	Reason      hotel.WebhookReason `json:"disabled_reason,omitempty"`
}

func (t *tx) tellWebhook(kind Kind, e hotel.WebhookEndpoint) error {
	_, err := t.append(entry{kind: kind, subject: e.ID, body: WebhookFact{e.ID, e.ClientID, e.EventTypes, e.PropertyIDs, e.Status, e.Reason}})
	return err
}

// CreateWebhookEndpoint stores an enabled endpoint with its first secret. One
// whose position is negative begins with what happens from now on. The bool tells
// that the key of once had its effect before.
func (l *Ledger) CreateWebhookEndpoint(
	ctx context.Context, by hotel.By, once hotel.Once, e hotel.WebhookEndpoint, secret []byte,
) (hotel.WebhookEndpoint, bool, error) {
	return l.onWebhook(ctx, by, once, func(t *tx) (string, error) {
		n, err := t.q.CountWebhookEndpoints(t.ctx, e.ClientID)
		if err != nil {
			return "", fmt.Errorf("count webhook endpoints: %w", err)
		}
		if n >= hotel.WebhookEndpoints {
			return "", hotel.Refuse("resource_in_use", "the client has %d webhook endpoints, as many as it can have: delete one, or let one hear more", n)
		}
		made := e
		made.Entity, made.Status = t.entity(hotel.NewID("we")), hotel.WebhookEnabled
		if made.Position < 0 {
			made.Position = t.heads.sequence
		}
		body, err := json.Marshal(made.WebhookSettings)
		if err != nil {
			return "", err
		}
		err = t.q.InsertWebhookEndpoint(t.ctx, ledgerdb.InsertWebhookEndpointParams{
			ID: made.ID, ClientID: made.ClientID, Body: string(body), Headers: made.Headers, Position: made.Position,
			CreatedAt: t.micros(), UpdatedAt: t.micros(),
		})
		if err != nil {
			return "", fmt.Errorf("store a webhook endpoint: %w", err)
		}
		if err := t.addWebhookSecret(made.ID, secret); err != nil {
			return "", err
		}
		return made.ID, t.tellWebhook(WebhookEndpointCreated, made)
	})
}

func (t *tx) addWebhookSecret(endpoint string, sealed []byte) error {
	err := t.q.InsertWebhookSecret(t.ctx, ledgerdb.InsertWebhookSecretParams{
		ID: hotel.NewID("wsec"), EndpointID: endpoint, Sealed: sealed, CreatedAt: t.micros(),
	})
	if err != nil {
		return fmt.Errorf("store the secret of webhook endpoint %s: %w", endpoint, err)
	}
	return nil
}

// ChangeWebhookEndpoint makes an endpoint different. One that is enabled again has
// all its time to succeed.
func (l *Ledger) ChangeWebhookEndpoint(
	ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.Change[hotel.WebhookEndpoint],
) (hotel.WebhookEndpoint, bool, error) {
	return l.onWebhook(ctx, by, once, func(t *tx) (string, error) {
		e, err := t.webhook(id, c.IfRevision)
		if err != nil {
			return "", err
		}
		was := e.Status
		if err := c.Apply(&e); err != nil {
			return "", err
		}
		if e.Status == hotel.WebhookEnabled && was != hotel.WebhookEnabled {
			e.Reason, e.FailingSince, e.Slow = "", time.Time{}, false
		}
		if err := t.putWebhook(&e); err != nil {
			return "", err
		}
		if e.Status == hotel.WebhookDisabled && was != hotel.WebhookDisabled {
			return id, t.tellWebhook(WebhookEndpointDisabled, e)
		}
		return id, t.tellWebhook(WebhookEndpointUpdated, e)
	})
}

// RotateWebhookSecret gives an endpoint a new secret; the one before signs too
// until the overlap is over.
func (l *Ledger) RotateWebhookSecret(
	ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, secret []byte, overlap time.Duration,
) (hotel.WebhookEndpoint, bool, error) {
	return l.onWebhook(ctx, by, once, func(t *tx) (string, error) {
		e, err := t.webhook(id, ifRevision)
		if err != nil {
			return "", err
		}
		if err := t.q.DeleteExpiringWebhookSecrets(t.ctx, id); err != nil {
			return "", fmt.Errorf("end the older secret of webhook endpoint %s: %w", id, err)
		}
		until := t.now.Add(overlap).UnixMicro()
		if err := t.q.ExpireWebhookSecrets(t.ctx, ledgerdb.ExpireWebhookSecretsParams{ExpiresAt: &until, EndpointID: id}); err != nil {
			return "", fmt.Errorf("end the secret of webhook endpoint %s: %w", id, err)
		}
		if err := t.addWebhookSecret(id, secret); err != nil {
			return "", err
		}
		if err := t.putWebhook(&e); err != nil {
			return "", err
		}
		return id, t.tellWebhook(WebhookEndpointRotated, e)
	})
}

// DeleteWebhookEndpoint removes an endpoint and its secrets at once; its
// deliveries go with the next [Ledger.TidyWebhooks].
func (l *Ledger) DeleteWebhookEndpoint(ctx context.Context, by hotel.By, id string, ifRevision int64) error {
	return l.write(ctx, urgent, by, func(t *tx) error {
		e, err := t.webhook(id, ifRevision)
		if err != nil {
			return err
		}
		for _, remove := range []func(context.Context, string) error{t.q.DeleteWebhookSecrets, t.q.DropWebhookReplay, t.q.DeleteWebhookEndpoint} {
			if err := remove(t.ctx, id); err != nil {
				return fmt.Errorf("delete webhook endpoint %s: %w", id, err)
			}
		}
		return t.tellWebhook(WebhookEndpointDeleted, e)
	})
}

// onWebhook does something about an endpoint once for a request's key. f returns
// the endpoint's id.
func (l *Ledger) onWebhook(ctx context.Context, by hotel.By, once hotel.Once, f func(t *tx) (string, error)) (hotel.WebhookEndpoint, bool, error) {
	return storeUnderKey(ctx, l, by, once, f, func(t *tx, id string) (hotel.WebhookEndpoint, error) { return loadWebhook(t.ctx, t.q, id, t.now) })
}

// webhook reads an endpoint that is to be changed.
func (t *tx) webhook(id string, ifRevision int64) (hotel.WebhookEndpoint, error) {
	e, err := loadWebhook(t.ctx, t.q, id, t.now)
	if err != nil || ifRevision == 0 || ifRevision == e.Revision {
		return e, err
	}
	r := hotel.Refuse("precondition_failed", "the webhook endpoint is at revision %d, not %d: read it again", e.Revision, ifRevision)
	r.Members = map[string]any{"revision": e.Revision}
	return e, r
}

// putWebhook stores an endpoint that was changed.
func (t *tx) putWebhook(e *hotel.WebhookEndpoint) error {
	body, err := json.Marshal(e.WebhookSettings)
	if err != nil {
		return err
	}
	e.UpdatedAt, e.Revision = t.now, e.Revision+1
	err = t.q.UpdateWebhookEndpoint(t.ctx, ledgerdb.UpdateWebhookEndpointParams{
		Body: string(body), Headers: e.Headers, Status: string(e.Status), Reason: string(e.Reason), Slow: flag(e.Slow),
		FailingSince: microsOrNil(e.FailingSince), UpdatedAt: t.micros(), Revision: e.Revision, ID: e.ID,
	})
	if err != nil {
		return fmt.Errorf("store webhook endpoint %s: %w", e.ID, err)
	}
	return nil
}

// WebhookEndpoint returns one endpoint, or [ErrNotFound].
func (l *Ledger) WebhookEndpoint(ctx context.Context, id string) (hotel.WebhookEndpoint, error) {
	return loadWebhook(ctx, l.read, id, l.clock.Now())
}

// WebhookEndpoints lists a client's endpoints.
func (l *Ledger) WebhookEndpoints(ctx context.Context, clientID string) ([]hotel.WebhookEndpoint, error) {
	rows, err := l.read.ListWebhookEndpoints(ctx, clientID)
	return l.webhooksOf(ctx, rows, err)
}

// LiveWebhooks lists every endpoint that is not disabled.
func (l *Ledger) LiveWebhooks(ctx context.Context) ([]hotel.WebhookEndpoint, error) {
	rows, err := l.read.AllWebhookEndpoints(ctx)
	return l.webhooksOf(ctx, rows, err)
}

func (l *Ledger) webhooksOf(ctx context.Context, rows []ledgerdb.WebhookEndpoint, err error) ([]hotel.WebhookEndpoint, error) {
	if err != nil {
		return nil, fmt.Errorf("read webhook endpoints: %w", err)
	}
	list := make([]hotel.WebhookEndpoint, len(rows))
	for i, r := range rows {
		if list[i], err = webhookOf(ctx, l.read, r, l.clock.Now()); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func loadWebhook(ctx context.Context, q *ledgerdb.Queries, id string, now time.Time) (hotel.WebhookEndpoint, error) {
	row, err := q.GetWebhookEndpoint(ctx, id)
	if err != nil {
		return hotel.WebhookEndpoint{}, notFound(err)
	}
	return webhookOf(ctx, q, row, now)
}

// webhookOf reads what belongs to an endpoint beside its row.
func webhookOf(ctx context.Context, q *ledgerdb.Queries, r ledgerdb.WebhookEndpoint, now time.Time) (hotel.WebhookEndpoint, error) {
	e := hotel.WebhookEndpoint{
		Entity: entity(r.ID, r.CreatedAt, r.UpdatedAt, r.Revision), ClientID: r.ClientID, Headers: r.Headers,
		Status: hotel.WebhookStatus(r.Status), Reason: hotel.WebhookReason(r.Reason), Position: r.Position, Slow: r.Slow == 1,
		FailingSince: instantOrZero(r.FailingSince), LastSuccess: instantOrZero(r.LastSuccess),
	}
	if err := json.Unmarshal([]byte(r.Body), &e.WebhookSettings); err != nil {
		return e, fmt.Errorf("stored webhook endpoint %s: %w", r.ID, err)
	}
	secrets, err := q.ListWebhookSecrets(ctx, r.ID)
	if err != nil {
		return e, fmt.Errorf("read the secrets of webhook endpoint %s: %w", r.ID, err)
	}
	for _, s := range secrets {
		if until := instantOrZero(s.ExpiresAt); until.IsZero() || now.Before(until) {
			e.Secrets = append(e.Secrets, hotel.WebhookSecret{ID: s.ID, Sealed: s.Sealed, CreatedAt: instant(s.CreatedAt), ExpiresAt: until})
		}
	}
	replay, err := q.GetWebhookReplay(ctx, r.ID)
	if err == nil {
		e.Replay = &hotel.WebhookReplay{After: replay.Position, Through: replay.Through, OnlyFailed: replay.OnlyFailed == 1}
		err = json.Unmarshal([]byte(replay.EventTypes), &e.Replay.EventTypes)
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return e, fmt.Errorf("read the replay of webhook endpoint %s: %w", r.ID, err)
	}
	return e, webhookQueue(ctx, q, &e)
}

func webhookQueue(ctx context.Context, q *ledgerdb.Queries, e *hotel.WebhookEndpoint) error {
	n, err := q.CountWebhookDeliveries(ctx, e.ID)
	if err != nil {
		return fmt.Errorf("count deliveries of webhook endpoint %s: %w", e.ID, err)
	}
	if e.Queued = int(n); n == 0 {
		return nil
	}
	next, err := q.NextWebhookDelivery(ctx, e.ID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) { // the last one may just have gone
		return fmt.Errorf("read the next delivery of webhook endpoint %s: %w", e.ID, err)
	}
	if err == nil {
		e.NextAt = instant(next)
	}
	return nil
}

// WebhookSuccessRate returns which part of the calls of an endpoint since an
// instant went well; false when there were none.
func (l *Ledger) WebhookSuccessRate(ctx context.Context, id string, since time.Time) (float64, bool, error) {
	row, err := l.read.CountWebhookAttempts(ctx, ledgerdb.CountWebhookAttemptsParams{EndpointID: id, At: since.UnixMicro()})
	if err != nil {
		return 0, false, fmt.Errorf("count calls of webhook endpoint %s: %w", id, err)
	}
	if row.Tried == 0 {
		return 0, false, nil
	}
	return float64(row.Well) / float64(row.Tried), true, nil
}

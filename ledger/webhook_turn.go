package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// TurnWebhooks makes deliveries of each endpoint's part of the journal and moves it
// on, all in one item. A step for an endpoint that stands elsewhere by now, or was
// changed, does nothing: its part is to be chosen again.
func (l *Ledger) TurnWebhooks(ctx context.Context, steps []hotel.WebhookStep) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		for _, s := range steps {
			moved, err := t.moveWebhook(s)
			if err != nil {
				return fmt.Errorf("move webhook endpoint %s on: %w", s.EndpointID, err)
			}
			if !moved {
				continue
			}
			for _, e := range s.Events {
				if err := t.turnWebhook(s, e); err != nil {
					return fmt.Errorf("deliver %s to webhook endpoint %s: %w", e.ID, s.EndpointID, err)
				}
			}
		}
		return nil
	})
}

// moveWebhook moves an endpoint on, or its replay, which ends where it was to.
func (t *tx) moveWebhook(s hotel.WebhookStep) (bool, error) {
	if !s.Replay {
		n, err := t.q.MoveWebhookEndpoint(t.ctx, ledgerdb.MoveWebhookEndpointParams{Next: s.To, ID: s.EndpointID, Was: s.From, Revision: s.Revision})
		return n == 1, err
	}
	r, err := t.q.GetWebhookReplay(t.ctx, s.EndpointID)
	if errors.Is(err, sql.ErrNoRows) || err == nil && r.Position != s.From {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if s.To >= r.Through {
		return true, t.q.DropWebhookReplay(t.ctx, s.EndpointID)
	}
	n, err := t.q.MoveWebhookReplay(t.ctx, ledgerdb.MoveWebhookReplayParams{Next: s.To, EndpointID: s.EndpointID, Was: s.From})
	return n == 1, err
}

// turnWebhook makes a delivery of an event, lets it go with one that waits, or has
// the one that it had before sent again.
func (t *tx) turnWebhook(s hotel.WebhookStep, e hotel.WebhookEvent) error {
	if s.Replay {
		before, err := t.q.WebhookDeliveryOf(t.ctx, ledgerdb.WebhookDeliveryOfParams{EndpointID: s.EndpointID, EventID: e.ID})
		if err == nil {
			if s.OnlyFailed && before.Status != string(hotel.WebhookDead) {
				return nil
			}
			return t.renewWebhook(before.ID)
		}
		if !errors.Is(err, sql.ErrNoRows) || s.OnlyFailed {
			return ignoreNoRows(err)
		}
	}
	next := t.now
	if e.Together {
		next = t.now.Add(hotel.WebhookTogether)
		open, err := t.q.OpenWebhookDelivery(t.ctx, ledgerdb.OpenWebhookDeliveryParams{
			EndpointID: s.EndpointID, Kind: e.Kind, PropertyID: e.PropertyID, Subject: e.Subject, Now: t.micros(),
		})
		if err == nil && open.Sequence < e.Sequence {
			return t.q.WidenWebhookDelivery(t.ctx, ledgerdb.WidenWebhookDeliveryParams{
				EventID: e.ID, Sequence: e.Sequence, UpdatedAt: t.micros(), ID: open.ID,
			})
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	return t.q.InsertWebhookDelivery(t.ctx, ledgerdb.InsertWebhookDeliveryParams{
		ID: hotel.NewID("whd"), EndpointID: s.EndpointID, EventID: e.ID, Kind: e.Kind, PropertyID: e.PropertyID, Subject: e.Subject,
		First: e.Sequence, Sequence: e.Sequence, Status: string(hotel.WebhookPending), NextAt: next.UnixMicro(),
		CreatedAt: t.micros(), UpdatedAt: t.micros(),
	})
}

func ignoreNoRows(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// renewWebhook has a delivery sent again at once, by its whole schedule.
func (t *tx) renewWebhook(id string) error {
	return t.q.SetWebhookDelivery(t.ctx, ledgerdb.SetWebhookDeliveryParams{
		Status: string(hotel.WebhookPending), NextAt: t.micros(), UpdatedAt: t.micros(), ID: id,
	})
}

// ReplayWebhooks has an endpoint hear a part of the journal again. One replay of an
// endpoint runs at a time.
func (l *Ledger) ReplayWebhooks(
	ctx context.Context, by hotel.By, once hotel.Once, id string, r hotel.WebhookReplay,
) (hotel.WebhookEndpoint, bool, error) {
	return l.onWebhook(ctx, by, once, func(t *tx) (string, error) {
		e, err := t.webhook(id, 0)
		if err != nil {
			return "", err
		}
		if e.Replay != nil {
			return "", hotel.Refuse("resource_in_use", "a replay of the endpoint is under way: wait until it has reached sequence %d", e.Replay.Through)
		}
		through := min(r.Through, e.Position) // what lies behind it comes by itself
		if through <= r.After {
			return id, nil
		}
		types, err := json.Marshal(r.EventTypes)
		if err != nil {
			return "", err
		}
		err = t.q.InsertWebhookReplay(t.ctx, ledgerdb.InsertWebhookReplayParams{
			EndpointID: id, Position: r.After, Through: through, EventTypes: string(types), OnlyFailed: flag(r.OnlyFailed),
		})
		if err != nil {
			return "", fmt.Errorf("store a replay of webhook endpoint %s: %w", id, err)
		}
		body := map[string]any{"after": r.After, "through": through, "event_types": r.EventTypes, "only_failed": r.OnlyFailed}
		_, err = t.append(entry{kind: WebhookEndpointReplayed, subject: id, body: body})
		return id, err
	})
}

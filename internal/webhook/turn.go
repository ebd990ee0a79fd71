package webhook

import (
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

// How much is looked at, and becomes deliveries, at a time.
const (
	stretch = 500
	portion = 200
)

// manyOf are kinds of which several that follow each other at once are told as one:
// the newest value of a night is all that counts.
var manyOf = []ledger.Kind{ledger.InventoryUpdated, ledger.RatesUpdated, ledger.HouseRulesUpdated}

// turn makes deliveries of the next stretch of the journal for every endpoint, and
// reports whether there may be more. An endpoint with a long queue is left where it
// stands: the journal keeps the rest for it.
func (w *Worker) turn(ctx context.Context, receivers []receiver) (bool, error) {
	newest, err := w.o.Ledger.Sequence(ctx)
	if err != nil {
		return false, err
	}
	t := turning{w: w, read: map[int64][]ledger.Entry{}}
	for _, r := range receivers {
		free := min(hotel.WebhookQueue-r.Queued, portion)
		if free <= 0 {
			continue
		}
		if r.Position < newest {
			step := hotel.WebhookStep{EndpointID: r.ID, Revision: r.Revision, From: r.Position, To: newest}
			if err := t.step(ctx, r, step, r.EventTypes, free); err != nil {
				return false, err
			}
		}
		if p := r.Replay; p != nil {
			step := hotel.WebhookStep{EndpointID: r.ID, From: p.After, To: p.Through, Replay: true, OnlyFailed: p.OnlyFailed}
			if err := t.step(ctx, r, step, p.EventTypes, free); err != nil {
				return false, err
			}
		}
	}
	// Those that only move go together; deliveries of one endpoint are an item of
	// their own, so that none holds the writer for long.
	var moves []hotel.WebhookStep
	more := false
	for _, s := range t.steps {
		more = more || s.Replay || len(s.Events) > 0 || s.To < newest
		if len(s.Events) == 0 {
			moves = append(moves, s)
			continue
		}
		if err := w.o.Ledger.TurnWebhooks(ctx, []hotel.WebhookStep{s}); err != nil {
			return false, err
		}
	}
	if len(moves) > 0 {
		err = w.o.Ledger.TurnWebhooks(ctx, moves)
	}
	return more, err
}

// turning is one turn over all endpoints; most of them stand at the same place.
type turning struct {
	w     *Worker
	read  map[int64][]ledger.Entry
	steps []hotel.WebhookStep
}

// step chooses what an endpoint hears of the entries behind its place.
func (t *turning) step(ctx context.Context, r receiver, s hotel.WebhookStep, types []string, free int) error {
	entries, known := t.read[s.From]
	if !known {
		var err error
		if entries, err = t.w.o.Ledger.Entries(ctx, s.From, stretch); err != nil {
			return err
		}
		t.read[s.From] = entries
	}
	end := s.To
	if len(entries) == stretch {
		end = min(end, entries[stretch-1].Sequence)
	}
	s.To = end
	for _, e := range entries {
		if e.Sequence > end {
			break
		}
		kind := string(e.Kind)
		if !r.Wants(kind, e.PropertyID) || len(types) > 0 && !hotel.MatchesEvent(types, kind) || !r.caller.Hears(e) {
			continue
		}
		s.Events = append(s.Events, hotel.WebhookEvent{
			ID: e.ID, Kind: kind, PropertyID: e.PropertyID, Subject: e.Subject, Sequence: e.Sequence, Together: slices.Contains(manyOf, e.Kind),
		})
		if len(s.Events) == free {
			s.To = e.Sequence
			break
		}
	}
	t.steps = append(t.steps, s)
	return nil
}

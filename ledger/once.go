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

// onceKept is how long a request may be repeated under its key.
const onceKept = 72 * time.Hour

// begin looks up whether the request has had its effect. It returns the id of
// the resource that it made or changed then, or the refusal that it got.
func (t *tx) begin(o hotel.Once) (resource string, done bool, err error) {
	if o.Key == "" {
		return "", false, nil
	}
	t.once = o
	row, err := t.q.GetIdempotency(t.ctx, ledgerdb.GetIdempotencyParams{
		ClientID: o.Client, Method: o.Method, Path: o.Path, Key: o.Key, Now: t.micros(),
	})
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("look up idempotency key: %w", err)
	}
	if [32]byte(row.Fingerprint) != o.Fingerprint {
		return "", false, hotel.Refuse("idempotency_key_reused", "this Idempotency-Key was used for a request with another body or query; use a new key for a new request")
	}
	t.replayed = true
	if row.Refusal != "" {
		refusal := new(hotel.Refusal)
		if err := json.Unmarshal([]byte(row.Refusal), refusal); err != nil {
			return "", false, fmt.Errorf("stored refusal: %w", err)
		}
		refusal.Replayed = true
		return "", true, refusal
	}
	return row.ResourceID, true, nil
}

// underKey runs an item for a request that may come again under its key. do is told
// whether the request has had its effect before, and of which resource, and returns the
// resource as it stands; what has the effect keeps the key. A request that is refused has
// none, unless it has had it. The bool tells that it was
// had before. With an error nothing is returned beside it: an item whose outcome is
// unknown may still be running, and a refusal says by itself that it was given before.
func underKey[R any](
	ctx context.Context, l *Ledger, in queue, by hotel.By, once hotel.Once, do func(t *tx, kept string, done bool) (R, error),
) (R, bool, error) {
	var out, none R // no named results: the item writes to them after a caller has stopped waiting
	var replayed bool
	err := l.write(ctx, in, by, func(t *tx) error {
		kept, done, err := t.begin(once)
		if err == nil && !done {
			err = once.Refused
		}
		if err != nil {
			return err
		}
		replayed = done
		out, err = do(t, kept, done)
		return err
	})
	if err != nil {
		return none, false, err
	}
	return out, replayed, nil
}

// storeUnderKey is underKey for an effect that keeps no key by itself: f has it and returns the
// id of the resource, which read reads.
func storeUnderKey[R any](
	ctx context.Context, l *Ledger, by hotel.By, once hotel.Once, f func(*tx) (string, error), read func(t *tx, id string) (R, error),
) (R, bool, error) {
	return underKey(ctx, l, urgent, by, once, func(t *tx, id string, done bool) (R, error) {
		if !done {
			var none R
			var err error
			if id, err = f(t); err != nil {
				return none, err
			}
			if err := t.keep(id); err != nil {
				return none, err
			}
		}
		return read(t, id)
	})
}

// NoteRequest keeps a request under its key, for one that may be done again without
// harm. The bool tells that it was kept before.
func (l *Ledger) NoteRequest(ctx context.Context, by hotel.By, once hotel.Once) (bool, error) {
	if once.Key == "" {
		return false, nil
	}
	nothing := func(*tx, string) (struct{}, error) { return struct{}{}, nil }
	_, noted, err := storeUnderKey(ctx, l, by, once, func(*tx) (string, error) { return "", nil }, nothing)
	return noted, err
}

// keep stores the effect under the request's key, in the effect's own
// transaction.
func (t *tx) keep(resource string) error { return t.putOnce(resource, "") }

// keepRefusal stores that the request was refused. Its item has been undone.
func (t *tx) keepRefusal(r *hotel.Refusal) error {
	text, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("store refusal: %w", err)
	}
	return t.putOnce("", string(text))
}

func (t *tx) putOnce(resource, refusal string) error {
	o := t.once
	if o.Key == "" {
		return nil
	}
	err := t.q.PutIdempotency(t.ctx, ledgerdb.PutIdempotencyParams{
		ClientID: o.Client, Method: o.Method, Path: o.Path, Key: o.Key, Fingerprint: o.Fingerprint[:],
		ResourceID: resource, Refusal: refusal, ExpiresAt: t.now.Add(onceKept).UnixMicro(),
	})
	if err != nil {
		return fmt.Errorf("store idempotency key: %w", err)
	}
	return nil
}

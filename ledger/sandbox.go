package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// The journal's words for sandboxes. They stand in the production ledger: a reset
// takes a sandbox's own journal with it.
const (
	SandboxReset    Kind = "sandbox.reset"
	SandboxAdvanced Kind = "sandbox.clock_advanced"
	SandboxBooked   Kind = "sandbox.channel_booking"
	SandboxFaulted  Kind = "sandbox.fault_planted"
)

// furthestAhead is how far a sandbox's clock may run before the real one.
const furthestAhead = 10 * 366 * 24 * time.Hour

// sandboxBody is what the journal keeps of how a sandbox stands.
type sandboxBody struct {
	Generation int64 `json:"generation"`
	Ahead      int64 `json:"ahead_us"`
}

// Sandbox returns how a sandbox stands; one that nothing was done to is new.
func (l *Ledger) Sandbox(ctx context.Context, id string) (hotel.Sandbox, error) {
	return sandboxOf(id)(l.read.GetSandbox(ctx, id))
}

func sandboxOf(id string) func(ledgerdb.Sandbox, error) (hotel.Sandbox, error) {
	return func(row ledgerdb.Sandbox, err error) (hotel.Sandbox, error) {
		if errors.Is(err, sql.ErrNoRows) {
			return hotel.Sandbox{ID: id, Generation: 1}, nil
		}
		if err != nil {
			return hotel.Sandbox{}, fmt.Errorf("read sandbox %s: %w", id, err)
		}
		return hotel.Sandbox{ID: id, Generation: row.Generation, Ahead: time.Duration(row.Ahead) * time.Microsecond}, nil
	}
}

// ResetSandbox makes a sandbox a new one: of its next generation, with the real time.
func (l *Ledger) ResetSandbox(ctx context.Context, by hotel.By, once hotel.Once, id string) (hotel.Sandbox, bool, error) {
	return l.onSandbox(ctx, by, once, id, SandboxReset, func(s *hotel.Sandbox) error {
		s.Generation, s.Ahead = s.Generation+1, 0
		return nil
	})
}

// AdvanceSandbox puts the clock of a sandbox further ahead.
func (l *Ledger) AdvanceSandbox(ctx context.Context, by hotel.By, once hotel.Once, id string, d time.Duration) (hotel.Sandbox, bool, error) {
	return l.onSandbox(ctx, by, once, id, SandboxAdvanced, func(s *hotel.Sandbox) error {
		if s.Ahead += d; s.Ahead > furthestAhead {
			return hotel.Invalid("/advance", "max", "the sandbox's clock would be more than ten years ahead: reset the sandbox")
		}
		return nil
	})
}

func (l *Ledger) onSandbox(
	ctx context.Context, by hotel.By, once hotel.Once, id string, kind Kind, change func(*hotel.Sandbox) error,
) (hotel.Sandbox, bool, error) {
	return underKey(ctx, l, urgent, by, once, func(t *tx, _ string, done bool) (s hotel.Sandbox, err error) {
		if s, err = sandboxOf(id)(t.q.GetSandbox(t.ctx, id)); err != nil || done {
			return s, err
		}
		if err := change(&s); err != nil {
			return s, err
		}
		if err := t.q.PutSandbox(t.ctx, ledgerdb.PutSandboxParams{ID: id, Generation: s.Generation, Ahead: s.Ahead.Microseconds()}); err != nil {
			return s, fmt.Errorf("store sandbox %s: %w", id, err)
		}
		if _, err := t.append(entry{kind: kind, subject: id, body: sandboxBody{s.Generation, s.Ahead.Microseconds()}}); err != nil {
			return s, err
		}
		return s, t.keep(id)
	})
}

// NoteSandbox stores that something was done in a sandbox to one of its channels,
// once for a request's key, and returns of which resource. act does it, unless it was
// done before; it is outside of the ledger, so a power cut right after it lets a
// repetition do it again.
func (l *Ledger) NoteSandbox(
	ctx context.Context, by hotel.By, once hotel.Once, id string, kind Kind, channel string, act func(context.Context) (resource string, err error),
) (string, bool, error) {
	resource, replayed, err := underKey(ctx, l, urgent, by, once, func(_ *tx, kept string, _ bool) (string, error) { return kept, nil })
	if err != nil || replayed {
		return resource, replayed, err
	}
	ctx = context.WithoutCancel(ctx) // who gives up waiting asks again, and must not have it done twice
	did, err := act(ctx)
	if err != nil {
		return "", false, err
	}
	err = l.write(ctx, urgent, by, func(t *tx) error {
		t.once = once
		if _, err := t.append(entry{kind: kind, subject: id, body: map[string]any{"channel_id": channel, "resource": did}}); err != nil {
			return err
		}
		return t.keep(did)
	})
	return did, false, err
}

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

// Standing is how a channel account stands with its far side: what a restart must
// not forget of pauses that were asked for and of an open breaker.
type Standing struct {
	Turn      int64       // rises with every change; 0: nothing has happened yet
	Failures  int         // calls in a row that had no sensible answer
	Limited   int         // answers "too many calls" in a row
	HeldUntil time.Time   // the far side asked for a pause until then; zero: it did not
	Cause     hotel.Cause // why the breaker is not closed; "": it is
	Since     time.Time   // when it opened; zero while it is closed
	ProbeAt   time.Time   // when one call may go to see; zero while it is closed
	Words     string      // what went wrong, "" while it is closed
}

// CircuitBody is the body of an entry about an account's breaker, one for each of
// the account's channels.
type CircuitBody struct {
	ChannelID string      `json:"channel_id"`
	Failures  int         `json:"failures"`
	Cause     hotel.Cause `json:"cause,omitempty"`
	RetryAt   *time.Time  `json:"retry_at,omitempty"`
}

// Standing returns how a channel account stands, the zero value when it was never
// called.
func (l *Ledger) Standing(ctx context.Context, account string) (Standing, error) {
	s, err := standingOf(ctx, l.read, account)
	if err != nil {
		return Standing{}, fmt.Errorf("standing of account %s: %w", account, err)
	}
	return s, nil
}

func standingOf(ctx context.Context, q *ledgerdb.Queries, account string) (Standing, error) {
	r, err := q.GetStanding(ctx, account)
	if errors.Is(err, sql.ErrNoRows) {
		return Standing{}, nil
	}
	return Standing{
		Turn: r.Turn, Failures: int(r.Failures), Limited: int(r.Limited), HeldUntil: instantOrZero(r.HeldUntil),
		Cause: hotel.Cause(r.Cause), Since: instantOrZero(r.Since), ProbeAt: instantOrZero(r.ProbeAt), Words: r.Words,
	}, err
}

// keepStanding stores how an account stands, and returns how it did; false: it does
// as before. What was true before the newest stored is passed over: calls that end
// together may be stored in any order.
func (t *tx) keepStanding(account string, s Standing) (was Standing, news bool, err error) {
	was, err = standingOf(t.ctx, t.q, account)
	if err != nil || s.Turn <= was.Turn {
		return was, false, err
	}
	err = t.q.PutStanding(t.ctx, ledgerdb.PutStandingParams{
		Account: account, Turn: s.Turn, Failures: int64(s.Failures), Limited: int64(s.Limited), HeldUntil: microsOrNil(s.HeldUntil),
		Cause: string(s.Cause), Since: microsOrNil(s.Since), ProbeAt: microsOrNil(s.ProbeAt), Words: s.Words,
	})
	if err != nil {
		return was, false, fmt.Errorf("store standing of account %s: %w", account, err)
	}
	before := was
	before.Turn = s.Turn // it is stored by itself too, or an older call that is stored later would pass for news
	return was, before != s, nil
}

// stand stores how an account stands after a call, and tells of a breaker that
// opened or closed, and of credentials that were refused or taken. That a channel is in
// error by that is told at once; that it is so no more, by [Ledger.NoteErrors].
func (t *tx) stand(account string, s Standing) error {
	was, news, err := t.keepStanding(account, s)
	if err != nil || !news {
		return err
	}
	channels, err := t.q.ChannelsOfAccount(t.ctx, account)
	if err != nil {
		return fmt.Errorf("channels of account %s: %w", account, err)
	}
	if was.Cause != "" && !s.Since.Equal(was.Since) {
		if err := t.circuitOpened(channels, was.Since); err != nil {
			return err
		}
	}
	if s.Cause != was.Cause {
		if err := t.tellCircuit(channels, s); err != nil {
			return err
		}
	}
	for _, c := range channels {
		if err := t.noteError(c.ID, unseen); err != nil {
			return err
		}
	}
	return t.credentials(channels, s, was)
}

// tellCircuit appends that the breaker of an account has opened, opened for
// another cause, or closed.
func (t *tx) tellCircuit(channels []ledgerdb.ChannelsOfAccountRow, s Standing) error {
	kind, body := CircuitClosed, CircuitBody{}
	if s.Cause != "" {
		kind, body = CircuitOpened, CircuitBody{Failures: s.Failures, Cause: s.Cause, RetryAt: &s.ProbeAt}
	}
	for _, c := range channels {
		body.ChannelID = c.ID
		if _, err := t.append(entry{property: c.PropertyID, kind: kind, subject: c.ID, body: body}); err != nil {
			return err
		}
	}
	return nil
}

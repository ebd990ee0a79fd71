package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// ErrorBody is the body of an entry about a channel that has come into error.
type ErrorBody struct {
	ChannelID string      `json:"channel_id"`
	Cause     hotel.Cause `json:"cause,omitempty"` // "": it cannot be opened
	Since     *time.Time  `json:"since,omitempty"`
}

// RecoveredBody is the body of an entry about a channel that has recovered.
type RecoveredBody struct {
	ChannelID string `json:"channel_id"`
	From      string `json:"from"` // what it is in no more: FromError, FromStaleness
}

// What a channel recovers from. It may be in the other still.
const (
	FromError     = "error"
	FromStaleness = "stale"
)

// NoteErrors tells of the channels that have come into error, and of those that are so no
// more, once each, whatever is started anew meanwhile. link tells what a channel's connector
// is at; false: nobody knows yet, and what was told of it stands. It is called every few
// seconds. A channel that fails keeps none of the others.
func (l *Ledger) NoteErrors(ctx context.Context, link func(channel string) (hotel.Link, bool)) error {
	var changed []string
	err := l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		rows, err := q.ListTroubled(ctx)
		if err != nil {
			return err
		}
		return each(rows, func(r ledgerdb.ListTroubledRow) error {
			if at, _ := link(r.ID); at.Failure == "" && r.Troubled == 0 {
				return nil // as hundreds are, in order and as it was
			}
			row, err := q.GetChannel(ctx, r.ID)
			if err != nil {
				return fmt.Errorf("look whether channel %s is in error: %w", r.ID, err)
			}
			_, news, err := l.errorNow(ctx, q, row, link)
			if news {
				changed = append(changed, r.ID)
			}
			return err
		})
	})
	return errors.Join(err, each(changed, func(id string) error {
		err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.noteError(id, link) })
		if err != nil {
			return fmt.Errorf("note that channel %s is in error, or no more: %w", id, err)
		}
		return nil
	}))
}

// errorNow returns how a channel stands with its far side, its cause and instant zero unless
// that is an error, and whether that is news.
func (l *Ledger) errorNow(ctx context.Context, q *ledgerdb.Queries, r ledgerdb.Channel, link func(string) (hotel.Link, bool)) (at hotel.Link, news bool, err error) {
	c, err := channelOf(r)
	if err != nil {
		return at, false, fmt.Errorf("look whether channel %s is in error: %w", r.ID, err)
	}
	if !c.Derived() { // one that is frozen or in shadow is told nothing, and sells
		return at, r.ErrorSince != nil, nil
	}
	stands, err := standingOf(ctx, q, r.Account)
	if err != nil {
		return at, false, fmt.Errorf("look whether channel %s is in error: %w", r.ID, err)
	}
	at, known := link(r.ID)
	at.Cause, at.Since = stands.Cause, stands.Since
	erring := at.Erring(l.clock.Now())
	return at, (erring || known) && erring == (r.ErrorSince == nil), nil
}

func (t *tx) noteError(id string, link func(string) (hotel.Link, bool)) error {
	row, err := t.q.GetChannel(t.ctx, id)
	if err != nil {
		return notFound(err)
	}
	at, news, err := t.l.errorNow(t.ctx, t.q, row, link)
	if err != nil || !news {
		return err
	}
	e := entry{property: row.PropertyID, kind: ChannelRecovered, subject: id, body: RecoveredBody{id, FromError}}
	var since *int64
	if row.ErrorSince == nil {
		e.kind, e.body = ChannelFailed, ErrorBody{id, at.Cause, &t.now}
		since = new(t.micros())
	}
	if err := t.q.SetError(t.ctx, ledgerdb.SetErrorParams{ErrorSince: since, ID: id}); err != nil {
		return err
	}
	_, err = t.append(e)
	return err
}

// unseen is the link of a channel whose account was called, by this channel or another one:
// whether its own connector is at work is not known by that.
func unseen(string) (hotel.Link, bool) { return hotel.Link{}, false }

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

// When a channel is taken to have fallen silent is worked out from what it has told
// before its last message: at least so many hours in which something came, within so
// long and spread over so long, or nothing is said of it. It is silent when nothing
// has come for so many times the usual pause, and for half as long again as the
// longest: neither nights nor quiet weeks are news.
const (
	silenceOf     = 28 * 24 * time.Hour
	silenceSpread = 7 * 24 * time.Hour
	silenceHours  = 20
	silenceUsual  = 8
)

// silentAfter returns for how long a channel may be quiet whose messages came in the
// given hours (since 1970, rising); false where they are too few to tell.
func silentAfter(hours []int64) (time.Duration, bool) {
	if len(hours) < silenceHours {
		return 0, false
	}
	spread := hours[len(hours)-1] - hours[0]
	if time.Duration(spread)*time.Hour < silenceSpread {
		return 0, false // such as a list of all its bookings when it was connected
	}
	longest := int64(0)
	for i := range hours[1:] {
		longest = max(longest, hours[i+1]-hours[i])
	}
	usual := time.Duration(spread) * time.Hour / time.Duration(len(hours)-1)
	return max(silenceUsual*usual, time.Duration(longest)*time.Hour*3/2), true
}

// SilenceBody is the body of an entry about a channel that has fallen silent, or is
// heard again.
type SilenceBody struct {
	ChannelID string     `json:"channel_id"`
	Since     *time.Time `json:"silent_since,omitempty"`
}

// NoteSilence tells, once each, of channels that are on sale and have not told of any
// booking for unusually long, and of those that are heard again. Nothing could be
// heard before an instant, such as the start of the program. A channel that fails keeps
// none of the others.
func (l *Ledger) NoteSilence(ctx context.Context, from time.Time) error {
	var changed []string
	err := l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		rows, err := q.ListChannels(ctx)
		if err != nil {
			return err
		}
		return each(rows, func(r ledgerdb.Channel) error {
			since, err := l.silentSince(ctx, q, r, from)
			if err != nil {
				return fmt.Errorf("look whether channel %s has fallen silent: %w", r.ID, err)
			}
			if since.IsZero() != (r.SilentSince == nil) {
				changed = append(changed, r.ID)
			}
			return nil
		})
	})
	return errors.Join(err, each(changed, func(id string) error {
		err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.noteSilence(l, id, from) })
		if err != nil {
			return fmt.Errorf("note that channel %s has fallen silent, or is heard again: %w", id, err)
		}
		return nil
	}))
}

// silentSince returns when the last message came of a channel that has fallen silent;
// zero: it has not. One that was silent is so until something comes, whenever the
// program began.
func (l *Ledger) silentSince(ctx context.Context, q *ledgerdb.Queries, r ledgerdb.Channel, from time.Time) (time.Time, error) {
	c, err := channelOf(r)
	if err != nil || !c.Told() {
		return time.Time{}, err
	}
	newest, err := q.NewestMessage(ctx, ledgerdb.NewestMessageParams{ChannelID: r.ID, Now: l.clock.Now().UnixMicro()})
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("newest message of channel %s: %w", r.ID, err)
	}
	last := instant(newest)
	if r.SilentSince != nil && !last.After(instant(*r.SilentSince)) {
		return last, nil
	}
	hours, err := q.MessageHours(ctx, ledgerdb.MessageHoursParams{ChannelID: r.ID, Since: last.Add(-silenceOf).UnixMicro()})
	if err != nil {
		return time.Time{}, fmt.Errorf("messages of channel %s: %w", r.ID, err)
	}
	quiet, known := silentAfter(hours)
	began := last
	for _, at := range []time.Time{from, c.UpdatedAt} {
		if at.After(began) {
			began = at
		}
	}
	if !known || l.clock.Now().Sub(began) < quiet {
		return time.Time{}, nil
	}
	return last, nil
}

func (t *tx) noteSilence(l *Ledger, id string, from time.Time) error {
	row, err := t.q.GetChannel(t.ctx, id)
	if err != nil {
		return notFound(err)
	}
	since, err := l.silentSince(t.ctx, t.q, row, from)
	if err != nil || since.IsZero() == (row.SilentSince == nil) {
		return err // it changed back meanwhile
	}
	if err := t.q.SetSilent(t.ctx, ledgerdb.SetSilentParams{SilentSince: microsOrNil(since), ID: id}); err != nil {
		return err
	}
	e := entry{property: row.PropertyID, kind: ChannelSilent, subject: id, body: SilenceBody{id, &since}}
	if since.IsZero() {
		e.kind, e.body = ChannelHeard, SilenceBody{ChannelID: id}
	}
	_, err = t.append(e)
	return err
}

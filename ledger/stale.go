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

// staleAfter is how long a channel may owe something before it is stale.
const staleAfter = time.Minute

// staleSince returns since when a channel shows something that is out of date: the
// instant of the oldest entry that it has not confirmed, or its own last change
// where that is later. Zero: it is not stale. It is worked out each time, so that
// nothing has to notice, or to survive a restart.
func (l *Ledger) staleSince(ctx context.Context, q *ledgerdb.Queries, c hotel.ChannelState, now time.Time) (time.Time, error) {
	since, err := l.owesSince(ctx, q, c, now)
	if err != nil || since.IsZero() || now.Sub(since) < staleAfter {
		return time.Time{}, err
	}
	return since, nil
}

// owesSince is since when a channel has been owing something, however short that is.
// Zero: it owes nothing. A clock that was set back dates the journal ahead of now, or less
// far behind than it is: the debt is at least as old as the program has known of it.
func (l *Ledger) owesSince(ctx context.Context, q *ledgerdb.Queries, c hotel.ChannelState, now time.Time) (time.Time, error) {
	if !c.Told() {
		return time.Time{}, nil
	}
	at, err := q.EntryTimeAfter(ctx, c.SyncedThrough)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("what channel %s owes: %w", c.ID, err)
	}
	since := instant(at.At)
	if c.UpdatedAt.After(since) {
		since = c.UpdatedAt
	}
	steady := l.clock.Steady()
	if age := min(l.pace.age(c.SyncedThrough, steady), l.pace.unchanged(c.ID, c.UpdatedAt, now, steady)); since.After(now.Add(-age)) {
		since = now.Add(-age)
	}
	return since, nil
}

// StaleBody is the body of an entry about a channel that is out of date.
type StaleBody struct {
	ChannelID string     `json:"channel_id"`
	Since     *time.Time `json:"stale_since"`
}

// NoteStale tells of the channels that have become stale, and of those that are
// so no more, once each, and of the nights that are at risk at them. It is called
// every few seconds, and at the instant that it returns: then the next becomes stale,
// unless it is told by then. Zero: none will. A channel that fails keeps none of the others.
func (l *Ledger) NoteStale(ctx context.Context) (next time.Time, err error) {
	var changed, cut, exposed []string
	risky := map[string]staleness{}
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		rows, err := q.ChannelsToLookAt(ctx, string(hotel.ConflictExposed))
		if err != nil {
			return err
		}
		return each(rows, func(r ledgerdb.Channel) error {
			stale, err := l.staleNow(ctx, q, r)
			if err != nil {
				return fmt.Errorf("look whether channel %s is out of date: %w", r.ID, err)
			}
			if next.IsZero() || !stale.due.IsZero() && stale.due.Before(next) {
				next = stale.due
			}
			if stale.since.IsZero() != (r.StaleSince == nil) {
				changed = append(changed, r.ID)
			}
			way, err := l.detourOf(ctx, q, r, stale)
			if err != nil {
				return fmt.Errorf("look what is closed at channel %s for want of a count: %w", r.ID, err)
			}
			if !way.settled() {
				cut = append(cut, r.ID)
			}
			a, err := l.alarmOf(ctx, q, r, stale, way)
			if err != nil {
				return fmt.Errorf("look what channel %s may sell that is short: %w", r.ID, err)
			}
			if !a.settled() {
				exposed = append(exposed, r.ID)
			}
			risks, err := (&tx{ctx: ctx, q: q, l: l, now: l.clock.Now()}).risksOf(r, stale)
			if err != nil {
				return fmt.Errorf("look what is sold at risk beside channel %s: %w", r.ID, err)
			}
			if len(risks.lost)+len(risks.unsafe) > 0 {
				risky[r.ID] = stale
			}
			return nil
		})
	})
	write := func(in queue, do func(*tx) error) error { return l.write(ctx, in, hotel.By{Actor: hotel.System}, do) }
	return next, errors.Join(
		err,
		each(changed, func(id string) error {
			if err := write(urgent, func(t *tx) error { return t.noteStale(l, id) }); err != nil {
				return fmt.Errorf("note that channel %s is out of date, or no more: %w", id, err)
			}
			return nil
		}),
		each(cut, func(id string) error {
			if err := write(bulk, func(t *tx) error { return t.takeDetour(l, id) }); err != nil {
				return fmt.Errorf("close nights at channel %s whose count it does not know: %w", id, err)
			}
			return nil
		}),
		each(exposed, func(id string) error {
			if err := write(urgent, func(t *tx) error { return t.noteAlarm(l, id) }); err != nil {
				return fmt.Errorf("note what channel %s may sell that is short: %w", id, err)
			}
			return nil
		}),
		each(sortedKeys(risky), func(id string) error {
			if err := l.noteRisks(ctx, id, risky[id]); err != nil {
				return fmt.Errorf("note what is sold at risk beside channel %s: %w", id, err)
			}
			return nil
		}),
	)
}

func (t *tx) noteStale(l *Ledger, id string) error {
	row, err := t.q.GetChannel(t.ctx, id)
	if err != nil {
		return notFound(err)
	}
	stale, err := l.staleNow(t.ctx, t.q, row)
	since := stale.since
	if err != nil || since.IsZero() == (row.StaleSince == nil) {
		return err // it changed back meanwhile
	}
	if err := t.q.SetStale(t.ctx, ledgerdb.SetStaleParams{StaleSince: microsOrNil(since), ID: id}); err != nil {
		return err
	}
	e := entry{property: row.PropertyID, kind: ChannelStale, subject: id, body: StaleBody{id, &since}}
	if since.IsZero() {
		e.kind, e.body = ChannelRecovered, RecoveredBody{id, FromStaleness}
	}
	_, err = t.append(e)
	return err
}

// staleness is since when a channel is out of date, and since when some of its
// counters are. Zero: it is not; then due is when it will be, if it will. entry is the
// oldest whose changes of its counters it has not confirmed.
type staleness struct {
	since, counters, due time.Time
	entry                int64
}

// staleNow is staleSince of a channel as it is stored.
func (l *Ledger) staleNow(ctx context.Context, q *ledgerdb.Queries, r ledgerdb.Channel) (s staleness, err error) {
	c, err := channelOf(r)
	if err != nil || !c.Told() {
		return s, err
	}
	lag, err := l.lagOf(ctx, q, r)
	if err != nil {
		return s, err
	}
	now := l.clock.Now()
	owes, err := l.owesSince(ctx, q, hotel.ChannelState{Channel: c, SyncedThrough: lag.synced}, now)
	if err != nil || owes.IsZero() {
		return s, err
	}
	if due := owes.Add(staleAfter); now.Before(due) {
		s.due = due
		return s, nil
	}
	s.since, s.entry = owes, lag.counted+1
	s.counters, err = l.staleSince(ctx, q, hotel.ChannelState{Channel: c, SyncedThrough: lag.counted}, now)
	return s, err
}

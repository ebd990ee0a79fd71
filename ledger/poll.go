package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Polled stores how far a channel's pull has read, and when that began: what was sold
// since may not be in it. call is the stored call that has read; one that was ended meanwhile
// says nothing any more.
func (l *Ledger) Polled(ctx context.Context, channel, call, cursor string) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, err := t.q.GetDelivery(t.ctx, call)
		if err != nil || row.State != string(deliveryOpen) {
			return notFound(err)
		}
		return t.q.SetPolled(t.ctx, ledgerdb.SetPolledParams{PollCursor: cursor, PolledAt: &row.SentAt, ID: channel})
	})
}

// PollCursor returns where the next pull of a channel begins.
func (l *Ledger) PollCursor(ctx context.Context, channel string) (string, error) {
	row, err := l.read.GetChannel(ctx, channel)
	return row.PollCursor, notFound(err)
}

// Beat is what the clock's work looks at in a channel.
type Beat struct {
	Revision int64
	LastPull time.Time // when the last good pull began
	LastRead time.Time // when the last good read-back of everything began
}

// Beats returns the beat of every channel, by channel.
func (l *Ledger) Beats(ctx context.Context) (map[string]Beat, error) {
	return l.beats.get(&l.changes.commits, "", func() (map[string]Beat, error) {
		rows, err := l.read.ListChannels(ctx)
		if err != nil {
			return nil, fmt.Errorf("list channels: %w", err)
		}
		beats := make(map[string]Beat, len(rows))
		for _, r := range rows {
			beats[r.ID] = Beat{r.Revision, instantOrZero(r.PolledAt), instantOrZero(r.ReadAt)}
		}
		return beats, nil
	})
}

// Tidy removes what nobody needs any more: the records of pulls that ended
// before an instant, idempotency keys whose time is over, and what may be left of
// people who were forgotten.
func (l *Ledger) Tidy(ctx context.Context, pullsBefore time.Time) error {
	left := l.scrubOwed(ctx)
	return errors.Join(left, l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		if err := t.q.DeletePulls(t.ctx, pullsBefore.UnixMicro()); err != nil {
			return fmt.Errorf("remove records of pulls: %w", err)
		}
		if err := t.q.DeleteIdempotency(t.ctx, t.micros()); err != nil {
			return fmt.Errorf("remove idempotency keys: %w", err)
		}
		if err := t.q.DeleteOldDrifts(t.ctx, t.now.Add(-2*fightFor).UnixMicro()); err != nil {
			return fmt.Errorf("remove records of drift: %w", err)
		}
		return nil
	}))
}

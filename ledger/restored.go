package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// RestoredBody is the body of the entry about a restore from a backup.
type RestoredBody struct {
	Epoch    int64     `json:"epoch"`
	Behind   int64     `json:"behind"`    // the newest entry of the backup
	BehindAt time.Time `json:"behind_at"` // what happened between then and this entry is lost here
}

// By how much more than it could have reached since the backup a number that
// outsiders know of is raised, so that it never goes back: so many a second, and so
// many more.
const (
	entriesASecond = 100_000
	callsASecond   = 1_000
	entriesMore    = 1_000_000
)

// Restored notes that the ledger was restored from a backup, in whose place another
// one was until now; of that nothing need be known. In one transaction
//
//   - the epoch is raised, and the journal goes on behind every sequence that anybody
//     can have seen; so do the numbers of calls, by which channels tell older ones
//   - of every channel that may be selling nobody knows any more what it shows, was
//     granted or was told; it is closed, and an audit of it begins
//   - no access token is valid, nobody is signed in and no link lets anybody: some may
//     have been withdrawn since
//   - whatever a channel was asked to do with a booking waits for somebody
//
// Where channels' feeds are read on from stays what it was: the bookings stored here
// end there too.
func (l *Ledger) Restored(ctx context.Context, by hotel.By, instead Head) error {
	err := l.write(ctx, urgent, by, func(t *tx) error {
		row, err := t.q.GetLedger(t.ctx)
		if err != nil {
			return fmt.Errorf("read the ledger's identity: %w", err)
		}
		body := RestoredBody{Epoch: row.Epoch + 1, Behind: t.heads.sequence, BehindAt: t.heads.at}
		lost := max(0, int64(t.now.Sub(body.BehindAt)/time.Second))
		t.heads.sequence += lost*entriesASecond + entriesMore
		if instead.Ledger == row.ID {
			body.Epoch = max(body.Epoch, instead.Epoch+1)
			t.heads.sequence = max(t.heads.sequence, instead.Sequence+entriesMore)
		}
		if err := errors.Join(t.q.RaiseEpoch(t.ctx, body.Epoch), t.q.DeleteTokens(t.ctx), t.q.DeleteConsoleSessions(t.ctx), t.q.DeleteConsoleLinks(t.ctx)); err != nil {
			return fmt.Errorf("raise the epoch: %w", err)
		}
		if _, err := t.append(entry{kind: LedgerRestored, subject: row.ID, body: body}); err != nil {
			return err
		}
		rows, err := t.q.ListChannels(t.ctx)
		if err != nil {
			return fmt.Errorf("list channels: %w", err)
		}
		if err := t.estrangeAll(); err != nil {
			return err
		}
		t.effects.dealAll = true // nobody waits for the writer, and no night may be sold as it was
		for _, r := range rows {
			skipped := ledgerdb.ForgetCallsParams{Skipped: lost*callsASecond + entriesMore, ID: r.ID}
			if err := errors.Join(t.q.ForgetCalls(t.ctx, skipped), t.beginAudit(r, body.BehindAt)); err != nil {
				return fmt.Errorf("channel %s: %w", r.ID, err)
			}
			asked, err := t.q.Unanswered(t.ctx, ledgerdb.UnansweredParams{ChannelID: r.ID, Now: new(int64(math.MaxInt64))})
			if err == nil {
				err = t.tellUnanswered(asked, AnswerRestored)
			}
			if err != nil {
				return fmt.Errorf("what channel %s was asked to do: %w", r.ID, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("note the restore: %w", err)
	}
	return nil
}

// beginAudit closes a channel that may be selling, and forgets all that is known of
// what it shows. Bookings of nights from the instant on may be
// missing. In shadow and before it was live a channel is told nothing, and somebody
// else may be running it.
func (t *tx) beginAudit(row ledgerdb.Channel, from time.Time) error {
	c, err := channelOf(row)
	if err != nil || !c.Told() && !c.Frozen {
		return err
	}
	s, err := t.structure(c.PropertyID)
	if err != nil {
		return err
	}
	nights := s.property.Shows(t.now)
	if err := t.doubt(c, hotel.Span{}); err != nil {
		return err
	}
	sequence, err := t.changeChannel(c.ID, func(c *hotel.Channel) error {
		c.Status, c.Frozen = hotel.Paused, false
		c.Audit = &hotel.Audit{Stage: hotel.AuditClosing, Since: t.now, From: min(s.property.Today(from), s.property.Today(t.now))}
		return nil
	}, func(c hotel.Channel) entry {
		return entry{property: c.PropertyID, kind: ChannelPaused, subject: c.ID, offers: true, body: ChannelBody{Channel: c, Horizon: &nights}}
	})
	if err != nil {
		return err
	}
	if err := t.q.ForgetStock(t.ctx, ledgerdb.ForgetStockParams{Sequence: sequence, ChannelID: c.ID}); err != nil {
		return fmt.Errorf("forget what it shows: %w", err)
	}
	return t.redealAll(c.PropertyID)
}

// Lost reports whether a place in the journal lies in what a restore has lost: its
// followers have heard of what is here no more, and not of what is here instead.
func (l *Ledger) Lost(ctx context.Context, after int64) (bool, error) {
	text, err := l.read.RestoreAfter(ctx, after)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for restores behind %d: %w", after, err)
	}
	body, err := decode[RestoredBody](Entry{Kind: LedgerRestored, Body: []byte(text)})
	return after > body.Behind, err
}

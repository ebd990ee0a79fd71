package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// completeAtOnce is how many updates are looked at in one go.
const completeAtOnce = 1000

// completing is what was found of the updates under way when they were last looked
// at, so that those are left alone of which nothing has moved since.
type completing struct {
	mu      sync.Mutex
	commits uint64
	rested  map[string]string // by update: that from which its progress follows
}

// UpdateCompletion is the body of an [AriUpdateCompleted] entry.
type UpdateCompletion struct {
	Status   string              `json:"status"` // completed or partial
	Channels []ChannelCompletion `json:"channels"`
}

// ChannelCompletion is what became of an update at one channel.
type ChannelCompletion struct {
	ChannelID string `json:"channel_id"`
	Status    string `json:"status"` // done or skipped
	Rejected  int    `json:"rejected,omitempty"`
	Held      int    `json:"held,omitempty"`
}

// CompleteUpdates notes which channels are done with the bulk updates under way,
// and journals each update once when all of them are. What it notes follows from
// what is stored, so it may be called at any time and as often as one likes: it
// costs as much as has moved since the last time. An update that fails keeps no other.
func (l *Ledger) CompleteUpdates(ctx context.Context) error {
	c := &l.completing
	c.mu.Lock()
	defer c.mu.Unlock()
	commits := l.changes.commits.Load() // before what they brought is read
	if c.rested != nil && commits == c.commits {
		return nil
	}
	open, follows, err := l.underWay(ctx)
	if err != nil {
		return err
	}
	rested := make(map[string]string, len(open))
	err = each(open, func(row ledgerdb.AriUpdate) error {
		if follows[row.ID] != c.rested[row.ID] {
			if err := l.completeUpdate(ctx, row); err != nil {
				return err
			}
		}
		rested[row.ID] = follows[row.ID]
		return nil
	})
	if err != nil {
		rested = nil // all of them are looked at again
	}
	c.rested, c.commits = rested, commits
	return err
}

func (l *Ledger) completeUpdate(ctx context.Context, row ledgerdb.AriUpdate) error {
	var channels []hotel.UpdateProgress
	err := l.snapshot(ctx, func(q *ledgerdb.Queries) (err error) {
		channels, err = l.progress(ctx, q, row)
		return err
	})
	if err != nil {
		return err
	}
	if err := l.noteProgress(ctx, row, channels); err != nil {
		return fmt.Errorf("note progress of %s: %w", row.ID, err)
	}
	return nil
}

// underWay lists the updates under way, and describes from what the progress of
// each follows: the house, the channels, and which of these have come to its end.
func (l *Ledger) underWay(ctx context.Context) (open []ledgerdb.AriUpdate, follows map[string]string, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		if open, err = q.SyncingAriUpdates(ctx, completeAtOnce); err != nil || len(open) == 0 {
			return err
		}
		rows, err := q.ListChannels(ctx)
		if err != nil {
			return err
		}
		follows = make(map[string]string, len(open))
		houses, lags := map[string]int64{}, map[string]lag{}
		for _, row := range open {
			house, known := houses[row.PropertyID]
			if !known {
				house, err = q.NewestTouch(ctx, ledgerdb.NewestTouchParams{Kind: touchedStructure, Subject: row.PropertyID, AtMost: math.MaxInt64})
				if err != nil && !errors.Is(err, sql.ErrNoRows) {
					return err
				}
				houses[row.PropertyID] = house
			}
			text := &strings.Builder{}
			fmt.Fprint(text, house)
			for _, r := range rows {
				if r.PropertyID != row.PropertyID {
					continue
				}
				of, known := lags[r.ID]
				if !known {
					if of, err = l.lagOf(ctx, q, r); err != nil {
						return err
					}
					lags[r.ID] = of
				}
				fmt.Fprintf(text, " %s %d %t", r.ID, r.Revision, of.synced >= *row.Followed)
			}
			follows[row.ID] = text.String()
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("list updates under way: %w", err)
	}
	return open, follows, nil
}

func (l *Ledger) noteProgress(ctx context.Context, row ledgerdb.AriUpdate, channels []hotel.UpdateProgress) error {
	var done []hotel.UpdateProgress // that are not noted yet
	complete, status, body := true, hotel.UpdateCompleted, UpdateCompletion{Channels: []ChannelCompletion{}}
	for _, c := range channels {
		switch {
		case c.Status == hotel.UpdatePending:
			complete = false
		case c.Status == hotel.UpdateDone && c.DoneAt.IsZero():
			done = append(done, c)
		}
		if c.Rejected+c.Held > 0 {
			status = hotel.UpdatePartial
		}
		body.Channels = append(body.Channels, ChannelCompletion{c.ChannelID, string(c.Status), c.Rejected, c.Held})
	}
	if len(done) == 0 && !complete {
		return nil
	}
	body.Status = string(status)
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		var news int64 // that nobody else was here first to note
		for _, c := range done {
			noted := ledgerdb.InsertAriUpdateChannelParams{UpdateID: row.ID, ChannelID: c.ChannelID, DoneAt: t.micros(), Rejected: int64(c.Rejected), Held: int64(c.Held)}
			if c.LastError != nil {
				noted.ErrorCode, noted.ErrorDetail = c.LastError.Code, c.LastError.Detail
			}
			n, err := t.q.InsertAriUpdateChannel(t.ctx, noted)
			if err != nil {
				return err
			}
			news += n
		}
		completed := false
		if complete {
			n, err := t.q.CompleteAriUpdate(t.ctx, ledgerdb.CompleteAriUpdateParams{ID: row.ID, Status: string(status)})
			if err != nil {
				return err
			}
			completed, news = n > 0, news+n
		}
		if news > 0 {
			if err := t.q.TouchAriUpdate(t.ctx, ledgerdb.TouchAriUpdateParams{UpdatedAt: t.micros(), ID: row.ID}); err != nil {
				return err
			}
		}
		if !completed {
			return nil
		}
		_, err := t.append(entry{property: row.PropertyID, kind: AriUpdateCompleted, subject: row.ID, body: body})
		return err
	})
}

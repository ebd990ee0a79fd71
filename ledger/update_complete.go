package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// completeAtOnce is how many updates are looked at in one go.
const completeAtOnce = 100

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
}

// CompleteUpdates notes which channels are done with the bulk updates under way,
// and journals each update once when all of them are. What it notes follows from
// what is stored, so it may be called at any time and as often as one likes.
func (l *Ledger) CompleteUpdates(ctx context.Context) error {
	open, err := l.read.SyncingAriUpdates(ctx, completeAtOnce)
	if err != nil {
		return fmt.Errorf("list updates under way: %w", err)
	}
	for _, row := range open {
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
	}
	return nil
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
		if c.Rejected > 0 {
			status = hotel.UpdatePartial
		}
		body.Channels = append(body.Channels, ChannelCompletion{c.ChannelID, string(c.Status), c.Rejected})
	}
	if len(done) == 0 && !complete {
		return nil
	}
	body.Status = string(status)
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		for _, c := range done {
			noted := ledgerdb.InsertAriUpdateChannelParams{UpdateID: row.ID, ChannelID: c.ChannelID, DoneAt: t.micros(), Rejected: int64(c.Rejected)}
			if c.LastError != nil {
				noted.ErrorCode, noted.ErrorDetail = c.LastError.Code, c.LastError.Detail
			}
			if err := t.q.InsertAriUpdateChannel(t.ctx, noted); err != nil {
				return err
			}
		}
		if !complete {
			return nil
		}
		// Whoever else was here first has journalled it.
		if n, err := t.q.CompleteAriUpdate(t.ctx, ledgerdb.CompleteAriUpdateParams{ID: row.ID, Status: string(status)}); err != nil || n == 0 {
			return err
		}
		_, err := t.append(entry{property: row.PropertyID, kind: AriUpdateCompleted, subject: row.ID, body: body})
		return err
	})
}

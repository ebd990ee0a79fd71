package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Figures is how a ledger stands, for whoever watches the program. Times are zero where
// there is nothing of which they could be.
type Figures struct {
	Sequence  int64                      // of the newest entry
	Readers   map[string]int64           // entries that each reader of the journal is still to look at
	Conflicts map[hotel.ConflictKind]int // open ones, every kind named
	Channels  []ChannelFigures
	Exposed   map[string]int   // rooms that channels could sell beyond what is free, over all nights and without what a policy accepts, by property that grants any
	Files     map[string]int64 // bytes: database, log

	Webhooks       int       // deliveries that wait
	WebhooksSince  time.Time // when the oldest of them was made
	Unacknowledged time.Time // when the oldest booking of the last day came that a client is still to acknowledge
}

// ChannelFigures is how a channel stands.
type ChannelFigures struct {
	hotel.ChannelState
	Unread int       // messages that could not be read
	Behind time.Time // when the oldest change was made that it has not confirmed
}

// Figures works out how the ledger stands.
func (l *Ledger) Figures(ctx context.Context) (f Figures, err error) {
	if f.Channels, err = l.channelFigures(ctx); err != nil {
		return Figures{}, err
	}
	var dealt []string
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) (err error) {
		newest, err := q.NewestEntry(ctx)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		f.Sequence = newest.Sequence
		if f.Readers, err = readersBehind(ctx, q, f.Sequence); err != nil {
			return err
		}
		kinds, err := q.TallyConflicts(ctx)
		if err != nil {
			return err
		}
		f.Conflicts = map[hotel.ConflictKind]int{}
		for _, k := range hotel.ConflictKinds() {
			f.Conflicts[k] = 0
		}
		for _, k := range kinds {
			f.Conflicts[hotel.ConflictKind(k.Kind)] = int(k.Conflicts)
		}
		waiting, err := q.WebhookQueue(ctx)
		if err != nil {
			return err
		}
		if f.Webhooks = int(waiting.Deliveries); f.Webhooks > 0 {
			f.WebhooksSince = instant(waiting.Oldest)
		}
		dealt, err = q.DealtProperties(ctx)
		return err
	})
	if err != nil {
		return Figures{}, fmt.Errorf("figures of the ledger: %w", err)
	}
	for _, c := range f.Channels {
		f.Readers["channel:"+c.ID] = max(0, f.Sequence-c.DerivedThrough)
	}
	if f.Exposed, err = l.exposedRooms(ctx, dealt); err != nil {
		return Figures{}, err
	}
	if f.Unacknowledged, err = l.oldestUnacknowledged(ctx); err != nil {
		return Figures{}, err
	}
	f.Files, err = l.fileSizes()
	return f, err
}

// readersBehind counts the entries that readers are still to look at: channels are not
// among them, whose place is where they were told.
func readersBehind(ctx context.Context, q *ledgerdb.Queries, newest int64) (map[string]int64, error) {
	of := map[string]int64{"house": 0}
	due, err := q.ListCursors(ctx, ledgerdb.ListCursorsParams{Low: "house:", High: "house;"})
	if err != nil {
		return nil, err
	}
	for _, c := range due {
		of["house"] = max(of["house"], newest-c.Sequence+1) // the entry itself is at work
	}
	endpoints, err := q.AllWebhookEndpoints(ctx)
	for _, e := range endpoints {
		of["webhook:"+e.ID] = max(0, newest-e.Position)
	}
	return of, err
}

func (l *Ledger) channelFigures(ctx context.Context) ([]ChannelFigures, error) {
	states, err := l.Channels(ctx, "")
	if err != nil {
		return nil, err
	}
	list := make([]ChannelFigures, len(states))
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		unread, err := q.TallyUnread(ctx)
		if err != nil {
			return err
		}
		messages := map[string]int{}
		for _, u := range unread {
			messages[u.ChannelID] = int(u.Messages)
		}
		for i, s := range states {
			list[i] = ChannelFigures{ChannelState: s, Unread: messages[s.ID]}
			if list[i].Behind, err = l.owesSince(ctx, q, s, l.clock.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("figures of channels: %w", err)
	}
	return list, nil
}

// exposedRooms adds up what is exposed, over all nights of the boards.
func (l *Ledger) exposedRooms(ctx context.Context, properties []string) (map[string]int, error) {
	of := make(map[string]int, len(properties))
	for _, id := range properties {
		b, err := l.Board(ctx, id)
		if err != nil {
			return nil, fmt.Errorf("what is exposed in %s: %w", id, err)
		}
		of[id] = b.ExposedRooms()
	}
	return of, nil
}

// oldestUnacknowledged is when the oldest booking came of those that somebody would be
// reminded of if it stayed so.
func (l *Ledger) oldestUnacknowledged(ctx context.Context) (oldest time.Time, err error) {
	since, err := l.acknowledgedSince(ctx)
	if err != nil {
		return time.Time{}, err
	}
	for property, from := range since {
		at, err := l.read.OldestUnacknowledged(ctx, ledgerdb.OldestUnacknowledgedParams{PropertyID: property, After: from.UnixMicro()})
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return time.Time{}, fmt.Errorf("look for bookings that nobody acknowledged: %w", err)
		}
		if came := instant(at); oldest.IsZero() || came.Before(oldest) {
			oldest = came
		}
	}
	return oldest, nil
}

func (l *Ledger) fileSizes() (map[string]int64, error) {
	sizes := map[string]int64{"database": 0, "log": 0}
	for name, path := range map[string]string{"database": l.path, "log": l.path + "-wal"} {
		info, err := os.Stat(path)
		if errors.Is(err, os.ErrNotExist) {
			continue // the log is gone while nobody writes
		}
		if err != nil {
			return nil, err
		}
		sizes[name] = info.Size()
	}
	return sizes, nil
}

package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// boardIdle is how long a board that nobody reads is kept.
const boardIdle = time.Hour

// boards keeps one board for each property that is being read. The writer
// renews the nights of a commit before its callers are answered, so whoever
// writes reads its own write.
//
// A board is loaded on a reading connection while the writer goes on. What the
// writer touches meanwhile is remembered and read again, on the writer, before
// the board is shown.
type boards struct {
	l *Ledger

	mu         sync.Mutex
	structures map[string]*structure
	shown      map[string]*shown
	loading    map[string]*loading
}

type shown struct {
	board *board.Board
	made  hotel.Date // the property's date when it was loaded
	used  time.Time
}

type loading struct {
	done    chan struct{}
	touched nightSet
	rebuilt bool
	err     error
}

func (b *boards) init(l *Ledger) {
	b.l = l
	b.structures = make(map[string]*structure)
	b.shown = make(map[string]*shown)
	b.loading = make(map[string]*loading)
}

// Board returns the property as it stands now, or [ErrNotFound]. It covers the
// nights from yesterday to the booking horizon.
func (l *Ledger) Board(ctx context.Context, property string) (*board.Board, error) {
	now := l.clock.Now()
	for {
		wait, b := l.boards.find(property, now)
		if b != nil {
			return b, nil
		}
		select {
		case <-wait.done:
			if wait.err != nil {
				return nil, wait.err
			}
			// Looked up again, for a commit may have renewed it meanwhile.
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// find returns the shown board, or the loading that whoever asks may wait for.
func (b *boards) find(property string, now time.Time) (*loading, *board.Board) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, s := range b.shown {
		if id != property && now.Sub(s.used) > boardIdle {
			delete(b.shown, id)
		}
	}
	if s := b.shown[property]; s != nil {
		if s.board.Property.Today(now) == s.made {
			s.used = now
			return nil, s.board
		}
		delete(b.shown, property) // a new day has a new horizon
	}
	w := b.loading[property]
	if w == nil {
		w = &loading{done: make(chan struct{}), touched: nightSet{}}
		b.loading[property] = w
		go b.load(property, now, w)
	}
	return w, nil
}

func (b *boards) load(property string, now time.Time, w *loading) {
	defer close(w.done)
	ctx := context.Background() // the board serves everybody who waits
	var s *structure
	var made *board.Board
	err := b.l.snapshot(ctx, func(q *ledgerdb.Queries) (err error) {
		if s, err = loadStructure(ctx, q, property); err != nil {
			return err
		}
		newest, err := q.NewestEntry(ctx)
		if err != nil {
			return err
		}
		today := s.property.Today(now)
		nights, err := s.loadNights(ctx, q, today-1, today+hotel.Date(s.property.HorizonDays))
		if err != nil {
			return err
		}
		made, err = s.board(today-1, nights, newest.Sequence)
		return err
	})
	if err == nil {
		// What changed since the snapshot is read again by the writer, which
		// shows the board in the same step.
		var unshown error
		err = b.l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
			t.effects.publish = append(t.effects.publish, func() { unshown = b.show(t.q, s, made, now, w) })
			return nil
		})
		err = errors.Join(err, unshown)
	}
	b.mu.Lock()
	w.err = err
	delete(b.loading, property)
	b.mu.Unlock()
}

// show runs on the writer, after a commit.
func (b *boards) show(q *ledgerdb.Queries, s *structure, made *board.Board, now time.Time, w *loading) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w.rebuilt {
		return nil // loaded again by whoever asks
	}
	made, err := patch(q, s, made, w.touched)
	if err != nil {
		return err
	}
	b.structures[s.property.ID] = s
	b.shown[s.property.ID] = &shown{board: made, made: s.property.Today(now), used: now}
	return nil
}

// renew brings the boards up to date with a commit. It runs on the writer.
func (b *boards) renew(q *ledgerdb.Queries, done effects) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for property := range done.structure {
		delete(b.structures, property)
		delete(b.shown, property)
		if w := b.loading[property]; w != nil {
			w.rebuilt = true
		}
	}
	for property, nights := range done.nights {
		if w := b.loading[property]; w != nil {
			for d := range nights {
				w.touched[d] = struct{}{}
			}
		}
		s, structure := b.shown[property], b.structures[property]
		if s == nil {
			continue
		}
		if structure == nil {
			delete(b.shown, property)
			continue
		}
		next, err := patch(q, structure, s.board, nights)
		if err != nil {
			// The board is loaded again by whoever asks next.
			b.l.log.Error("renew board", zap.String("property", property), zap.Error(err))
			delete(b.shown, property)
			continue
		}
		s.board = next
	}
}

// patch returns the board with the nights read again.
func patch(q *ledgerdb.Queries, s *structure, old *board.Board, nights nightSet) (*board.Board, error) {
	ctx := context.Background()
	newest, err := q.NewestEntry(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the end of the journal: %w", err)
	}
	for _, span := range nights.spans() {
		span.From, span.To = max(span.From, old.From), min(span.To, old.To())
		if span.Days() == 0 {
			continue
		}
		renewed, err := s.loadNights(ctx, q, span.From, span.To)
		if err != nil {
			return nil, err
		}
		old = old.With(newest.Sequence, span.From, renewed)
	}
	return old, nil
}

// drop forgets everything, when memory may be ahead of the file.
func (b *boards) drop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.structures)
	clear(b.shown)
	for _, w := range b.loading {
		w.rebuilt = true
	}
}

// structure returns what is known of a property's structure, nil when nothing.
func (b *boards) structure(property string) *structure {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.structures[property]
}

func (b *boards) keep(s *structure) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.structures[s.property.ID] = s
}

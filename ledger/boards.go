package ledger

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

const (
	// boardIdle is how long a board that nobody reads is kept.
	boardIdle = time.Hour
	// boardsLooked is how often all boards are looked through for such, by one of many readers.
	boardsLooked = time.Minute
)

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
	watches    map[string][]*watch
	looked     time.Time // for boards that nobody reads
}

type shown struct {
	board *board.Board
	made  hotel.Date // the property's date when it was loaded
	used  time.Time
}

type loading struct {
	watch
	done chan struct{}
	err  error
}

func (b *boards) init(l *Ledger) {
	b.l = l
	b.structures = make(map[string]*structure)
	b.shown = make(map[string]*shown)
	b.loading = make(map[string]*loading)
	b.watches = make(map[string][]*watch)
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
	if now.Sub(b.looked) > boardsLooked {
		b.looked = now
		for id, s := range b.shown {
			if id != property && now.Sub(s.used) > boardIdle {
				delete(b.shown, id)
			}
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
		w = &loading{done: make(chan struct{}), watch: watch{touched: nightSet{}}}
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
		f, err := b.l.facts(ctx, q, property)
		if err != nil {
			return err
		}
		nights, err := s.loadNights(ctx, f, today-1, today+hotel.Date(s.property.HorizonDays))
		if err != nil {
			return err
		}
		made = s.board(now, today-1, nights, newest.Sequence)
		return nil
	})
	if err == nil {
		// What changed since the snapshot is read again by the writer, which
		// shows the board in the same step: little, and readers wait for it.
		var unshown error
		err = b.l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
			t.effects.publish = append(t.effects.publish, func() { unshown = b.show(t.q, s, made, b.l.w.heads.sequence, now, w) })
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
func (b *boards) show(q *ledgerdb.Queries, s *structure, made *board.Board, sequence int64, now time.Time, w *loading) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w.rebuilt {
		return nil // loaded again by whoever asks
	}
	touched := make(map[hotel.Date]*board.Night, len(w.touched))
	for d := range w.touched {
		touched[d] = nil
	}
	made, err := b.l.renew(q, s, made, sequence, touched)
	if err != nil {
		return err
	}
	b.structures[s.property.ID] = s
	b.shown[s.property.ID] = &shown{board: made, made: s.property.Today(now), used: now}
	return nil
}

// renew brings the boards up to date with a commit, which has moved the journal
// to sequence. It runs on the writer.
func (b *boards) renew(q *ledgerdb.Queries, sequence int64, done effects) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for property, d := range done.drafts {
		for _, w := range b.watching(property) {
			w.note(d)
		}
		if d.rebuilt {
			delete(b.structures, property)
			delete(b.shown, property)
			continue
		}
		s := b.shown[property]
		if s == nil || len(d.nights) == 0 {
			continue
		}
		next, err := b.l.renew(q, b.structures[property], s.board, sequence, d.nights)
		if err != nil {
			// The board is loaded again by whoever asks next.
			b.l.log.Error("renew board", zap.String("property", property), zap.Error(err))
			delete(b.shown, property)
			continue
		}
		s.board = next
	}
}

// renew returns the board with the nights in place; those that are nil are read.
func (l *Ledger) renew(q *ledgerdb.Queries, s *structure, old *board.Board, sequence int64, nights map[hotel.Date]*board.Night) (*board.Board, error) {
	next, read := make(map[hotel.Date]*board.Night, len(nights)), nightSet{}
	for d, n := range nights {
		switch {
		case d < old.From || d > old.To():
		case n == nil:
			read[d] = struct{}{}
		default:
			next[d] = n
		}
	}
	if len(read) == 0 {
		return old.With(sequence, next), nil
	}
	if s == nil {
		return nil, errors.New("what the property is made of was forgotten")
	}
	ctx := context.Background()
	f, err := l.facts(ctx, q, s.property.ID)
	if err != nil {
		return nil, err
	}
	for _, span := range read.spans() {
		list, err := s.loadNights(ctx, f, span.From, span.To)
		if err != nil {
			return nil, err
		}
		for i, n := range list {
			next[span.From+hotel.Date(i)] = n
		}
	}
	return old.With(sequence, next), nil
}

// current returns the property's board as of the last commit, nil when it is not
// in memory.
func (b *boards) current(property string) *board.Board {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s := b.shown[property]; s != nil {
		return s.board
	}
	return nil
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
	for _, list := range b.watches {
		for _, w := range list {
			w.rebuilt = true
		}
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

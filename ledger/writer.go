package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mattn/go-sqlite3"
	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
	"ostler.example/ledger/internal/sqlite"
)

// queue says how soon an item runs. Bookings and settlements are urgent, and so are
// the notes of the clock: each is small, and so many of them follow one another in a
// second that behind a read-back of the whole house they would take minutes.
// Derivations, bulk writes and whatever is long are bulk, and take at most one place
// in a batch for which something urgent waits.
type queue uint8

const (
	urgent queue = iota
	bulk
)

// item is one business event on its way into a batch.
type item struct {
	ctx   context.Context
	by    hotel.By
	run   func(*tx) error
	state atomic.Int32 // itemWaiting, then itemTaken or itemLeft
	done  chan error   // takes the one answer
}

const (
	itemWaiting int32 = iota
	itemTaken
	itemLeft
)

// writer owns the one writing connection. Whatever waits becomes one
// transaction and one sync to the disk, after which all callers are answered:
//
//	BEGIN IMMEDIATE
//	  SAVEPOINT item; …; RELEASE item        an item that works
//	  SAVEPOINT item; …; ROLLBACK TO item    an item that fails is undone alone
//	COMMIT                                   answers all; if it fails, nobody is told «done»
type writer struct {
	l    *Ledger
	conn *sql.Conn
	q    *ledgerdb.Queries // on conn

	control map[string]*sql.Stmt // what opens and ends batches and items

	mu      sync.Mutex
	waiting [2][]*item
	closing bool
	wake    chan struct{}
	stopped chan struct{}

	heads heads // moves only after a commit
}

func newWriter(ctx context.Context, l *Ledger, conn *sql.Conn) (*writer, error) {
	_, err := conn.ExecContext(ctx, l.busyTimeout())
	if err := errors.Join(err, sqlite.KeepUndoInMemory(ctx, conn)); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	watched := ledgerdb.DBTX(conn)
	if l.ran != nil {
		watched = sqlite.Watched{DBTX: conn, Tell: l.ran}
	}
	w := &writer{l: l, conn: conn, q: ledgerdb.New(watched), control: make(map[string]*sql.Stmt), wake: make(chan struct{}, 1), stopped: make(chan struct{})}
	for _, sql := range []string{sqlite.BeginBatch, sqlite.EndBatch, sqlite.BeginItem, sqlite.EndItem, undoItem} {
		var err error
		if w.control[sql], err = conn.PrepareContext(ctx, sql); err != nil { //nolint:sqlclosecheck // w.close does
			return nil, errors.Join(fmt.Errorf("prepare %s: %w", sql, err), w.close())
		}
	}
	if err := w.heads.load(ctx, w.q); err != nil {
		return nil, errors.Join(err, w.close())
	}
	go w.loop()
	return w, nil
}

// close gives back the statements and the connection.
func (w *writer) close() error {
	var errs []error
	for _, stmt := range w.control {
		if stmt != nil {
			errs = append(errs, stmt.Close())
		}
	}
	return errors.Join(append(errs, w.conn.Close())...)
}

// write runs f as one item and waits for its commit. ctx counts until the item
// enters a batch; a caller that stops waiting after that leaves the item to
// commit and is told [ErrUnknown].
func (l *Ledger) write(ctx context.Context, in queue, by hotel.By, f func(*tx) error) error {
	it := &item{ctx: ctx, by: by, run: f, done: make(chan error, 1)}
	if err := l.w.submit(it, in); err != nil {
		return err
	}
	select {
	case err := <-it.done:
		return err
	case <-ctx.Done():
		if it.state.CompareAndSwap(itemWaiting, itemLeft) {
			return context.Cause(ctx)
		}
	}
	select {
	case err := <-it.done: // both were ready
		return err
	default:
		return fmt.Errorf("%w: %w", ErrUnknown, context.Cause(ctx))
	}
}

var errClosed = errors.New("the ledger is closed")

func (w *writer) submit(it *item, in queue) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closing {
		return errClosed
	}
	w.waiting[in] = append(w.waiting[in], it)
	select {
	case w.wake <- struct{}{}:
	default:
	}
	return nil
}

// stop lets the loop finish what was submitted and end.
func (w *writer) stop() {
	w.mu.Lock()
	w.closing = true
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
	<-w.stopped
}

func (w *writer) loop() {
	defer close(w.stopped)
	for {
		first, in := w.next(0)
		if first == nil {
			w.mu.Lock()
			ended := w.closing && len(w.waiting[urgent])+len(w.waiting[bulk]) == 0
			w.mu.Unlock()
			if ended {
				return
			}
			<-w.wake
			continue
		}
		w.batch(first, in)
	}
}

// next takes the item that is to run now, or nil. bulkTaken is how many bulk
// items this batch has had.
func (w *writer) next(bulkTaken int) (*item, queue) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		in := urgent
		if len(w.waiting[urgent]) == 0 || (bulkTaken == 0 && len(w.waiting[bulk]) > 0) {
			// The one bulk item of a batch goes first, so that a stream of
			// bookings cannot starve the derivations that follow from them.
			in = bulk
		}
		if len(w.waiting[in]) == 0 {
			return nil, in
		}
		it := w.waiting[in][0]
		w.waiting[in][0] = nil
		w.waiting[in] = w.waiting[in][1:]
		if it.ctx.Err() != nil || !it.state.CompareAndSwap(itemWaiting, itemTaken) {
			it.done <- context.Cause(it.ctx)
			continue
		}
		return it, in
	}
}

// batch is one transaction in the making.
type batch struct {
	w     *writer
	now   time.Time
	heads heads // as they will be after the commit
	done  []*item
	after effects // of the items that worked
}

// effects is what an item leaves to be done once its batch is committed.
type effects struct {
	drafts  map[string]*draft // nights, by property
	publish []func()          // caches to be brought up to date
	offers  map[string]bool   // properties whose channels are to look
	due     bool              // house values are left to be derived
	asked   bool              // a channel is asked to do something with a booking

	turn map[string]nightSet // nights whose figures moved, where rules remember what they did, by property
	deal map[string]nightSet // nights whose guarded rooms may have to be dealt anew, by property

	dealAll bool // none of them later

	served []*recall // who waited for rooms that are sold to them now
}

func (w *writer) batch(it *item, in queue) {
	b := &batch{w: w, heads: w.heads.over()}
	if err := b.begin(); err != nil {
		it.done <- fmt.Errorf("begin: %w", err)
		return
	}
	started := w.l.clock.Now()
	b.now = started.UTC().Truncate(time.Microsecond)
	if b.now.Before(b.heads.at) {
		b.now = b.heads.at // a clock that was set back must not disorder the journal
	}
	answers := make(map[*item]error)
	bulkTaken := 0
	for n := 0; ; {
		err := b.runItem(it)
		b.done = append(b.done, it)
		answers[it] = err
		if errors.Is(err, errRolledBack) {
			w.fail(b.done, err)
			return
		}
		if in == bulk {
			bulkTaken++
		}
		if n++; n >= sqlite.BatchItems || w.l.clock.Now().Sub(started) >= sqlite.BatchTime {
			break
		}
		if it, in = w.next(bulkTaken); it == nil {
			break
		}
	}
	if err := w.exec(sqlite.EndBatch); err != nil {
		w.fail(b.done, fmt.Errorf("%w: commit: %w", ErrUnknown, err))
		return
	}
	if w.l.committed != nil {
		w.l.committed(len(b.done), w.l.clock.Now().Sub(started))
	}
	w.heads.merge(b.heads)
	w.l.pace.note(w.heads.sequence, w.l.clock.Steady())
	w.l.boards.renew(w.q, b.heads.sequence, b.after)
	for _, publish := range b.after.publish {
		publish()
	}
	w.l.changes.tell(b.after)
	for _, it := range b.done {
		err := answers[it]
		if err != nil {
			err = &itemError{err}
		}
		it.done <- err
	}
}

// itemError is why one write is not stored while the ledger stores what is asked of it.
type itemError struct{ error }

func (e *itemError) Unwrap() error { return e.error }

// IsItsOwn reports whether a write failed for what it is, while the ledger stored what was
// asked of it at that time: the same write fails again, whatever becomes of the disk.
func IsItsOwn(err error) bool {
	_, ok := errors.AsType[*itemError](err)
	return ok
}

// begin opens the transaction. After a lost batch, memory may stand behind the
// file or before it: the ends of the chains are read again.
func (b *batch) begin() error {
	if err := b.w.exec(sqlite.BeginBatch); err != nil {
		return err
	}
	if !b.heads.stale {
		return nil
	}
	if err := b.heads.load(context.Background(), b.w.q); err != nil {
		return errors.Join(err, b.w.exec("ROLLBACK"))
	}
	return nil
}

// fail answers a batch that is lost as a whole, and forgets what memory may
// have in advance of the file.
func (w *writer) fail(items []*item, err error) {
	_ = w.exec("ROLLBACK") // fails when the transaction has ended already
	w.l.log.Error("batch lost", zap.Int("items", len(items)), zap.Error(err))
	w.heads.forget()
	w.l.boards.drop()
	w.l.changes.commits.Add(1) // nobody knows whether it was one
	for _, it := range items {
		it.done <- err
	}
}

// errRolledBack says that SQLite has undone the whole transaction, as it may on
// a full disk or an I/O error: nothing of the batch is stored.
var errRolledBack = errors.New("the disk refused the write; nothing of it is stored")

// runItem runs one item inside a savepoint. A refusal of a request that carries
// an idempotency key is stored in the same batch, after the item is undone.
func (b *batch) runItem(it *item) error {
	w := b.w
	if err := w.exec(sqlite.BeginItem); err != nil {
		return b.checkAlive(fmt.Errorf("savepoint: %w", err))
	}
	t := newTx(b, it.by)
	err := call(func(t *tx) error {
		if err := it.run(t); err != nil {
			return err
		}
		if err := t.turn(); err != nil {
			return err
		}
		return t.deal()
	}, t)
	if err == nil {
		if err = w.exec(sqlite.EndItem); err == nil {
			b.heads.merge(t.heads)
			b.after.merge(t.effects)
			return nil
		}
	}
	if dead := b.checkAlive(err); errors.Is(dead, errRolledBack) {
		return dead
	}
	if undo := w.exec(undoItem); undo != nil {
		return errors.Join(errRolledBack, err, undo)
	}
	if undo := w.exec(sqlite.EndItem); undo != nil {
		return errors.Join(errRolledBack, err, undo)
	}
	if refusal := (*hotel.Refusal)(nil); errors.As(err, &refusal) && t.once.Key != "" && !t.replayed && lasting(refusal) {
		if keep := t.keepRefusal(refusal); keep != nil {
			return b.checkAlive(keep)
		}
	}
	return err
}

// lasting reports whether a request that was refused is refused again when it is
// repeated: not what another revision, another key or a little patience will let pass.
func lasting(r *hotel.Refusal) bool {
	return r.Code != "precondition_failed" && r.Code != "idempotency_key_reused" && r.Members["reason"] != reasonDealt
}

// checkAlive returns err, marked when the transaction is gone.
func (b *batch) checkAlive(err error) error {
	var alive bool
	raw := b.w.conn.Raw(func(c any) error {
		alive = !c.(*sqlite3.SQLiteConn).AutoCommit()
		return nil
	})
	if raw == nil && alive {
		return err
	}
	return errors.Join(errRolledBack, err)
}

// call runs f and turns a panic into an error, so that one item's mistake is
// undone alone.
func call(f func(*tx) error, t *tx) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic in a ledger item: %v\n%s", r, debug.Stack())
		}
	}()
	return f(t)
}

// undoItem takes back what an item has done.
const undoItem = "ROLLBACK TO item"

func (w *writer) exec(sql string) error {
	if w.l.ran != nil {
		w.l.ran(sqlite.Statement{Text: sql})
	}
	var err error
	if stmt := w.control[sql]; stmt != nil {
		_, err = stmt.ExecContext(context.Background())
	} else {
		_, err = w.conn.ExecContext(context.Background(), sql)
	}
	return err
}

func (e *effects) merge(of effects) {
	for property, d := range of.drafts {
		if e.drafts[property] == nil {
			e.setDraft(property, &draft{})
		}
		e.drafts[property].merge(d)
	}
	e.publish, e.served = append(e.publish, of.publish...), append(e.served, of.served...)
	for property := range of.offers {
		e.touchOffers(property)
	}
	e.due, e.asked = e.due || of.due, e.asked || of.asked
}

func (e *effects) touchOffers(property string) {
	if e.offers == nil {
		e.offers = make(map[string]bool)
	}
	e.offers[property] = true
}

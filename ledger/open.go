package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/mattn/go-sqlite3"
	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger/internal/ledgerdb"
	"ostler.example/ledger/internal/sqlite"
)

// ErrNotFound says that there is nothing by that id.
var ErrNotFound = errors.New("not found")

// ErrUnknown says that a write may or may not have been committed. It must not
// be reported as done or as failed; repeating it with the same idempotency key
// is safe.
var ErrUnknown = errors.New("outcome of the commit is unknown")

// oldestSQLite is the first version without a bug that corrupts WAL databases.
const oldestSQLite = 3_051_003

// Options configures a ledger.
type Options struct {
	Path  string      // the database file; its folder must exist
	Clock hotel.Clock // nil: the machine's
	Log   *zap.Logger // nil: nothing is logged

	// Quiet is how long a pool that is guarded at the last must be without a sale
	// before it is shared again though hardly more units are free; 0: half an hour.
	Quiet time.Duration

	// Migrating is called before an existing ledger is brought from one version of its
	// tables to another. An error leaves it as it is, and it is not opened. Nil: nobody is.
	Migrating func(ctx context.Context, from, to int64) error

	// Committed is told of every transaction: how many business events it took in, and
	// how long it took with the sync to the disk. It must not block. Nil: nobody is.
	Committed func(items int, took time.Duration)

	// Clients knows the clients of the ledger of a sandbox, which keeps none; nil: the
	// ledger keeps them itself.
	Clients Clients

	// Small keeps its demands low: two readers, and half a megabyte of pages for each
	// connection. It is for ledgers of which many are open.
	Small bool

	// Patience is how long a write waits for another process that has the database
	// locked; 0: five seconds.
	Patience time.Duration

	// Ran is told of every statement of the writer before it is run. It is for tests.
	Ran func(sqlite.Statement)

	// CheckBoards compares every board that a decision is made on with the
	// tables, and fails what was to be decided where they differ. It is for tests.
	CheckBoards bool
}

// Clients knows who a client is.
type Clients interface {
	// Client returns the client of that id; ok is false when there is none.
	Client(ctx context.Context, id string) (c auth.Client, ok bool, err error)
}

// Ledger is one open ledger. Its methods are safe for concurrent use.
type Ledger struct {
	path        string
	clock       hotel.Clock
	log         *zap.Logger
	checkBoards bool
	quiet       time.Duration
	patience    time.Duration
	small       bool
	committed   func(items int, took time.Duration)
	ran         func(sqlite.Statement)
	clients     Clients

	writeDB *sql.DB
	readDB  *sql.DB
	read    *ledgerdb.Queries
	w       *writer
	boards  boards
	layers  layers

	changes    changes
	completing completing

	// What is asked for all the time.
	beats    unchanged[map[string]Beat]
	unlisted unchanged[Unlisted]
	doubts   unchanged[nextDoubts]
	pace     pace
	asked    unchanged[[]Asked]
	setbacks setbacks

	scrubbing chan struct{} // held by whoever has the files written anew

	// The writer alone uses these.
	recalls recalls
	weights map[string]weightsOfDay // by property
	sellers map[string]seller       // by channel, as its row was read last
}

// Open opens the ledger at o.Path, making or migrating it as needed. It refuses
// to run on settings other than those that durability rests on.
func Open(ctx context.Context, o Options) (*Ledger, error) {
	l := &Ledger{path: o.Path, clock: o.Clock, log: o.Log, checkBoards: o.CheckBoards, quiet: cmp.Or(o.Quiet, defaultQuiet), patience: cmp.Or(o.Patience, defaultPatience), small: o.Small, committed: o.Committed, ran: o.Ran, clients: o.Clients, scrubbing: make(chan struct{}, 1), weights: map[string]weightsOfDay{}, sellers: map[string]seller{}}
	if l.clock == nil {
		l.clock = hotel.SystemClock{}
	}
	if l.clients == nil {
		l.clients = l
	}
	if l.log == nil {
		l.log = zap.NewNop()
	}
	l.boards.init(l)
	if err := l.open(ctx, o.Path, o.Migrating); err != nil {
		return nil, errors.Join(fmt.Errorf("open ledger %s: %w", o.Path, wayOut(err)), l.closeDBs())
	}
	return l, nil
}

// defaultPatience is the busy_timeout of every connection.
const defaultPatience = 5 * time.Second

// busyTimeout has the writing connection wait as long as it is to.
func (l *Ledger) busyTimeout() string {
	return fmt.Sprintf("PRAGMA busy_timeout = %d", l.patience.Milliseconds())
}

// smallPages is how large the file of a small ledger may grow, in pages of 4 KiB: 256
// MiB. What would make it larger fails as on a full disk, which it so cannot fill.
const smallPages = 65536

// bound keeps the file of a small ledger small.
func (l *Ledger) bound(ctx context.Context) error {
	if !l.small {
		return nil
	}
	_, err := l.writeDB.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", smallPages))
	return err
}

// pages says how many a connection may keep in memory, where that is not SQLite's own
// number.
func (l *Ledger) pages() string {
	if l.small {
		return "&_cache_size=-512" // negative: KiB
	}
	return ""
}

// SQLite returns the version of SQLite that is compiled in, and refuses one that
// is not safe.
func SQLite() (string, error) {
	text, number, _ := sqlite3.Version()
	if number < oldestSQLite {
		return text, fmt.Errorf("SQLite %s may corrupt a WAL database; 3.51.3 or newer is needed: build with a newer mattn/go-sqlite3", text)
	}
	return text, nil
}

func (l *Ledger) open(ctx context.Context, path string, migrating func(ctx context.Context, from, to int64) error) error {
	if _, err := SQLite(); err != nil {
		return err
	}
	var err error
	if l.writeDB, err = sql.Open(sqlite.Driver, sqlite.DSN(path, true)+l.pages()); err != nil {
		return err
	}
	l.writeDB.SetMaxOpenConns(1)
	if err := sqlite.CheckPragmas(ctx, l.writeDB); err != nil {
		return err
	}
	files, err := migrationFiles()
	if err != nil {
		return err
	}
	if err := errors.Join(migrate(ctx, l.writeDB, files, migrating), l.bound(ctx)); err != nil {
		return err
	}
	if err := l.openReaders(ctx, path); err != nil {
		return err
	}
	conn, err := l.writeDB.Conn(ctx)
	if err != nil {
		return err
	}
	if l.w, err = newWriter(ctx, l, conn); err != nil {
		return err
	}
	l.pace.note(l.w.heads.sequence, l.clock.Steady())
	if err := l.found(ctx); err != nil {
		return err
	}
	if err := l.recall(ctx); err != nil {
		return err
	}
	// What is left of people who were forgotten goes now, or with a later Tidy where it
	// cannot: it keeps no hotel from its bookings.
	_ = l.scrubOwed(ctx)
	return nil
}

func (l *Ledger) openReaders(ctx context.Context, path string) (err error) {
	if l.readDB, err = sql.Open(sqlite.Driver, sqlite.DSN(path, false)+l.pages()); err != nil {
		return err
	}
	readers := max(2, runtime.GOMAXPROCS(0))
	if l.small {
		readers = 2
	}
	l.readDB.SetMaxOpenConns(readers)
	l.readDB.SetMaxIdleConns(readers)
	if err := sqlite.CheckPragmas(ctx, l.readDB); err != nil {
		return err
	}
	l.read = ledgerdb.New(l.readDB)
	return nil
}

// found writes the ledger's own row when the file is new.
func (l *Ledger) found(ctx context.Context) error {
	_, err := l.read.GetLedger(ctx)
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.InsertLedger(t.ctx, ledgerdb.InsertLedgerParams{ID: hotel.NewID("ldg"), CreatedAt: t.micros()})
	})
}

// Identity returns the id that the ledger was given when it was made.
func (l *Ledger) Identity(ctx context.Context) (string, error) {
	row, err := l.read.GetLedger(ctx)
	if err != nil {
		return "", fmt.Errorf("read the ledger's identity: %w", err)
	}
	return row.ID, nil
}

// Epoch is how often the ledger began: once as it was made, and once more with each backup
// that was put in its place.
func (l *Ledger) Epoch(ctx context.Context) (int64, error) {
	row, err := l.read.GetLedger(ctx)
	if err != nil {
		return 0, fmt.Errorf("read the ledger's epoch: %w", err)
	}
	return row.Epoch, nil
}

// Close finishes what has been submitted and closes the files. No other method
// may be called after it.
func (l *Ledger) Close() error {
	if l.w != nil {
		l.w.stop()
	}
	return l.closeDBs()
}

func (l *Ledger) closeDBs() error {
	var errs []error
	if l.w != nil {
		errs = append(errs, l.w.close())
	}
	for _, db := range []*sql.DB{l.readDB, l.writeDB} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// snapshot runs f on one consistent state of the ledger.
func (l *Ledger) snapshot(ctx context.Context, f func(q *ledgerdb.Queries) error) error {
	t, err := l.readDB.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer t.Rollback() //nolint:errcheck // nothing was written
	return f(l.read.WithTx(t))
}

func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}

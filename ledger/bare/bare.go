// Package bare runs what a ledger's writer ran from a bare loop: the same statements in
// the same order, prepared once, with the same savepoints and the same group commit. It
// is what the ledger, and what stands before it, are measured by, and for tests only.
package bare

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"ostler.example/ledger/internal/sqlite"
)

// Item is the statements of one business event.
type Item []sqlite.Statement

// Recorder notes what the writer runs for one request after the other.
type Recorder struct{ items []Item }

// Ran is told of a statement, as Options of a ledger have it.
func (r *Recorder) Ran(s sqlite.Statement) {
	switch s.Text {
	case sqlite.BeginItem:
		r.items = append(r.items, nil)
	case sqlite.BeginBatch, sqlite.EndItem, sqlite.EndBatch:
	default:
		if n := len(r.items) - 1; n >= 0 { // what is read when a ledger is opened is of no item
			r.items[n] = append(r.items[n], s)
		}
	}
}

// Take returns the items since the last time.
func (r *Recorder) Take() []Item {
	items := r.items
	r.items = nil
	return items
}

// Loop is a bare loop on the file of a ledger that nobody else has open.
type Loop struct {
	now     func() time.Time
	db      *sql.DB
	conn    *sql.Conn
	stmts   map[string]*sql.Stmt
	waiting chan waiting
	ended   chan struct{}
}

type waiting struct {
	item Item
	done chan error
}

// Open starts a loop, which ends its batches by the time that it is handed.
func Open(ctx context.Context, path string, now func() time.Time) (*Loop, error) {
	db, err := sql.Open(sqlite.Driver, sqlite.DSN(path, true))
	if err != nil {
		return nil, err
	}
	l := &Loop{now: now, db: db, stmts: map[string]*sql.Stmt{}, waiting: make(chan waiting, sqlite.BatchItems), ended: make(chan struct{})}
	if l.conn, err = db.Conn(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := sqlite.KeepUndoInMemory(ctx, l.conn); err != nil { // as the writer's is
		return nil, errors.Join(err, l.conn.Close(), db.Close())
	}
	go l.loop()
	return l, nil
}

// Close ends the loop, in which nobody waits any more.
func (l *Loop) Close() error {
	close(l.waiting)
	<-l.ended
	var errs []error
	for _, stmt := range l.stmts {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(append(errs, l.conn.Close(), l.db.Close())...)
}

// Run runs an item and waits for its commit.
func (l *Loop) Run(item Item) error {
	w := waiting{item, make(chan error, 1)}
	l.waiting <- w
	return <-w.done
}

func (l *Loop) loop() {
	defer close(l.ended)
	for first := range l.waiting {
		batch, started := []waiting{first}, l.now()
		err := l.exec(sqlite.Statement{Text: sqlite.BeginBatch})
		for w, more := first, true; more && err == nil; {
			err = l.item(w.item)
			if len(batch) >= sqlite.BatchItems || l.now().Sub(started) >= sqlite.BatchTime {
				break
			}
			select {
			case w, more = <-l.waiting:
				if more {
					batch = append(batch, w)
				}
			default:
				more = false
			}
		}
		err = errors.Join(err, l.exec(sqlite.Statement{Text: sqlite.EndBatch}))
		for _, w := range batch {
			w.done <- err
		}
	}
}

func (l *Loop) item(of Item) error {
	err := l.exec(sqlite.Statement{Text: sqlite.BeginItem})
	for _, s := range of {
		err = errors.Join(err, l.exec(s))
	}
	return errors.Join(err, l.exec(sqlite.Statement{Text: sqlite.EndItem}))
}

func (l *Loop) exec(s sqlite.Statement) error {
	stmt := l.stmts[s.Text]
	if stmt == nil {
		var err error
		if stmt, err = l.conn.PrepareContext(context.Background(), s.Text); err != nil {
			return fmt.Errorf("prepare %s: %w", s.Text, err)
		}
		l.stmts[s.Text] = stmt
	}
	if !s.Rows {
		_, err := stmt.ExecContext(context.Background(), s.Args...)
		return err
	}
	rows, err := stmt.QueryContext(context.Background(), s.Args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		continue
	}
	return rows.Err()
}

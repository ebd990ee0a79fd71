package sync_test

import (
	"path/filepath"
	"time"

	"github.com/mattn/go-sqlite3" //nolint:depguard // it is another process that speaks SQL here
)

// heldLock is a connection of another process, which has the ledger locked for a while.
type heldLock struct {
	conn *sqlite3.SQLiteConn
	ends time.Time
}

// lockLedger has another process, a tool of somebody's own, begin to write: for a while
// nothing is stored, by whomever, and clocks stand still. Who does something at the
// hotel by hand waits until it has ended.
func (w *world) lockLedger() {
	if w.lock != nil || w.killed() {
		return
	}
	lasts := time.Duration(1+w.more.IntN(90)) * time.Second
	opened, err := (&sqlite3.SQLiteDriver{}).Open("file:" + filepath.Join(w.folder(w.lives), "ledger.db") + "?_busy_timeout=1")
	if err != nil {
		w.t.Error(err)
		return
	}
	conn := opened.(*sqlite3.SQLiteConn)
	if _, err := conn.Exec("BEGIN IMMEDIATE", nil); err != nil {
		w.t.Error(err)
	}
	w.lock = &heldLock{conn, time.Now().Add(lasts)}
	w.count("ledger locked")
	for _, f := range w.far {
		w.sicken(f, lasts)
	}
}

// unlockDue ends the transaction when its time has come.
func (w *world) unlockDue() {
	if w.lock != nil && !time.Now().Before(w.lock.ends) {
		w.unlock()
	}
}

// unlock ends it now.
func (w *world) unlock() {
	if w.lock == nil {
		return
	}
	if err := w.lock.conn.Close(); err != nil {
		w.t.Error(err)
	}
	w.lock = nil
}

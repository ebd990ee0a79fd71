// Package sqlite is how a ledger's file is opened and written through.
package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	_ "github.com/mattn/go-sqlite3" // which it is opened by
)

// Driver is the name of the driver.
const Driver = "sqlite3"

// What opens and ends a batch, and an item in it.
const (
	BeginBatch = "BEGIN IMMEDIATE"
	EndBatch   = "COMMIT"
	BeginItem  = "SAVEPOINT item"
	EndItem    = "RELEASE item"
)

// The limits of one batch.
const (
	BatchItems = 1000
	BatchTime  = 50 * time.Millisecond
)

// Pragmas are those of every connection, and what each must read back as.
var Pragmas = []struct{ Name, Value, Reads string }{
	{"journal_mode", "WAL", "wal"},
	{"synchronous", "FULL", "2"},
	{"foreign_keys", "on", "1"},
	{"secure_delete", "on", "1"},
	{"busy_timeout", "5000", "5000"},
}

// statements is how many statements a connection keeps prepared, each from its first
// use on: more than there are. To prepare all of them at the start took longer than
// everything else that the start does.
const statements = 1024

// DSN says how a file is opened.
func DSN(path string, writer bool) string {
	v := url.Values{}
	for _, p := range Pragmas {
		v.Set("_"+p.Name, p.Value)
	}
	v.Set("_stmt_cache_size", strconv.Itoa(statements))
	if writer {
		v.Set("_txlock", "immediate")
	} else {
		v.Set("mode", "ro")
	}
	return "file:" + Escaped(path) + "?" + v.Encode()
}

// Escaped is a path as a DSN names it.
func Escaped(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// CheckPragmas reads every setting back: a misspelt option of the driver is
// silently ignored, and its own default in WAL mode loses commits on a power
// cut.
func CheckPragmas(ctx context.Context, db *sql.DB) error {
	for _, p := range Pragmas {
		var got string
		if err := db.QueryRowContext(ctx, "PRAGMA "+p.Name).Scan(&got); err != nil {
			return fmt.Errorf("read back %s: %w", p.Name, err)
		}
		if !strings.EqualFold(got, p.Reads) {
			return fmt.Errorf("setting %s is %q instead of %q: refusing to run, because commits could be lost", p.Name, got, p.Reads)
		}
	}
	return nil
}

// KeepUndoInMemory has SQLite keep in memory what an item can be undone with. Left
// to itself it makes a file of it in the system's temporary folder for every item
// that changes more than a few pages, on whatever disk that is, and the writer waits.
func KeepUndoInMemory(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, "PRAGMA temp_store = MEMORY"); err != nil {
		return fmt.Errorf("set temp_store: %w", err)
	}
	const memory = 2
	var got int
	if err := conn.QueryRowContext(ctx, "PRAGMA temp_store").Scan(&got); err != nil || got != memory {
		return fmt.Errorf("setting temp_store is %d instead of %d: %w", got, memory, err)
	}
	return nil
}

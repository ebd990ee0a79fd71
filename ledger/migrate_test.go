package ledger

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"ostler.example/ledger/internal/sqlite"
)

// TestMigrations: a new ledger is made without a word, one that is up to date is left
// alone, an older one is brought up to date when whoever is asked before agrees, and
// one of a newer program is refused.
func TestMigrations(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(folder(t), "ledger.db")
	db := must(sql.Open(sqlite.Driver, sqlite.DSN(path, true)))(t)
	defer db.Close() //nolint:errcheck // it is thrown away
	now := must(migrationFiles())(t)
	later := fstest.MapFS{
		"00001_ledger.sql": {Data: must(fs.ReadFile(now, "00001_ledger.sql"))(t)},
		"00002_later.sql":  {Data: []byte("-- +goose Up\nCREATE TABLE later (id TEXT NOT NULL PRIMARY KEY) STRICT;\n")},
	}
	var asked []int64
	full := errors.New("the disk is full")
	ask := func(answer error) func(context.Context, int64, int64) error {
		return func(_ context.Context, from, to int64) error {
			asked = append(asked, from, to)
			return answer
		}
	}
	has := func() bool {
		t.Helper()
		var n int
		if err := db.QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'later'").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n == 1
	}
	for range 2 {
		if err := migrate(ctx, db, now, ask(full)); err != nil || asked != nil {
			t.Fatalf("a new ledger, and one that is up to date: %v, asked %v", err, asked)
		}
	}
	if err := migrate(ctx, db, later, ask(full)); !errors.Is(err, full) || !strings.Contains(err.Error(), "left as it is") || has() {
		t.Errorf("without a backup: %v", err)
	}
	if err := migrate(ctx, db, later, ask(nil)); err != nil || !has() || len(asked) != 4 || asked[2] != 1 || asked[3] != 2 {
		t.Errorf("with one: %v, asked %v", err, asked)
	}
	if err := migrate(ctx, db, now, ask(nil)); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), "restore the backup") {
		t.Errorf("by an older program: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if l, err := Open(ctx, Options{Path: path}); !errors.Is(err, ErrNewer) {
		t.Errorf("opened by an older program: %v, %v", l, err)
	}
	if _, err := Verify(ctx, path, VerifyOptions{}); !errors.Is(err, ErrNewer) {
		t.Errorf("verified by an older program: %v", err)
	}
}

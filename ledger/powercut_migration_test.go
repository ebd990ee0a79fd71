//go:build linux

package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"
)

// laterVersion is a migration of a version to come: it makes a table, fills it from
// what is there, and changes a table that is full.
const laterVersion = `-- +goose Up
CREATE TABLE later (id TEXT NOT NULL PRIMARY KEY, nights INTEGER NOT NULL) STRICT;
INSERT INTO later SELECT id, check_out - check_in FROM reservation;
ALTER TABLE reservation ADD COLUMN later INTEGER NOT NULL DEFAULT 0;
UPDATE reservation SET later = 1;
`

// becomeLater makes the program one of the version to come, until the test ends.
func becomeLater(t *testing.T) {
	t.Helper()
	now := migrationFiles
	first := must(fs.ReadFile(must(now())(t), "00001_ledger.sql"))(t)
	migrationFiles = func() (fs.FS, error) {
		return fstest.MapFS{"00001_ledger.sql": {Data: first}, "90000_later.sql": {Data: []byte(laterVersion)}}, nil
	}
	t.Cleanup(func() { migrationFiles = now })
}

// wholeVersion refuses a ledger that is of neither version, or of the one of before
// when the migration was done.
func wholeVersion(ctx context.Context, db *sql.DB, done bool) error {
	var noted, tables, columns int
	err := db.QueryRowContext(ctx, `SELECT (SELECT COUNT(*) FROM goose_db_version WHERE version_id = 90000),
		(SELECT COUNT(*) FROM sqlite_schema WHERE name = 'later' AND type = 'table'), (SELECT COUNT(*) FROM pragma_table_info('reservation') WHERE name = 'later')`).
		Scan(&noted, &tables, &columns)
	if err != nil || !done && noted == 0 && tables+columns == 0 {
		return err
	}
	var rows, untouched int
	if noted == 1 && tables == 1 && columns == 1 {
		if err := db.QueryRowContext(ctx, "SELECT (SELECT COUNT(*) FROM later), (SELECT COUNT(*) FROM later JOIN reservation USING (id) WHERE reservation.later = 0)").Scan(&rows, &untouched); err != nil {
			return err
		}
		if rows > 0 && untouched == 0 {
			return nil
		}
	}
	return fmt.Errorf("half migrated: noted %d times, %d tables with %d rows, %d columns with %d rows untouched", noted, tables, rows, columns, untouched)
}

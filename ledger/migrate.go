package ledger

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrationFiles are what this program knows; tests play one that knows more.
var migrationFiles = func() (fs.FS, error) { return fs.Sub(migrations, "migrations") }

// ErrNewer says that a ledger was written by a newer program.
var ErrNewer = errors.New("the ledger was written by a newer Ostler")

// migrate makes the tables of a new ledger, or brings those of an older one up to date,
// after before has been called with the versions of both. It refuses a ledger that a
// newer program has written: what that one keeps there is not known here.
func migrate(ctx context.Context, db *sql.DB, files fs.FS, before func(ctx context.Context, from, to int64) error) error {
	p, from, to, err := versions(ctx, db, files)
	if err != nil || from == to {
		return err
	}
	if from > 0 && before != nil {
		if err := before(ctx, from, to); err != nil {
			return fmt.Errorf("the ledger is left as it is, with tables of version %d: %w", from, err)
		}
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// checkVersion refuses a file of another version of the program, whose tables
// are others.
func checkVersion(ctx context.Context, db *sql.DB) error {
	files, err := migrationFiles()
	if err != nil {
		return err
	}
	_, from, to, err := versions(ctx, db, files)
	if err == nil && from < to {
		err = errors.New("it is of an older version: start the daemon once, which brings it up to date")
	}
	return err
}

// versions returns of which version the tables of a ledger are, 0 when there are none,
// and the newest that this program knows, which is never less.
func versions(ctx context.Context, db *sql.DB, files fs.FS) (p *goose.Provider, from, to int64, err error) {
	if p, err = goose.NewProvider(goose.DialectSQLite3, db, files); err != nil {
		return nil, 0, 0, fmt.Errorf("read migrations: %w", err)
	}
	if from, to, err = p.GetVersions(ctx); err != nil {
		return nil, 0, 0, fmt.Errorf("which version it is of: %w", err)
	}
	if from > to {
		return nil, 0, 0, fmt.Errorf("%w: its tables are of version %d, and this program knows those up to %d; "+
			"install the newer program again, or restore the backup that was taken before the upgrade (ostler restore)", ErrNewer, from, to)
	}
	return p, from, to, nil
}

package sqlite

import (
	"context"
	"database/sql"

	"ostler.example/ledger/internal/ledgerdb"
)

// Statement is one statement of the writer.
type Statement struct {
	Text string
	Args []any
	Rows bool // it is asked for rows
}

// Watched is a connection that tells of every statement before it is run.
type Watched struct {
	ledgerdb.DBTX
	Tell func(Statement)
}

// ExecContext runs a statement.
func (w Watched) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	w.Tell(Statement{text, args, false})
	return w.DBTX.ExecContext(ctx, text, args...)
}

// QueryContext asks for rows.
func (w Watched) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	w.Tell(Statement{text, args, true})
	return w.DBTX.QueryContext(ctx, text, args...)
}

// QueryRowContext asks for one row.
func (w Watched) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	w.Tell(Statement{text, args, true})
	return w.DBTX.QueryRowContext(ctx, text, args...)
}

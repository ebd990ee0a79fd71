package ledger

import (
	"context"
	"errors"
	"fmt"

	"ostler.example/ledger/internal/ledgerdb"
)

// Tally is how much a ledger holds, without anything of what it says.
type Tally struct {
	Schema     int64            `json:"schema"` // the version of its tables
	Newest     int64            `json:"newest"` // the one that this program makes
	Rows       map[string]int64 `json:"rows"`   // of each table
	Calls      []CallTally      `json:"calls"`
	Deliveries []WebhookTally   `json:"deliveries"`
}

// CallTally is how many kept calls of a channel came to what.
type CallTally struct {
	Channel    string `json:"channel"`
	Operation  string `json:"operation"`
	State      string `json:"state"`
	HTTPStatus int64  `json:"http_status"` // of the answer; 0: there was none, or not by HTTP
	Calls      int64  `json:"calls"`
}

// WebhookTally is how many kept deliveries to an endpoint came to what.
type WebhookTally struct {
	Endpoint   string `json:"endpoint"`
	Status     string `json:"status"`
	Deliveries int64  `json:"deliveries"`
}

// TallyOf counts what the ledger in a file holds. A daemon may be at work on it.
func TallyOf(ctx context.Context, path string) (t Tally, err error) {
	l := &Ledger{}
	defer func() { err = errors.Join(err, l.closeDBs()) }()
	if err := l.openReaders(ctx, path); err != nil {
		return t, fmt.Errorf("open ledger %s: %w", path, err)
	}
	files, err := migrationFiles()
	if err != nil {
		return t, err
	}
	if _, t.Schema, t.Newest, err = versions(ctx, l.readDB, files); err != nil {
		return t, err
	}
	if t.Rows, err = l.rowsOfTables(ctx); err != nil {
		return t, err
	}
	return t, l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		calls, err := q.TallyCalls(ctx)
		if err != nil {
			return err
		}
		for _, r := range calls {
			t.Calls = append(t.Calls, CallTally{r.ChannelID, r.Operation, r.State, r.HttpStatus, r.Calls})
		}
		deliveries, err := q.TallyWebhookDeliveries(ctx)
		for _, r := range deliveries {
			t.Deliveries = append(t.Deliveries, WebhookTally{r.EndpointID, r.Status, r.Deliveries})
		}
		return err
	})
}

// rowsOfTables counts the rows of each table. Their names come from the file's own schema,
// which no query by name could know.
func (l *Ledger) rowsOfTables(ctx context.Context) (map[string]int64, error) {
	rows, err := l.readDB.QueryContext(ctx, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
	if err != nil {
		return nil, fmt.Errorf("list the tables: %w", err)
	}
	defer rows.Close()
	count := map[string]int64{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		count[name] = 0
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for name := range count {
		var n int64
		if err := l.readDB.QueryRowContext(ctx, `SELECT COUNT(*) FROM "`+name+`"`).Scan(&n); err != nil { // the name stands in the schema
			return nil, fmt.Errorf("count the rows of %s: %w", name, err)
		}
		count[name] = n
	}
	return count, nil
}

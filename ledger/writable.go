package ledger

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// writableReader is the cursor that notes when it was last tried whether the ledger takes
// writes.
const writableReader = "writable"

// Writable returns nil when the ledger takes writes: it stores when it was asked. A
// transaction that stores nothing touches no file, and succeeds on a full disk.
func (l *Ledger) Writable(ctx context.Context) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: writableReader, Position: t.micros()})
	})
}

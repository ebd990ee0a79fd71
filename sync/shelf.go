package sync

import (
	"context"

	"ostler.example/connectors"
)

// shelf is what the connector of one channel keeps, in the ledger.
type shelf struct {
	ledger  Ledger
	channel string
}

var _ connectors.Shelf = shelf{}

// Get implements [connectors.Shelf].
func (s shelf) Get(ctx context.Context, name string) ([]byte, error) {
	return s.ledger.Shelved(ctx, s.channel, name)
}

// Put implements [connectors.Shelf].
func (s shelf) Put(ctx context.Context, name string, body []byte) error {
	return s.ledger.Shelve(ctx, s.channel, name, body)
}

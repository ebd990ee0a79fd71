package serve

import (
	"context"
	"errors"

	"ostler.example/connectors/process/wire"
)

// shelf is Ostler's, asked within calls.
type shelf struct{}

// Get implements [connectors.Shelf].
func (shelf) Get(ctx context.Context, name string) ([]byte, error) {
	said, err := onShelf(ctx, wire.Shelf{Get: name})
	if err != nil || said.Body == nil {
		return nil, err
	}
	return *said.Body, nil
}

// Put implements [connectors.Shelf].
func (shelf) Put(ctx context.Context, name string, body []byte) error {
	_, err := onShelf(ctx, wire.Shelf{Put: name, Body: body})
	return err
}

// onShelf has Ostler look at the shelf.
func onShelf(ctx context.Context, q wire.Shelf) (*wire.Shelved, error) {
	f, err := request(ctx, "a look at the shelf", func(number int64) wire.Frame {
		q.Number = number
		return wire.Frame{Shelf: &q}
	})
	if err != nil {
		return nil, err
	}
	if f.Shelved.Error != "" {
		return nil, errors.New(f.Shelved.Error)
	}
	return f.Shelved, nil
}

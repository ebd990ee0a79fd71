package process

import (
	"context"
	"fmt"
	"sync"

	"ostler.example/connectors"
)

// keeping is a sink that remembers that a message could not be kept.
type keeping struct {
	sink connectors.Sink

	mu  sync.Mutex
	err error
}

// Deliver implements [connectors.Sink].
func (k *keeping) Deliver(ctx context.Context, m connectors.Message) error {
	err := k.sink.Deliver(ctx, m)
	if err != nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.err = fmt.Errorf("keep message %s: %w", m.Key, err)
	}
	return err
}

// Hint implements [connectors.Sink].
func (k *keeping) Hint() { k.sink.Hint() }

// lost returns why a message was not kept, nil when all were.
func (k *keeping) lost() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err
}

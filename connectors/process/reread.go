package process

import (
	"context"
	"errors"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
)

// Reread implements [connectors.Rereader].
func (c *conn) Reread(ctx context.Context, raw []byte) (connectors.Message, error) {
	var said wire.ReadAgain
	if err := c.call(ctx, wire.Reread, wire.RereadParams{Raw: raw}, &said, nil); err != nil {
		return connectors.Message{}, err
	}
	if said.Message == nil {
		return connectors.Message{}, nonsense(wire.Reread, errors.New("its answer has no message"))
	}
	return said.Message.Read(), nil
}

package process

import (
	"context"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
)

// Act implements [connectors.Actor].
func (c *conn) Act(ctx context.Context, a connectors.Action) (connectors.Verdict, error) {
	var said wire.Acted
	if err := c.call(ctx, wire.Act, wire.FromAction(a), &said, nil); err != nil {
		return connectors.Verdict{}, err
	}
	v := said.Read()
	v.Words = c.words(v.Words)
	return v, nil
}

package serve

import (
	"context"
	"errors"

	"ostler.example/connectors/process/wire"
	"ostler.example/hotel"
)

// report has Ostler tell somebody, within a call.
func report(ctx context.Context, r hotel.ChannelReport) error {
	s, c := of(ctx)
	if c == nil {
		return errors.New("a report outside of a call of Ostler")
	}
	number, reported := c.expect()
	told := wire.FromReport(r)
	told.Number = number
	s.write(wire.Frame{ID: c.id, Report: told})
	select {
	case f := <-reported:
		if f.Reported.Error != "" {
			return errors.New(f.Reported.Error)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

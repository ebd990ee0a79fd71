package serve

import (
	"context"
	"errors"

	"ostler.example/connectors/process/wire"
	"ostler.example/hotel"
)

// report has Ostler tell somebody, within a call.
func report(ctx context.Context, r hotel.ChannelReport) error {
	f, err := request(ctx, "a report", func(number int64) wire.Frame {
		told := wire.FromReport(r)
		told.Number = number
		return wire.Frame{Report: told}
	})
	if err != nil {
		return err
	}
	if f.Reported.Error != "" {
		return errors.New(f.Reported.Error)
	}
	return nil
}

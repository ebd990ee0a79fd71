package app

import (
	"context"
	"time"

	"github.com/robfig/cron/v3"
	"go.uber.org/zap"
)

// schedule calls each work by its schedule until stop, which waits for what runs. It runs in
// UTC, where no local time is skipped or doubled, and only calls: what is due is decided by what
// the ledger says was last done. A work that is not over when it is due again is left to end: if
// it were begun beside itself, each would be one more that the others wait for, and a machine
// that is busy for a minute would not come out of it.
func schedule(ctx context.Context, log *zap.Logger, works map[string]func(context.Context) error) (stop func() error, err error) {
	c := cron.New(cron.WithLocation(time.UTC), cron.WithChain(cron.SkipIfStillRunning(cron.DiscardLogger)))
	for at, work := range works {
		if _, err := c.AddFunc(at, func() {
			if err := work(ctx); err != nil && ctx.Err() == nil {
				log.Error("scheduled work", zap.String("schedule", at), zap.Error(err))
			}
		}); err != nil {
			return nil, err
		}
	}
	c.Start()
	return func() error {
		<-c.Stop().Done()
		return nil
	}, nil
}

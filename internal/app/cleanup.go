package app

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"go.uber.org/zap"
)

// cleanups undoes what was started, the last first. Each step has a name, so
// that a failing stop says where it failed. Running it twice runs nothing twice.
type cleanups []cleanup

type cleanup struct {
	name string
	run  func() error
}

func (c *cleanups) add(name string, run func() error) { *c = append(*c, cleanup{name, run}) }

// stopWithin is how long a stop may take in all. The system is told 10 s.
const stopWithin = 9 * time.Second

// stop runs the steps and says how it went. It waits no longer than stopWithin:
// what has no answer by then is of unknown effect to the next start.
func (c *cleanups) stop(log *zap.Logger) error {
	ended := make(chan error, 1)
	go func() { ended <- c.run() }()
	timer := time.NewTimer(stopWithin)
	defer timer.Stop()
	select {
	case err := <-ended:
		log.Info("stopped")
		return err
	case <-timer.C:
		log.Warn("stopped without waiting any longer; what has no answer is looked up by the next start", zap.Duration("waited", stopWithin))
		return nil
	}
}

func (c *cleanups) run() error {
	var errs []error
	for _, step := range slices.Backward(*c) {
		if err := step.run(); err != nil {
			errs = append(errs, fmt.Errorf("stop %s: %w", step.name, err))
		}
	}
	*c = nil
	return errors.Join(errs...)
}

package app

import (
	"errors"
	"fmt"
	"slices"
)

// cleanups undoes what was started, the last first. Each step has a name, so
// that a failing stop says where it failed. Running it twice runs nothing twice.
type cleanups []cleanup

type cleanup struct {
	name string
	run  func() error
}

func (c *cleanups) add(name string, run func() error) { *c = append(*c, cleanup{name, run}) }

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

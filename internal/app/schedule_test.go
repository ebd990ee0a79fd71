package app

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
)

// Work that takes longer than until it is due again is done one at a time, and keeps no other.
func TestWorkIsNotBegunBesideItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at, most, slow, quick atomic.Int32
		stop, err := schedule(t.Context(), zap.NewNop(), map[string]func(context.Context) error{
			"@every 1s": func(context.Context) error {
				most.Store(max(most.Load(), at.Add(1)))
				time.Sleep(4500 * time.Millisecond)
				at.Add(-1)
				slow.Add(1)
				return nil
			},
			"@every 2s": func(context.Context) error { quick.Add(1); return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(20500 * time.Millisecond)
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		if most.Load() != 1 || slow.Load() != 4 || quick.Load() != 10 {
			t.Errorf("up to %d were at it at once, %d times in all, and the other was done %d times", most.Load(), slow.Load(), quick.Load())
		}
	})
}

package main

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// A failure that goes on is written at once, and then once a minute with its times.
func TestAFailureThatGoesOnIsFolded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core, lines := observer.New(zap.InfoLevel)
		log := zap.New(foldRepeats(core))
		full, broken := errors.New("the disk is full"), errors.New("the disk is broken")
		written := func(want ...string) {
			t.Helper()
			var got []string
			for _, l := range lines.TakeAll() {
				line := l.Message
				for _, f := range l.Context {
					switch f.Key {
					case "error":
						line += ": " + f.Interface.(error).Error()
					case "channel":
						line += " of " + f.String
					case "times":
						line += " " + time.Duration(f.Integer).String()
					}
				}
				got = append(got, line)
			}
			slices.Sort(got) // what ends at one instant comes in any order
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error("(-want +got)", diff)
			}
		}
		for n := range 90 {
			log.Error("not stored", zap.Int("items", n), zap.Duration("took", time.Duration(n)), zap.Error(full))
			log.With(zap.String("channel", "a")).Warn("not told", zap.Error(full))
			time.Sleep(time.Second - time.Millisecond) // no line comes when a minute ends
		}
		written("not stored: the disk is full", "not stored: the disk is full 60ns", "not told of a: the disk is full", "not told of a: the disk is full 60ns")
		log.With(zap.String("channel", "b")).Warn("not told", zap.Error(full))
		log.Error("not stored", zap.Error(broken))
		log.Info("not stored", zap.Error(full))
		log.Info("not stored", zap.Error(full))
		written("not stored: the disk is broken", "not stored: the disk is full", "not stored: the disk is full", "not told of b: the disk is full")
		time.Sleep(foldFor)
		synctest.Wait()
		if n := lines.Len(); n != 2 { // the last half minute of both
			t.Errorf("%d lines a minute later, want 2: %v", n, lines.TakeAll())
		}
		lines.TakeAll()
		time.Sleep(2 * foldFor)
		log.Error("not stored", zap.Error(full))
		written("not stored: the disk is full")
		log.Error("not stored", zap.Error(full))
		written()
		if err := log.Sync(); err != nil {
			t.Error(err)
		}
		written("not stored: the disk is full 1ns")
	})
}

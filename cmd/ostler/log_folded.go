package main

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// foldFor is for how long a failure that goes on is only counted once it was logged.
const foldFor = time.Minute

// foldMost is of how many failures at a time repeats are counted. More are all written.
const foldMost = 1000

// folded writes a warning or an error that comes again and again once, and then once a
// minute with how often it came: a disk that is full fails every second, and would bury
// what else is said. Two are the same whose message and fields are, numbers and times
// apart.
type folded struct {
	zapcore.Core
	with map[string]any // fields of every line
	all  *folds
}

// folds are the failures that go on.
type folds struct {
	mu    sync.Mutex
	going map[string]*repeated
}

// repeated is one of them: what came since it was last written.
type repeated struct {
	core   zapcore.Core
	entry  zapcore.Entry
	fields []zapcore.Field
	times  int
	ends   *time.Timer
}

// foldRepeats wraps what writes the lines of a log.
func foldRepeats(core zapcore.Core) zapcore.Core {
	return &folded{Core: core, all: &folds{going: map[string]*repeated{}}}
}

// With implements [zapcore.Core].
func (f *folded) With(fields []zapcore.Field) zapcore.Core {
	return &folded{Core: f.Core.With(fields), with: told(f.with, fields), all: f.all}
}

// Check implements [zapcore.Core].
func (f *folded) Check(e zapcore.Entry, checked *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if f.Enabled(e.Level) {
		return checked.AddCore(e, f)
	}
	return checked
}

// Write implements [zapcore.Core].
func (f *folded) Write(e zapcore.Entry, fields []zapcore.Field) error {
	if failure := e.Level == zapcore.WarnLevel || e.Level == zapcore.ErrorLevel; failure && f.all.counted(f.Core, e, fields, f.with) {
		return nil
	}
	return f.Core.Write(e, fields)
}

// Sync implements [zapcore.Core]. It writes what was only counted so far.
func (f *folded) Sync() error {
	f.all.end()
	return f.Core.Sync()
}

// counted reports whether a line was written less than a minute ago, and counts it then.
func (a *folds) counted(core zapcore.Core, e zapcore.Entry, fields []zapcore.Field, with map[string]any) bool {
	key := fmt.Sprint(e.Level, e.Message, told(with, fields))
	a.mu.Lock()
	defer a.mu.Unlock()
	if going := a.going[key]; going != nil {
		going.core, going.entry, going.fields = core, e, fields
		going.times++
		return true
	}
	if len(a.going) < foldMost {
		a.going[key] = &repeated{ends: time.AfterFunc(foldFor, func() { a.pass(key) })}
	}
	return false
}

// pass writes what has come in the last minute, or forgets a failure that has not.
func (a *folds) pass(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	going := a.going[key]
	if going == nil {
		return
	}
	if going.times == 0 {
		delete(a.going, key)
		return
	}
	going.write()
	going.ends.Reset(foldFor)
}

// end writes all that was counted, and forgets every failure.
func (a *folds) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for key, going := range a.going {
		going.ends.Stop()
		if going.times > 0 {
			going.write()
		}
		delete(a.going, key)
	}
}

// write writes the newest line with how many it stands for.
func (g *repeated) write() {
	_ = g.core.Write(g.entry, append(slices.Clip(g.fields), zap.Int("times", g.times))) // where lines go that cannot be written, this one goes too
	g.times = 0
}

// told is what fields say beside others, numbers and times apart.
func told(with map[string]any, fields []zapcore.Field) map[string]any {
	says := zapcore.NewMapObjectEncoder()
	maps.Copy(says.Fields, with)
	for _, field := range fields {
		switch field.Type {
		case zapcore.DurationType, zapcore.TimeType, zapcore.TimeFullType, zapcore.Float64Type, zapcore.Float32Type,
			zapcore.Int64Type, zapcore.Int32Type, zapcore.Int16Type, zapcore.Int8Type, zapcore.Uint64Type, zapcore.Uint32Type, zapcore.Uint16Type, zapcore.Uint8Type:
		default:
			field.AddTo(says)
		}
	}
	return says.Fields
}

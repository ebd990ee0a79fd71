package connectortest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"ostler.example/connectors"
)

// Result is what became of one case.
type Result struct {
	Case     string
	Failures []string // empty: it passed or was skipped
	Skipped  string   // why it was skipped
	Seen     string   // by [Ask]: what the far side has
	Log      []string // of one that failed: what was logged last, the newest at the end
}

// Results runs every case and reports instead of failing: for showing that a
// case does fail when a connector breaks what it is about.
func Results(ctx context.Context, h Harness) ([]Result, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	var results []Result
	for _, c := range h.cases() {
		results = append(results, c.record(ctx, h))
	}
	return results, nil
}

// Unplayed returns the cases about what is declared that are skipped, since the far side cannot
// play them: what nothing shows of a connector there. No case is run.
func Unplayed(ctx context.Context, h Harness) ([]Result, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	var out []Result
	for _, c := range h.cases() {
		c.run = func(T, *session) {}
		r := c.record(ctx, h)
		if len(r.Failures) > 0 || strings.HasPrefix(r.Skipped, unplayed) {
			out = append(out, r)
		}
	}
	return out, nil
}

// Capabilities returns what the channel of a fresh far side declares.
func Capabilities(ctx context.Context, h Harness) (connectors.Capabilities, error) {
	if err := h.check(); err != nil {
		return connectors.Capabilities{}, err
	}
	var caps connectors.Capabilities
	r := testCase{name: "Capabilities", run: func(_ T, s *session) { caps = s.caps }}.record(ctx, h)
	if len(r.Failures) > 0 {
		return connectors.Capabilities{}, errors.New(r.Failures[0])
	}
	return caps, nil
}

// record runs one case and remembers what became of it.
func (c testCase) record(ctx context.Context, h Harness) Result {
	r := &recorder{ctx: ctx}
	done := make(chan struct{})
	go func() { // a case ends by ending its goroutine
		defer close(done)
		defer r.cleanUp()
		c.try(r, h)
	}()
	<-done
	out := Result{Case: c.name, Failures: r.failures, Skipped: r.skipped}
	if len(r.failures) > 0 {
		out.Log = r.log
	}
	return out
}

// recorder is a T that remembers.
type recorder struct {
	ctx context.Context

	mu       sync.Mutex
	failures []string
	skipped  string
	log      []string // its last lines
	cleanups []func()
}

// Helper implements [T].
func (r *recorder) Helper() {}

// Context implements [T].
func (r *recorder) Context() context.Context { return r.ctx }

// Cleanup implements [T].
func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }

// mostLogged is how many lines of the log of a case are kept.
const mostLogged = 10

// Logf implements [T].
func (r *recorder) Logf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = append(r.log, fmt.Sprintf(format, args...))
	r.log = r.log[max(0, len(r.log)-mostLogged):]
}

// Errorf implements [T].
func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// Fatalf implements [T].
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// Skipf implements [T].
func (r *recorder) Skipf(format string, args ...any) {
	r.skipped = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// cleanUp runs the clean-ups, last first.
func (r *recorder) cleanUp() {
	for _, f := range slices.Backward(r.cleanups) {
		f()
	}
}

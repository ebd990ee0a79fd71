package process

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
)

// How long a program that ended is left alone before it is started again: doubled
// each time, and from the start again once it has lived for longer than the longest. That
// it has answered a call says little: the next may end it again.
const (
	firstPause = time.Second
	lastPause  = time.Minute
)

// supervised is a program that is started when it is needed, and again when it has
// ended.
type supervised struct {
	config  Config
	env     connectors.Env
	conceal *strings.Replacer
	expects [sha256.Size]byte // the digest of its description; zero: any

	mu       sync.Mutex
	now      *run // nil: it does not run
	failures int  // in a row
	resumeAt time.Time
	last     error // why it ended
	closed   bool
	ended    sync.WaitGroup // the runs
}

var errClosed = errors.New("the channel is closed")

// describe starts the program and returns what it says of itself.
func (s *supervised) describe(ctx context.Context) (wire.Description, error) {
	r, err := s.running(ctx)
	if err != nil {
		return wire.Description{}, err
	}
	return r.said, nil
}

// call asks the program, started if need be, and reads its result into answer.
func (s *supervised) call(ctx context.Context, name string, params, answer any, sink connectors.Sink) error {
	r, err := s.running(ctx)
	if err != nil {
		return &connectors.Error{Kind: connectors.Temporary, Effect: connectors.NotSent, Op: name, Err: err}
	}
	result, err := r.call(ctx, name, params, sink)
	if len(result) > 0 && answer != nil {
		if unread := json.Unmarshal(result, answer); unread != nil {
			return errors.Join(nonsense(name, fmt.Errorf("its result cannot be read: %w", unread)), err)
		}
	}
	if err == nil && len(result) == 0 {
		return nonsense(name, errors.New("its answer has no result"))
	}
	return err
}

// running returns the run, a new one if there is none. Callers wait for each
// other, not longer than a start may take.
func (s *supervised) running(ctx context.Context) (*run, error) {
	s.mu.Lock()
	if r := s.now; r != nil && r.ending() {
		s.mu.Unlock()
		select {
		case <-r.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		s.end(r)
		s.mu.Lock()
	}
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, errClosed
	case s.now != nil:
		return s.now, nil
	}
	if wait := s.resumeAt.Sub(clock.Now()); wait > 0 {
		return nil, fmt.Errorf("its program ended and is started again in %s: %w", wait.Round(100*time.Millisecond), s.last)
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	r, err := s.start(ctx)
	if err != nil {
		if ctx.Err() == nil || !errors.Is(context.Cause(ctx), context.Canceled) {
			s.failed(err, 0)
		}
		return nil, err
	}
	s.now = r
	s.ended.Go(func() {
		<-r.done
		s.end(r)
	})
	return r, nil
}

// start starts the program and opens the channel in it.
func (s *supervised) start(ctx context.Context) (*run, error) {
	r, err := launch(s.config.Programs[s.config.Program], s.env, s.conceal)
	if err != nil {
		return nil, err
	}
	r.said, err = r.open(ctx, s.config)
	if err == nil && s.expects != [sha256.Size]byte{} && digest(r.said) != s.expects {
		err = errors.New("its program says other things of itself than before: restart ostler to take them over")
	}
	if err != nil {
		r.stop(err)
		return nil, err
	}
	return r, nil
}

// failed notes the end of a program that has lived for so long. The caller holds the lock.
func (s *supervised) failed(err error, lived time.Duration) {
	if lived > lastPause {
		s.failures = 0
	}
	s.last = err
	s.resumeAt = clock.Now().Add(min(firstPause<<min(s.failures, 10), lastPause))
	s.failures++
	s.env.Log.Warn("a connector's program ended", zap.String("program", s.config.Program), zap.Time("started_again_after", s.resumeAt), zap.Error(err))
}

// end notes that a run is over, once.
func (s *supervised) end(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != r {
		return
	}
	s.now = nil
	if !s.closed {
		s.failed(r.err, clock.Now().Sub(r.began))
	}
}

// close ends the program and waits for it.
func (s *supervised) close() {
	s.mu.Lock()
	r := s.now
	s.closed = true
	s.mu.Unlock()
	if r != nil {
		r.stop(errClosed)
	}
	s.ended.Wait()
}

// open tells a program that has just started which channel it is for.
func (r *run) open(ctx context.Context, c Config) (wire.Description, error) {
	var said wire.Description
	settings, err := json.Marshal(c.Settings)
	if err != nil {
		return said, err
	}
	if c.Settings == nil {
		settings = []byte("{}")
	}
	secrets := c.Secrets
	if secrets == nil {
		secrets = map[string]string{}
	}
	params := wire.OpenParams{Protocol: wire.Version, Channel: r.env.ChannelID, Settings: settings, Secrets: secrets, Found: found(r.env.Found), House: tells(r.env)}
	result, err := r.call(ctx, wire.Open, params, nil)
	if err != nil {
		return said, err
	}
	if err := json.Unmarshal(result, &said); err != nil {
		return said, fmt.Errorf("what it says of itself cannot be read: %w", err)
	}
	return said, nil
}

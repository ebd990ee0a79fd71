package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
)

// cancelPatience is how long a program may go on with a call that was cancelled.
const cancelPatience = 5 * time.Second

// wasCancelled is why nothing is done for a call any more.
const wasCancelled = "the call was cancelled"

// mostRequests is how many fetches, reports, looks at the shelf and questions to the house of
// one call may be under way.
const mostRequests = 8

// call asks the program and returns its result; that of a failed poll comes with
// the error. What goes wrong once the program was asked may have had an effect.
func (r *run) call(ctx context.Context, name string, params any, sink connectors.Sink) (json.RawMessage, error) {
	text, err := json.Marshal(params)
	if err != nil {
		return nil, &connectors.Error{Kind: connectors.Invalid, Effect: connectors.NotSent, Op: name, Err: err}
	}
	id, frames := r.ids.Add(1), make(chan unseen, mostFrames)
	r.mu.Lock()
	r.calls[id] = frames
	r.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	c := &asked{run: r, id: id, name: name, sink: sink}
	defer c.requesting.Wait()
	defer cancel()
	if err := r.write(ctx, wire.Frame{ID: id, Call: name, Params: text, Now: r.env.Clock.Now()}); errors.Is(err, errUnwritten) {
		r.mu.Lock()
		delete(r.calls, id)
		r.mu.Unlock()
		return nil, &connectors.Error{Kind: connectors.Temporary, Effect: connectors.NotSent, Op: name, Err: err}
	} else if err != nil {
		return nil, c.broken(err)
	}
	quiet := time.NewTimer(r.silence)
	defer quiet.Stop()
	for {
		select {
		case waited := <-frames:
			f := r.looked(waited)
			if f.Result != nil || f.Error != nil {
				result, err := c.concluded(f)
				if err != nil && ctx.Err() != nil { // it says so because we have given the call up
					err = errors.Join(err, ctx.Err())
				}
				return result, err
			}
			if err := c.serve(ctx, f); err != nil {
				return nil, c.broken(err)
			}
			quiet.Reset(r.silence)
		case <-ctx.Done():
			r.abandon(id, frames)
			return nil, c.broken(ctx.Err())
		case <-quiet.C:
			if left := r.silenceLeft(); left > 0 { // it is busy with another call
				quiet.Reset(left)
				continue
			}
			r.breakOff("said nothing for %s while it was asked to %s", r.silence, name)
			return nil, c.broken(fmt.Errorf("its program said nothing for %s", r.silence))
		case <-r.done:
			select {
			case last := <-frames:
				if last.Result != nil || last.Error != nil {
					return c.concluded(last.Frame)
				}
			default:
			}
			return nil, c.broken(r.err)
		}
	}
}

// silenceLeft is how long the program may still say nothing.
func (r *run) silenceLeft() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.silence - clock.Now().Sub(r.heard)
}

// asked is a call that is under way.
type asked struct {
	run        *run
	id         int64
	name       string
	sink       connectors.Sink
	refused    error // of the sink
	requesting sync.WaitGroup
	requests   atomic.Int32
	questions  int // to the house
}

// broken is the error of a call that did not come to an answer.
func (c *asked) broken(err error) error {
	return &connectors.Error{Kind: connectors.Temporary, Op: c.name, Err: err}
}

// concluded reads the last frame of a call.
func (c *asked) concluded(f wire.Frame) (json.RawMessage, error) {
	if f.Error == nil {
		return f.Result, nil
	}
	cause := error(reason(c.run.conceal.Replace(f.Error.Message)))
	if c.refused != nil {
		cause = errors.Join(cause, c.refused)
	}
	err := f.Error.Err(cause)
	err.Op = c.run.conceal.Replace(err.Op)
	if err.Op == "" {
		err.Op = c.name
	}
	return f.Result, err
}

// reason is a program's own words about what went wrong.
type reason string

// Error returns them, or as many as are fit to be kept.
func (s reason) Error() string {
	if s == "" {
		return "it does not say why"
	}
	return string(s[:min(len(s), maxWords)])
}

// serve does what a program asks for in the middle of a call.
func (c *asked) serve(ctx context.Context, f wire.Frame) error {
	if f.Fetch != nil || f.Shelf != nil || f.Report != nil || f.House != nil {
		return c.request(ctx, f)
	}
	if c.sink == nil {
		c.run.breakOff("delivers a message where none was asked for, in %s", c.name)
		return errors.New("its program delivers a message where none was asked for")
	}
	if f.Hint {
		c.sink.Hint()
		return nil
	}
	err := c.sink.Deliver(ctx, f.Deliver.Read())
	if err != nil {
		c.refused = err
	}
	kept := err == nil
	return c.run.write(context.Background(), wire.Frame{ID: c.id, Kept: &kept})
}

// request does what a program need not wait for, beside what else it asks for.
func (c *asked) request(ctx context.Context, f wire.Frame) error {
	if c.requests.Add(1) > mostRequests {
		c.run.breakOff("asks for more than %d things at a time", mostRequests)
		return errors.New("its program asks for too much at a time")
	}
	if f.House != nil {
		c.questions++
	}
	questions := c.questions
	c.requesting.Go(func() {
		defer c.requests.Add(-1)
		answer := wire.Frame{ID: c.id}
		switch {
		case f.Fetch != nil:
			answer.Fetched = c.run.fetch(ctx, f.Fetch)
		case f.Shelf != nil:
			answer.Shelved = c.run.shelve(ctx, f.Shelf)
		case f.House != nil:
			answer.Told = c.run.tell(ctx, f.House, questions)
		default:
			answer.Reported = c.run.report(ctx, f.Report)
		}
		_ = c.run.write(context.Background(), answer) // a program that does not read is ended
	})
	return nil
}

// abandon tells the program that an answer is not awaited any more. It has a moment
// to end the call, in which it may put down what it knows; nothing is fetched for it.
func (r *run) abandon(id int64, frames <-chan unseen) {
	r.mu.Lock()
	_, open := r.calls[id]
	r.mu.Unlock()
	if !open { // its last frame has come, and is to be counted no more
		for len(frames) > 0 {
			r.looked(<-frames)
		}
		return
	}
	go func() {
		_ = r.write(context.Background(), wire.Frame{ID: id, Cancel: true}) // a program that does not read is ended
		ctx, cancel := context.WithTimeout(context.Background(), cancelPatience)
		defer cancel()
		for {
			select {
			case waited := <-frames:
				f := r.looked(waited)
				switch {
				case f.Result != nil, f.Error != nil:
					return
				case f.Shelf != nil:
					_ = r.write(ctx, wire.Frame{ID: id, Shelved: r.shelve(ctx, f.Shelf)})
				case f.Deliver != nil:
					_ = r.write(ctx, wire.Frame{ID: id, Kept: new(bool)})
				case f.Fetch != nil:
					_ = r.write(ctx, wire.Frame{ID: id, Fetched: &wire.Fetched{Number: f.Fetch.Number, Error: wasCancelled, NotSent: true}})
				case f.Report != nil:
					_ = r.write(ctx, wire.Frame{ID: id, Reported: &wire.Reported{Number: f.Report.Number, Error: wasCancelled}})
				case f.House != nil:
					_ = r.write(ctx, wire.Frame{ID: id, Told: &wire.Told{Number: f.House.Number, Error: wasCancelled}})
				}
			case <-r.done:
				return
			case <-ctx.Done():
				r.breakOff("went on with a call that was cancelled")
				return
			}
		}
	}()
}

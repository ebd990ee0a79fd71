// Package contain keeps a connector's misbehaviour to the connector. Code of
// others, and far sides behind it, may panic, hang, and say what cannot be; here
// is where that ends: a panic becomes an error, a call that does not end is left
// behind, and what was said is looked through before anybody believes it. The
// package stores nothing and decides nothing about the channel.
package contain

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

const (
	// grace is how long a connector may take to notice that its time is over.
	grace = 2 * time.Second

	// mostLeft is how many calls of a channel may be left behind that never ended.
	// Beyond that it is called no more until one ends: each holds memory, and a
	// thread perhaps.
	mostLeft = 4
)

// Box is what a channel's connector is called in. A nil box keeps no count of
// what was left behind.
type Box struct{ left atomic.Int32 }

// Broken is the error of a connector that broke the rules.
type Broken struct{ Fault hotel.Fault }

// Error says what was seen.
func (b *Broken) Error() string { return b.Fault.Words }

// FaultOf returns the fault behind an error; false when there is none.
func FaultOf(err error) (hotel.Fault, bool) {
	if b, broken := errors.AsType[*Broken](err); broken {
		return b.Fault, true
	}
	return hotel.Fault{}, false
}

// broken returns the error of a fault in the words of the seam.
func broken(op string, effect connectors.Effect, kind hotel.FaultKind, format string, args ...any) error {
	return &connectors.Error{
		Kind: connectors.Temporary, Effect: effect, Op: op,
		Err: &Broken{hotel.Fault{Kind: kind, Words: Short(fmt.Sprintf(format, args...))}},
	}
}

// outcome is what came of a call.
type outcome[T any] struct {
	value T
	err   error
}

// Call calls a connector. It returns when f does, or soon after ctx ended: then f
// is left behind, and what it may still have done is not known. Op names the call
// in errors.
func Call[T any](ctx context.Context, b *Box, op string, f func(context.Context) (T, error)) (T, error) {
	var none T
	if b != nil && b.left.Load() >= mostLeft {
		return none, broken(op, connectors.NotSent, hotel.FaultHung, "%d calls of its connector never ended; it is not called again before one of them does", mostLeft)
	}
	done := make(chan outcome[T], 1)
	go run(ctx, op, f, done)
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case o := <-done:
		return o.value, o.err
	case <-timer.C:
	}
	if b != nil {
		b.left.Add(1)
		go func() {
			<-done
			b.left.Add(-1)
		}()
	}
	return none, broken(op, connectors.Possible, hotel.FaultHung, "its connector did not end in its time: %v", context.Cause(ctx))
}

// Panic says how a connector broke off. What a runtime error says is told; of
// anything else a connector panics with only what it is, for it may quote a guest.
func Panic(value any) string {
	if e, ok := value.(runtime.Error); ok {
		return "its connector panicked: " + e.Error()
	}
	return fmt.Sprintf("its connector panicked with a %T", value)
}

// run calls f and hands on what comes of it, whatever that is.
func run[T any](ctx context.Context, op string, f func(context.Context) (T, error), done chan<- outcome[T]) {
	o := outcome[T]{err: broken(op, connectors.Possible, hotel.FaultPanic, "its connector ended without an answer")}
	defer func() {
		if p := recover(); p != nil {
			o.err = broken(op, connectors.Possible, hotel.FaultPanic, "%s", Panic(p))
		}
		done <- o
	}()
	value, err := f(ctx)
	o = outcome[T]{value, err}
}

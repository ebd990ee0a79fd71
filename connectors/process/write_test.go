package process

import (
	"context"
	"errors"
	"testing"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
	"ostler.example/hotel"
)

// A call that waits until another is written has not begun, and ends with its time.
func TestACallThatIsNotWrittenIsNotSent(t *testing.T) {
	t.Parallel()
	s := alone(configOf("sound"), connectors.Env{Log: zap.NewNop(), Clock: hotel.SystemClock{}})
	defer s.close()
	r, err := s.running(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r.writing <- struct{}{} // somebody writes, and the program does not read
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = r.call(ctx, "products", struct{}{}, nil)
	if e := connectors.AsError(err); !errors.Is(err, context.Canceled) || e.Effect != connectors.NotSent {
		t.Errorf("it ends with %v", err)
	}
	<-r.writing
	if _, err := r.call(t.Context(), "products", struct{}{}, nil); err != nil {
		t.Errorf("the next ends with %v", err)
	}
}

// An answer that comes at the moment in which nobody awaits it any more leaves nothing
// behind that counts against the program.
func TestAnAnswerThatNobodyAwaitsIsCountedNoMore(t *testing.T) {
	t.Parallel()
	frames := make(chan unseen, mostFrames)
	r := &run{calls: map[int64]chan unseen{1: frames}}
	for _, f := range []wire.Frame{{ID: 1, Hint: true}, {ID: 1, Result: []byte("{}")}} {
		if words := r.route(unseen{f, 100}); words != "" {
			t.Fatal(words)
		}
	}
	if r.abandon(1, frames); r.waiting != 0 {
		t.Errorf("%d bytes count as not looked at", r.waiting)
	}
}

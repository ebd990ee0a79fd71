package process

import (
	"context"
	"errors"
	"testing"

	"go.uber.org/zap"

	"ostler.example/connectors"
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

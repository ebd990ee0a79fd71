package connectors_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"ostler.example/connectors"
)

func TestAsError(t *testing.T) {
	cause := errors.New("the far side is closed")
	known := &connectors.Error{Kind: connectors.RateLimited, Op: "update rates", RetryAfter: time.Second, Err: cause}
	if got := connectors.AsError(fmt.Errorf("channel x: %w", known)); got != known {
		t.Errorf("the classification is lost: %v", got)
	}
	if got := connectors.AsError(cause); got.Kind != connectors.Temporary || got.Effect != connectors.Possible || !errors.Is(got, cause) {
		t.Errorf("an error without a kind is %+v, want temporary with a possible effect", got)
	}
	if got, want := known.Error(), "update rates: the far side is closed"; got != want {
		t.Errorf("it reads %q, want %q", got, want)
	}
}

package connectortest

import (
	"context"
	"errors"
	"net/http"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
)

var failureCases = []testCase{
	{name: "SendHonoursCancel", needs: calls, run: sendHonoursCancel},
	{name: "ErrorKinds", needs: calls, run: errorKinds},
	{name: "ErrorEffects", needs: calls, run: errorEffects},
	{name: "SendNeverRetries", needs: calls, run: sendNeverRetries},
	{name: "NonsenseIsNotSuccess", needs: calls, run: nonsenseIsNotSuccess},
	{name: "EndlessAnswerIsAnError", needs: calls, run: endlessAnswerIsAnError},
}

// tellsAny is true of those that tell the far side something; one that serves the hotel's own
// system is told.
func tellsAny(s *session) bool { return !s.caps.Serves }

// calls is true of those that call the far side to tell it something.
func calls(s *session) bool { return !s.caps.Publishes && tellsAny(s) }

// patience ends a case that would hang. A sound connector never waits for it.
const patience = 10 * time.Second

// one is a call of a single night.
func (s *session) one(t T) connectors.Call {
	t.Helper()
	calls := s.encode(t, s.night(tomorrow())[:1])
	if len(calls) != 1 {
		t.Fatalf("one change takes %d calls", len(calls))
	}
	return s.stamp(calls[0])
}

// sendHonoursCancel: a call that hangs, or whose answer drips in, ends when its
// context does.
func sendHonoursCancel(t T, s *session) {
	call, asked := s.one(t), make(chan struct{}, 1)
	for _, broken := range []brokenWire{
		func(r *http.Request) (*http.Response, error) {
			asked <- struct{}{}
			select {
			case <-r.Context().Done():
				return nil, r.Context().Err()
			case <-time.After(patience):
				return nil, errors.New("the request outlived its caller")
			}
		},
		func(r *http.Request) (*http.Response, error) {
			asked <- struct{}{}
			return streams(r, &dripping{r: r, until: time.After(patience)})
		},
	} {
		s.endsWithContext(t, broken, asked, func(ctx context.Context) error {
			_, err := s.conn.Send(ctx, call)
			return err
		})
	}
}

// endsWithContext checks that a call over the wire ends with its context, once asked.
func (s *session) endsWithContext(t T, broken brokenWire, asked <-chan struct{}, call func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s.wire.breaks(broken)
	done := make(chan error, 1)
	go func() { done <- call(ctx) }()
	select {
	case <-asked:
		cancel()
	case err := <-done:
		t.Fatalf("a call ends with %v and asks nobody", err)
	}
	// The wire lets go after patience, so this ends in any case.
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call ends with %v, want context.Canceled in the chain", err)
	}
}

// errorKinds: each way to fail has its kind.
func errorKinds(t T, s *session) {
	call := s.one(t)
	for _, c := range []struct {
		name  string
		wire  brokenWire
		kind  connectors.Kind
		after time.Duration
	}{
		{"400", answers(400, `{}`), connectors.Invalid, 0},
		{"401", answers(401, `{}`), connectors.Denied, 0},
		{"403", answers(403, `{}`), connectors.Denied, 0},
		{"429", answers(429, `{}`), connectors.RateLimited, 0},
		{"429 with Retry-After", answers(429, `{}`, "Retry-After", "7"), connectors.RateLimited, 7 * time.Second},
		{"500", answers(500, `{}`), connectors.Temporary, 0},
		{"503 with Retry-After", answers(503, `{}`, "Retry-After", "9"), connectors.Temporary, 9 * time.Second},
		{"a redirect", answers(302, ``, "Location", "http://127.0.0.1:1/"), connectors.Temporary, 0},
		{"a refused connection", refusesConnections, connectors.Temporary, 0},
		{"a cut", cuts, connectors.Temporary, 0},
	} {
		s.wire.breaks(c.wire)
		_, err := s.conn.Send(t.Context(), call)
		var e *connectors.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: the error is %v, want a connectors.Error", c.name, err)
			continue
		}
		known := c.name == "429" || c.name == "500" // how long to wait, by what the far side says elsewhere
		told := e.RetryAfter == c.after || known && e.RetryAfter > 0 && e.RetryAfter <= transport.MaxRetryAfter
		if e.Kind != c.kind || !told || e.Op == "" {
			t.Errorf("%s: %s with a wait of %s while doing %q, want %s and %s", c.name, e.Kind, e.RetryAfter, e.Op, c.kind, c.after)
		}
	}
}

// errorEffects: only what failed before a byte left claims to have changed
// nothing.
func errorEffects(t T, s *session) {
	call := s.one(t)
	for _, c := range []struct {
		name   string
		wire   brokenWire
		effect connectors.Effect
	}{
		{"a refused connection", refusesConnections, connectors.NotSent},
		{"a cut before the answer", cuts, connectors.Possible},
		{"a cut within the answer", cutsBody, connectors.Possible},
		{"500", answers(500, `{}`), connectors.Possible},
		{"503", answers(503, `{}`), connectors.Possible},
	} {
		s.wire.breaks(c.wire)
		_, err := s.conn.Send(t.Context(), call)
		if err == nil {
			t.Errorf("%s: the call succeeded", c.name)
		} else if got := connectors.AsError(err).Effect; got != c.effect {
			t.Errorf("%s: the effect is %d, want %d", c.name, got, c.effect)
		}
	}
}

// sendNeverRetries: one call is one request, however it fails.
func sendNeverRetries(t T, s *session) {
	call := s.one(t)
	for name, broken := range map[string]brokenWire{
		"500": answers(500, `{}`), "429": answers(429, `{}`, "Retry-After", "0"), "401": answers(401, `{}`),
		"a cut": cuts, "a refused connection": refusesConnections, "a redirect": answers(307, ``, "Location", "/elsewhere"),
	} {
		before := s.wire.breaks(broken)
		_, _ = s.conn.Send(t.Context(), call)
		if n := s.wire.breaks(nil) - before; n != 1 {
			t.Errorf("%s: one call made %d requests", name, n)
		}
	}
}

// nonsenseIsNotSuccess: a 200 that does not say that the values are taken leaves
// them in doubt.
func nonsenseIsNotSuccess(t T, s *session) {
	call := s.one(t)
	for name, body := range map[string]string{
		"nothing": "", "a page": "<html><body>Scheduled maintenance</body></html>", "half an answer": `{"re`,
		"null": "null", "a list": "[]", "a number": "42",
	} {
		s.wire.breaks(answers(http.StatusOK, body))
		answer, err := s.conn.Send(t.Context(), call)
		if err == nil && outcome(answer, call.Keys[0]) == connectors.Applied {
			t.Errorf("a 200 with %s counts as applied", name)
		}
	}
}

// endlessAnswerIsAnError: an answer that does not end is given up, and settles nothing.
func endlessAnswerIsAnError(t T, s *session) {
	call := s.one(t)
	answer := &endless{}
	s.wire.breaks(func(r *http.Request) (*http.Response, error) { return streams(r, answer) })
	if _, err := s.conn.Send(t.Context(), call); err == nil {
		t.Errorf("an endless answer is a success")
	}
	if answer.read > mostRead {
		t.Errorf("%d bytes of an endless answer are read", answer.read)
	}
}

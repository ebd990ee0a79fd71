package api

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Sandboxes are the houses that clients of the sandbox live in.
type Sandboxes interface {
	// Enter returns the API of a sandbox, which is there until leave is called. A
	// refusal says that it cannot be entered now.
	Enter(ctx context.Context, id string) (house http.Handler, leave func(), err error)
}

// pass hands a request to the sandbox that its caller lives in, which answers it from
// a ledger of its own. Who the caller is has been found out here: clients and tokens
// are the daemon's.
func (s *server) pass(w http.ResponseWriter, r *http.Request, c *call, a access) {
	who := c.caller.Who
	if s.sandboxes == nil || who.Environment != auth.Sandbox {
		s.refuse(w, c, errElsewhere)
		return
	}
	answered := &answered{ResponseWriter: w}
	defer func() {
		var after time.Duration
		if answered.code() == http.StatusTooManyRequests {
			wait, _ := strconv.Atoi(w.Header().Get("Retry-After")) // our own answer has one
			after = time.Duration(wait) * time.Second
		}
		s.auth.NoteCall(who.ClientID, auth.Call{
			Operation: a.operation, Status: answered.code(), Keyed: r.Header.Get("Idempotency-Key") != "",
			Conditional: r.Header.Get("If-Match") != "" || r.Header.Get("If-None-Match") != "",
		}, after)
	}()
	// What is refused before anything is read opens no sandbox.
	if err := s.count(a, c); err != nil {
		s.refuse(answered, c, err)
		return
	}
	if err := s.check(a, r, c); err != nil {
		s.refuse(answered, c, err)
		return
	}
	house, leave, err := s.sandboxes.Enter(r.Context(), who.SandboxID)
	if err != nil {
		s.refuse(answered, c, err)
		return
	}
	defer leave()
	house.ServeHTTP(answered, r.WithContext(context.WithValue(r.Context(), knownKey{}, who)))
}

// countOnce counts a request that was not counted where it was passed on from.
func (s *server) countOnce(a access, r *http.Request, c *call) error {
	if _, known := r.Context().Value(knownKey{}).(auth.Who); known {
		return nil
	}
	return s.count(a, c)
}

// answered remembers the status of an answer.
type answered struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements [http.ResponseWriter].
func (a *answered) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (a *answered) Write(body []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a.ResponseWriter.Write(body)
}

// code is the status, that of a handler that panicked when there was no answer.
func (a *answered) code() int { return cmp.Or(a.status, http.StatusInternalServerError) }

// Unwrap lets [http.ResponseController] reach what is beneath.
func (a *answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// serves refuses clients of an environment that this address is not for.
func (s *server) serves(e auth.Environment) error {
	if s.only != "" && e != s.only {
		return errElsewhere
	}
	return nil
}

// errElsewhere refuses a token of an environment that is not served here.
var errElsewhere = hotel.Refuse("environment_forbidden", "This token belongs to another environment than is served here.")

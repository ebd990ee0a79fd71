package api

import (
	"context"
	"net/http"

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
func (s *server) pass(w http.ResponseWriter, r *http.Request, c *call) {
	who := c.caller.Who
	if s.sandboxes == nil || who.Environment != auth.Sandbox {
		s.refuse(w, c, errElsewhere)
		return
	}
	house, leave, err := s.sandboxes.Enter(r.Context(), who.SandboxID)
	if err != nil {
		s.refuse(w, c, err)
		return
	}
	defer leave()
	house.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), knownKey{}, who)))
}

// errElsewhere refuses a token of an environment that is not served here.
var errElsewhere = hotel.Refuse("environment_forbidden", "This token belongs to another environment than is served here.")

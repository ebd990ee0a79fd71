package channex

import (
	"net/http"
	"testing"
	"time"

	"ostler.example/connectors"
)

// After a failure of its own Channex is left alone for a minute. A refusal holds up nothing, and
// where no answer came it is tried again as everywhere.
func TestAPropertyRestsAfterFailures(t *testing.T) {
	for _, c := range []struct {
		status  int
		header  string // Retry-After
		waits   time.Duration
		dropped bool
	}{
		{status: 429, waits: time.Minute},
		{status: 500, waits: time.Minute},
		{status: 503, header: "7", waits: 7 * time.Second},
		{status: 400},
		{status: 401},
		{status: 404},
		{status: 422},
		{dropped: true},
	} {
		of := against(t, func(w http.ResponseWriter, _ *http.Request) {
			if c.dropped {
				panic(http.ErrAbortHandler)
			}
			if c.header != "" {
				w.Header().Set("Retry-After", c.header)
			}
			w.WriteHeader(c.status)
		})
		_, err := of.do(t.Context(), "try", http.MethodGet, "properties", nil)
		if failure := connectors.AsError(err); failure.RetryAfter != c.waits {
			t.Errorf("%d %q: it waits %s, want %s: %v", c.status, c.header, failure.RetryAfter, c.waits, err)
		}
	}
}

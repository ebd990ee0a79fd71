package channex

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
)

// against is a channel to a far side of a few words.
func against(t *testing.T, answers http.HandlerFunc) *conn {
	t.Helper()
	server := httptest.NewServer(answers)
	t.Cleanup(server.Close)
	config, clock := sound(), &hotelClock{today.Time().Add(12 * time.Hour)}
	config.URL = server.URL
	return &conn{cfg: config, call: transport.Caller{Client: transport.New(transport.Options{}), Clock: clock}, clock: clock, log: zap.NewNop()}
}

// A revision that Channex will not have acknowledged keeps none behind it; but whoever asks
// for a pause, or takes our key no more, is not asked about the next, and is heard.
func TestAcknowledgementsEndWhereChannexAsksForAPause(t *testing.T) {
	for _, c := range []struct {
		name   string
		status []int // of the acknowledgements in turn
		calls  int
		kind   connectors.Kind
		wait   time.Duration
	}{
		{"one cannot be", []int{500, 200, 200}, 3, connectors.Temporary, 0},
		{"a pause behind one that cannot be", []int{500, 429, 200}, 2, connectors.RateLimited, 17 * time.Second},
		{"the key is not taken", []int{403, 200, 200}, 1, connectors.Denied, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls := 0
			ch := against(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					_, _ = io.WriteString(w, `{"data":[{"id":"r1","type":"booking_revision"},{"id":"r2","type":"booking_revision"},{"id":"r3","type":"booking_revision"}],"meta":{"total":3}}`)
					return
				}
				calls++
				w.Header().Set("Retry-After", "17")
				w.WriteHeader(c.status[calls-1])
				_, _ = io.WriteString(w, `{"meta":{"message":"Success"}}`)
			})
			_, err := ch.drain(t.Context(), ch.clock.Now().Add(pollFor), &ledger{})
			failure := connectors.AsError(err)
			if err == nil || failure.Kind != c.kind || c.wait != 0 && failure.RetryAfter != c.wait {
				t.Errorf("%v: %+v", err, failure)
			}
			if calls != c.calls {
				t.Errorf("%d acknowledgements, want %d", calls, c.calls)
			}
		})
	}
}

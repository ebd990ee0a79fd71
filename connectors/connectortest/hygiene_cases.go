package connectortest

import (
	"fmt"
	"net/http/httptest"
	"strings"

	"go.uber.org/goleak"

	"ostler.example/connectors"
)

var hygieneCases = []testCase{
	{name: "NoSecretsInLogs", run: noSecretsInLogs},
	{name: "LeavesNoGoroutine", run: leavesNoGoroutine},
}

// exercise does everything that the connector can, sound and broken, and returns
// what it said.
func (s *session) exercise(t T) []string {
	t.Helper()
	var said []string
	note := func(words any) { said = append(said, fmt.Sprintf("%+v", words)) }
	echo := strings.Join(s.far.Secrets, " ")
	for _, broken := range []brokenWire{nil, answers(500, echo), answers(200, echo)} {
		s.wire.breaks(broken)
		for _, call := range s.encode(t, s.night(tomorrow())) {
			s.pace(call)
			answer, err := s.conn.Send(t.Context(), s.stamp(call))
			note(answer)
			note(err)
		}
		k := &sink{}
		if r, ok := s.conn.(connectors.Reader); ok {
			_, err := r.Read(t.Context(), s.far.Room, tomorrow(), tomorrow()+3)
			note(err)
		}
		if l, ok := s.conn.(connectors.Lister); ok {
			note(l.List(t.Context(), tomorrow(), tomorrow()+3, k))
		}
		if c, ok := s.conn.(connectors.Catalog); ok {
			_, err := c.Products(t.Context())
			note(err)
		}
		if p, ok := s.conn.(connectors.Poller); ok {
			_, err := p.Poll(t.Context(), "", k)
			note(err)
		}
		if r, ok := s.conn.(connectors.Receiver); ok {
			answer := httptest.NewRecorder()
			r.Handler(k).ServeHTTP(answer, httptest.NewRequest("POST", "/", strings.NewReader(`{"forged":true}`)))
			note(answer.Body.String())
		}
		if p, ok := s.conn.(connectors.Host); ok {
			answer := httptest.NewRecorder()
			p.Serve(s.newHouse()).ServeHTTP(answer, httptest.NewRequest("POST", "/", strings.NewReader(`{"forged":true}`)))
			note(answer.Body.String())
		}
		if p, ok := s.conn.(connectors.Publisher); ok {
			answer := httptest.NewRecorder()
			p.Published().ServeHTTP(answer, httptest.NewRequest("GET", "/", nil))
			note(answer.Body.String())
		}
	}
	for _, broken := range []brokenWire{refusesConnections, cuts, cutsBody} {
		if !tellsAny(s) {
			break
		}
		s.wire.breaks(broken)
		_, err := s.conn.Send(t.Context(), s.one(t))
		note(err)
	}
	s.wire.breaks(nil)
	return said
}

// noSecretsInLogs: no log line, error or excerpt tells a secret, not even when
// the far side does.
func noSecretsInLogs(t T, s *session) {
	if len(s.far.Secrets) == 0 {
		t.Fatalf("the harness names no secrets to look for")
	}
	said := s.exercise(t)
	for _, entry := range s.logs.All() {
		said = append(said, fmt.Sprintf("%s %s %+v", entry.LoggerName, entry.Message, entry.ContextMap()))
	}
	for _, words := range said {
		for i, secret := range s.far.Secrets {
			if strings.Contains(words, secret) {
				t.Errorf("secret %d of the harness is told in: %s", i+1, strings.ReplaceAll(words, secret, "***"))
			}
		}
	}
}

// leavesNoGoroutine: a closed channel leaves nothing running.
func leavesNoGoroutine(t T, s *session) {
	s.exercise(t)
	if err := s.close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if err := goleak.Find(s.before); err != nil {
		t.Errorf("after closing the channel: %v", err)
	}
}

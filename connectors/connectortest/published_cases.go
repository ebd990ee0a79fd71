package connectortest

import (
	"net/http"
	"net/http/httptest"

	"ostler.example/connectors"
)

// publishes is declared and true.
func publishes(s *session) bool {
	_, really := s.conn.(connectors.Publisher)
	return s.caps.Publishes && really
}

var publishedCases = []testCase{
	{name: "PublishedToNoStranger", needs: publishes, run: publishedToNoStranger},
	{name: "PublishedSurvivesRestart", needs: publishes, run: publishedSurvivesRestart},
	{name: "PublishedInOrder", needs: func(s *session) bool { return publishes(s) && s.caps.Versions }, run: publishedInOrder},
}

// fetch lets the far side read what is published, where it is one that reads.
func (s *session) fetch(t T) {
	t.Helper()
	if !publishes(s) {
		return
	}
	if s.far.Fetch == nil {
		t.Fatalf("the connector publishes, and the harness says nothing of how the far side reads")
	}
	server := httptest.NewServer(s.conn.(connectors.Publisher).Published())
	defer server.Close()
	s.far.Fetch(t, server.URL)
}

// publishedToNoStranger: who does not know the address learns nothing.
func publishedToNoStranger(t T, s *session) {
	s.send(t, s.span(tomorrow(), 3))
	h := s.conn.(connectors.Publisher).Published()
	for _, path := range []string{"/", "/feed", "/" + s.far.Room, "/" + s.far.Room + ".ics", "//", "/x/" + s.far.Room + "-1.ics"} {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
			answer := httptest.NewRecorder()
			h.ServeHTTP(answer, httptest.NewRequest(method, path, nil))
			if answer.Code < 400 {
				t.Errorf("%s %s is answered %d", method, path, answer.Code)
			}
		}
	}
}

// publishedSurvivesRestart: what was taken is still published by a channel that was
// closed and opened again.
func publishedSurvivesRestart(t T, s *session) {
	changes := s.span(tomorrow(), 5)
	s.send(t, changes)
	s.reopen(t)
	s.shows(t, changes)
}

// publishedInOrder: a call that an other overtook changes nothing.
func publishedInOrder(t T, s *session) {
	early := s.one(t)
	late := s.sale(tomorrow(), 1, 0)
	s.send(t, late)
	if answer, err := s.conn.Send(t.Context(), early); err == nil && outcome(answer, early.Keys[0]) == connectors.Applied {
		t.Errorf("a call that was overtaken counts as applied")
	}
	s.shows(t, late)
}

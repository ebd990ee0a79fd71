package connectortest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// publishes is declared and true.
func publishes(s *session) bool {
	_, really := s.conn.(connectors.Publisher)
	return s.caps.Publishes && really
}

var publishedCases = []testCase{
	{name: "PublishedToNoStranger", needs: publishes, run: publishedToNoStranger},
	{name: "PublishedSurvivesRestart", needs: publishes, run: publishedSurvivesRestart},
	{name: "PublishedTellsVisits", needs: tellsVisits, run: publishedTellsVisits},
	{name: "PublishedInOrder", needs: func(s *session) bool { return publishes(s) && s.caps.Versions }, run: publishedInOrder},
}

// fetch lets the far side read what is published, or ask for what it is not told, where it is
// one that does.
func (s *session) fetch(t T) {
	t.Helper()
	var asked http.Handler
	_, called := s.conn.(connectors.Receiver)
	switch {
	case publishes(s) && s.far.Fetch == nil:
		t.Fatalf("the connector publishes, and the harness says nothing of how the far side reads")
	case publishes(s):
		asked = s.conn.(connectors.Publisher).Published()
	case called && s.caps.Receives && s.far.Fetch != nil:
		asked = s.handler(&sink{})
	default:
		return
	}
	server := httptest.NewServer(asked)
	defer server.Close()
	if !s.far.Fetch(t, server.URL) {
		t.Errorf("the far side cannot read what is published")
	}
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

// tellsVisits is true of a connector that says when what it publishes was read.
func tellsVisits(s *session) bool {
	v, may := s.conn.(connectors.Visited)
	if !may || !publishes(s) {
		return false
	}
	visits, err := v.Visits(context.Background())
	return err != nil || len(visits) > 0
}

// publishedTellsVisits: what the far side has read is said to be read, at the time when it
// was; the rest stays as it was.
func publishedTellsVisits(t T, s *session) {
	visits := func() []hotel.Published {
		t.Helper()
		all, err := s.conn.(connectors.Visited).Visits(t.Context())
		if err != nil {
			t.Fatalf("visits: %v", err)
		}
		return all
	}
	before, began := visits(), s.now.Now().Add(-time.Second) // whole seconds will do
	s.send(t, s.span(tomorrow(), 3))
	s.fetch(t)
	after, news := visits(), 0
	if len(after) != len(before) {
		t.Fatalf("%d things are published, and then %d", len(before), len(after))
	}
	for i, v := range after {
		switch was := before[i]; {
		case v.Name == "" || v.Name != was.Name:
			t.Errorf("%q is published where %q was", v.Name, was.Name)
		case v.ReadAt.Equal(was.ReadAt):
		case v.ReadAt.Before(began) || v.ReadAt.After(s.now.Now()):
			t.Errorf("%s is said to be read at %s, and was at %s or later", v.Name, v.ReadAt, began)
		default:
			news++
		}
	}
	if news == 0 {
		t.Errorf("the far side has read, and nothing is said to be read: %v", after)
	}
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

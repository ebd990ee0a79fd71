package connectortest

import (
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// TestSkipsSayWhy: a case is skipped because nothing of it is declared, or because its far
// side cannot play what is, by name.
func TestSkipsSayWhy(t *testing.T) {
	declared := &session{conn: poller{}}
	declared.caps.Polls = true
	for _, c := range []struct {
		name string
		of   string
		s    *session
		want string
	}{
		{"nothing is declared", "PollResumesFromCursor", &session{}, "not declared"},
		{"nobody books", "PollResumesFromCursor", declared, "declared, and its far side cannot play it: it has no Book"},
		{"nobody garbles either", "PollKeepsWhatItCannotRead", declared, "declared, and its far side cannot play it: it has no Book, Garble"},
		{"guests never change their minds", "RevisionsAreOrdered", func() *session {
			s := *declared
			s.far.Book = func(T, hotel.Stay) string { return "" }
			return &s
		}(), "declared, and its far side cannot play it: it has no Modify, Cancel"},
	} {
		for _, of := range cases {
			if of.name != c.of {
				continue
			}
			if of.needs(c.s) {
				t.Fatalf("%s: %s is not skipped", c.name, c.of)
			}
			if got := of.lacks(c.s); got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		}
	}
}

type poller struct {
	connectors.Connector
	connectors.Poller
}

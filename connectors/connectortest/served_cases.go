package connectortest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// System is the hotel's own system as the kit plays it. Its calls go to the URL, and it
// counts as answered only what the answer says.
type System struct {
	// Tell tells how many rooms are left on a night, and reports whether they are taken.
	Tell func(t T, url string, night hotel.Date, free int) bool

	// Ask asks for the reservations that wait and returns their numbers as it was told
	// them; false: it was not answered.
	Ask func(t T, url string) ([]string, bool)

	// Acknowledge says that it has stored reservations as it was told them last, and
	// reports whether it was heard.
	Acknowledge func(t T, url string, numbers ...string) bool
}

// serves is declared and true, and there is somebody to be served.
func serves(s *session) bool {
	_, really := s.conn.(connectors.Host)
	return s.caps.Serves && really && s.far.System != nil
}

var servedCases = []testCase{
	{name: "ServedRefusesForgery", needs: serves, run: servedRefusesForgery},
	{name: "ServedAnswersOnceKept", needs: serves, run: servedAnswersOnceKept},
	{name: "ServedTwiceIsSame", needs: serves, run: servedTwiceIsSame},
	{name: "ServedAcknowledgesWhatWasTold", needs: serves, run: servedAcknowledgesWhatWasTold},
	{name: "ServedBoundsBadBodies", needs: serves, run: servedBoundsBadBodies},
}

// host is the connector's handler in front of a house.
func (s *session) host(h *house) http.Handler { return s.conn.(connectors.Host).Serve(h) }

// recordSystem returns what the hotel's own system says when it does something, to somebody
// who is out of order.
func recordSystem(t T, do func(url string)) *http.Request {
	t.Helper()
	return recordCall(t, "the hotel's own system", do)
}

// servedRefusesForgery: without the right credentials nobody writes and nobody reads.
func servedRefusesForgery(t T, s *session) {
	for what, do := range map[string]func(url string){
		"a count":    func(url string) { s.far.System.Tell(t, url, tomorrow(), 3) },
		"a question": func(url string) { s.far.System.Ask(t, url) },
	} {
		genuine := recordSystem(t, do)
		body := bodyOf(genuine)
		k := s.newHouse()
		h := s.host(k)
		refusesForgeries(t, what, h, genuine, body, k.visits)
		before := k.visits()
		if h.ServeHTTP(httptest.NewRecorder(), again(genuine, body)); k.visits() == before {
			t.Errorf("%s that is genuine does not reach the house", what)
		}
	}
}

// servedAnswersOnceKept: what the house has not taken is not answered as taken.
func servedAnswersOnceKept(t T, s *session) {
	k := s.newHouse()
	url := serve(t, s.host(k))
	night := tomorrow()
	k.refuse(true)
	if s.far.System.Tell(t, url, night, 3) {
		t.Errorf("a count that the house refused is answered as taken")
	}
	k.refuse(false)
	if !s.far.System.Tell(t, url, night, 3) || k.left(night) != 3 {
		t.Errorf("the count does not arrive once the house takes it: %d rooms", k.left(night))
	}
	numbers, answered := s.far.System.Ask(t, url)
	if !answered || len(numbers) != 1 {
		t.Fatalf("asked for reservations, it tells %v, answered %t; want one", numbers, answered)
	}
	k.refuse(true)
	if s.far.System.Acknowledge(t, url, numbers...) {
		t.Errorf("an acknowledgement that the house refused counts as heard")
	}
	k.refuse(false)
	if again, _ := s.far.System.Ask(t, url); !slices.Equal(again, numbers) {
		t.Errorf("what is not acknowledged is not told again: %v", again)
	}
	if !s.far.System.Acknowledge(t, url, numbers...) || k.acknowledged() != 1 {
		t.Errorf("the acknowledgement does not arrive once the house takes it")
	}
	if rest, answered := s.far.System.Ask(t, url); !answered || len(rest) != 0 {
		t.Errorf("acknowledged, %v are told again", rest)
	}
}

// servedTwiceIsSame: a message that comes again leaves everything as it was.
func servedTwiceIsSame(t T, s *session) {
	k := s.newHouse()
	h := s.host(k)
	genuine := recordSystem(t, func(url string) { s.far.System.Tell(t, url, tomorrow(), 3) })
	body := bodyOf(genuine)
	for range 3 {
		answer := httptest.NewRecorder()
		if h.ServeHTTP(answer, again(genuine, body)); answer.Code >= 300 || k.left(tomorrow()) != 3 {
			t.Errorf("told again, 3 rooms are %d, answered %d", k.left(tomorrow()), answer.Code)
		}
	}
	url := serve(t, h)
	numbers, _ := s.far.System.Ask(t, url)
	for range 2 {
		if !s.far.System.Acknowledge(t, url, numbers...) || k.acknowledged() != 1 {
			t.Errorf("acknowledged again, it is revision %d and not heard, or another one", k.acknowledged())
		}
	}
}

// servedAcknowledgesWhatWasTold: an acknowledgement is of a reservation as it was told, and
// not of what it has become since.
func servedAcknowledgesWhatWasTold(t T, s *session) {
	k := s.newHouse()
	url := serve(t, s.host(k))
	numbers, _ := s.far.System.Ask(t, url)
	k.change()
	if s.far.System.Acknowledge(t, url, numbers...); k.acknowledged() > 1 {
		t.Errorf("a change that was never told is acknowledged")
	}
	if again, _ := s.far.System.Ask(t, url); !slices.Equal(again, numbers) {
		t.Errorf("a change is told as %v, want %v", again, numbers)
	}
	if s.far.System.Acknowledge(t, url, numbers...); k.acknowledged() != 2 {
		t.Errorf("the change is acknowledged as revision %d", k.acknowledged())
	}
}

// What is read of a message at the most, and how long an answer to nonsense may be.
const (
	mostWaded = 64 << 20
	mostTold  = 1 << 20
)

// filler is a body without end that counts what is read of it.
type filler struct {
	head io.Reader
	read int
}

// Read implements [io.Reader].
func (f *filler) Read(p []byte) (int, error) {
	n, err := f.head.Read(p)
	if err != nil {
		n = copy(p, bytes.Repeat([]byte("a"), len(p)))
	}
	if f.read += n; f.read > mostWaded {
		return 0, io.ErrUnexpectedEOF
	}
	return n, nil
}

// servedBoundsBadBodies: what makes no sense is answered, briefly, and changes nothing; a
// body without end is not read without end.
func servedBoundsBadBodies(t T, s *session) {
	genuine := recordSystem(t, func(url string) { s.far.System.Tell(t, url, tomorrow(), 3) })
	body := bodyOf(genuine)
	k := s.newHouse()
	h := s.host(k)
	bad := func(name string, r *http.Request) {
		answer := httptest.NewRecorder()
		if h.ServeHTTP(answer, r); answer.Body.Len() > mostTold || k.writes() > 0 {
			t.Errorf("%s is answered with %d bytes and writes %d times", name, answer.Body.Len(), k.writes())
		}
	}
	for name, text := range map[string]string{
		"nothing": "", "half of it": string(body[:len(body)/2]), "a mebibyte of noughts": strings.Repeat("\x00", 1<<20),
		"it in another order": string(body[len(body)/2:]) + string(body[:len(body)/2]),
	} {
		bad(name, again(genuine, []byte(text)))
	}
	endless := again(genuine, nil)
	f := &filler{head: bytes.NewReader(body[:len(body)/2])}
	endless.Body, endless.ContentLength = io.NopCloser(f), -1
	if bad("a body without end", endless); f.read > mostWaded {
		t.Errorf("of a body without end all is read")
	}
}

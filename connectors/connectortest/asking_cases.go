package connectortest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"ostler.example/connectors"
)

// question is what a channel is asked, whatever its answer is for.
type question struct {
	name    string
	needs   func(s *session) bool
	fetches bool // bookings
	ask     func(ctx context.Context, s *session, cursor string, k *sink) (next string, err error)
}

var questions = []question{
	{"Poll", polls, true, func(ctx context.Context, s *session, cursor string, k *sink) (string, error) {
		return s.conn.(connectors.Poller).Poll(ctx, cursor, k)
	}},
	{"List", lists, true, func(ctx context.Context, s *session, _ string, k *sink) (string, error) {
		return "", s.conn.(connectors.Lister).List(ctx, tomorrow(), tomorrow()+20, k)
	}},
	{"Read", reads, false, func(ctx context.Context, s *session, _ string, k *sink) (_ string, err error) {
		k.answered, err = s.conn.(connectors.Reader).Read(ctx, s.far.Room, tomorrow(), tomorrow()+9)
		return "", err
	}},
	{"ReadWhole", readsWhole, false, func(ctx context.Context, s *session, _ string, k *sink) (_ string, err error) {
		k.answered, err = s.conn.(connectors.WholeReader).ReadWhole(ctx, tomorrow(), tomorrow()+9)
		return "", err
	}},
	{"Products", asksForCatalog, false, func(ctx context.Context, s *session, _ string, k *sink) (_ string, err error) {
		k.answered, err = s.conn.(connectors.Catalog).Products(ctx)
		return "", err
	}},
}

// asksForCatalog is a catalogue that the far side is asked for. Others are what the
// settings say.
func asksForCatalog(s *session) bool {
	if !hasCatalog(s) {
		return false
	}
	before := s.wire.breaks(nil)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, _ = s.conn.(connectors.Catalog).Products(ctx) // whether it goes well is for others to find
	return s.wire.breaks(nil) > before
}

// askingCases break the wire under each question, and the house that asks.
var askingCases = func() (all []testCase) {
	for _, q := range questions {
		all = append(all,
			testCase{name: q.name + "HonoursCancel", needs: q.needs, run: q.honoursCancel},
			testCase{name: q.name + "FailsWithItsWire", needs: q.needs, run: q.failsWithItsWire},
			testCase{name: q.name + "FailsWithItsHouse", needs: q.needs, run: q.failsWithItsHouse})
	}
	return all
}()

// honoursCancel: a question that is not answered, or whose answer drips in, ends when its
// context does.
func (q question) honoursCancel(t T, s *session) {
	asked := make(chan struct{}, 1)
	note := func() {
		select {
		case asked <- struct{}{}:
		default: // it is asked for more than one thing at a time
		}
	}
	for _, broken := range []brokenWire{
		func(r *http.Request) (*http.Response, error) {
			note()
			select {
			case <-r.Context().Done():
				return nil, r.Context().Err()
			case <-time.After(patience):
				return nil, errors.New("the request outlived its caller")
			}
		},
		func(r *http.Request) (*http.Response, error) {
			note()
			return streams(r, &dripping{r: r, until: time.After(patience)})
		},
	} {
		s.endsWithContext(t, broken, asked, func(ctx context.Context) error {
			_, err := q.ask(ctx, s, "", &sink{})
			return err
		})
		s.later() // what was given up may count as failed, and is then left alone
	}
}

// awhile is longer than a channel leaves alone what has failed once.
const awhile = time.Hour

// later lets so much time go by for the channel and its far side that it asks again what
// it leaves alone for a while.
func (s *session) later() {
	s.now.by.Add(int64(awhile))
	if s.far.Pass != nil {
		s.far.Pass(awhile)
	}
}

// failsWithItsWire: a question that gets no answer, or one that is none, or half of one,
// fails, hands in nothing, and loses nothing: asked again it has what it would have had.
func (q question) failsWithItsWire(t T, s *session) {
	ref := ""
	if q.fetches {
		s.send(t, s.sale(tomorrow(), 2, 5))
		ref = s.far.Book(t, stayOf(1))
	}
	cursor := ""
	for _, c := range []struct {
		name string
		wire brokenWire
		kind connectors.Kind // "": any
	}{
		{"a refused connection", refusesConnections, connectors.Temporary},
		{"a cut before the answer", cuts, connectors.Temporary},
		{"a cut within the answer", cutsBody, connectors.Temporary},
		{"401", answers(http.StatusUnauthorized, `{}`), connectors.Denied},
		{"429", answers(http.StatusTooManyRequests, `{}`), connectors.RateLimited},
		{"500", answers(http.StatusInternalServerError, `{}`), connectors.Temporary},
		{"an endless answer", func(r *http.Request) (*http.Response, error) { return streams(r, &endless{}) }, ""},
		{"a page", answers(http.StatusOK, "<html><body>Scheduled maintenance</body></html>"), ""},
		{"half an answer", answers(http.StatusOK, `{"da`), ""},
		{"an empty answer", answers(http.StatusOK, ""), ""},
	} {
		if s.far.Places && c.kind != "" {
			c.kind = connectors.Temporary
		}
		k := &sink{}
		s.wire.breaks(c.wire)
		next, err := q.ask(t.Context(), s, cursor, k)
		if err == nil {
			t.Errorf("%s: it goes well", c.name)
		} else if got := connectors.AsError(err).Kind; c.kind != "" && got != c.kind {
			t.Errorf("%s: the error is %s, want %s: %v", c.name, got, c.kind, err)
		}
		if n := len(k.messages()); n > 0 {
			t.Errorf("%s: it hands in %d messages", c.name, n)
		}
		cursor = next
		s.later()
	}
	s.wire.breaks(nil)
	k := &sink{}
	if _, err := q.ask(t.Context(), s, cursor, k); err != nil {
		t.Errorf("asked again over a sound wire it fails: %v", err)
	}
	if ref != "" && !slices.ContainsFunc(k.messages(), func(m connectors.Message) bool { return m.Ref == ref }) {
		t.Errorf("%s was booked before the wire broke, and does not come once it is sound", ref)
	}
}

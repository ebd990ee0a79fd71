package connectortest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

var orderCases = []testCase{
	{name: "RevisionsAreOrdered", needs: func(s *session) bool { return changes(s) && (polls(s) || receivesMessages(s)) }, run: revisionsAreOrdered},
	{name: "ListAgreesWithFeed", needs: func(s *session) bool { return lists(s) && (polls(s) || receivesMessages(s)) }, run: listAgreesWithFeed},
	{name: "LateMessagesStayThemselves", needs: func(s *session) bool { return changes(s) && receivesMessages(s) }, run: lateMessagesStayThemselves},
}

// changes says that guests can change their minds at the far side.
func changes(s *session) bool { return s.far.Modify != nil && s.far.Cancel != nil }

// told is one message with what pushed it, if anything did.
type told struct {
	connectors.Message
	request *http.Request
	body    []byte
}

// life books, changes and cancels, and returns the message about each.
func (s *session) life(t T) []told {
	t.Helper()
	var all []told
	var ref, cursor string
	k := &sink{}
	for _, event := range []connectors.EventKind{connectors.Booked, connectors.Modified, connectors.Cancelled} {
		switch event {
		case connectors.Booked:
			ref = s.book(t, stayOf(3))
		case connectors.Modified:
			s.far.Modify(t, ref, stayOf(2))
		case connectors.Cancelled:
			s.far.Cancel(t, ref)
		}
		next := s.hear(t, k, &cursor)
		if next.Event != event || next.Ref != ref {
			t.Errorf("the message about %s says %q of %q, want %s of %q", event, next.Event, next.Ref, event, ref)
		}
		all = append(all, next)
		if s.far.Pass != nil {
			s.far.Pass(time.Second)
		}
	}
	return all
}

// hear takes in the one message that waits, pushed, or polled from a cursor that it moves on.
func (s *session) hear(t T, k *sink, cursor *string) (next told) {
	t.Helper()
	before := len(k.messages())
	if receivesMessages(s) {
		next.request = s.record(t)
		next.body = bodyOf(next.request)
		s.far.Push(t, serve(t, s.handler(k)))
	} else {
		poll := func() (err error) {
			*cursor, err = s.conn.(connectors.Poller).Poll(t.Context(), *cursor, k)
			return err
		}
		err := poll()
		if err != nil && s.far.Twice {
			s.later()
			err = poll()
		}
		if err != nil {
			t.Fatalf("poll: %v", err)
		}
	}
	got := k.messages()
	if len(got) != before+1 {
		t.Fatalf("%d messages come of one event", len(got)-before)
	}
	next.Message = got[before]
	return next
}

// revisionsAreOrdered: a booking, its change and its cancellation are three messages
// with keys of their own, and what the channel declares to order them by does.
func revisionsAreOrdered(t T, s *session) {
	all := s.life(t)
	if r := all[1].Booking.Rooms; len(r) != 1 || r[0].Stay != stayOf(2) {
		t.Errorf("the change says %+v, want one room with the stay %v", r, stayOf(2))
	}
	for i, later := range all[1:] {
		earlier := all[i]
		if earlier.Key == later.Key {
			t.Errorf("the messages about %s and %s have the same key %q", earlier.Event, later.Event, later.Key)
		}
		if why := unordered(s.caps.FeedOrder, earlier.Message, later.Message); why != "" {
			t.Errorf("the message about %s does not come before that about %s: %s", earlier.Event, later.Event, why)
		}
	}
}

// unordered says why a does not come before b, empty when it does.
func unordered(by hotel.FeedOrder, a, b connectors.Message) string {
	switch by {
	case hotel.OrderNone:
		return ""
	case hotel.OrderTime:
		if a.At.IsZero() || b.At.Before(a.At) {
			return "it is of " + a.At.String() + ", the later one of " + b.At.String()
		}
		return ""
	case hotel.OrderRevisionText:
		if strings.Compare(a.Revision, b.Revision) >= 0 {
			return "revisions " + strconv.Quote(a.Revision) + " and " + strconv.Quote(b.Revision)
		}
		return ""
	case hotel.OrderRevisionNumber, hotel.OrderRevisionCount:
	}
	x, err1 := strconv.ParseInt(a.Revision, 10, 64)
	y, err2 := strconv.ParseInt(b.Revision, 10, 64)
	if err1 != nil || err2 != nil || y <= x || by == hotel.OrderRevisionCount && y != x+1 {
		return "revisions " + strconv.Quote(a.Revision) + " and " + strconv.Quote(b.Revision)
	}
	return ""
}

// lateMessagesStayThemselves: in whatever order messages come, and however often, each
// is handed on as what it was; what is newer is for the ledger to say.
func lateMessagesStayThemselves(t T, s *session) {
	all := s.life(t)
	k := &sink{}
	h := s.handler(k)
	slices.Reverse(all)
	again2 := append(slices.Clone(all), all...)
	for _, m := range again2 {
		h.ServeHTTP(httptest.NewRecorder(), again(m.request, m.body))
	}
	got := k.messages()
	if len(got) != len(again2) {
		t.Fatalf("of %d messages that come late or again, %d are handed on", len(again2), len(got))
	}
	for i, want := range again2 {
		if got[i].Key != want.Key || got[i].Revision != want.Revision || got[i].Event != want.Event {
			t.Errorf("the message about %s comes late as %s, key %q and revision %q; it had %q and %q", want.Event, got[i].Event, got[i].Key, got[i].Revision, want.Key, want.Revision)
		}
	}
}

// listAgreesWithFeed: what a list tells of a booking is the message that brought its last word,
// with its key and its time, however often it is listed. Else it is a second event, which may be
// taken for another booking under the same reference.
func listAgreesWithFeed(t T, s *session) {
	k, cursor, ref := &sink{}, "", s.book(t, stayOf(3))
	steps := []func(){func() {}}
	if changes(s) {
		steps = append(steps, func() { s.far.Modify(t, ref, stayOf(2)) }, func() { s.far.Cancel(t, ref) })
	}
	for _, step := range steps {
		step()
		said := s.hear(t, k, &cursor)
		for range 2 {
			listed := &sink{}
			if err := s.conn.(connectors.Lister).List(t.Context(), tomorrow(), tomorrow()+3, listed); err != nil {
				t.Fatalf("list: %v", err)
			}
			for _, m := range listed.messages() {
				if m.Ref == ref && (m.Key != said.Key || !m.At.Equal(said.At)) {
					t.Errorf("listed, the word that %s is %s has key %q and time %v; by the feed it has %q and %v", ref, said.Event, m.Key, m.At, said.Key, said.At)
				}
			}
		}
		if s.far.Pass != nil {
			s.far.Pass(time.Second)
		}
	}
}

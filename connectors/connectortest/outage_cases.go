package connectortest

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"sync"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Here it is the house that fails and not the far side, which goes on selling meanwhile: what
// the house does not have is not acknowledged, nothing is told in its name that it did not say,
// and all goes on once it is back.
var outageCases = []testCase{
	{name: "OpensOnceItsHouseAnswers", run: opensOnceItsHouseAnswers},
	{name: "SendFailsWithItsHouse", needs: tellsAny, run: sendFailsWithItsHouse},
	{name: "InboundFailsWithItsHouse", needs: receivesMessages, run: inboundFailsWithItsHouse},
	{name: "PublishedFailsWithItsHouse", needs: publishes, run: publishedFailsWithItsHouse},
	{name: "ServedFailsWithItsHouse", needs: serves, run: servedFailsWithItsHouse},
}

// ofToday checks that a failure of the house is told as one that passes: nothing is wrong with
// our credentials, and nothing with what was told.
func ofToday(t T, o outage, err error) {
	t.Helper()
	if kind := connectors.AsError(err).Kind; err != nil && kind != connectors.Temporary {
		t.Errorf("%s: the error is %s, want temporary: %v", o.name, kind, err)
	}
}

// failsWithItsHouse: a question that goes well while the house is out of order has the answer
// that it has otherwise. What the house has not taken stays at the far side, and comes, as what
// it was, when it is asked for again.
func (q question) failsWithItsHouse(t T, s *session) {
	s.send(t, s.sale(tomorrow(), 2, 60))
	usual := &sink{}
	cursor, err := q.ask(t.Context(), s, "", usual)
	if err != nil {
		t.Fatalf("asked before anything is out of order: %v", err)
	}
	all := &sink{}
	refs := map[string]bool{}
	for _, o := range outages {
		if q.fetches {
			refs[s.far.Book(t, stayOf(1))] = true
		}
		k := &sink{out: o.takes}
		s.during(o, func() { cursor, err = q.ask(t.Context(), s, cursor, k) })
		ofToday(t, o, err)
		all.got = append(all.got, k.messages()...)
		told := all
		if q.name == "List" {
			told = k // all of it, each time
		}
		switch left := missing(refs, told); {
		case err == nil && len(left) > 0:
			t.Errorf("%s: it goes well, and does not bring %v", o.name, left)
		case err == nil && !reflect.DeepEqual(k.answered, usual.answered):
			t.Errorf("%s: it goes well, and the answer is another one: %s instead of %s", o.name, entries(k.answered), entries(usual.answered))
		case q.name == "Poll" && s.far.Waiting != nil && s.far.Waiting() < len(left):
			t.Errorf("%s: the house has not got %v, and %d messages still wait", o.name, left, s.far.Waiting())
		}
		s.later()
	}
	k := &sink{answered: usual.answered}
	if _, err := q.ask(t.Context(), s, cursor, k); err != nil {
		t.Errorf("asked again once the house is back it fails: %v", err)
	}
	all.got = append(all.got, k.messages()...)
	if left := missing(refs, all); len(left) > 0 {
		t.Errorf("once the house is back, %v do not come", left)
	}
	if !reflect.DeepEqual(k.answered, usual.answered) {
		t.Errorf("once the house is back the answer is another one: %s instead of %s", entries(k.answered), entries(usual.answered))
	}
	if q.name == "Poll" && s.waiting() != 0 {
		t.Errorf("once the house is back, %d messages still wait", s.waiting())
	}
	asBooked(t, refs, all)
}

// entries says how much is in an answer.
func entries(answered any) string {
	if v := reflect.ValueOf(answered); v.Kind() == reflect.Slice {
		return fmt.Sprintf("%d entries", v.Len())
	}
	return "nothing"
}

// missing lists the bookings of which no message is there.
func missing(refs map[string]bool, k *sink) (out []string) {
	for ref := range refs {
		if !slices.ContainsFunc(k.messages(), func(m connectors.Message) bool { return m.Ref == ref }) {
			out = append(out, ref)
		}
	}
	slices.Sort(out)
	return out
}

// asBooked checks that messages tell of bookings of a night, and of nothing else, each as one
// event however often it comes.
func asBooked(t T, refs map[string]bool, k *sink) {
	t.Helper()
	keys := map[string]string{}
	for _, m := range k.messages() {
		if !refs[m.Ref] || m.Event != connectors.Booked || len(m.Booking.Rooms) != 1 || m.Booking.Rooms[0].Stay != stayOf(1) {
			t.Errorf("a message says that %q is %s with %d rooms, of what was booked for a night", m.Ref, m.Event, len(m.Booking.Rooms))
		}
		if was, known := keys[m.Ref]; known && was != m.Key {
			t.Errorf("%s comes under the key %q, and again under %q", m.Ref, was, m.Key)
		}
		keys[m.Ref] = m.Key
	}
}

// opensOnceItsHouseAnswers: a channel that is opened while the house is out of order is the one
// that it is otherwise, or none, and is opened when the house is back.
func opensOnceItsHouseAnswers(t T, s *session) {
	usual := s.caps
	for _, o := range outages {
		if err := s.close(); err != nil {
			t.Errorf("close: %v", err)
		}
		var err error
		if s.during(o, func() { err = s.tryToOpen(t.Context()) }); err == nil && !reflect.DeepEqual(s.caps, usual) {
			t.Errorf("%s: the channel opens with %+v, otherwise with %+v", o.name, s.caps, usual)
		}
		s.later()
	}
	s.reopen(t)
	if !tellsAny(s) {
		return
	}
	changes := s.span(tomorrow(), 2)
	s.send(t, changes)
	s.shows(t, changes)
}

// sendFailsWithItsHouse: values that count as applied while the house is out of order are
// shown, and those of which nothing was sent are not. Once it is back all of them can be told,
// and none of those before has suffered.
func sendFailsWithItsHouse(t T, s *session) {
	var told []connectors.Change
	for i, o := range outages {
		changes := s.span(tomorrow()+hotel.Date(3*i), 2)
		for _, call := range s.encode(t, changes) {
			s.pace(call)
			var answer connectors.Answer
			var err error
			before := map[connectors.Key]hotel.Offer{}
			for _, c := range of(call, changes) {
				before[c.Key], _ = s.far.Shown(c.Key)
			}
			s.during(o, func() { answer, err = s.conn.Send(t.Context(), s.stamp(call)) })
			ofToday(t, o, err)
			s.fetchIfAny(t, told)
			var missed, slipped []string
			for _, c := range of(call, changes) {
				got, set := s.far.Shown(c.Key)
				switch {
				case err == nil && outcome(answer, c.Key) == connectors.Applied && (!set || got.Pick(c.Key.Group) != c.Offer.Pick(c.Key.Group)):
					missed = append(missed, differs(c, got.Pick(c.Key.Group), set))
				case err != nil && connectors.AsError(err).Effect == connectors.NotSent && got != before[c.Key]:
					slipped = append(slipped, named(c.Key))
				}
			}
			if len(missed) > 0 {
				t.Errorf("%s: what counts as applied is not shown: %s", o.name, several(missed))
			}
			if len(slipped) > 0 {
				t.Errorf("%s: the error says that nothing was sent, %v, and what is shown is another: %s", o.name, err, several(slipped))
			}
			s.later()
			if untold := err != nil || slices.ContainsFunc(call.Keys, func(k connectors.Key) bool { return outcome(answer, k) != connectors.Applied }); untold {
				s.sendCall(t, s.stamp(call))
			}
		}
		told = append(told, changes...)
		s.shows(t, told)
	}
}

// of are the changes that a call tells.
func of(call connectors.Call, changes []connectors.Change) []connectors.Change {
	return slices.DeleteFunc(slices.Clone(changes), func(c connectors.Change) bool { return !slices.Contains(call.Keys, c.Key) })
}

// fetchIfAny lets the far side read what is published, if something was.
func (s *session) fetchIfAny(t T, told []connectors.Change) {
	t.Helper()
	if len(told) > 0 {
		s.fetch(t)
	}
}

// statusOf notes the last status that a handler answers with.
type statusOf struct {
	next http.Handler

	mu   sync.Mutex
	last int
}

// ServeHTTP implements [http.Handler].
func (o *statusOf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := httptest.NewRecorder()
	o.next.ServeHTTP(answer, r)
	o.mu.Lock()
	o.last = answer.Code
	o.mu.Unlock()
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes()) // who has gone needs no answer
}

// blames checks that whoever calls a house that is out of order is not told to be at fault,
// or that what is asked for is gone: they would not come again.
func (o *statusOf) blames(t T, during outage) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.last >= 400 && o.last < 500 && o.last != http.StatusTooManyRequests {
		t.Errorf("%s: it is answered %d, as if the caller had made a mistake", during.name, o.last)
	}
}

// inboundFailsWithItsHouse: a call that is answered as received has reached the house; any
// other comes again, and reaches it once it is back.
func inboundFailsWithItsHouse(t T, s *session) {
	s.send(t, s.sale(tomorrow(), 2, 60))
	k := &sink{}
	h := &statusOf{next: s.handler(k)}
	url, refs := serve(t, h), map[string]bool{}
	for _, o := range outages {
		ref, received := s.far.Book(t, stayOf(1)), false
		refs[ref] = true
		k.fail(o.takes)
		s.during(o, func() { received = s.far.Push(t, url) })
		k.fail(false)
		h.blames(t, o)
		if left := missing(refs, k); received && len(left) > 0 {
			t.Errorf("%s: it counts as received, and the house has not got %v", o.name, left)
		}
		if !received && (!s.far.Push(t, url) || s.far.Waiting() != 0) {
			t.Errorf("%s: the message does not arrive once the house is back", o.name)
		}
	}
	if left := missing(refs, k); len(left) > 0 {
		t.Errorf("once the house is back, %v have not come", left)
	}
	asBooked(t, refs, k)
}

// publishedFailsWithItsHouse: who comes to read while the house is out of order reads what is
// told otherwise, or nothing, and comes again.
func publishedFailsWithItsHouse(t T, s *session) {
	changes := s.span(tomorrow(), 4)
	s.send(t, changes)
	s.shows(t, changes)
	h := &statusOf{next: s.conn.(connectors.Publisher).Published()}
	url := serve(t, h)
	for _, o := range outages {
		s.during(o, func() { s.far.Fetch(t, url) })
		h.blames(t, o)
		for _, c := range changes {
			if got, set := s.far.Shown(c.Key); !set || got.Pick(c.Key.Group) != c.Offer.Pick(c.Key.Group) {
				t.Errorf("%s: %s", o.name, differs(c, got.Pick(c.Key.Group), set))
			}
		}
	}
	s.shows(t, changes)
}

// servedFailsWithItsHouse: the hotel's own system is told that something is taken, waits or is
// acknowledged only where the house says so, and all of it once the house is back.
func servedFailsWithItsHouse(t T, s *session) {
	k, system := s.newHouse(), s.far.System
	h := &statusOf{next: s.host(k)}
	url := serve(t, h)
	for i, o := range outages {
		night, free, told := tomorrow()+hotel.Date(i), 3+i, false
		s.during(o, func() {
			if told = system.Tell(t, url, night, free); told && k.left(night) != free {
				t.Errorf("%s: a count is answered as taken, and the house has not got it", o.name)
			}
			h.blames(t, o)
			if numbers, answered := system.Ask(t, url); answered && len(numbers) != 1 {
				t.Errorf("%s: asked for reservations, it tells of %v, and one waits", o.name, numbers)
			}
			h.blames(t, o)
		})
		if !told && (!system.Tell(t, url, night, free) || k.left(night) != free) {
			t.Errorf("%s: the count does not arrive once the house is back: %d rooms", o.name, k.left(night))
		}
		numbers, answered := system.Ask(t, url)
		if !answered || len(numbers) != 1 {
			t.Fatalf("%s: once the house is back it is told of %v, answered %t; want one", o.name, numbers, answered)
		}
		s.during(o, func() {
			if system.Acknowledge(t, url, numbers...) && k.acknowledged() != k.booking.Revision {
				t.Errorf("%s: an acknowledgement counts as heard, and the house has not got it", o.name)
			}
			h.blames(t, o)
		})
		if !system.Acknowledge(t, url, numbers...) || k.acknowledged() != k.booking.Revision {
			t.Errorf("%s: the acknowledgement does not arrive once the house is back", o.name)
		}
		k.change()
	}
}

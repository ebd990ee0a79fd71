package connectortest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"sync"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// receives is declared and true; that the two agree has a case of its own.
func receives(s *session) bool {
	_, really := s.conn.(connectors.Receiver)
	return s.caps.Receives && really && s.far.Push != nil && sells(s)
}

// sells: the far side has guests that the kit can play.
func sells(s *session) bool { return s.far.Book != nil }

// receivesMessages is declared by those that do not only get hints.
func receivesMessages(s *session) bool { return receives(s) && !s.caps.Hints }

var inboundCases = []testCase{
	{name: "InboundDelivers", needs: receivesMessages, run: inboundDelivers},
	{name: "InboundHints", needs: func(s *session) bool { return receives(s) && s.caps.Hints }, run: inboundHints},
	{name: "InboundRefusesForgery", needs: receives, run: inboundRefusesForgery},
	{name: "InboundNotAckedUntilDurable", needs: receivesMessages, run: inboundNotAckedUntilDurable},
	{name: "InboundKeepsWhatItCannotRead", needs: func(s *session) bool { return receivesMessages(s) && s.far.Garble != nil }, run: inboundKeepsWhatItCannotRead},
}

// handler is the connector's handler in front of a sink.
func (s *session) handler(k *sink) http.Handler {
	return s.conn.(connectors.Receiver).Handler(k)
}

// serve mounts a handler for one message.
func serve(t T, h http.Handler) string {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// book puts nights on sale and books them.
func (s *session) book(t T, stay hotel.Stay) string {
	t.Helper()
	s.send(t, s.sale(stay.CheckIn, stay.Nights()+1, 3))
	return s.far.Book(t, stay)
}

func stayOf(nights int) hotel.Stay {
	return hotel.Stay{CheckIn: tomorrow(), CheckOut: tomorrow() + hotel.Date(nights)}
}

// record lets the far side push its oldest message to somebody who is out of
// order, and returns the request.
func (s *session) record(t T) *http.Request {
	t.Helper()
	return recordCall(t, "the far side", func(url string) { s.far.Push(t, url) })
}

// recordCall returns what somebody says when it does something, to somebody who is out of order.
func recordCall(t T, who string, do func(url string)) *http.Request {
	t.Helper()
	var mu sync.Mutex
	var got *http.Request
	do(serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		got = httptest.NewRequest(r.Method, r.URL.String(), bytes.NewReader(body))
		got.Header = r.Header.Clone()
		w.WriteHeader(http.StatusServiceUnavailable)
	})))
	mu.Lock()
	defer mu.Unlock()
	if got == nil {
		t.Fatalf("%s calls nobody", who)
	}
	return got
}

// again is a copy of a recorded request that can be served.
func again(r *http.Request, body []byte) *http.Request {
	c := httptest.NewRequest(r.Method, r.URL.String(), bytes.NewReader(body))
	c.Header = r.Header.Clone()
	return c
}

// bodyOf reads a recorded body and puts it back.
func bodyOf(r *http.Request) []byte {
	body, _ := io.ReadAll(r.Body) // of memory
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body
}

// inboundDelivers: a booking arrives with all that was booked, and a second
// delivery of it has the same key.
func inboundDelivers(t T, s *session) {
	stay := stayOf(3)
	ref := s.book(t, stay)
	original := s.record(t)
	body := bodyOf(original)
	k := &sink{}
	h := s.handler(k)
	if !s.far.Push(t, serve(t, h)) {
		t.Errorf("the far side does not take the answer for an acknowledgement")
	}
	if n := s.far.Waiting(); n != 0 {
		t.Errorf("%d messages still wait", n)
	}
	h.ServeHTTP(httptest.NewRecorder(), again(original, body))
	got := k.messages()
	if len(got) != 2 {
		t.Fatalf("the sink has %d messages, want the message and its repeat", len(got))
	}
	tells(t, got[0], ref, s, stay)
	if got[0].Key != got[1].Key {
		t.Errorf("the repeat has key %q, the message %q", got[1].Key, got[0].Key)
	}
}

// inboundHints: a call that says that there is a booking is a hint, delivers nothing
// and leaves the booking where it is fetched from.
func inboundHints(t T, s *session) {
	s.book(t, stayOf(2))
	k := &sink{}
	if !s.far.Push(t, serve(t, s.handler(k))) {
		t.Errorf("the far side does not take the answer for an acknowledgement")
	}
	if k.hints != 1 || len(k.messages()) != 0 || s.far.Waiting() != 1 {
		t.Errorf("the call hints %d times and delivers %d messages, %d still wait; want 1, 0 and 1", k.hints, len(k.messages()), s.far.Waiting())
	}
}

// inboundRefusesForgery: without the right credentials nothing reaches the sink.
func inboundRefusesForgery(t T, s *session) {
	s.book(t, stayOf(1))
	genuine := s.record(t)
	body := bodyOf(genuine)
	k := &sink{}
	h := s.handler(k)
	refusesForgeries(t, "a message", h, genuine, body, func() int { return k.entered })
	if s.far.Signed {
		k.entered = 0
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, again(genuine, bytes.Replace(body, []byte("2"), []byte("3"), 1)))
		if answer.Code < 400 || k.entered > 0 {
			t.Errorf("a message changed on its way is answered %d and reaches the sink %d times", answer.Code, k.entered)
		}
	}
	k.entered = 0
	h.ServeHTTP(httptest.NewRecorder(), again(genuine, body))
	if k.entered != 1 {
		t.Errorf("the genuine message reaches the sink %d times", k.entered)
	}
}

// inboundNotAckedUntilDurable: what the sink has not taken is not acknowledged.
func inboundNotAckedUntilDurable(t T, s *session) {
	s.book(t, stayOf(2))
	k := &sink{refuse: func(connectors.Message) bool { return true }}
	url := serve(t, s.handler(k))
	if s.far.Push(t, url) || s.far.Waiting() != 1 {
		t.Errorf("a message that the sink refused is acknowledged")
	}
	k.mu.Lock()
	k.refuse = nil
	k.mu.Unlock()
	if !s.far.Push(t, url) || s.far.Waiting() != 0 || len(k.messages()) != 1 {
		t.Errorf("the message does not arrive once the sink takes it")
	}
}

// inboundKeepsWhatItCannotRead: a genuine message that makes no sense is handed
// on as it came and acknowledged; the next one arrives.
func inboundKeepsWhatItCannotRead(t T, s *session) {
	s.send(t, s.sale(tomorrow(), 2, 3))
	s.far.Garble(t)
	ref := s.far.Book(t, stayOf(1))
	k := &sink{}
	url := serve(t, s.handler(k))
	if !s.far.Push(t, url) || s.far.Waiting() != 0 {
		t.Errorf("a message that cannot be read is not acknowledged once it is kept")
	}
	unreadKept(t, k.messages(), ref)
	next := s.far.Book(t, stayOf(1))
	if !s.far.Push(t, url) || len(k.messages()) != 2 || k.messages()[1].Ref != next {
		t.Errorf("the message behind it does not arrive")
	}
	rereads(t, s, k.messages())
}

// rereads checks that a connector that reads messages again reads the same in them as
// when they came.
func rereads(t T, s *session, got []connectors.Message) {
	t.Helper()
	if !s.caps.Rereads {
		return
	}
	again, really := s.conn.(connectors.Rereader)
	if !really {
		t.Fatalf("the connector declares that it reads messages again and has no way to")
	}
	for _, m := range got {
		r, err := again.Reread(t.Context(), m.Raw)
		if err != nil || (r.Problem == "") != (m.Problem == "") || r.Ref != m.Ref || r.Event != m.Event {
			t.Errorf("read again, message %s is %s of %s with problem %q, %v", m.Key, r.Event, r.Ref, r.Problem, err)
		}
		m.Booking.Payment, r.Booking.Payment = hotel.ChannelPayment{}, hotel.ChannelPayment{} // cards are left out of what is kept
		if !reflect.DeepEqual(m.Booking, r.Booking) {
			t.Errorf("read again, message %s says %+v, want %+v", m.Key, r.Booking, m.Booking)
		}
	}
}

// unreadKept checks that one message could not be read and came whole.
func unreadKept(t T, got []connectors.Message, ref string) {
	t.Helper()
	if len(got) != 1 {
		t.Fatalf("the sink has %d messages, want the one that cannot be read", len(got))
	}
	if m := got[0]; m.Problem == "" || !bytes.Contains(m.Raw, []byte(ref)) || len(m.Booking.Rooms) > 0 {
		t.Errorf("the message has problem %q, %d rooms and %d bytes as they came, want a problem, no room and the reference %s in the bytes", m.Problem, len(m.Booking.Rooms), len(m.Raw), ref)
	}
}

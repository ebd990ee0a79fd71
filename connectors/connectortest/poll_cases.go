package connectortest

import (
	"ostler.example/connectors"
	"ostler.example/hotel"
)

// polls is declared and true.
func polls(s *session) bool {
	_, really := s.conn.(connectors.Poller)
	return s.caps.Polls && really && sells(s)
}

var pollCases = []testCase{
	{name: "PollResumesFromCursor", needs: polls, run: pollResumesFromCursor},
	{name: "PollNotAckedUntilDurable", needs: polls, run: pollNotAckedUntilDurable},
	{name: "PollRedeliversSameKeys", needs: polls, run: pollRedeliversSameKeys},
	{name: "PollKeepsWhatItCannotRead", needs: func(s *session) bool { return polls(s) && s.far.Garble != nil }, run: pollKeepsWhatItCannotRead},
}

// sell makes bookings of one night each.
func (s *session) sell(t T, n int) map[string]bool {
	t.Helper()
	refs := map[string]bool{}
	for range n {
		refs[s.far.Book(t, stayOf(1))] = true
	}
	return refs
}

// poll polls once and checks that exactly these bookings arrive.
func (s *session) poll(t T, cursor string, want map[string]bool) (next string) {
	t.Helper()
	k := &sink{}
	next, err := s.conn.(connectors.Poller).Poll(t.Context(), cursor, k)
	if err != nil {
		t.Fatalf("poll from %q: %v", cursor, err)
	}
	for _, m := range k.messages() {
		if !want[m.Ref] {
			t.Errorf("polling from %q brings %s, which had come", cursor, m.Ref)
		}
		delete(want, m.Ref)
	}
	for ref := range want {
		t.Errorf("polling from %q does not bring %s", cursor, ref)
	}
	return next
}

// pollResumesFromCursor: a poll runs to the end, over all pages, acknowledges,
// and the next goes on behind it.
func pollResumesFromCursor(t T, s *session) {
	s.send(t, s.sale(tomorrow(), 2, 60))
	cursor := s.poll(t, "", s.sell(t, 37))
	if n := s.waiting(); n != 0 {
		t.Errorf("%d messages still wait after a poll", n)
	}
	cursor = s.poll(t, cursor, map[string]bool{})
	cursor = s.poll(t, cursor, s.sell(t, 2))
	s.poll(t, cursor, map[string]bool{})

	stay := hotel.Stay{CheckIn: tomorrow(), CheckOut: tomorrow() + 1}
	ref := s.far.Book(t, stay)
	k := &sink{}
	if _, err := s.conn.(connectors.Poller).Poll(t.Context(), cursor, k); err != nil || len(k.messages()) != 1 {
		t.Fatalf("a poll brings %d messages and %v, want 1", len(k.messages()), err)
	}
	tells(t, k.messages()[0], ref, s, stay)
}

// pollNotAckedUntilDurable: what the sink refuses is an error, stays at the far
// side and comes again from the cursor that was returned.
func pollNotAckedUntilDurable(t T, s *session) {
	s.send(t, s.sale(tomorrow(), 2, 60))
	refs := s.sell(t, 15)
	k := &sink{}
	k.refuse = func(connectors.Message) bool { return k.entered == 13 }
	next, err := s.conn.(connectors.Poller).Poll(t.Context(), "", k)
	if err == nil {
		t.Errorf("the sink refused a message and the poll succeeded")
	}
	if taken := len(k.messages()); s.far.Waiting != nil && s.far.Waiting() < 15-taken {
		t.Errorf("the sink took %d messages of 15 and only %d still wait", taken, s.far.Waiting())
	}
	k.refuse = nil
	if _, err := s.conn.(connectors.Poller).Poll(t.Context(), next, k); err != nil {
		t.Fatalf("poll again: %v", err)
	}
	for _, m := range k.messages() {
		delete(refs, m.Ref)
	}
	for ref := range refs {
		t.Errorf("%s was refused once and never comes again", ref)
	}
	if n := s.waiting(); n != 0 {
		t.Errorf("%d messages still wait in the end", n)
	}
}

// pollRedeliversSameKeys: what was not taken comes again under the key that it had.
func pollRedeliversSameKeys(t T, s *session) {
	s.send(t, s.sale(tomorrow(), 2, 60))
	s.sell(t, 3)
	keys := map[string]string{} // by reference
	k := &sink{refuse: func(m connectors.Message) bool {
		keys[m.Ref] = m.Key
		return true
	}}
	next, err := s.conn.(connectors.Poller).Poll(t.Context(), "", k)
	if err == nil || len(keys) == 0 {
		t.Fatalf("the sink refused %d messages, and the poll ends with %v", len(keys), err)
	}
	k.refuse = nil
	if _, err := s.conn.(connectors.Poller).Poll(t.Context(), next, k); err != nil {
		t.Fatalf("poll again: %v", err)
	}
	for _, m := range k.messages() {
		if was, came := keys[m.Ref]; came && was != m.Key {
			t.Errorf("%s comes under the key %q, and again under %q", m.Ref, was, m.Key)
		}
	}
}

// pollKeepsWhatItCannotRead: a message that makes no sense is handed on as it
// came, acknowledged like the others, and holds up nothing behind it.
func pollKeepsWhatItCannotRead(t T, s *session) {
	s.send(t, s.sale(tomorrow(), 2, 3))
	s.far.Garble(t)
	ref := s.far.Book(t, stayOf(1))
	k := &sink{}
	next := s.far.Book(t, stayOf(1))
	if _, err := s.conn.(connectors.Poller).Poll(t.Context(), "", k); err != nil {
		t.Errorf("poll: %v", err)
	}
	got := k.messages()
	unreadKept(t, got[:min(1, len(got))], ref)
	if len(got) != 2 || got[1].Ref != next {
		t.Errorf("the message behind it does not arrive")
	}
	rereads(t, s, got)
	if n := s.waiting(); n != 0 {
		t.Errorf("%d messages still wait after a poll", n)
	}
}

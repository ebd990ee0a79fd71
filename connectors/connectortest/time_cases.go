package connectortest

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"ostler.example/connectors"
)

var timeCases = []testCase{
	{name: "LateCallEndsInLifetime", needs: func(s *session) bool {
		return counts(s) && s.caps.Lifetime > 0 && s.far.Late != nil && s.far.Pass != nil
	}, run: lateCallEndsInLifetime},
	{name: "SaleIsListedInTime", needs: func(s *session) bool {
		return lists(s) && s.caps.ListsByDate && s.caps.SaleSettle >= 0 && s.far.Sell != nil && s.far.Pass != nil
	}, run: saleIsListedInTime},
	{name: "RetryAfterByTheirClock", needs: calls, run: retryAfterByTheirClock},
	{name: "TheirClockLosesNothing", needs: func(s *session) bool {
		return (polls(s) || receivesMessages(s)) && s.far.Pass != nil
	}, run: theirClockLosesNothing},
}

// lateCallEndsInLifetime: a call that ended here without an answer, and is done later, has
// been done once its declared lifetime is over; what is told then stays.
func lateCallEndsInLifetime(t T, s *session) {
	s.send(t, s.sale(tomorrow(), 1, 1))
	late, newer := s.rooms(t, 3), s.rooms(t, 2)
	s.pace(late)
	s.far.Late(t)
	if _, err := s.conn.Send(t.Context(), late); err == nil || connectors.AsError(err).Effect == connectors.NotSent {
		t.Errorf("a call that breaks off while it is awaited ends with %v", err)
	}
	if got := s.left(t, 0); got != 1 {
		t.Fatalf("a call that is to be done later is done at once: %d rooms", got)
	}
	s.far.Pass(s.caps.Lifetime)
	if got := s.left(t, 0); got != 3 {
		t.Errorf("a call has not been done when its declared lifetime of %s is over, and may be done yet", s.caps.Lifetime)
	}
	s.sendCall(t, newer)
	s.far.Pass(24 * time.Hour)
	if got := s.left(t, 0); got != 2 {
		t.Errorf("what was told behind the lifetime of an older call does not stay: %d rooms, want 2", got)
	}
}

// saleIsListedInTime: a booking that is made just before the night is closed is in a list
// that begins as late after it as is declared. By such lists the engine knows what was sold.
func saleIsListedInTime(t T, s *session) {
	s.send(t, s.sale(tomorrow(), 2, 3))
	ref := s.far.Sell(t, stayOf(1))
	if counts(s) {
		s.sendCall(t, s.rooms(t, 0))
	}
	s.far.Pass(s.caps.SaleSettle)
	k := &sink{}
	if err := s.conn.(connectors.Lister).List(t.Context(), tomorrow(), tomorrow()+2, k); err != nil {
		t.Fatalf("list: %v", err)
	}
	if !slices.ContainsFunc(k.messages(), func(m connectors.Message) bool { return m.Ref == ref }) {
		t.Errorf("%s was booked before the night was closed, and is in no list %s later, as is declared", ref, s.caps.SaleSettle)
	}
}

// skews are how far the far side's clock may be from ours.
var skews = []time.Duration{-3 * time.Hour, -2 * time.Minute, 2 * time.Minute, 3 * time.Hour}

// retryAfterByTheirClock: a moment to try again at is one of the far side's clock, which its
// answer tells, and comes out as the same pause however far that clock is off. An answer that does
// not tell it is believed to go by ours: nobody is asked again at once.
func retryAfterByTheirClock(t T, s *session) {
	call := s.one(t)
	for _, skew := range skews {
		theirs := s.now.Now().Add(skew).UTC().Truncate(time.Second)
		s.wire.breaks(answers(http.StatusTooManyRequests, `{}`,
			"Date", theirs.Format(http.TimeFormat), "Retry-After", theirs.Add(90*time.Second).Format(http.TimeFormat)))
		_, err := s.conn.Send(t.Context(), call)
		if e := (*connectors.Error)(nil); !errors.As(err, &e) || e.RetryAfter != 90*time.Second {
			t.Errorf("its clock is off by %s, and it asks for a pause of 1m30s: %+v", skew, err)
		}
	}
	s.wire.breaks(answers(http.StatusTooManyRequests, `{}`, "Retry-After", s.now.Now().Add(90*time.Second).UTC().Format(http.TimeFormat)))
	_, err := s.conn.Send(t.Context(), call)
	if e := (*connectors.Error)(nil); !errors.As(err, &e) || e.RetryAfter > 90*time.Second || e.RetryAfter < time.Minute {
		t.Errorf("it does not tell its clock, and asks for a pause of 1m30s: %+v", err)
	}
}

// theirClockLosesNothing: a booking comes, and is listed, whatever the far side's clock says,
// with the time that it tells.
func theirClockLosesNothing(t T, s *session) {
	k, cursor, off := &sink{}, "", time.Duration(0)
	s.send(t, s.sale(tomorrow(), 2, 9))
	for _, skew := range skews {
		s.far.Pass(skew - off)
		off = skew
		before := s.now.Now() // theirs but for what it is off
		ref := s.far.Book(t, stayOf(1))
		said := s.hear(t, k, &cursor)
		if said.Ref != ref {
			t.Errorf("its clock is off by %s: %s was booked, and %q comes", skew, ref, said.Ref)
		}
		if apart := said.At.Sub(before.Add(off)); s.caps.BookingTime && apart.Abs() > 5*time.Minute {
			t.Errorf("its clock is off by %s, and what it booked at its %s is said to be of %s", skew, before.Add(off), said.At)
		}
		if !lists(s) {
			continue
		}
		listed := &sink{}
		if err := s.conn.(connectors.Lister).List(t.Context(), tomorrow(), tomorrow()+2, listed); err != nil {
			t.Fatalf("list: %v", err)
		}
		if !slices.ContainsFunc(listed.messages(), func(m connectors.Message) bool { return m.Ref == ref }) {
			t.Errorf("its clock is off by %s: %s is in no list", skew, ref)
		}
	}
}

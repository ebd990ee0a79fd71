package connectortest

import (
	"net/http"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

var actionCases = []testCase{
	{name: "ActionsAreDone", needs: acts, run: actionsAreDone},
	{name: "ActionRefused", needs: acts, run: actionRefused},
	{name: "ActionTwiceDoneOnce", needs: func(s *session) bool { return acts(s) && s.caps.RepeatKey }, run: actionTwiceDoneOnce},
	{name: "ActionErrors", needs: acts, run: actionErrors},
	{name: "ActionNonsenseIsNotSuccess", needs: acts, run: actionNonsense},
}

func acts(s *session) bool {
	return len(s.caps.Actions) > 0 && sells(s) && s.far.Booking != nil && s.far.Refuse != nil
}

// booked is a booking of four nights that the far side is asked to do something with.
func (s *session) booked(t T) (string, hotel.Stay) {
	t.Helper()
	from := tomorrow()
	s.send(t, s.sale(from, 6, 30))
	stay := hotel.Stay{CheckIn: from, CheckOut: from + 4}
	return s.far.Book(t, stay), stay
}

// action is a request to do something with a booking, the last two nights of which go
// where it is shortened.
func action(k hotel.ActionKind, ref string, stay hotel.Stay) connectors.Action {
	a := connectors.Action{ID: "act_" + string(k), Kind: k, Ref: ref}
	switch k {
	case hotel.ActionShorten:
		a.Stay = hotel.Stay{CheckIn: stay.CheckIn, CheckOut: stay.CheckOut - 2}
	case hotel.ActionDecline:
		a.Refused = hotel.ByProperty
	case hotel.ActionConfirm, hotel.ActionCancel, hotel.ActionNoShow:
	}
	return a
}

// anyAction is one that the channel takes, a cancellation if it can.
func (s *session) anyAction(ref string, stay hotel.Stay) connectors.Action {
	if _, able := s.caps.ActionOf(hotel.ActionCancel); able {
		return action(hotel.ActionCancel, ref, stay)
	}
	return action(s.caps.Actions[0].Kind, ref, stay)
}

// act asks for an action through the connector.
func (s *session) act(t T, a connectors.Action) (connectors.Verdict, error) {
	actor, ok := s.conn.(connectors.Actor)
	if !ok {
		t.Fatalf("the connector declares actions and has no way to ask for them")
	}
	return actor.Act(t.Context(), a)
}

// actionsAreDone: what the channel takes is done with the booking that it names, and
// what it does not take is not pretended to be.
func actionsAreDone(t T, s *session) {
	for _, k := range []hotel.ActionKind{hotel.ActionConfirm, hotel.ActionDecline, hotel.ActionCancel, hotel.ActionShorten, hotel.ActionNoShow} {
		ref, stay := s.booked(t)
		other := s.far.Book(t, stay)
		a := action(k, ref, stay)
		verdict, err := s.act(t, a)
		now := s.far.Booking(ref)
		if left := s.far.Booking(other); !left.Live || left.NoShow || left.Stay != stay {
			t.Errorf("%s of one booking changed another: %+v", k, left)
		}
		if _, able := s.caps.ActionOf(k); !able {
			if err == nil && verdict.Outcome == connectors.Applied {
				t.Errorf("%s is not declared, and said to be done", k)
			}
			continue
		}
		if err != nil || verdict.Outcome == connectors.Rejected {
			t.Errorf("%s: %+v, %v", k, verdict, err)
			continue
		}
		if verdict.Outcome == connectors.Unknown {
			continue // it tells of it when it has done it
		}
		done := map[hotel.ActionKind]bool{
			hotel.ActionConfirm: now.Confirmed && now.Live, hotel.ActionDecline: !now.Live, hotel.ActionCancel: !now.Live,
			hotel.ActionShorten: now.Live && now.Stay == a.Stay, hotel.ActionNoShow: now.NoShow,
		}[k]
		if !done {
			t.Errorf("%s is said to be done, and the far side has %+v", k, now)
		}
	}
}

// actionRefused: a refusal is told as one, with the far side's words, and not as an
// error that may pass.
func actionRefused(t T, s *session) {
	ref, stay := s.booked(t)
	s.far.Refuse(t)
	verdict, err := s.act(t, s.anyAction(ref, stay))
	switch e := connectors.AsError(err); {
	case err != nil && e.Kind != connectors.Invalid:
		t.Errorf("a refusal is an error of kind %s: %v", e.Kind, err)
	case err == nil && verdict.Outcome != connectors.Rejected:
		t.Errorf("a refused action has outcome %s, want rejected", fared(verdict.Outcome))
	case err == nil && verdict.Words == "":
		t.Errorf("a refusal has no words")
	}
	if now := s.far.Booking(ref); !now.Live || now.Stay != stay {
		t.Errorf("it was refused, and the far side has %+v", now)
	}
}

// actionTwiceDoneOnce: another attempt carries the key of the first, and the far side
// does the thing once.
func actionTwiceDoneOnce(t T, s *session) {
	ref, stay := s.booked(t)
	a := s.anyAction(ref, stay)
	s.wire.losesAnswers(true)
	_, _ = s.act(t, a)
	s.wire.losesAnswers(false)
	once := s.far.Booking(ref).Revision
	verdict, err := s.act(t, a)
	if err != nil || verdict.Outcome != connectors.Applied {
		t.Errorf("the second attempt: %+v, %v", verdict, err)
	}
	if twice := s.far.Booking(ref).Revision; twice != once {
		t.Errorf("two attempts have changed the booking %d times, want once", twice-once+1)
	}
}

// actionErrors: an action whose answer is lost may have been done, one that did not
// leave was not, and neither is tried again beneath the engine.
func actionErrors(t T, s *session) {
	ref, stay := s.booked(t)
	a := s.anyAction(ref, stay)
	for _, c := range []struct {
		name   string
		wire   brokenWire
		kind   connectors.Kind
		effect connectors.Effect
	}{
		{"a refused connection", refusesConnections, connectors.Temporary, connectors.NotSent},
		{"a cut before the answer", cuts, connectors.Temporary, connectors.Possible},
		{"a cut within the answer", cutsBody, connectors.Temporary, connectors.Possible},
		{"503", answers(503, `{}`), connectors.Temporary, connectors.Possible},
		{"429", answers(429, `{}`), connectors.RateLimited, connectors.Possible},
		{"401", answers(401, `{}`), connectors.Denied, connectors.Possible},
	} {
		before := s.wire.breaks(c.wire)
		_, err := s.act(t, a)
		if err == nil {
			t.Errorf("%s: the action succeeded", c.name)
		} else if e := connectors.AsError(err); e.Kind != c.kind || e.Effect != c.effect {
			t.Errorf("%s: kind %s with effect %d, want %s with %d", c.name, e.Kind, e.Effect, c.kind, c.effect)
		}
		if n := s.wire.breaks(nil) - before; n != 1 {
			t.Errorf("%s: one action made %d requests", c.name, n)
		}
	}
}

// actionNonsense: a 200 that does not say that the thing is done is no yes.
func actionNonsense(t T, s *session) {
	ref, stay := s.booked(t)
	for name, body := range map[string]string{
		"nothing": "", "a page": "<html><body>Scheduled maintenance</body></html>", "half an answer": `{"re`, "null": "null", "an error": `{"error":"out of order"}`,
	} {
		s.wire.breaks(answers(http.StatusOK, body))
		if verdict, err := s.act(t, s.anyAction(ref, stay)); err == nil && verdict.Outcome == connectors.Applied {
			t.Errorf("a 200 with %s counts as done", name)
		}
	}
}

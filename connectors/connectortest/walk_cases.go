package connectortest

import (
	"errors"
	"io"
	"math/rand/v2"
	"net/http"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

var walkCases = []testCase{
	{name: "RandomWalk", needs: calls, run: randomWalk},
}

const (
	walkSteps  = 60
	walkNights = 40
)

// randomWalk: whatever fails on the way, once every value that is not known to be
// shown has been told again, the far side shows what is wanted. The walk sends some
// values at a time over a wire that breaks before, behind and within, opens the channel
// anew now and then, and keeps only what the engine keeps: what was told to be applied.
func randomWalk(t T, s *session) {
	random := rand.New(rand.NewPCG(1, 2))
	wanted := map[connectors.Key]hotel.Offer{}
	due := map[connectors.Key]bool{}
	var order []connectors.Key // keys as they first came, for a walk that is the same each time
	first := tomorrow()
	want := func(night, as hotel.Date) {
		values := s.night(as)
		for i, c := range s.night(night) {
			if i >= len(values) || values[i].Key.Group != c.Key.Group {
				continue
			}
			if _, known := wanted[c.Key]; !known {
				order = append(order, c.Key)
			}
			wanted[c.Key], due[c.Key] = values[i].Offer, true
		}
	}
	for range walkSteps {
		want(first+hotel.Date(random.IntN(walkNights)), first+hotel.Date(random.IntN(50)))
		if random.IntN(10) == 0 {
			s.reopen(t)
		}
		s.wire.breaks(s.trouble(random))
		s.tell(t, order, wanted, due)
	}
	s.wire.breaks(nil)
	s.tell(t, order, wanted, due)
	for _, key := range order {
		if due[key] {
			t.Errorf("%s is still not applied over a sound wire", named(key))
		}
		s.shows(t, []connectors.Change{{Key: key, Offer: wanted[key]}})
	}
}

// tell sends what is due, and notes what is applied.
func (s *session) tell(t T, order []connectors.Key, wanted map[connectors.Key]hotel.Offer, due map[connectors.Key]bool) {
	t.Helper()
	var changes []connectors.Change
	for _, key := range order {
		if due[key] {
			changes = append(changes, connectors.Change{Key: key, Offer: wanted[key]})
		}
	}
	for _, call := range s.encode(t, changes) {
		s.pace(call)
		answer, err := s.conn.Send(t.Context(), s.stamp(call))
		if err != nil {
			continue
		}
		for _, key := range call.Keys {
			if outcome(answer, key) == connectors.Applied {
				due[key] = false
			}
		}
	}
}

// trouble is what the wire does next: mostly nothing.
func (s *session) trouble(random *rand.Rand) brokenWire {
	switch random.IntN(10) {
	case 0:
		return refusesConnections
	case 1:
		return cuts
	case 2:
		return cutsBody
	case 3:
		return answers(http.StatusServiceUnavailable, `{}`, "Retry-After", "1")
	case 4:
		return answers(http.StatusOK, `<html>`)
	case 5, 6:
		return s.losesAnswers
	}
	return nil
}

// losesAnswers is a wire that breaks once the far side has done what it was told.
func (s *session) losesAnswers(r *http.Request) (*http.Response, error) {
	resp, err := s.wire.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	return nil, errors.New("connection reset by peer")
}

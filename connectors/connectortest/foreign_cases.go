package connectortest

import (
	"bytes"
	"io"
	"net/http"
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

var foreignCases = []testCase{
	{name: "ForeignOutcomeIsSeen", needs: calls, run: foreignOutcomeIsSeen},
	{name: "ForeignReadIsNotTaken", needs: reads, run: foreignReadIsNotTaken},
}

// tape keeps the answers of the far side, and plays them to other questions.
type tape struct {
	wire *wire
	kept []http.Response
	body [][]byte
}

// record is a wire whose answers are kept as they pass.
func (p *tape) record(r *http.Request) (*http.Response, error) {
	resp, err := p.wire.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	p.kept, p.body = append(p.kept, *resp), append(p.body, body)
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// play is a wire on which questions get the answers that were kept, in their order, and
// the last of them from then on.
func (p *tape) play() brokenWire {
	next := 0
	return func(r *http.Request) (*http.Response, error) {
		at := min(next, len(p.kept)-1)
		next++
		resp := p.kept[at]
		resp.Request, resp.Body, resp.ContentLength = r, io.NopCloser(bytes.NewReader(p.body[at])), int64(len(p.body[at]))
		return &resp, nil
	}
}

// foreignOutcomeIsSeen: an answer that refuses what was not in the call is no word about
// what was. It comes with the key that it names, by which the engine sees it, or as one that
// cannot be read: the values of the call are neither taken nor refused by it.
func foreignOutcomeIsSeen(t T, s *session) {
	tried := false
	for _, c := range s.night(tomorrow()) {
		unknown := c
		if unknown.Key.Room = unknownRoom; unknown.Key.Rate != "" {
			unknown.Key.Rate = unknownRate
		}
		if !s.caps.ByOccupancy(unknown.Key.Rate) {
			unknown.Key.Occupancy = 0
		}
		refused, _ := s.conn.Encode([]connectors.Change{unknown})
		call := s.encode(t, []connectors.Change{c})[0]
		if len(refused) != 1 {
			continue
		}
		kept := &tape{wire: s.wire}
		s.wire.breaks(kept.record)
		s.pace(refused[0])
		said, err := s.conn.Send(t.Context(), s.stamp(refused[0]))
		if err != nil || len(said.Keys) == 0 || len(kept.kept) == 0 {
			continue // it is refused as a whole, and names nothing
		}
		tried = true
		s.wire.breaks(kept.play())
		answer, err := s.conn.Send(t.Context(), s.stamp(call))
		foreign := slices.ContainsFunc(keysOf(answer), func(k connectors.Key) bool { return !slices.Contains(call.Keys, k) })
		if got := outcome(answer, c.Key); err == nil && !foreign && got != connectors.Unknown {
			t.Errorf("an answer about another room gives %s the outcome %s, and does not say what it is about", named(c.Key), fared(got))
		}
	}
	s.wire.breaks(nil)
	if !tried {
		t.Skipf(unplayed + "its answers name nothing that they refuse")
	}
}

func keysOf(a connectors.Answer) (all []connectors.Key) {
	for k := range a.Keys {
		all = append(all, k)
	}
	return all
}

// foreignReadIsNotTaken: an answer that shows other nights than were asked for says nothing
// of those.
func foreignReadIsNotTaken(t T, s *session) {
	from, others := tomorrow(), tomorrow()+20
	s.send(t, s.span(from, 3))
	s.send(t, s.span(others, 3))
	r, kept := s.conn.(connectors.Reader), &tape{wire: s.wire}
	s.wire.breaks(kept.record)
	if _, err := r.Read(t.Context(), s.far.Room, others, others+2); err != nil {
		t.Fatalf("read back: %v", err)
	}
	if len(kept.kept) == 0 {
		t.Fatalf("reading back asks nobody")
	}
	s.wire.breaks(kept.play())
	read, err := r.Read(t.Context(), s.far.Room, from, from+2)
	s.wire.breaks(nil)
	if err != nil {
		return
	}
	for _, c := range read {
		if (hotel.Span{From: from, To: from + 2}).Contains(c.Key.Night) {
			t.Errorf("an answer about %s and later is read as %s for %s", others, said(c.Offer, c.Key.Group), named(c.Key))
		}
	}
}

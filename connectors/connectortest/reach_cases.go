package connectortest

import (
	"maps"
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

var reachCases = []testCase{
	{name: "HorizonIsReached", needs: func(s *session) bool { return tellsAny(s) && s.caps.HorizonDays > 0 }, run: horizonIsReached},
	{name: "OtherCurrencyRefused", needs: func(s *session) bool {
		return tellsAny(s) && len(s.caps.Currencies) > 0 && s.caps.Fields[hotel.FieldAmount].As == hotel.Exact
	}, run: otherCurrencyRefused},
}

// told tells the far side changes as the engine does, of which some may be refused: a call
// that is refused as a whole is told again in halves. It returns what became of each.
func (s *session) told(t T, changes []connectors.Change) map[connectors.Key]connectors.Outcome {
	t.Helper()
	out := map[connectors.Key]connectors.Outcome{}
	of := map[connectors.Key]connectors.Change{}
	for _, c := range changes {
		of[c.Key] = c
	}
	calls, refused := s.conn.Encode(changes)
	for _, r := range refused {
		out[r.Change.Key] = connectors.Rejected
	}
	for _, call := range calls {
		s.pace(call)
		answer, err := s.conn.Send(t.Context(), s.stamp(call))
		if err == nil {
			for _, key := range call.Keys {
				out[key] = outcome(answer, key)
			}
			continue
		}
		if kind := connectors.AsError(err).Kind; kind != connectors.Invalid && kind != connectors.Unmapped {
			t.Fatalf("send %s: %v", call.Operation, err)
		}
		if len(call.Keys) == 1 {
			out[call.Keys[0]] = connectors.Rejected
			continue
		}
		for half := range slices.Chunk(call.Keys, (len(call.Keys)+1)/2) {
			var some []connectors.Change
			for _, key := range half {
				some = append(some, of[key])
			}
			maps.Copy(out, s.told(t, some))
		}
	}
	return out
}

// horizonIsReached: the last night that the channel declares to take is taken and shown,
// also where a night behind it is told beside it, as may happen when the day begins here
// before it does there. The engine tells nothing of nights behind.
func horizonIsReached(t T, s *session) {
	now := s.now.Now()
	last := hotel.DateIn(now, now.Location()) + hotel.Date(s.caps.HorizonDays)
	within := s.sale(last-1, 2, 2)
	became := s.told(t, append(slices.Clone(within), s.sale(last+3, 1, 2)...))
	for _, c := range within {
		if got := became[c.Key]; got != connectors.Applied {
			t.Errorf("%s is within the %d days that are declared, and its outcome is %s, want applied", named(c.Key), s.caps.HorizonDays, fared(got))
		}
	}
	s.shows(t, within)
	for key, o := range became {
		if _, set := s.far.Shown(key); set && o == connectors.Rejected {
			t.Errorf("%s is refused, and shown", named(key))
		}
	}
}

// otherCurrencyRefused: a price in a currency that the channel does not declare is refused
// by itself, and its number is never shown as one of theirs; those beside it are taken.
func otherCurrencyRefused(t T, s *session) {
	strange := hotel.Currency("CHF")
	for _, other := range []hotel.Currency{"SEK", "JPY"} {
		if slices.Contains(s.caps.Currencies, string(strange)) {
			strange = other
		}
	}
	var changes []connectors.Change
	first := tomorrow() + 10
	for _, c := range s.span(first, 3) {
		if c.Key.Group == hotel.Price {
			if c.Key.Night == first+1 {
				c.Offer.Amount.Currency = strange
			}
			changes = append(changes, c)
		}
	}
	became := s.told(t, changes)
	var sound []connectors.Change
	for _, c := range changes {
		want := connectors.Applied
		if c.Offer.Amount.Currency == strange {
			want = connectors.Rejected
			if o, set := s.far.Shown(c.Key); set && o.Amount.Minor == c.Offer.Amount.Minor {
				t.Errorf("the far side shows %v for a price in %s", o.Amount, strange)
			}
		} else {
			sound = append(sound, c)
		}
		if got := became[c.Key]; got != want {
			t.Errorf("the outcome of a price in %s on %s is %s, want %s: %q are declared", c.Offer.Amount.Currency, c.Key.Night, fared(got), fared(want), s.caps.Currencies)
		}
	}
	s.shows(t, sound)
}

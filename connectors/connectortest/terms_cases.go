package connectortest

import (
	"ostler.example/connectors"
	"ostler.example/hotel"
)

var termsCases = []testCase{
	{name: "CountMovesAsDeclared", needs: movesItsCount, run: countMovesAsDeclared},
	{name: "OlderVersionsChangeNothing", needs: func(s *session) bool { return counts(s) && s.caps.Versions }, run: olderVersionsChangeNothing},
	{name: "RepeatsChangeNothing", needs: func(s *session) bool {
		return movesItsCount(s) && s.caps.Moves().Book == hotel.AdjustYes && (s.caps.Versions || s.caps.RepeatKey)
	}, run: repeatsChangeNothing},
}

// counts says that the far side is called with counts of rooms.
func counts(s *session) bool {
	return calls(s) && s.caps.Fields[hotel.FieldAvailable].As == hotel.Exact
}

// movesItsCount says that it is told counts, has guests, and what it declares of its count
// when one books can be looked at.
func movesItsCount(s *session) bool { return counts(s) && sells(s) && declared(s.caps.Moves().Book) }

func declared(a hotel.Adjust) bool { return a == hotel.AdjustYes || a == hotel.AdjustNo }

// left is how many rooms guests see on the n-th night from tomorrow.
func (s *session) left(t T, n int) int {
	t.Helper()
	k := connectors.Key{Room: s.far.Room, Group: hotel.Availability, Night: tomorrow() + hotel.Date(n)}
	if s.caps.StockPer == hotel.PerProduct {
		k.Rate = s.far.Rate
	}
	o, set := s.far.Shown(k)
	if !set {
		t.Errorf("the far side shows no count for %v", k)
	}
	return o.Available
}

// countMovesAsDeclared: what the channel declares of its count when a guest books, stays
// longer and cancels is what guests see. The engine goes by it: a count that does not fall
// by itself, though it is said to, sells the room again.
func countMovesAsDeclared(t T, s *session) {
	moves := s.caps.Moves()
	ref := s.book(t, stayOf(2))
	after := func(event string, how hotel.Adjust, by int, nights ...int) {
		t.Helper()
		if !declared(how) {
			return
		}
		for _, n := range nights {
			want := s.count(3)
			if how == hotel.AdjustYes {
				want += by
			}
			if got := s.left(t, n); got != want {
				t.Errorf("after %s there are %d rooms left on night %d, and by what is declared %d", event, got, n+1, want)
			}
		}
	}
	after("a booking of two nights", moves.Book, -1, 0, 1)
	if s.far.Modify != nil {
		s.far.Modify(t, ref, stayOf(3))
		after("one night more", moves.Modify, -1, 2)
	}
	if s.far.Cancel == nil || !declared(moves.Cancel) {
		return
	}
	before := []int{s.left(t, 0), s.left(t, 1)}
	s.far.Cancel(t, ref)
	for n, was := range before {
		want := was
		if moves.Cancel == hotel.AdjustYes {
			want++
		}
		if got := s.left(t, n); got != want {
			t.Errorf("after a cancellation there are %d rooms left on night %d, and by what is declared %d", got, n+1, want)
		}
	}
}

// rooms is a call of so many rooms tomorrow.
func (s *session) rooms(t T, n int) connectors.Call {
	t.Helper()
	for _, c := range s.night(tomorrow()) {
		if c.Key.Group == hotel.Availability {
			c.Offer.Available = n
			return s.stamp(s.encode(t, []connectors.Change{c})[0])
		}
	}
	t.Fatalf("no count can be told")
	return connectors.Call{}
}

// olderVersionsChangeNothing: what was put together before what the far side has is turned
// down, or at least shown to nobody, however late it comes.
func olderVersionsChangeNothing(t T, s *session) {
	s.send(t, s.sale(tomorrow(), 1, 3))
	older, newer := s.rooms(t, 2), s.rooms(t, 1)
	s.sendCall(t, newer)
	s.pace(older)
	_, _ = s.conn.Send(t.Context(), older) // it may say so or not
	if got := s.left(t, 0); got != 1 {
		t.Errorf("an older call has %d rooms shown, where a newer one says 1", got)
	}
}

// repeatsChangeNothing: a call that is sent again, because its answer was lost, does not put
// back the room that a guest has booked since.
func repeatsChangeNothing(t T, s *session) {
	s.send(t, s.sale(tomorrow(), 2, 3))
	call := s.rooms(t, 2)
	s.sendCall(t, call)
	s.far.Book(t, stayOf(1))
	s.pace(call)
	_, _ = s.conn.Send(t.Context(), call)
	if got := s.left(t, 0); got != 1 {
		t.Errorf("a call that came once more has %d rooms shown: of 2 one is sold", got)
	}
}

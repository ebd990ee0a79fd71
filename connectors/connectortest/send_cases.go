package connectortest

import (
	"fmt"
	"slices"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

var sendCases = []testCase{
	{name: "SendShows", needs: tellsAny, run: sendShows},
	{name: "SendTwiceShowsSame", needs: tellsAny, run: sendTwiceShowsSame},
	{name: "PartialRejection", needs: tellsAny, run: partialRejection},
	{name: "RefusedCallChangesNothing", needs: func(s *session) bool { return calls(s) && s.far.RefuseCall != nil }, run: refusedCallChangesNothing},
	{name: "OpensAtPrice", needs: opens, run: opensAtPrice},
}

// sendShows: what is sent is shown, night for night, over a leap day, both
// clock changes and the end of a year, and nothing beside it.
func sendShows(t T, s *session) {
	from := tomorrow()
	for _, first := range occasions(from, s.caps.HorizonDays) {
		changes := s.span(first, 6)
		s.send(t, changes)
		s.shows(t, changes)
		for _, c := range append(s.night(first-1), s.night(first+6)...) {
			if o, set := s.far.Shown(c.Key); set && o.Available > 0 && c.Key.Group == hotel.Availability {
				t.Errorf("the far side shows a count on %s, which was not sent", c.Key.Night)
			}
		}
	}
}

// occasions are the nights from which a span of six shows most, behind from. A far side
// that takes limit days is told about those that come next within them, one that has no
// limit about a leap year ahead. No two spans touch.
func occasions(from hotel.Date, limit int) (first []hotel.Date) {
	y := from.Time().Year()
	y4 := (y + 3) / 4 * 4 // a leap year
	days := []struct {
		month time.Month
		day   int
	}{
		{2, 27},  // a leap day
		{3, 24},  // the clocks go forward
		{10, 24}, // and back
		{12, 29}, // a year ends
	}
	if limit == 0 {
		for _, d := range days {
			night := hotel.DateOf(y4, d.month, d.day)
			if night <= from {
				night = hotel.DateOf(y4+4, d.month, d.day)
			}
			first = append(first, night)
		}
		return append(first, hotel.DateOf(y4+1, 2, 26)) // no leap day
	}
	near := []hotel.Date{from + 1, from + hotel.Date(limit/2)}
	for _, d := range days {
		night := hotel.DateOf(y, d.month, d.day)
		if night <= from {
			night = hotel.DateOf(y+1, d.month, d.day)
		}
		if night+6 < from+hotel.Date(limit) {
			first = append(first, night)
		}
	}
	for _, night := range near {
		if !slices.ContainsFunc(first, func(other hotel.Date) bool { return max(night-other, other-night) < 8 }) {
			first = append(first, night)
		}
	}
	return first
}

// sendTwiceShowsSame: a call that is repeated, under its id or a new one, leaves
// what is shown as it is.
func sendTwiceShowsSame(t T, s *session) {
	changes := s.span(tomorrow(), 3)
	for _, call := range s.encode(t, changes) {
		first := s.stamp(call)
		s.sendCall(t, first)
		if s.caps.RepeatKey {
			s.sendCall(t, first)
		}
		s.sendCall(t, s.stamp(call))
	}
	s.shows(t, changes)
}

// unknownRoom and unknownRate are what no far side has, the room as short as the
// shortest codes are. Some are told the rate alone.
const (
	unknownRoom = "NOROOM"
	unknownRate = "no_such_rate"
)

// partialRejection: of a call about a room that exists and one that does not,
// each key has the outcome that the far side shows.
func partialRejection(t T, s *session) {
	s.misled = true
	good := s.span(tomorrow(), 2)
	var mixed []connectors.Change
	bad := map[connectors.Key]bool{}
	for _, c := range good {
		unknown := c
		if unknown.Key.Room = unknownRoom; unknown.Key.Rate != "" {
			unknown.Key.Rate = unknownRate
		}
		if !s.caps.ByOccupancy(unknown.Key.Rate) {
			unknown.Key.Occupancy = 0
		}
		bad[unknown.Key] = true
		mixed = append(mixed, unknown, c) // the refused one first: an answer matched by place is wrong
	}
	var wrong, wordless, lost []string
	calls, refused := s.conn.Encode(mixed)
	for _, r := range refused { // by the settings, which may know what there is
		if !bad[r.Change.Key] {
			wrong = append(wrong, named(r.Change.Key)+" is refused, because "+r.Reason)
		}
		if r.Reason == "" {
			wordless = append(wordless, named(r.Change.Key))
		}
	}
	for _, call := range calls {
		s.pace(call)
		answer, err := s.conn.Send(t.Context(), s.stamp(call))
		if err != nil {
			kind := connectors.AsError(err).Kind
			if kind != connectors.Invalid && kind != connectors.Unmapped {
				t.Errorf("a call refused as a whole is %s, want invalid or unmapped: %v", kind, err)
			}
			continue
		}
		for _, key := range call.Keys {
			want := connectors.Applied
			if bad[key] {
				want = connectors.Rejected
			}
			if got := outcome(answer, key); got != want {
				wrong = append(wrong, fmt.Sprintf("%s is %s, want %s", named(key), fared(got), fared(want)))
			}
		}
		for key, v := range answer.Keys { // of other calls, too
			if v.Outcome == connectors.Rejected && v.Words == "" {
				wordless = append(wordless, named(key))
			}
		}
	}
	slices.Sort(wordless)
	s.fetch(t)
	for _, c := range good {
		if _, set := s.far.Shown(c.Key); !set {
			lost = append(lost, named(c.Key))
		}
	}
	for _, found := range []struct {
		what  string
		names []string
	}{
		{"of a call about a room that exists and one that does not", wrong},
		{"rejected, and nothing says why", wordless},
		{"sound, and not shown", lost},
	} {
		if len(found.names) > 0 {
			t.Errorf("%s: %s", found.what, several(found.names))
		}
	}
}

// refusedCallChangesNothing: a call that is refused as a whole is said to be, and guests see
// what they saw before, all of it. The engine believes that: it counts what the far side had
// as what it has.
func refusedCallChangesNothing(t T, s *session) {
	before := s.span(tomorrow(), 4)
	s.send(t, before)
	var changes []connectors.Change
	for i, c := range s.span(tomorrow()+1, 4) { // what the next nights have
		c.Key = before[i].Key
		changes = append(changes, c)
	}
	for _, call := range s.encode(t, changes) {
		s.pace(call)
		s.far.RefuseCall(t)
		asked := s.wire.breaks(nil)
		answer, err := s.conn.Send(t.Context(), s.stamp(call))
		if err == nil && s.wire.breaks(nil) == asked { // the far side asks for that, and has not been told
			before = slices.DeleteFunc(before, func(c connectors.Change) bool { return slices.Contains(call.Keys, c.Key) })
			continue
		}
		if kind := connectors.AsError(err).Kind; err != nil && kind != connectors.Invalid && kind != connectors.Unmapped {
			t.Errorf("a call refused as a whole is %s, want invalid or unmapped: %v", kind, err)
		}
		for _, key := range call.Keys {
			if got := outcome(answer, key); err == nil && got != connectors.Rejected {
				t.Errorf("all of a call is refused, and the outcome of %s is %s, want rejected", named(key), fared(got))
			}
		}
	}
	s.shows(t, before)
}

// opens is declared by those that may be told an opening in the entry of its price.
func opens(s *session) bool {
	return tellsAny(s) && slices.ContainsFunc(s.caps.Operations, func(o connectors.Operation) bool { return o.Opens })
}

// opensAtPrice: closures that open a night at its price share a call with it, and both are
// shown; a night beside it that only closes, and a price that only changes, stay themselves.
func opensAtPrice(t T, s *session) {
	first := tomorrow() + 40
	closed := hotel.Offer{Closed: hotel.Closed{Closed: true}}
	at := func(g hotel.Group, night hotel.Date, o hotel.Offer) connectors.Change {
		return connectors.Change{Key: connectors.Key{Room: s.far.Room, Rate: s.far.Rate, Group: g, Night: night}, Offer: o}
	}
	cost := func(minor int64) hotel.Offer {
		return hotel.Offer{Amount: hotel.Money{Minor: minor, Currency: s.far.Currency}}
	}
	s.send(t, []connectors.Change{at(hotel.Closures, first, closed), at(hotel.Price, first+2, cost(9000))})
	opening := at(hotel.Closures, first, hotel.Offer{})
	opening.AtPrice = true
	changes := []connectors.Change{opening, at(hotel.Price, first, cost(12300)), at(hotel.Closures, first+1, closed), at(hotel.Price, first+2, cost(9100))}
	for _, call := range s.encode(t, changes) {
		opens, priced := slices.Contains(call.Keys, opening.Key), slices.Contains(call.Keys, changes[1].Key)
		if opens != priced {
			t.Errorf("a call opens %s (%t) and prices it (%t), which it is to do together", named(opening.Key), opens, priced)
		}
		s.sendCall(t, s.stamp(call))
	}
	s.shows(t, slices.DeleteFunc(changes, func(c connectors.Change) bool { // which may be kept as that of some guests
		return c.Key.Group == hotel.Price && s.caps.ByOccupancy(c.Key.Rate)
	}))
}

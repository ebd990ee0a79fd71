package connectortest

import (
	"reflect"
	"slices"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

var encodeCases = []testCase{
	{name: "EncodeIsPure", needs: tellsAny, run: encodeIsPure},
	{name: "EncodeCoversEveryChange", needs: tellsAny, run: encodeCoversEveryChange},
	{name: "EncodeGroupsNights", needs: tellsAny, run: encodeGroupsNights},
	{name: "EncodeKeepsToOperations", needs: tellsAny, run: encodeKeepsToOperations},
}

// encodeIsPure: the same changes give the same bytes, and stay as they were.
func encodeIsPure(t T, s *session) {
	changes := s.span(tomorrow(), 20)
	before := slices.Clone(changes)
	calls, refused := s.conn.Encode(changes)
	for range 5 { // maps are walked in another order each time
		again, refusedAgain := s.conn.Encode(changes)
		if !reflect.DeepEqual(calls, again) || !reflect.DeepEqual(refused, refusedAgain) {
			t.Fatalf("encoding twice differs:\n%s", cmp.Diff(calls, again)+cmp.Diff(refused, refusedAgain))
		}
	}
	if diff := cmp.Diff(before, changes); diff != "" {
		t.Errorf("encoding changed its input:\n%s", diff)
	}
}

// encodeCoversEveryChange: each change is in exactly one call or refused with a
// reason, senseless ones too, and the calls come in the order of the changes.
func encodeCoversEveryChange(t T, s *session) {
	changes := s.span(tomorrow(), 300)
	for i, c := range s.night(tomorrow() + 600) {
		switch i % 3 {
		case 0:
			c.Key.Room = ""
		case 1:
			c.Offer = hotel.Offer{Available: -1, Amount: hotel.Money{Minor: -1}}
		case 2:
			c.Key.Occupancy = -1
		}
		changes = append(changes, c)
	}
	calls, refused := s.conn.Encode(changes)
	times := map[connectors.Key]int{}
	for _, r := range refused {
		times[r.Change.Key]++
		if r.Reason == "" {
			t.Errorf("%s is refused without a reason", named(r.Change.Key))
		}
	}
	place := map[connectors.Key]int{}
	for i, c := range changes {
		place[c.Key] = i
	}
	last := -1
	for _, call := range calls {
		if call.Operation == "" || len(call.Body) == 0 || len(call.Keys) == 0 {
			t.Errorf("a call has no operation, no body or no keys")
		}
		first := len(changes)
		for _, key := range call.Keys {
			times[key]++
			at, known := place[key]
			if !known {
				t.Errorf("a call carries %s, which is no change", named(key))
			}
			first = min(first, at)
		}
		if first < last {
			t.Errorf("a call of %s comes before one whose changes came first", call.Operation)
		}
		last = first
	}
	for _, c := range changes {
		if n := times[c.Key]; n != 1 {
			t.Errorf("%s is in %d calls and refusals, want 1", named(c.Key), n)
		}
	}
}

// encodeGroupsNights: a year of equal nights takes no more calls than one night,
// in whatever order they come.
func encodeGroupsNights(t T, s *session) {
	one := s.encode(t, s.sale(tomorrow(), 1, 1))
	year := s.sale(tomorrow(), 365, 1)
	for i := range year {
		year[i].Offer = year[i%len(s.night(tomorrow()))].Offer
	}
	slices.SortStableFunc(year, func(a, b connectors.Change) int { return int(a.Key.Night)%5 - int(b.Key.Night)%5 })
	if got := len(s.encode(t, year)); got > len(one) {
		t.Errorf("365 equal nights take %d calls, one night takes %d", got, len(one))
	}
}

// encodeKeepsToOperations: each group that the channel carries is told by one of its
// operations, no call carries more than its operation may, and there are no more
// calls than that takes. It is tried with two rooms of which no two nights are equal.
func encodeKeepsToOperations(t T, s *session) {
	changes := s.span(tomorrow(), 150)
	for _, c := range s.span(tomorrow(), 150) {
		c.Key.Room += "2"
		changes = append(changes, c)
	}
	operations, limited := map[string]connectors.Operation{}, false
	told := map[hotel.Group]int{}
	for _, o := range s.caps.Operations {
		operations[o.Name], limited = o, limited || o.Bytes > 0
		for _, g := range o.Groups {
			told[g]++
		}
	}
	for field, c := range s.caps.Fields {
		if g := field.Group(); c.As == hotel.Exact && told[g] != 1 {
			t.Errorf("%s is carried, and %d operations tell %s, want 1", field, told[g], g)
		}
	}
	offers := map[connectors.Key]hotel.Offer{}
	for _, c := range changes {
		offers[c.Key] = c.Offer
	}
	calls := s.encode(t, changes)
	for _, call := range calls {
		var carried []connectors.Change
		for _, k := range call.Keys {
			carried = append(carried, connectors.Change{Key: k, Offer: offers[k]})
		}
		switch o, declared := operations[call.Operation]; {
		case !declared:
			t.Errorf("a call is of %s, which is no operation that is declared", call.Operation)
		case !o.Carries(carried):
			t.Errorf("a call of %s carries %d changes, more or others than it may", call.Operation, len(carried))
		case o.Bytes > 0 && len(call.Body) > o.Bytes && len(carried) > 1:
			t.Errorf("a call of %s has %d bytes, want at most %d", call.Operation, len(call.Body), o.Bytes)
		}
	}
	fewest, _ := connectors.Pack(s.caps.Operations, changes, func(string, []connectors.Entry) []byte { return nil })
	if !limited && len(calls) > len(fewest) {
		t.Errorf("%d changes take %d calls, %d would do", len(changes), len(calls), len(fewest))
	}
}

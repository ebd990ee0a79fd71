package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// rules is what a far side takes in one call.
type rules struct {
	operations []connectors.Operation
}

// drawRules draws what real channels ask for: counts and prices in one message or
// apart, any products of the property, one room or one product, spans or single
// nights, so many entries.
func drawRules(t *rapid.T) rules {
	counts, rest := []hotel.Group{hotel.Availability}, []hotel.Group{hotel.Closures, hotel.Lengths, hotel.Price}
	groups := [][]hotel.Group{counts, rest}
	if rapid.Bool().Draw(t, "all in one") {
		groups = [][]hotel.Group{slices.Concat(counts, rest)}
	}
	var r rules
	for i, g := range groups {
		r.operations = append(r.operations, connectors.Operation{
			Name: fmt.Sprint("operation ", i), Groups: g,
			About:     rapid.SampledFrom([]connectors.About{connectors.AnyProduct, connectors.OneRoom, connectors.OneProduct}).Draw(t, "about"),
			EachNight: rapid.Bool().Draw(t, "each night"),
			Entries:   rapid.IntRange(0, 3).Draw(t, "entries"),
		})
	}
	return r
}

// text is a body whose entries are of different lengths.
func text(_ string, entries []connectors.Run) []byte {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Key.Room)
		b.WriteString(strings.Repeat(".", int(e.Key.Group)))
	}
	return []byte(b.String())
}

func (r rules) encode(changes []connectors.Change) ([]connectors.Call, []connectors.Refusal) {
	return connectors.Pack(r.operations, changes, text)
}

// allowed says, by counting, whether one call may carry the changes.
func allowed(o connectors.Operation, changes []connectors.Change) bool {
	entries, bytes := 0, 0
	for _, c := range changes {
		switch first := changes[0].Key; {
		case !slices.Contains(o.Groups, c.Key.Group),
			o.About != connectors.AnyProduct && c.Key.Room != first.Room,
			o.About == connectors.OneProduct && c.Key.Rate != first.Rate:
			return false
		}
		before := c
		before.Key.Night--
		if o.EachNight || !slices.Contains(changes, before) { // else it goes on with an entry
			entries++
			bytes += len(c.Key.Room) + int(c.Key.Group)
		}
	}
	return (o.Entries == 0 || entries <= o.Entries) && (o.Bytes == 0 || bytes <= o.Bytes || entries == 1)
}

// fewest tries every way to put the changes into calls.
func (r rules) fewest(changes []connectors.Change) int {
	best := len(changes)
	var calls [][]connectors.Change
	var put func(next int)
	put = func(next int) {
		if next == len(changes) {
			for _, call := range calls {
				if !slices.ContainsFunc(r.operations, func(o connectors.Operation) bool { return allowed(o, call) }) {
					return
				}
			}
			best = min(best, len(calls))
			return
		}
		for i := range calls {
			calls[i] = append(calls[i], changes[next])
			put(next + 1)
			calls[i] = calls[i][:len(calls[i])-1]
		}
		calls = append(calls, []connectors.Change{changes[next]})
		put(next + 1)
		calls = calls[:len(calls)-1]
	}
	put(0)
	return best
}

// drawFew draws cells of which many may share an entry.
func drawFew(t *rapid.T) []Cell {
	key := rapid.Custom(func(t *rapid.T) connectors.Key {
		k := denseKey.Draw(t, "key")
		if k.Group != hotel.Availability {
			k.Rate = rapid.SampledFrom([]string{"BAR", "NRF"}).Draw(t, "rate")
		}
		return k
	})
	cells := drawCells(t, key, 7)
	for i := range cells { // few lanes and values, so that there is much to join
		cells[i].Held, cells[i].Want = nil, hotel.Offer{
			Available: rapid.IntRange(0, 1).Draw(t, "rooms"), Closed: hotel.Closed{Closed: rapid.Bool().Draw(t, "closed")},
		}
	}
	return cells
}

// lanesOf returns the changes and the number of calls of each lane.
func lanesOf(t *rapid.T, p Plan, r rules) (changes map[Lane][]connectors.Change, calls map[Lane]int) {
	changes, calls = map[Lane][]connectors.Change{}, map[Lane]int{}
	for _, call := range p.Calls {
		var carried []connectors.Change
		for _, c := range call.Cells {
			carried = append(carried, connectors.Change{Key: c.Key, Offer: c.Want})
		}
		if !slices.ContainsFunc(r.operations, func(o connectors.Operation) bool { return o.Name == call.Operation && allowed(o, carried) }) {
			t.Fatalf("a call of %s carries what it may not: %+v", call.Operation, carried)
		}
		changes[call.Lane] = append(changes[call.Lane], carried...)
		calls[call.Lane]++
	}
	return changes, calls
}

// A plan needs as few calls in each lane as what the channel takes allows.
func TestPlanIsTheFewestCallsUnderDeclaredRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRules(t)
		p, err := Make(drawFew(t), r.encode)
		if err != nil {
			t.Fatal(err)
		}
		changes, calls := lanesOf(t, p, r)
		for l, got := range calls {
			if want := r.fewest(changes[l]); got != want {
				t.Fatalf("lane %v takes %d calls, %d would do", l, got, want)
			}
		}
	})
}

// Where the bytes of a call are limited too, entries keep their order, and a plan
// needs fewer than twice the calls that the best order would need.
func TestPlanIsLessThanTwiceTheFewestCallsUnderALimitOfBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRules(t)
		for i := range r.operations {
			o := &r.operations[i]
			o.Entries, o.About, o.Bytes = 0, connectors.AnyProduct, rapid.IntRange(1, 20).Draw(t, "bytes")
		}
		p, err := Make(drawFew(t), r.encode)
		if err != nil {
			t.Fatal(err)
		}
		changes, calls := lanesOf(t, p, r)
		for l, got := range calls {
			if best := r.fewest(changes[l]); got >= 2*best && got > best {
				t.Fatalf("lane %v takes %d calls, %d would do", l, got, best)
			}
		}
	})
}

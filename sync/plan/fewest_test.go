package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/lane"
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
			About:   rapid.SampledFrom([]connectors.About{connectors.AnyProduct, connectors.OneRoom, connectors.OneProduct}).Draw(t, "about"),
			Nights:  rapid.SampledFrom([]connectors.Nights{connectors.InARow, connectors.OneNight}).Draw(t, "nights"),
			Entries: rapid.IntRange(0, 3).Draw(t, "entries"),
			Apart:   rapid.Bool().Draw(t, "apart"), // entries, so that other lanes may ride
		})
	}
	return r
}

// text is a body whose entries are of different lengths.
func text(_ string, entries []connectors.Entry) []byte {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Room)
		for _, v := range e.Says {
			b.WriteString(strings.Repeat(".", int(v.Group)))
		}
	}
	return []byte(b.String())
}

func (r rules) encode(changes []connectors.Change) ([]connectors.Call, []connectors.Refusal) {
	return connectors.Pack(r.operations, changes, text)
}

// entry says, by the words of the rules, whether one entry may say the changes: the same
// of some nights of one room and rate, several things only where they are joined.
func entry(o connectors.Operation, changes []connectors.Change) bool {
	said := map[hotel.Date]map[string]bool{}
	weekday := map[hotel.Date]bool{} // by remainder
	first, last := changes[0].Key.Night, changes[0].Key.Night
	for _, c := range changes {
		k := c.Key
		if k.Room != changes[0].Key.Room || k.Rate != changes[0].Key.Rate {
			return false
		}
		if said[k.Night] == nil {
			said[k.Night] = map[string]bool{}
		}
		said[k.Night][fmt.Sprint(k.Group, k.Occupancy, c.Offer)] = true
		weekday[k.Night%7], first, last = true, min(first, k.Night), max(last, k.Night)
		if len(said[k.Night]) > 1 && !slices.Contains(o.Joined, k.Group) {
			return false
		}
	}
	for night := first; night <= last; night++ {
		if due := o.Nights != connectors.ByDayOfWeek || weekday[night%7]; due && !maps.Equal(said[night], said[first]) || !due && said[night] != nil {
			return false
		}
	}
	return o.Nights != connectors.OneNight || first == last
}

// pieces tries every way to put changes into entries, and returns the fewest.
func pieces(o connectors.Operation, changes []connectors.Change) int {
	fewest := make([]int, 1<<len(changes)) // by the set of changes
	for set := 1; set < len(fewest); set++ {
		fewest[set] = len(changes)
		for part := set; part > 0; part = (part - 1) & set {
			var together []connectors.Change
			for i, c := range changes {
				if part>>i&1 == 1 {
					together = append(together, c)
				}
			}
			if before := fewest[set&^part] + 1; before < fewest[set] && entry(o, together) {
				fewest[set] = before
			}
		}
	}
	return fewest[len(fewest)-1]
}

// allowed says whether one call may carry the changes.
func allowed(o connectors.Operation, changes []connectors.Change) bool {
	bytes := 0
	for _, c := range changes {
		switch first := changes[0].Key; {
		case !slices.Contains(o.Groups, c.Key.Group),
			o.About != connectors.AnyProduct && c.Key.Room != first.Room,
			o.About == connectors.OneProduct && c.Key.Rate != first.Rate:
			return false
		}
		before := c
		before.Key.Night--
		if o.Nights == connectors.OneNight || !slices.Contains(changes, before) { // else it goes on with an entry
			bytes += len(c.Key.Room) + int(c.Key.Group)
		}
	}
	return (o.Entries == 0 || pieces(o, changes) <= o.Entries) && (o.Bytes == 0 || bytes <= o.Bytes || pieces(o, changes) == 1)
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
func lanesOf(t *rapid.T, p Plan, r rules) (changes map[lane.Lane][]connectors.Change, calls map[lane.Lane]int) {
	changes, calls = map[lane.Lane][]connectors.Change{}, map[lane.Lane]int{}
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

// A plan needs as few calls in each lane as what the channel takes allows, whatever rides
// in them from the lanes behind.
func TestPlanIsTheFewestCallsUnderDeclaredRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRules(t)
		p, err := Make(drawFew(t), r.operations, r.encode)
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
		p, err := Make(drawFew(t), r.operations, r.encode)
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

// drawJoined draws what is said of a few nights of one product, the same days of the week
// among them.
func drawJoined(t *rapid.T) []Cell {
	cells := drawCells(t, rapid.Custom(func(t *rapid.T) connectors.Key {
		k := connectors.Key{Room: "DBL", Rate: "BAR", Night: march + rapid.SampledFrom([]hotel.Date{0, 1, 7, 8, 14}).Draw(t, "night")}
		k.Group = rapid.SampledFrom([]hotel.Group{hotel.Lengths, hotel.Price}).Draw(t, "group")
		return k
	}), 7)
	for i := range cells {
		cells[i].Want.Amount = hotel.Money{Minor: rapid.Int64Range(1, 2).Draw(t, "amount"), Currency: "EUR"}
		cells[i].Want.Lengths = hotel.LengthLimits{}
	}
	return cells
}

// Where entries join values or know days of the week, a plan needs at most twice the
// calls that the best entries would need.
func TestPlanOfJoinedEntriesIsAtMostTwiceTheFewestCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := connectors.Operation{
			Name: "rates", Groups: []hotel.Group{hotel.Lengths, hotel.Price}, Entries: rapid.IntRange(1, 2).Draw(t, "entries"),
			Nights: rapid.SampledFrom([]connectors.Nights{connectors.InARow, connectors.ByDayOfWeek}).Draw(t, "nights"),
		}
		if rapid.Bool().Draw(t, "joined") {
			o.Joined = o.Groups
		}
		r := rules{[]connectors.Operation{o}}
		p, err := Make(drawJoined(t), r.operations, r.encode)
		if err != nil {
			t.Fatal(err)
		}
		changes, calls := lanesOf(t, p, r)
		if best := r.fewest(changes[lane.Rates]); calls[lane.Rates] > 2*best {
			t.Fatalf("%d calls, %d would do", calls[lane.Rates], best)
		}
	})
}

package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ostler.example/hotel"
)

// Closures as a channel shows them.
const (
	openNight  = int64(0)
	closedHere = int64(1)
	noArrival  = int64(2)
)

// fieldPolicies has each field of a channel decided by a policy of its own.
func fieldPolicies(of map[hotel.Field]hotel.DriftPolicy) func(*hotel.Policies) {
	return func(p *hotel.Policies) { p.Drift = of }
}

// seesEdited has a channel that knows everything show other values of its first
// product on a night, and asks it.
func (b *inbox) seesEdited(t *testing.T, night hotel.Date, shown map[hotel.Group]int64) {
	t.Helper()
	for g, v := range shown {
		b.f.shown[hotel.Cell{Line: b.f.mappings[0].Line, Group: g, Night: night}] = v
	}
	b.f.beginRead(t)
	b.f.endRead(t)
}

// restrict says what holds of a product on a night.
func (b *inbox) restrict(t *testing.T, night hotel.Date, says hotel.Restriction) {
	t.Helper()
	e := hotel.RestrictionEntry{RoomTypeID: b.double.ID, RatePlanID: b.flex.ID, Dates: hotel.Dates{Span: hotel.Span{From: night, To: night}}}
	set := func(of *hotel.Optional[bool], v *bool) {
		if v != nil {
			*of = hotel.Given(*v)
		}
	}
	set(&e.Closed, says.Closed)
	set(&e.ClosedToArrival, says.ClosedToArrival)
	if says.MinStayArrival != nil {
		e.MinStayArrival = hotel.Given(*says.MinStayArrival)
	}
	_, _, err := b.UpdateRestrictions(context.Background(), tester, hotel.Once{}, hotel.RestrictionUpdate{PropertyID: b.property.ID, Source: "api", Entries: []hotel.RestrictionEntry{e}})
	if err != nil {
		t.Fatal(err)
	}
}

// productAt is what the channel shows of its first product on a night.
func (b *inbox) productAt(g hotel.Group, night hotel.Date) int64 {
	return *b.f.at(hotel.Cell{Line: b.f.mappings[0].Line, Group: g, Night: night})
}

// decisions lists what was decided about each group and its fields, "open" where somebody
// is asked.
func (b *inbox) decisions(t *testing.T) string {
	t.Helper()
	var out []string
	for _, c := range b.conflicts(t, hotel.ConflictDrift) {
		var f struct {
			Group  string `json:"group"`
			Nights []struct {
				Fields []string `json:"fields"`
			} `json:"nights"`
		}
		if err := json.Unmarshal(c.Facts, &f); err != nil {
			t.Fatal(err)
		}
		how := "open"
		if c.Resolution != nil {
			how = c.Resolution.Option
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s: %s by %s", f.Group, strings.Join(f.Nights[0].Fields, "+"), how, c.Applied.Field)))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// One look finds a price edited, the night closed and closed to arrivals: each is
// treated by its own policy, and what was decided stands at the next look.
func TestDriftIsDecidedFieldByField(t *testing.T) {
	lengths := func(l hotel.LengthLimits) int64 { return hotel.Offer{Lengths: l}.Encode(hotel.Lengths) }
	for _, c := range []struct {
		name      string
		policies  map[hotel.Field]hotel.DriftPolicy
		house     hotel.Restriction
		edited    map[hotel.Group]int64
		decisions string
		after     map[hotel.Group]int64
	}{
		{
			"price theirs, closing ours",
			map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.Theirs, hotel.FieldClosed: hotel.Ours},
			hotel.Restriction{},
			map[hotel.Group]int64{hotel.Price: 4321, hotel.Closures: closedHere},
			"closures : ours by drift.closed; price : theirs by drift.amount",
			map[hotel.Group]int64{hotel.Price: 4321, hotel.Closures: openNight},
		},
		{
			"of two closings one is theirs",
			map[hotel.Field]hotel.DriftPolicy{hotel.FieldClosedToArrival: hotel.Theirs},
			hotel.Restriction{},
			map[hotel.Group]int64{hotel.Closures: closedHere | noArrival},
			"closures closed: ours by drift.closed; closures closed_to_arrival: theirs by drift.closed_to_arrival",
			map[hotel.Group]int64{hotel.Closures: noArrival},
		},
		{
			"of two lengths one is asked about",
			map[hotel.Field]hotel.DriftPolicy{hotel.FieldMaxStayArrival: hotel.AskOwner},
			hotel.Restriction{MinStayArrival: new(2)},
			map[hotel.Group]int64{hotel.Lengths: lengths(hotel.LengthLimits{MinStayArrival: 3, MaxStayArrival: 7})},
			"lengths max_stay_arrival: open by drift.max_stay_arrival; lengths min_stay_arrival: ours by drift.min_stay_arrival",
			map[hotel.Group]int64{hotel.Lengths: lengths(hotel.LengthLimits{MinStayArrival: 2, MaxStayArrival: 7})},
		},
		{
			"what is opened there is nobody's but ours",
			map[hotel.Field]hotel.DriftPolicy{hotel.FieldClosed: hotel.Theirs, hotel.FieldClosedToArrival: hotel.Theirs},
			hotel.Restriction{Closed: new(true)},
			map[hotel.Group]int64{hotel.Closures: noArrival},
			"closures closed: open by drift.closed; closures closed_to_arrival: theirs by drift.closed_to_arrival",
			map[hotel.Group]int64{hotel.Closures: closedHere | noArrival},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newInbox(t)
			b.asks(t, fieldPolicies(c.policies))
			night := b.today + 3
			b.restrict(t, night, c.house)
			b.live(t)
			b.f.beginRead(t)
			b.f.endRead(t)
			b.seesEdited(t, night, c.edited)
			if got := b.decisions(t); got != c.decisions {
				t.Errorf("decided\n%s, want\n%s", got, c.decisions)
			}
			for range 2 {
				b.f.catchUp(t)
				for g, want := range c.after {
					if got := b.productAt(g, night); got != want {
						t.Errorf("%s is shown as %d, want %d", g, got, want)
					}
				}
				b.f.beginRead(t)
				b.f.endRead(t)
			}
			if found := must(b.Verify(context.Background(), VerifyOptions{Report: quietly, Stage: asTheyAre}))(t); len(found.Differences) > 0 {
				t.Errorf("the cells are not what the journal makes of them: %v", found.Differences)
			}
			if got := b.decisions(t); !strings.Contains(c.decisions, "open by drift.closed") && got != c.decisions {
				t.Errorf("later it is decided\n%s, want\n%s", got, c.decisions)
			}
			b.restrict(t, night, hotel.Restriction{Closed: new(false), ClosedToArrival: new(false), MinStayArrival: new(4)})
			b.f.catchUp(t)
			if got := b.productAt(hotel.Lengths, night); got != lengths(hotel.LengthLimits{MinStayArrival: 4}) {
				t.Errorf("lengths that are wanted anew are shown as %d", got)
			}
		})
	}
}

// TestDriftOfSomeFieldsIsDecidedByHand: the rest of the cell stays as it was decided.
func TestDriftOfSomeFieldsIsDecidedByHand(t *testing.T) {
	for option, want := range map[hotel.DriftPolicy]int64{hotel.Ours: openNight, hotel.Theirs: noArrival} {
		t.Run(string(option), func(t *testing.T) {
			b := newInbox(t)
			b.asks(t, fieldPolicies(map[hotel.Field]hotel.DriftPolicy{hotel.FieldClosedToArrival: hotel.AskOwner}))
			b.live(t)
			night := b.today + 3
			b.seesEdited(t, night, map[hotel.Group]int64{hotel.Closures: closedHere | noArrival})
			b.f.catchUp(t)
			b.f.beginRead(t)
			b.f.endRead(t)
			var open []hotel.Conflict
			for _, c := range b.conflicts(t, hotel.ConflictDrift) {
				if c.Status == hotel.ConflictOpen {
					open = append(open, c)
				}
			}
			if len(open) != 1 {
				t.Fatalf("open: %+v", open)
			}
			b.resolve(t, open[0], string(option), "")
			b.f.catchUp(t)
			if got := b.productAt(hotel.Closures, night); got != want {
				t.Errorf("closures are shown as %d, want %d", got, want)
			}
			b.f.beginRead(t)
			b.f.endRead(t)
			if got := b.productAt(hotel.Closures, night); got != want || len(b.f.dirty(t)) > 0 {
				t.Errorf("after another look they are shown as %d, want %d, still to be told: %v", got, want, b.f.dirty(t))
			}
		})
	}
}

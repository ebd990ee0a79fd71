package dispatch

import (
	"context"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// Nights that need a field which the channel cannot be told are closed where the policy of
// the property says so, and left alone where the channel's own says otherwise.
func TestAFieldThatCannotBeToldGoesByItsPolicy(t *testing.T) {
	lacks := func(b *bench) { delete(b.caps.Fields, hotel.FieldMinStayArrival) }
	run(t, lacks, func(b *bench) {
		ctx, night := context.Background(), b.today+4
		_, _, err := b.ldg.UpdateRestrictions(ctx, testkit.Tester, hotel.Once{}, hotel.RestrictionUpdate{
			PropertyID: b.house.Property.ID, Source: "api",
			Entries: []hotel.RestrictionEntry{{Dates: hotel.Dates{Span: hotel.Span{From: night, To: night}}, MinStayArrival: hotel.Given(3)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		property := func(p hotel.Policies) {
			t.Helper()
			_, _, err := b.ldg.ChangeProperty(ctx, testkit.Tester, hotel.Once{}, b.house.Property.ID, hotel.Change[hotel.Property]{Apply: func(of *hotel.Property) error {
				of.Policies = p
				return nil
			}})
			if err != nil {
				t.Fatal(err)
			}
		}
		key := connectors.Key{Room: b.house.RemoteRoom(2), Rate: b.house.RemoteRate(0), Group: hotel.Closures, Night: night}
		closed := func(when string, want bool) {
			t.Helper()
			b.rest()
			b.sound()
			if got := b.far.shows(key).Closed; (got.Closed || got.Arrival) != want {
				t.Errorf("%s it is shown as %+v", when, got)
			}
			key.Night++
			if got := b.far.shows(key).Closed; got != (hotel.Closed{}) {
				t.Errorf("%s the night behind it is shown as %+v", when, got)
			}
			key.Night--
		}
		closing := map[hotel.Field]hotel.AbsentPolicy{hotel.FieldMinStayArrival: hotel.CloseNights}
		closed("unless anybody says otherwise", false)
		property(hotel.Policies{Absent: closing})
		closed("where the property has such nights closed", true)
		b.change(func(c *hotel.Channel) {
			c.Policies.Absent = map[hotel.Field]hotel.AbsentPolicy{hotel.FieldMinStayArrival: hotel.KeptAtChannel}
		})
		closed("where the channel keeps it by hand", false)
		property(hotel.Policies{})
		b.change(func(c *hotel.Channel) { c.Policies.Absent = closing })
		closed("where the channel has such nights closed", true)
	})
}

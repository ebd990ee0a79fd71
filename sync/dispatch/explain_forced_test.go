package dispatch

import (
	"context"
	"slices"
	"strings"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// A closing that the house does not want, which stands for what the channel cannot be told, says
// for what.
func TestAClosingOfNecessitySaysWhy(t *testing.T) {
	for name, test := range map[string]struct {
		caps    func(b *bench)
		product hotel.RestrictionEntry
		room    hotel.RestrictionEntry
		want    string
	}{
		"lengths that contradict each other": {
			func(*bench) {},
			hotel.RestrictionEntry{MinStayArrival: hotel.Given(7)},
			hotel.RestrictionEntry{MaxStayArrival: hotel.Given(5)},
			"closed, for the shortest stay (7 nights) is longer than the longest (5)",
		},
		"a minimum that the channel does not take": {
			func(b *bench) { b.caps.Fields[hotel.FieldMinStayArrival] = hotel.Carriage{As: hotel.Exact, Max: 3} },
			hotel.RestrictionEntry{MinStayArrival: hotel.Given(5)},
			hotel.RestrictionEntry{},
			"closed, for the channel cannot be told min_stay_arrival as the house has it",
		},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(b *bench) {
				for _, f := range []hotel.Field{hotel.FieldMinStayArrival, hotel.FieldMaxStayArrival, hotel.FieldClosedToArrival} {
					b.caps.Fields[f] = hotel.Carriage{As: hotel.Exact}
				}
				test.caps(b)
			}, func(b *bench) {
				if err := b.ldg.KeepTerms(context.Background(), channel, b.caps.Terms); err != nil {
					t.Fatal(err)
				}
				night, product, room := b.today+3, test.product, test.room
				product.RatePlanID = b.house.Plans[0].ID
				for _, e := range []hotel.RestrictionEntry{product, room} {
					e.RoomTypeID, e.Dates = b.house.Rooms[0].ID, hotel.Dates{Span: hotel.Span{From: night, To: night}}
					_, _, err := b.ldg.UpdateRestrictions(context.Background(), testkit.Tester, hotel.Once{}, hotel.RestrictionUpdate{PropertyID: b.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{e}})
					if err != nil {
						t.Fatal(err)
					}
				}
				b.rest()
				x, err := New(b.worker.Options).Explain(context.Background(), hotel.ExplainQuery{ChannelID: channel, RoomTypeID: b.house.Rooms[0].ID, RatePlanID: product.RatePlanID, Night: night})
				if err != nil {
					t.Fatal(err)
				}
				said := slices.ContainsFunc(x.Numbers, func(n hotel.Explained) bool {
					return len(n.Steps) > 0 && strings.Contains(n.Steps[len(n.Steps)-1].By, test.want)
				})
				if !said {
					t.Errorf("explained: %+v", x.Numbers)
				}
			})
		})
	}
}

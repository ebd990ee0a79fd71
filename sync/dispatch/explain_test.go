package dispatch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/internal/testkit/race"
)

// What is explained is what the channel is wanted to show, whatever the house says
// of the night and whatever the channel can be told.
func TestTheExplanationEndsAtWhatIsWanted(t *testing.T) {
	seeds := uint64(6)
	if race.On {
		seeds = 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			run(t, func(b *bench) { b.crippled(r) }, func(b *bench) {
				if err := b.ldg.KeepTerms(context.Background(), channel, b.caps.Terms); err != nil {
					t.Fatal(err)
				}
				b.remap(b.anyOccupancies(r))
				b.rest()
				for range 4 {
					for range 8 {
						b.anyFact(r)
					}
					b.rest()
					for range 12 {
						b.explained(r)
					}
				}
			})
		})
	}
}

// crippled takes some abilities from the channel.
func (b *bench) crippled(r *rand.Rand) {
	for _, f := range []hotel.Field{hotel.FieldClosedToArrival, hotel.FieldMinStayArrival, hotel.FieldMinStayThrough, hotel.FieldMaxStayArrival, hotel.FieldClosed} {
		switch r.IntN(3) {
		case 0:
			delete(b.caps.Fields, f)
		case 1:
			b.caps.Fields[f] = hotel.Carriage{As: hotel.Exact}
		case 2:
			if f != hotel.FieldClosed {
				b.caps.Fields[f] = hotel.Carriage{As: hotel.Coarser}
			}
		}
	}
	if r.IntN(2) == 0 {
		b.caps.Fields[hotel.FieldAvailable] = hotel.Carriage{As: hotel.Exact, Max: 4}
	}
}

// anyFact changes something.
func (b *bench) anyFact(r *rand.Rand) {
	b.t.Helper()
	ctx, room := context.Background(), r.IntN(len(b.house.Rooms))
	night := b.today + hotel.Date(r.IntN(6))
	nights := hotel.Span{From: night, To: night + hotel.Date(r.IntN(3))}
	var err error
	switch r.IntN(7) {
	case 0:
		b.house.Stock(b.t, b.ldg, room, nights, hotel.InventoryEntry{SellLimit: hotel.Given(r.IntN(8)), Closed: hotel.Given(r.IntN(4) == 0)})
	case 1:
		b.house.Stock(b.t, b.ldg, room, nights, hotel.InventoryEntry{
			KeepBack:      hotel.Given(hotel.ChannelQuantities{channel: hotel.Given(r.IntN(3))}),
			ChannelLimits: hotel.Given(hotel.ChannelQuantities{channel: hotel.Given(r.IntN(6))}),
		})
	case 2:
		b.house.Price(b.t, b.ldg, room, nights, int64(5000+r.IntN(9000)))
	case 3:
		b.unprice(night)
	case 4:
		_, _, err = b.ldg.CreateReservation(ctx, testkit.Tester, hotel.Once{}, hotel.NewReservation{
			PropertyID: b.house.Property.ID, RoomTypeID: b.house.Rooms[room].ID, RatePlanID: b.house.Plans[0].ID,
			Stay: hotel.Stay{CheckIn: night, CheckOut: night + 2}, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
		})
		if _, full := errors.AsType[*hotel.Refusal](err); full {
			err = nil
		}
	case 5:
		says := hotel.Restriction{MinStayArrival: new(1 + r.IntN(4)), MinStayThrough: new(1 + r.IntN(3)), ClosedToArrival: new(r.IntN(3) == 0), Closed: new(r.IntN(5) == 0)}
		_, _, err = b.ldg.UpdateRestrictions(ctx, testkit.Tester, hotel.Once{}, restrict(b.house, r, room, nights, says))
	case 6:
		b.change(func(c *hotel.Channel) {
			c.Markup = &hotel.Markup{Kind: hotel.Percent, Value: strconv.Itoa(r.IntN(20))}
		})
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// restrict is a restriction of the whole house, of a room type, a plan or a
// product.
func restrict(h testkit.House, r *rand.Rand, room int, nights hotel.Span, says hotel.Restriction) hotel.RestrictionUpdate {
	e := hotel.RestrictionEntry{Dates: hotel.Dates{Span: nights}, Closed: given(says.Closed), ClosedToArrival: given(says.ClosedToArrival), MinStayArrival: given(says.MinStayArrival), MinStayThrough: given(says.MinStayThrough)}
	if level := r.IntN(4); level&1 != 0 {
		e.RoomTypeID = h.Rooms[room].ID
	} else if level&2 != 0 {
		e.RatePlanID = h.Plans[r.IntN(len(h.Plans))].ID
	}
	return hotel.RestrictionUpdate{PropertyID: h.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{e}}
}

func given[V any](v *V) hotel.Optional[V] { return hotel.Given(*v) }

// explained compares one explanation with what is wanted of the night.
func (b *bench) explained(r *rand.Rand) {
	b.t.Helper()
	room, plan := r.IntN(len(b.house.Rooms)), r.IntN(len(b.house.Plans))
	of := hotel.ExplainQuery{ChannelID: channel, RoomTypeID: b.house.Rooms[room].ID, RatePlanID: b.house.Plans[plan].ID, Night: b.today + hotel.Date(r.IntN(9))}
	x, err := New(b.worker.Options).Explain(context.Background(), of)
	if err != nil {
		b.t.Fatal(err)
	}
	if len(x.Groups) < 2 || len(x.Numbers) < 2 || len(x.Calls) == 0 {
		b.t.Fatalf("explained: %+v", x)
	}
	compared := 0
	for _, n := range x.Numbers {
		for _, g := range x.Groups {
			if g.Group != n.Group || n.Group == hotel.Price && g.Occupancy != n.Occupancy || b.caps.Fields[n.Field].As != hotel.Exact {
				continue
			}
			compared++
			if got, want := n.Result(), ofField(n.Field, g); g.Desired == nil || got.Text != want && strconv.Itoa(got.Count) != want {
				b.t.Errorf("%s of %s on %s ends at %+v, wanted is %s\n%+v", n.Field, of.RatePlanID, of.Night, got, want, n.Steps)
			}
		}
	}
	if compared < 2 {
		b.t.Errorf("%d numbers of %d groups compared", compared, len(x.Groups))
	}
}

// ofField is what is wanted of a field.
func ofField(f hotel.Field, g hotel.GroupSight) string {
	if g.Desired == nil {
		return "nothing"
	}
	switch o := g.Desired.Value; f {
	case hotel.FieldAvailable:
		return strconv.Itoa(o.Available)
	case hotel.FieldAmount:
		return o.Amount.Amount()
	case hotel.FieldClosed:
		return strconv.FormatBool(o.Closed.Closed)
	case hotel.FieldClosedToArrival:
		return strconv.FormatBool(o.Closed.Arrival)
	case hotel.FieldMinStayArrival:
		return strconv.Itoa(o.Lengths.MinStayArrival)
	case hotel.FieldMinStayThrough:
		return strconv.Itoa(o.Lengths.MinStayThrough)
	case hotel.FieldMaxStayArrival:
		return strconv.Itoa(o.Lengths.MaxStayArrival)
	default:
		return ""
	}
}

// The past is explained as it was: what was derived, sent and answered by then.
func TestTheExplanationOfThePast(t *testing.T) {
	run(t, nil, func(b *bench) {
		ctx, night := context.Background(), b.today+3
		b.rest()
		ask := func(at time.Time) hotel.Explanation {
			t.Helper()
			x, err := New(b.worker.Options).Explain(ctx, hotel.ExplainQuery{
				ChannelID: channel, RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID, Night: night, AsOf: hotel.AsOf{At: at},
			})
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		before := time.Now()
		time.Sleep(time.Hour)
		b.suites(night, 1)
		b.price(night, 20000)
		b.rest()
		for _, c := range []struct {
			name  string
			at    time.Time
			rooms int
			price string
		}{{"before", before, 3, "100.00"}, {"now", time.Time{}, 1, "200.00"}} {
			x := ask(c.at)
			for _, n := range x.Numbers {
				switch {
				case n.Field == hotel.FieldAvailable && n.Result().Count != c.rooms:
					t.Errorf("%s: %d rooms, want %d: %+v", c.name, n.Result().Count, c.rooms, n.Steps)
				case n.Field == hotel.FieldAmount && n.Occupancy == 2 && n.Result().Text != c.price:
					t.Errorf("%s: %s, want %s: %+v", c.name, n.Result().Text, c.price, n.Steps)
				}
			}
			for _, g := range x.Groups {
				if g.Group == hotel.Availability && (g.State != hotel.InSync || g.Acknowledged == nil || g.Acknowledged.Value.Available != c.rooms || g.Desired == nil || g.Desired.Value.Available != c.rooms) {
					t.Errorf("%s: %+v %+v %+v", c.name, g, g.Acknowledged, g.Desired)
				}
			}
		}
	})
}

package dispatch

import (
	"context"
	"math/rand/v2"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// atOccupancy is what the channel sells with the suites' first rate mapped for a
// number of guests.
func (b *bench) atOccupancy(guests int) []hotel.Mapping {
	all := b.house.Mappings()
	for i, m := range all {
		if m.RoomTypeID == b.house.Rooms[2].ID && m.RatePlanID == b.house.Plans[0].ID {
			all[i].Guests = guests
		}
	}
	return all
}

// anyOccupancies maps what the channel sells for any numbers of guests.
func (b *bench) anyOccupancies(r *rand.Rand) []hotel.Mapping {
	all := b.house.Mappings()
	for i := range all {
		all[i].Guests = r.IntN(b.house.Rooms[0].MaxOccupancy + 1)
	}
	return all
}

// amountOf explains the price of the suites' first rate itself.
func (b *bench) amountOf(night hotel.Date) hotel.Explained {
	b.t.Helper()
	x, err := New(b.worker.Options).Explain(context.Background(), hotel.ExplainQuery{
		ChannelID: channel, RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID, Night: night,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, n := range x.Numbers {
		if n.Group == hotel.Price && n.Mapped > 0 {
			return n
		}
	}
	b.t.Fatalf("no amount names the occupancy of its mapping: %+v", x.Numbers)
	return hotel.Explained{}
}

func TestACodeIsToldThePriceForItsGuests(t *testing.T) {
	for _, byGuests := range []bool{false, true} {
		run(t, func(b *bench) { b.caps.Occupancies = byGuests }, func(b *bench) {
			b.rest()
			night := b.today + 3
			b.forOne(night, 7700)
			n := b.rest()
			b.remap(b.atOccupancy(1))
			b.rest()
			b.opensBehind(n, night, 7700)
			if got := b.amountOf(night); got.Mapped != 1 || got.Result().Text != "77.00" {
				t.Errorf("explained as %+v", got)
			}
			n = b.rest()
			b.forOne(night, 8800)
			b.rest()
			if got := b.far.shows(b.suiteRate(hotel.Price, night)).Amount.Minor; got != 8800 {
				t.Errorf("told by guests: %t: a price that has changed is shown as %d", byGuests, got)
			}
			for _, call := range b.far.since(n) {
				if _, sent := call.sends[b.guests(night, 1)]; sent != byGuests {
					t.Errorf("told by guests: %t; the price for one by itself is sent: %t", byGuests, sent)
				}
			}
		})
	}
}

// Where further guests pay, the price of a room plan is another for more of them.
func TestACodeOfARoomPlanIsToldWhatFurtherGuestsPay(t *testing.T) {
	run(t, nil, func(b *bench) {
		plan := b.house.Plans[0]
		b.changePlan(func(p *hotel.RatePlan) { p.Pricing = hotel.PerRoomPrice })
		b.rest()
		night := b.today + 3
		base := b.far.shows(b.suiteRate(hotel.Price, night)).Amount.Minor
		further := func(amount int64) {
			t.Helper()
			_, _, err := b.ldg.UpdateRates(context.Background(), testkit.Tester, hotel.Once{}, hotel.RateUpdate{
				PropertyID: b.house.Property.ID, Source: "api", Entries: []hotel.RateEntry{{
					RoomTypeID: b.house.Rooms[2].ID, RatePlanID: plan.ID, Dates: hotel.Dates{Span: hotel.Span{From: night, To: night}},
					ExtraAdult: hotel.Given(hotel.Money{Minor: amount, Currency: "EUR"}),
				}},
			})
			if err != nil {
				t.Fatal(err)
			}
			b.rest()
		}
		further(2500)
		if got := b.far.shows(b.suiteRate(hotel.Price, night)).Amount.Minor; got != base {
			t.Errorf("the price of the room has become %d of %d by what a further guest pays", got, base)
		}
		n := b.rest()
		b.remap(b.atOccupancy(4))
		b.rest()
		b.opensBehind(n, night, base+2*2500)
		if got := b.far.shows(b.suiteRate(hotel.Price, night+1)).Amount.Minor; got != base {
			t.Errorf("a night on which further guests pay nothing is shown at %d of %d", got, base)
		}
		further(3000)
		if got := b.far.shows(b.suiteRate(hotel.Price, night)).Amount.Minor; got != base+2*3000 {
			t.Errorf("%d is shown, want %d", got, base+2*3000)
		}
		suites := b.suiteRate(hotel.Price, night)
		for _, call := range b.far.since(n) {
			for k := range call.sends {
				if k.Occupancy > 0 && k.Rate == suites.Rate && k.Room == suites.Room {
					t.Fatalf("a plan by the room is told a price for %d guests by itself", k.Occupancy)
				}
			}
		}
	})
}

package dispatch

import (
	"context"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// restrict says something about the suites under the plan on a night.
func (b *bench) restrict(plan int, night hotel.Date, e hotel.RestrictionEntry) {
	b.t.Helper()
	e.RoomTypeID, e.RatePlanID = b.house.Rooms[2].ID, b.house.Plans[plan].ID
	e.Dates = hotel.Dates{Span: hotel.Span{From: night, To: night}}
	_, _, err := b.ldg.UpdateRestrictions(context.Background(), testkit.Tester, hotel.Once{}, hotel.RestrictionUpdate{
		PropertyID: b.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{e},
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// minimums are the least stays shown for arrivals around a night.
func (b *bench) minimums(plan int, night hotel.Date) (out [4]int) {
	for i := range out {
		k := connectors.Key{Room: b.house.RemoteRoom(2), Rate: b.house.RemoteRate(plan), Group: hotel.Lengths, Night: night - 2 + hotel.Date(i)}
		out[i] = b.far.shows(k).Lengths.MinStayArrival
	}
	return out
}

func TestARestrictionMovesWhatIsToldOfOtherNights(t *testing.T) {
	run(t, func(b *bench) { b.caps.Fields[hotel.FieldMinStayThrough] = hotel.Carriage{As: hotel.Coarser} }, func(b *bench) {
		b.rest()
		night := b.today + 10
		b.restrict(0, night, hotel.RestrictionEntry{MinStayThrough: hotel.Given(3)})
		b.rest()
		if got, want := b.minimums(0, night), [4]int{0, 3, 3, 0}; got != want {
			t.Errorf("minimums around the night are %v, want %v", got, want)
		}
		n := b.rest()
		b.restrict(0, night, hotel.RestrictionEntry{MinStayThrough: hotel.Optional[int]{Set: true, Null: true}})
		b.rest()
		if got := b.minimums(0, night); got != ([4]int{}) {
			t.Errorf("minimums around the night are %v, want none", got)
		}
		told := 0
		for _, call := range b.far.since(n) {
			told += len(call.Keys)
		}
		if plans := len(b.house.Plans); told > 2*plans {
			t.Errorf("%d cells were told, want only those that changed", told)
		}
	})
}

func TestOneNumberForTheRoomIsTheStrictestOfItsRates(t *testing.T) {
	run(t, func(b *bench) {
		b.caps.Fields[hotel.FieldMinStayArrival] = hotel.Carriage{As: hotel.Exact, Level: hotel.PerRoomType}
	}, func(b *bench) {
		b.rest()
		night, last := b.today+10, len(b.house.Plans)-1
		b.restrict(last, night, hotel.RestrictionEntry{MinStayArrival: hotel.Given(2)})
		b.rest()
		for plan := range b.house.Plans {
			if got, want := b.minimums(plan, night), [4]int{0, 0, 2, 0}; got != want {
				t.Errorf("plan %d: minimums around the night are %v, want %v", plan, got, want)
			}
		}
	})
}

package availability_test

import (
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

func TestCarry(t *testing.T) {
	exact := hotel.Carriage{As: hotel.Exact}
	all := hotel.LengthLimits{MinStayArrival: 2, MinStayThrough: 3, MaxStayArrival: 9, MaxStayThrough: 8, MinAdvance: 1, MaxAdvance: 90}
	tests := []struct {
		name   string
		rules  availability.NightRules
		fields map[hotel.Field]hotel.Carriage
		want   availability.NightRules
	}{
		{
			"a channel that carries nothing is still closed",
			availability.NightRules{Closed: hotel.Closed{Closed: true, Arrival: true, Departure: true}, Lengths: all},
			nil,
			availability.NightRules{Closed: hotel.Closed{Closed: true}},
		},
		{
			"what is carried without bounds arrives as it is",
			availability.NightRules{Closed: hotel.Closed{Arrival: true, Departure: true}, Lengths: all},
			map[hotel.Field]hotel.Carriage{
				hotel.FieldClosedToArrival: exact, hotel.FieldClosedToDeparture: exact,
				hotel.FieldMinStayArrival: exact, hotel.FieldMinStayThrough: exact,
				hotel.FieldMaxStayArrival: exact, hotel.FieldMaxStayThrough: exact,
				hotel.FieldMinAdvance: exact, hotel.FieldMaxAdvance: exact,
			},
			availability.NightRules{Closed: hotel.Closed{Arrival: true, Departure: true}, Lengths: all},
		},
		{
			"no limit stays no limit",
			availability.NightRules{},
			map[hotel.Field]hotel.Carriage{hotel.FieldMinStayArrival: {As: hotel.Exact, Min: 1, Max: 28}},
			availability.NightRules{},
		},
		{
			"a minimum below the bounds is raised, a maximum above them lowered",
			availability.NightRules{Lengths: hotel.LengthLimits{MinStayArrival: 1, MaxStayArrival: 99}},
			map[hotel.Field]hotel.Carriage{
				hotel.FieldMinStayArrival: {As: hotel.Exact, Min: 2, Max: 28},
				hotel.FieldMaxStayArrival: {As: hotel.Exact, Min: 2, Max: 28},
			},
			availability.NightRules{Lengths: hotel.LengthLimits{MinStayArrival: 2, MaxStayArrival: 28}},
		},
		{
			"a minimum above the bounds closes",
			availability.NightRules{Lengths: hotel.LengthLimits{MinStayArrival: 30}},
			map[hotel.Field]hotel.Carriage{hotel.FieldMinStayArrival: {As: hotel.Exact, Max: 28}},
			availability.NightRules{Closed: hotel.Closed{Closed: true}, Lengths: hotel.LengthLimits{MinStayArrival: 28}},
		},
		{
			"a maximum below the bounds closes",
			availability.NightRules{Lengths: hotel.LengthLimits{MaxStayThrough: 2}},
			map[hotel.Field]hotel.Carriage{hotel.FieldMaxStayThrough: {As: hotel.Exact, Min: 3}},
			availability.NightRules{Closed: hotel.Closed{Closed: true}, Lengths: hotel.LengthLimits{MaxStayThrough: 3}},
		},
		{
			"a minimum above its maximum closes",
			availability.NightRules{Lengths: hotel.LengthLimits{MinStayThrough: 5, MaxStayThrough: 4}},
			map[hotel.Field]hotel.Carriage{hotel.FieldMinStayThrough: exact, hotel.FieldMaxStayThrough: exact},
			availability.NightRules{Closed: hotel.Closed{Closed: true}, Lengths: hotel.LengthLimits{MinStayThrough: 5, MaxStayThrough: 4}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := availability.Carry(test.rules, test.fields); got != test.want {
				t.Errorf("carried = %+v, want %+v", got, test.want)
			}
		})
	}
}

// No channel that carries every field lets a stay through that the house
// forbids, and every number it is told lies within its bounds.
func TestCarryNeverLoosens(t *testing.T) {
	fields := []hotel.Field{
		hotel.FieldClosedToArrival, hotel.FieldClosedToDeparture,
		hotel.FieldMinStayArrival, hotel.FieldMinStayThrough, hotel.FieldMaxStayArrival, hotel.FieldMaxStayThrough,
		hotel.FieldMinAdvance, hotel.FieldMaxAdvance,
	}
	rapid.Check(t, func(t *rapid.T) {
		carriage := map[hotel.Field]hotel.Carriage{}
		for _, f := range fields {
			c := hotel.Carriage{As: hotel.Exact, Min: rapid.IntRange(0, 3).Draw(t, "min"), Max: rapid.IntRange(0, 6).Draw(t, "max")}
			if c.Max < c.Min {
				c.Max = 0
			}
			carriage[f] = c
		}
		house := make([]availability.NightRules, horizon+1)
		carried := make([]availability.NightRules, horizon+1)
		for i := range house {
			house[i] = drawRules(t)
			carried[i] = availability.Carry(house[i], carriage)
			n := carried[i].Lengths
			for f, v := range map[hotel.Field]int{
				hotel.FieldMinStayArrival: n.MinStayArrival, hotel.FieldMinStayThrough: n.MinStayThrough,
				hotel.FieldMaxStayArrival: n.MaxStayArrival, hotel.FieldMaxStayThrough: n.MaxStayThrough,
				hotel.FieldMinAdvance: n.MinAdvance, hotel.FieldMaxAdvance: n.MaxAdvance,
			} {
				if c := carriage[f]; v != 0 && (v < c.Min || c.Max > 0 && v > c.Max) {
					t.Fatalf("%s is %d, outside %d to %d", f, v, c.Min, c.Max)
				}
			}
		}
		today := rapid.IntRange(-8, 2).Draw(t, "today")
		for in := range 4 {
			for out := in + 1; out <= in+14; out++ {
				if mayStay(carried, in, out, today) && !mayStay(house, in, out, today) {
					t.Fatalf("stay %d to %d: the channel sells what the house forbids", in, out)
				}
			}
		}
	})
}

package availability_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

func TestViolations(t *testing.T) {
	day := hotel.DateOf(2026, time.December, 1)
	type rules map[hotel.Date]availability.NightRules
	tests := []struct {
		name  string
		rules rules
		stay  hotel.Stay
		want  []availability.Violation
	}{
		{"no rules", nil, hotel.Stay{CheckIn: day, CheckOut: day + 2}, nil},
		{
			"arrival fields are read on the check-in date only",
			rules{
				day:     {Lengths: hotel.LengthLimits{MinStayArrival: 2, MaxStayArrival: 4}},
				day + 1: {Closed: hotel.Closed{Arrival: true}, Lengths: hotel.LengthLimits{MinStayArrival: 7, MaxStayArrival: 1}},
			},
			hotel.Stay{CheckIn: day, CheckOut: day + 3},
			nil,
		},
		{
			"all that is wrong on arrival",
			rules{day: {
				Closed:  hotel.Closed{Arrival: true},
				Lengths: hotel.LengthLimits{MinStayArrival: 3, MaxStayArrival: 1, MinAdvance: 11, MaxAdvance: 9},
			}},
			hotel.Stay{CheckIn: day, CheckOut: day + 2},
			[]availability.Violation{
				{Field: hotel.FieldClosedToArrival, Date: day, Detail: "closed to arrival"},
				{Field: hotel.FieldMinStayArrival, Date: day, Limit: 3, Detail: "at least 3 nights"},
				{Field: hotel.FieldMaxStayArrival, Date: day, Limit: 1, Detail: "at most 1 nights"},
				{Field: hotel.FieldMinAdvance, Date: day, Limit: 11, Detail: "at least 11 days ahead"},
				{Field: hotel.FieldMaxAdvance, Date: day, Limit: 9, Detail: "at most 9 days ahead"},
			},
		},
		{
			"closings and through fields are read on every night",
			rules{
				day + 1: {Closed: hotel.Closed{Closed: true}, Lengths: hotel.LengthLimits{MinStayThrough: 3}},
				day + 2: {Lengths: hotel.LengthLimits{MaxStayThrough: 1}},
			},
			hotel.Stay{CheckIn: day, CheckOut: day + 2},
			[]availability.Violation{
				{Field: hotel.FieldClosed, Date: day + 1, Detail: "closed"},
				{Field: hotel.FieldMinStayThrough, Date: day + 1, Limit: 3, Detail: "at least 3 nights"},
			},
		},
		{
			"the departure field is read on the check-out date, whose night may be closed",
			rules{
				day:     {Closed: hotel.Closed{Departure: true}},
				day + 1: {Closed: hotel.Closed{Departure: true}},
				day + 2: {Closed: hotel.Closed{Departure: true, Closed: true}},
			},
			hotel.Stay{CheckIn: day, CheckOut: day + 2},
			[]availability.Violation{{Field: hotel.FieldClosedToDeparture, Date: day + 2, Detail: "closed to departure"}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			at := func(d hotel.Date) availability.NightRules { return test.rules[d] }
			got := availability.Violations(test.stay, day-10, at)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

// drawRules draws merged rules that forbid something now and then.
func drawRules(t *rapid.T) availability.NightRules {
	rarely := func(label string) bool { return rapid.IntRange(0, 11).Draw(t, label) == 0 }
	number := func(label string, most int) int {
		if !rarely(label) {
			return 0
		}
		return rapid.IntRange(1, most).Draw(t, label)
	}
	return availability.NightRules{
		Closed: hotel.Closed{Closed: rarely("closed"), Arrival: rarely("arrival"), Departure: rarely("departure")},
		Lengths: hotel.LengthLimits{
			MinStayArrival: number("min arrival", 5), MinStayThrough: number("min through", 4),
			MaxStayArrival: number("max arrival", 9), MaxStayThrough: number("max through", 9),
			MinAdvance: number("min advance", 9), MaxAdvance: number("max advance", 9),
		},
	}
}

// mayStay is the meaning of the rules in plain words, guest by guest.
func mayStay(rules []availability.NightRules, checkIn, checkOut, today int) bool {
	nights := checkOut - checkIn
	atMost := func(n, limit int) bool { return limit == 0 || n <= limit }
	in := rules[checkIn]
	switch {
	case in.Closed.Arrival, rules[checkOut].Closed.Departure:
		return false
	case nights < in.Lengths.MinStayArrival, !atMost(nights, in.Lengths.MaxStayArrival):
		return false
	case in.Lengths.MinAdvance > 0 && checkIn-today < in.Lengths.MinAdvance:
		return false
	case !atMost(checkIn-today, in.Lengths.MaxAdvance):
		return false
	}
	for _, night := range rules[checkIn:checkOut] {
		if night.Closed.Closed || nights < night.Lengths.MinStayThrough || !atMost(nights, night.Lengths.MaxStayThrough) {
			return false
		}
	}
	return true
}

// horizon is enough for every stay of up to 14 nights from the first 4 dates.
const horizon = 4 + 14

func TestViolationsOverAllStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := make([]availability.NightRules, horizon+1)
		for i := range rules {
			rules[i] = drawRules(t)
		}
		at := func(d hotel.Date) availability.NightRules { return rules[d] }
		today := rapid.IntRange(-8, 2).Draw(t, "today")
		for in := range 4 {
			for out := in + 1; out <= in+14; out++ {
				stay := hotel.Stay{CheckIn: hotel.Date(in), CheckOut: hotel.Date(out)}
				want := mayStay(rules, in, out, today)
				if got := availability.Violations(stay, hotel.Date(today), at); (got == nil) != want {
					t.Fatalf("stay %d to %d: violations %v, may stay %t", in, out, got, want)
				}
				if got := availability.Allows(stay, hotel.Date(today), at); got != want {
					t.Fatalf("stay %d to %d: allowed %t, may stay %t", in, out, got, want)
				}
			}
		}
	})
}

func TestStricterLetsThroughWhatBothLetThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(label string) int { return rapid.SampledFrom([]int{0, 0, 1, 2, 3, 5}).Draw(t, label) }
		limits := func() hotel.LengthLimits {
			return hotel.LengthLimits{
				MinStayArrival: number("min arrival"), MinStayThrough: number("min through"),
				MaxStayArrival: number("max arrival"), MaxStayThrough: number("max through"),
				MinAdvance: number("min advance"), MaxAdvance: number("max advance"),
			}
		}
		a, b := limits(), limits()
		always := func(n hotel.LengthLimits) func(hotel.Date) availability.NightRules {
			return func(hotel.Date) availability.NightRules { return availability.NightRules{Lengths: n} }
		}
		for ahead := range hotel.Date(7) {
			for nights := hotel.Date(1); nights <= 6; nights++ {
				stay := hotel.Stay{CheckIn: ahead, CheckOut: ahead + nights}
				want := availability.Allows(stay, 0, always(a)) && availability.Allows(stay, 0, always(b))
				if got := availability.Allows(stay, 0, always(availability.Stricter(a, b))); got != want {
					t.Fatalf("%d nights, %d days ahead: %t, want %t", nights, ahead, got, want)
				}
			}
		}
	})
}

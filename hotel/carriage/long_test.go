package carriage_test

import (
	"testing"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/carriage"
)

// A minimum is told to a channel that takes it however long it is: up to the longest that the
// house can set no arrival is closed for it.
func TestALongMinimumIsTold(t *testing.T) {
	c := channelOf(
		field{hotel.FieldMinStayArrival, hotel.Carriage{As: hotel.Exact, Max: 99}}, field{hotel.FieldMaxStayArrival, exact}, field{hotel.FieldClosedToArrival, exact},
		field{hotel.FieldMinStayThrough, coarser}, field{hotel.FieldMaxStayThrough, coarser}, field{hotel.FieldClosedToDeparture, exact},
	)
	short := channelOf(field{hotel.FieldMinStayArrival, hotel.Carriage{As: hotel.Exact, Max: 28}}, field{hotel.FieldClosedToArrival, exact})
	for least := 2; least <= hotel.MaxLength; least++ {
		house := make(nights, 120)
		house[3].Lengths.MinStayArrival = least
		facts := carriage.House{Products: [][]availability.NightRules{house}}
		if at := c.Tell(facts).Products[0][3]; at.Closed.Arrival || at.Lengths.MinStayArrival != least {
			t.Errorf("of a minimum of %d is told %+v", least, at)
		}
		if at := short.Tell(facts).Products[0][3]; at.Closed.Arrival != (least > 28) {
			t.Errorf("of a minimum of %d a channel that takes 28 is told %+v", least, at)
		}
	}
}

// Lengths about and behind the longest that is worked out forbid what the house forbids.
func TestLongLengthsForbidNoLess(t *testing.T) {
	for _, takes := range []int{28, 61, 62, 99} {
		as := hotel.Carriage{As: hotel.Exact, Max: takes}
		c := channelOf(field{hotel.FieldMinStayArrival, as}, field{hotel.FieldMaxStayArrival, as}, field{hotel.FieldClosedToArrival, exact}, field{hotel.FieldMinStayThrough, coarser})
		for _, least := range []int{0, 59, 61, 62, 66} {
			for _, most := range []int{0, 60, 61, 62, 67} {
				for _, through := range []int{0, 63} {
					if through != 0 && (least != 62 || most != 0) {
						continue // it takes long, and is no other matter
					}
					house := make(nights, 80)
					house[2].Lengths.MinStayArrival, house[2].Lengths.MaxStayArrival = least, most
					house[4].Lengths.MinStayThrough = through
					told := nights(c.Tell(carriage.House{Products: [][]availability.NightRules{house}}).Products[0])
					for in := range 6 {
						for out := in + 50; out <= len(house); out++ {
							if told.allows(fields, in, out, 0, c) && !house.allows(respected(c), in, out, 0, carriage.Channel{}) {
								t.Errorf("takes %d, at least %d, at most %d, through %d: stay %d to %d is sold", takes, least, most, through, in, out)
							}
						}
					}
				}
			}
		}
	}
}

package carriage_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/carriage"
)

// TestWhatAFieldCostsIsCounted: the stays that are shown as the cost of a field are those that
// the channel turns away, stay by stay, less those that it would turn away all the same if
// nobody had to look at the field. One of which the house says nothing costs nothing, though
// without it the rest may be told another way.
func TestWhatAFieldCostsIsCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChannel(t)
		products := make([][]availability.NightRules, rapid.IntRange(1, 2).Draw(t, "products"))
		for p := range products {
			products[p] = drawHouse(t, 12, true)
		}
		h := carriage.House{Today: hotel.Date(rapid.IntRange(-8, 0).Draw(t, "today")), Products: products}
		shown := c.Cost(h)
		for _, f := range fields {
			coarser := f != hotel.FieldClosed && (c.Fields[f].As == hotel.Coarser || c.Fields[f].As == hotel.Absent && c.Absent[f] == hotel.CloseNights)
			want := 0
			if coarser && saidOf(f, products) {
				without := carriage.Channel{Fields: map[hotel.Field]hotel.Carriage{}, Absent: map[hotel.Field]hotel.AbsentPolicy{}}
				for of, v := range c.Fields {
					if of != f {
						without.Fields[of] = v
					}
				}
				for of, v := range c.Absent {
					if of != f {
						without.Absent[of] = v
					}
				}
				want = max(0, turnedAway(c, h)-turnedAway(without, h))
			}
			if shown[f] != want {
				t.Fatalf("%s is said to cost %d stays, counted are %d\nchannel %+v\nhouse %+v", f, shown[f], want, c, products)
			}
		}
	})
}

func saidOf(f hotel.Field, products [][]availability.NightRules) bool {
	return slices.ContainsFunc(products, func(nights []availability.NightRules) bool {
		return slices.ContainsFunc(nights, func(n availability.NightRules) bool { return n.Says(f) })
	})
}

// turnedAway counts, stay by stay, what the house allows and is not on sale as it is told.
func turnedAway(c carriage.Channel, h carriage.House) (n int) {
	told := c.Tell(h)
	for p := range h.Products {
		house, at := nights(h.Products[p]), nights(told.Products[p])
		for in := range house {
			for out := in + 1; out <= len(house) && out-in <= told.Longest; out++ {
				if house.house(in, out, int(h.Today)) && !at.allows(fields, in, out, int(h.Today), c) {
					n++
				}
			}
		}
	}
	return n
}

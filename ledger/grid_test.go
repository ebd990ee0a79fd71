package ledger

import (
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

func TestGridAgainstAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s grid[int]
		model := map[hotel.Cell]int{}
		cell := rapid.Custom(func(t *rapid.T) hotel.Cell {
			return hotel.Cell{
				Line: rapid.Int64Range(1, 3).Draw(t, "line"), Group: rapid.SampledFrom([]hotel.Group{hotel.Availability, hotel.Price}).Draw(t, "group"),
				Occupancy: rapid.IntRange(0, 1).Draw(t, "occupancy"), Night: hotel.Date(rapid.IntRange(-70, 200).Draw(t, "night")),
			}
		})
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				c, v := cell.Draw(t, "cell"), rapid.Int().Draw(t, "value")
				s.put(c, &v)
				model[c] = v
			},
			"": func(t *rapid.T) {
				c := cell.Draw(t, "cell")
				v, known := model[c]
				if got := s.at(c); (got != nil) != known || known && *got != v {
					t.Fatalf("%v of %+v, want %d %t", got, c, v, known)
				}
				n := 0
				for c, got := range s.all() {
					if n++; model[c] != *got {
						t.Fatalf("%d is listed of %+v, want %d", *got, c, model[c])
					}
				}
				if n != len(model) {
					t.Fatalf("%d cells are listed, want %d", n, len(model))
				}
			},
		})
	})
}

package price_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

func TestRateFor(t *testing.T) {
	room := price.Product{Pricing: hotel.PerRoomPrice, Base: 2, Most: 4, Bands: chainBands}
	heads := price.Product{Pricing: hotel.PerOccupancy, Base: 2, Most: 5, Bands: chainBands}
	extra := &price.Extra{Adult: 3000, Child: map[string]int64{"kid": 1000, "teen": 2000, "baby": 500}}
	kidsOnly := &price.Extra{Adult: price.None, Child: map[string]int64{"kid": 1000}}
	party := func(adults int, ages ...int) price.Guests { return chainBands.Guests(adults, ages) }
	tests := []struct {
		name    string
		product price.Product
		rate    price.Rate
		guests  price.Guests
		want    int64
	}{
		{"a room costs the same for one and for four", room, price.Rate{Amount: 10000}, party(4), 10000},
		{"no price", room, price.Rate{Amount: price.None, Extra: extra}, party(2), price.None},
		{"the base occupancy pays nothing more", room, price.Rate{Amount: 10000, Extra: extra}, party(2), 10000},
		{"a third adult pays", room, price.Rate{Amount: 10000, Extra: extra}, party(3), 13000},
		{"a child on the second place pays nothing", room, price.Rate{Amount: 10000, Extra: extra}, party(1, 5), 10000},
		{"a child beside two adults pays for its age", room, price.Rate{Amount: 10000, Extra: extra}, party(2, 13), 12000},
		{"the amount covers those who would pay most", room, price.Rate{Amount: 10000, Extra: extra}, party(1, 5, 13), 11000},
		{"an infant pays what was typed and takes no place", room, price.Rate{Amount: 10000, Extra: extra}, party(2, 1), 10500},
		{"an infant of whom nothing was typed is free", room, price.Rate{Amount: 10000, Extra: kidsOnly}, party(3, 1), 10000},
		{"a child without a price of its own is an adult", room, price.Rate{Amount: 10000, Extra: &price.Extra{Adult: 3000}}, party(2, 5), 13000},
		{"a child of an adult band is an adult", room, price.Rate{Amount: 10000, Extra: extra}, party(2, 17), 13000},
		{"a child older than every band is an adult", room, price.Rate{Amount: 10000, Extra: extra}, party(2, 40), 13000},

		{"its own number", heads, price.Rate{Amount: 10000, ByOccupancy: map[int]int64{1: 8000}}, party(1), 8000},
		{"the next larger number", heads, price.Rate{Amount: 10000, ByOccupancy: map[int]int64{4: 16000}}, party(3), 16000},
		{"the next larger number is the base", heads, price.Rate{Amount: 10000}, party(1), 10000},
		{"nothing larger", heads, price.Rate{Amount: 10000}, party(3), price.None},
		{"a further adult rather than the next larger", heads, price.Rate{Amount: 10000, ByOccupancy: map[int]int64{5: 16000}, Extra: extra}, party(3), 13000},
		{"further adults above the nearest smaller number", heads, price.Rate{Amount: 10000, ByOccupancy: map[int]int64{3: 12000}, Extra: extra}, party(5), 18000},
		{"children on top of the adults", heads, price.Rate{Amount: 10000, ByOccupancy: map[int]int64{1: 8000}, Extra: kidsOnly}, party(1, 5, 6), 10000},
		{"a child without a price counts as a guest", heads, price.Rate{Amount: 10000, ByOccupancy: map[int]int64{3: 12000}, Extra: kidsOnly}, party(2, 13), 12000},
		{"children on top of no price", heads, price.Rate{Amount: price.None, Extra: kidsOnly}, party(2, 5), price.None},
		{"without an amount its own number", heads, price.Rate{Amount: price.None, ByOccupancy: map[int]int64{3: 12000}}, party(3), 12000},
		{"without an amount no larger number", heads, price.Rate{Amount: price.None, ByOccupancy: map[int]int64{3: 12000}}, party(2), price.None},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.rate.For(&test.product, &test.guests); got != test.want {
				t.Errorf("price = %d, want %d", got, test.want)
			}
		})
	}
}

// A room's amount covers the choice of guests that leaves least to pay: the model
// tries every choice.
func TestRoomCoversTheDearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := func(name string) int64 { return rapid.Int64Range(0, 40).Draw(t, name) }
		rate := price.Rate{Amount: 100, Extra: &price.Extra{
			Adult: amount("adult"), Child: map[string]int64{"kid": amount("kid"), "teen": amount("teen")},
		}}
		product := price.Product{Pricing: hotel.PerRoomPrice, Base: rapid.IntRange(1, 4).Draw(t, "base"), Most: 9, Bands: chainBands}
		var pays []int64
		guests := price.Adults(rapid.IntRange(1, 4).Draw(t, "adults"))
		guests.ByBand[1], guests.ByBand[2] = rapid.IntRange(0, 3).Draw(t, "kids"), rapid.IntRange(0, 3).Draw(t, "teens")
		pays = append(pays, slices.Repeat([]int64{rate.Extra.Adult}, guests.Adults)...)
		pays = append(pays, slices.Repeat([]int64{rate.Extra.Child["kid"]}, guests.ByBand[1])...)
		pays = append(pays, slices.Repeat([]int64{rate.Extra.Child["teen"]}, guests.ByBand[2])...)
		want := int64(-1)
		for covered := range 1 << len(pays) {
			places, left := 0, int64(0)
			for i, p := range pays {
				if covered&(1<<i) != 0 {
					places++
				} else {
					left += p
				}
			}
			if places <= product.Base && (want < 0 || left < want) {
				want = left
			}
		}
		if got := rate.For(&product, &guests); got != 100+want {
			t.Fatalf("price = %d, want 100 and %d", got, want)
		}
	})
}

func TestUnknownAges(t *testing.T) {
	if g := (price.Bands{}).Guests(2, []int{-1, 5}); g != price.Adults(4) {
		t.Errorf("guests without bands = %+v, want four adults", g)
	}
	g := chainBands.Guests(2, []int{-1, 5})
	var tried [][price.MaxBands]int
	chainBands.Supposed(g, func(g price.Guests) bool {
		tried = append(tried, g.ByBand)
		return true
	})
	want := [][price.MaxBands]int{{0, 2}, {0, 1, 1}}
	if !slices.Equal(tried, want) {
		t.Errorf("bands tried = %v, want %v: every band that counts as child", tried, want)
	}
	tried = nil
	chainBands.Supposed(g, func(g price.Guests) bool {
		tried = append(tried, g.ByBand)
		return false
	})
	if len(tried) != 1 {
		t.Errorf("went on %d times after there was no price", len(tried))
	}
}

package exposure

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestDeal(t *testing.T) {
	for _, c := range []struct {
		name          string
		rooms, direct int
		sellers       []Seller
		want          []int
	}{
		{"by weight, the rest for the desk", 10, 2, []Seller{{Weight: 5}, {Weight: 3}}, []int{5, 3}},
		{"the largest remainder has the odd room", 5, 0, []Seller{{Weight: 2}, {Weight: 1}}, []int{3, 2}},
		{"equal remainders go by priority", 3, 0, []Seller{{Weight: 1, Priority: 2}, {Weight: 1, Priority: 1}}, []int{1, 2}},
		{"everybody has one", 4, 1, []Seller{{Weight: 97}, {Weight: 1}, {Weight: 1}}, []int{2, 1, 1}},
		{"of equal parts the smaller seller gives", 40, 0, []Seller{{}, {}, {}, {Weight: 34}, {Weight: 33}}, []int{1, 1, 1, 19, 18}},
		{"the desk gives its room first", 2, 8, []Seller{{Weight: 1}, {Weight: 1}}, []int{1, 1}},
		{"too few for everybody", 1, 1, []Seller{{Weight: 1, Priority: 2}, {Weight: 1, Priority: 1}}, []int{0, 1}},
		{"nothing to deal", 0, 1, []Seller{{Weight: 1}}, []int{0}},
		{"fewer than nothing", -2, 1, []Seller{{Weight: 1}}, []int{0}},
		{"nobody", 3, 1, nil, []int{}},
		{"no weight at all", 3, 0, []Seller{{}, {}, {}}, []int{1, 1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Deal(c.rooms, c.direct, c.sellers); !slices.Equal(got, c.want) {
				t.Errorf("parts %v, want %v", got, c.want)
			}
		})
	}
}

// Whatever the weights: never more than there is, nobody empty while there is
// enough, and who weighs more has no less.
func TestDealIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rooms, direct := rapid.IntRange(-2, 40).Draw(t, "rooms"), rapid.IntRange(-1, 50).Draw(t, "direct")
		sellers := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Seller {
			return Seller{rapid.IntRange(0, 50).Draw(t, "weight"), rapid.IntRange(0, 3).Draw(t, "priority")}
		}), 0, 6).Draw(t, "sellers")
		parts := Deal(rooms, direct, sellers)
		sum := 0
		for i, n := range parts {
			sum += n
			if n < 0 || n == 0 && rooms >= len(sellers) {
				t.Fatalf("seller %d of %v has %d of %d rooms", i, sellers, n, rooms)
			}
			for j, m := range parts {
				if max(1, sellers[i].Weight) > max(1, sellers[j].Weight) && n < m && m > 1 {
					t.Fatalf("parts %v for %v", parts, sellers)
				}
			}
		}
		if sum > max(0, rooms) {
			t.Fatalf("%d of %d rooms are dealt", sum, rooms)
		}
	})
}

package availability

import (
	"slices"
	"testing"
)

func TestUndealt(t *testing.T) {
	// Doubles, family rooms of two doubles, and suites of their own.
	l := NewLayout([]Pool{{Name: "doubles"}, {Name: "suites"}}, []Room{
		{Draws: []Draw{{AnyOf: []int{0}, Units: 1}}}, {Draws: []Draw{{AnyOf: []int{0}, Units: 2}}}, {Draws: []Draw{{AnyOf: []int{1}, Units: 1}}},
	})
	if got := l.Sharing(); !slices.Equal(got, []int{0, 0, 2}) {
		t.Errorf("sharing %v", got)
	}
	n := Night{
		Pools: []PoolNight{{Total: 6}, {Total: 2}}, HouseLimit: NoLimit,
		Rooms: []RoomNight{{Sold: 1, SellLimit: NoLimit, Granted: 1}, {SellLimit: NoLimit, Granted: 1}, {SellLimit: 1}},
	}
	for _, c := range []struct {
		name string
		more []int
		want []int // net
	}{
		{"what is granted is taken", nil, []int{2, 1, 2}},
		{"and what is to be taken beside it", []int{1, 0, 1}, []int{1, 0, 1}},
		{"more than there is", []int{0, 2, 0}, []int{-2, -1, 2}},
	} {
		var got []int
		for _, h := range l.Undealt(&n, c.more) {
			got = append(got, h.Net)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if n.Rooms[0].Held != 0 {
		t.Error("the night itself was changed")
	}
}

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
	waiting := n
	waiting.Rooms = slices.Clone(n.Rooms)
	waiting.Rooms[1].Unknown = 1
	for _, c := range []struct {
		name string
		got  []House
		want []int // net
	}{
		{"what is granted is taken", l.Undealt(&n), []int{2, 1, 2}},
		{"by a channel of which nobody knows anything, all is", l.Undealt(&waiting), []int{-2, -8, 2}},
		{"what is to be taken, whatever is granted", l.Beside(&waiting, []int{2, 1, 1}), []int{1, 0, 1}},
		{"more than there is", l.Beside(&n, []int{1, 3, 0}), []int{-2, -1, 2}},
		{"of an empty house", l.Empty(&waiting), []int{6, 3, 2}},
	} {
		var got []int
		for _, h := range c.got {
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

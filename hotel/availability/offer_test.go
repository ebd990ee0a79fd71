package availability_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

func TestOffer(t *testing.T) {
	tests := []struct {
		name  string
		house int
		night availability.ChannelNight
		want  int
	}{
		{"as the house has it", 4, availability.ChannelNight{}, 4},
		{"never negative", -2, availability.ChannelNight{}, 0},
		{"rooms kept back", 4, availability.ChannelNight{KeepBack: 1}, 3},
		{"more kept back than there is", 4, availability.ChannelNight{KeepBack: 9}, 0},
		{"no more than the channel's limit", 4, availability.ChannelNight{Limit: new(3)}, 3},
		{"a limit of nothing", 4, availability.ChannelNight{Limit: new(0)}, 0},
		{"the limit holds for what is not kept back", 9, availability.ChannelNight{KeepBack: 2, Limit: new(5)}, 5},
		{"a share of a guarded pool", 4, availability.ChannelNight{Limit: new(3), Share: new(2)}, 2},
		{"a share below nothing", 4, availability.ChannelNight{Share: new(-1)}, 0},
		{"past the cut-off", 4, availability.ChannelNight{CutOff: true}, 0},
		{"closed", 4, availability.ChannelNight{Closed: true}, 0},
		{"above what the far side takes", 120, availability.ChannelNight{Most: 99}, 99},
		{"at what the far side takes", 99, availability.ChannelNight{Most: 99}, 99},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var tr hotel.Trace
			if got := availability.Offer(test.house, test.night, &tr); got != test.want {
				t.Errorf("offer = %d, want %d", got, test.want)
			}
			if got := availability.Offer(test.house, test.night, nil); got != test.want {
				t.Errorf("offer without a trace = %d, want %d", got, test.want)
			}
			if last := tr.Steps[len(tr.Steps)-1]; last.Name != "capability_clamp" || last.Count != test.want {
				t.Errorf("last step = %+v, want capability_clamp at %d", last, test.want)
			}
		})
	}
}

func TestOfferContinuesTheHouseTrace(t *testing.T) {
	var tr hotel.Trace
	tr.AddCount("house_limit", 120, "")
	availability.Offer(120, availability.ChannelNight{KeepBack: 1, Limit: new(110), Most: 99}, &tr)
	want := []hotel.Step{
		{Name: "house_limit", Change: 120, Count: 120},
		{Name: "keep_back", By: "kept 1", Change: -1, Count: 119, Acted: hotel.Acted{Limit: new(1)}},
		{Name: "channel_limit", By: "at most 110", Change: -9, Count: 110, Acted: hotel.Acted{Limit: new(110)}},
		{Name: "protection_share", Count: 110},
		{Name: "cut_off", Count: 110},
		{Name: "closed", Count: 110},
		{Name: "capability_clamp", By: "at most 99", Change: -11, Count: 99, Acted: hotel.Acted{Limit: new(99)}},
	}
	if diff := cmp.Diff(want, tr.Steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

// The channel is never shown more when less is there, nor when more is kept back.
func TestOfferNeverRisesWhenSomethingIsTakenAway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		c := availability.ChannelNight{
			KeepBack: number("kept", 0, 4), CutOff: number("cut off", 0, 5) == 0, Closed: number("closed", 0, 5) == 0, Most: number("most", 0, 6),
		}
		if number("limited", 0, 1) == 1 {
			c.Limit = new(number("limit", 0, 6))
		}
		open := number("open", -2, 9)
		shown := availability.Offer(open, c, nil)
		if shown < 0 || shown > max(0, open) {
			t.Fatalf("of %d open %d are shown", open, shown)
		}
		if less := availability.Offer(open-1, c, nil); less > shown {
			t.Fatalf("one room less raises what is shown from %d to %d", shown, less)
		}
		c.KeepBack++
		if less := availability.Offer(open, c, nil); less > shown {
			t.Fatalf("one room more kept back raises what is shown from %d to %d", shown, less)
		}
	})
}

// A number that has the channel's own sales in it is bounded with them.
func TestOfferWithinWhatATotalLeaves(t *testing.T) {
	for _, c := range []struct{ most, sold, want int }{{0, 40, 120}, {99, 0, 99}, {99, 40, 59}, {200, 40, 120}, {30, 40, 0}} {
		var tr hotel.Trace
		if n := availability.Offer(120, availability.ChannelNight{Most: c.most, Sold: c.sold}, &tr); n != c.want || tr.Steps[len(tr.Steps)-1].Count != n {
			t.Errorf("at most %d, of which %d are sold: %d, want %d", c.most, c.sold, n, c.want)
		}
	}
}

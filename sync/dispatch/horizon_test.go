package dispatch

import (
	"context"
	"testing"
	"time"

	"ostler.example/hotel"
)

// TestAChannelIsSoldAsFarAheadAsItSays: nights beyond are closed, the next one opens at
// midnight, all when it says so no more; what explains it comes to the same.
func TestAChannelIsSoldAsFarAheadAsItSays(t *testing.T) {
	run(t, nil, func(b *bench) {
		shows := func(days int) int { return b.far.shows(b.suiteKey(b.today + hotel.Date(days))).Available }
		b.rest()
		if shows(11) == 0 {
			t.Fatal("nothing is shown of the eleventh day before")
		}
		days := 10
		b.change(func(c *hotel.Channel) { c.Days = &days })
		b.rest()
		if shows(10) == 0 || shows(11) != 0 || shows(25) != 0 {
			t.Errorf("of the days 10, 11 and 25 %d, %d and %d rooms are shown", shows(10), shows(11), shows(25))
		}
		x, err := b.worker.Explain(context.Background(), hotel.ExplainQuery{
			ChannelID: channel, RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID, Night: b.today + 11,
		})
		if err != nil {
			t.Fatal(err)
		}
		told := false
		for _, step := range x.Numbers[0].Steps {
			told = told || step.Name == "channel_horizon"
		}
		if !told || x.Numbers[0].Result().Count != 0 {
			t.Errorf("explained by %+v", x.Numbers[0])
		}
		b.suites(b.today+20, 1) // a change beyond stays unseen
		b.at(b.today+1, 0, 1)
		time.Sleep(time.Minute)
		b.rest()
		if shows(11) == 0 || shows(12) != 0 || shows(20) != 0 {
			t.Errorf("a day later %d, %d and %d rooms are shown of the days 11, 12 and 20", shows(11), shows(12), shows(20))
		}
		b.change(func(c *hotel.Channel) { c.Days = nil })
		b.rest()
		if shows(12) == 0 || shows(20) != 1 || shows(25) == 0 {
			t.Errorf("without a horizon %d, %d and %d rooms are shown", shows(12), shows(20), shows(25))
		}
	})
}

package dispatch

import (
	"context"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// While a channel was paused it was wanted to show no rooms, and was told so; frozen it was
// left as it stood. What it was not told in either is said to have been held back.
func TestThePastOfAPausedChannelIsExplained(t *testing.T) {
	for _, c := range []struct {
		name          string
		freeze        bool
		desired, sent int
		state         hotel.SightState
		code          string
	}{
		{"closed", false, 0, 0, hotel.InSync, ""},
		{"frozen", true, 1, 2, hotel.HeldBack, "frozen"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				ctx, night := context.Background(), b.today+3
				b.suites(night, 2)
				b.price(night, 20000)
				b.rest()
				if _, _, err := b.ldg.PauseChannel(ctx, testkit.Tester, hotel.Once{}, channel, 0, c.freeze); err != nil {
					t.Fatal(err)
				}
				if c.freeze {
					b.stop() // as the engine does
				} else {
					b.change(func(*hotel.Channel) {}) // a worker that knows of it
					b.rest()
				}
				b.suites(night, 1)
				b.price(night, 22000)
				entries, err := b.ldg.Entries(ctx, 0, 1000)
				if err != nil {
					t.Fatal(err)
				}
				x, err := New(b.worker.Options).Explain(ctx, hotel.ExplainQuery{
					ChannelID: channel, RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID, Night: night, AsOf: hotel.AsOf{Sequence: entries[len(entries)-1].Sequence},
				})
				if err != nil {
					t.Fatal(err)
				}
				for _, g := range x.Groups {
					switch g.Group {
					case hotel.Availability:
						if g.Desired == nil || g.Sent == nil || g.Desired.Value.Available != c.desired || g.Sent.Value.Available != c.sent || g.State != c.state || g.Code != c.code {
							t.Errorf("rooms: desired %+v, sent %+v, %s (%s)", g.Desired, g.Sent, g.State, g.Code)
						}
					case hotel.Price:
						want := map[bool]string{false: "paused", true: "frozen"}[c.freeze]
						if g.Occupancy == b.house.Rooms[2].BaseOccupancy && (g.State != hotel.HeldBack || g.Code != want) {
							t.Errorf("price: desired %+v, sent %+v, %s (%s), want it held back, %s", g.Desired, g.Sent, g.State, g.Code, want)
						}
					case hotel.Closures, hotel.Lengths:
					}
				}
			})
		})
	}
}

package dispatch

import (
	"context"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// TestSharesAreExplained of the present; of the past it is said that they are not
// kept, and nothing of a time when the rooms were shared.
func TestSharesAreExplained(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.rest()
		shared := hotel.AsOf{At: time.Now()}
		time.Sleep(time.Minute)
		_, _, err := b.ldg.ChangePool(context.Background(), testkit.Tester, hotel.Once{}, b.house.Rooms[2].Consumes[0].AnyOf[0], hotel.Change[hotel.Pool]{
			Apply: func(p *hotel.Pool) error { p.Protection.Kind = hotel.Guarded; return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		guarded := hotel.AsOf{At: time.Now()}
		time.Sleep(time.Minute)
		share := func(at hotel.AsOf) *hotel.Share {
			t.Helper()
			x, err := b.worker.Explain(context.Background(), hotel.ExplainQuery{
				ChannelID: channel, RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID, Night: b.today + 5, AsOf: at,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range x.Numbers[0].Steps {
				if step.Name == "protection_share" {
					return step.Share
				}
			}
			t.Fatalf("no step is the share: %+v", x.Numbers[0].Steps)
			return nil
		}
		if s := share(hotel.AsOf{}); s == nil || s.NotKept || s.Account+s.Undealt == 0 && !s.Unknown {
			t.Errorf("the present: %+v", s)
		}
		if s := share(guarded); s == nil || !s.NotKept {
			t.Errorf("while it was guarded: %+v", s)
		}
		if s := share(shared); s != nil {
			t.Errorf("while it was shared: %+v", s)
		}
	})
}

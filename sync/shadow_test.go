package sync_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// In shadow a channel's bookings are listed, and its feed goes on holding them for
// whoever runs it; nothing is sent to it.
func TestShadowLeavesNoTrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		ctx := t.Context()
		if err := b.eng.Start(ctx); err != nil {
			t.Fatal(err)
		}
		f := b.far("a")
		b.channel("a", f.Settings(300))
		b.live()
		b.pass(20 * time.Second)
		_, _, err := b.ldg.ChangeChannel(ctx, testkit.Tester, hotel.Once{}, "a", 0, func(c *hotel.Channel) error {
			c.Shadow = true
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		b.pass(5 * time.Second)
		shown, calls := b.rooms(f), f.State(t).Calls
		night := b.first + 3
		_, err = f.Book().Sell(testkit.Request{
			Room: b.house.RemoteRoom(2), Rate: b.house.RemoteRate(0), CheckIn: night, CheckOut: night + 1, Adults: 2, LastName: "Guest",
		})
		if err != nil {
			t.Fatal(err)
		}
		b.house.Stock(t, b.ldg, 0, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Closed: hotel.Given(true)})
		b.pass(3 * time.Minute)

		booked, err := b.ldg.Reservations(ctx, hotel.ReservationFilter{PropertyIDs: []string{b.house.Property.ID}, Limit: 10})
		if err != nil || len(booked) != 1 {
			t.Errorf("%d reservations, %v", len(booked), err)
		}
		if n := len(f.Book().Events(0, 10)); n != 1 {
			t.Errorf("the feed holds %d messages, want the one that nobody has acknowledged", n)
		}
		if n := b.rooms(f); n != shown-1 {
			t.Errorf("it shows %d rooms of %d, one of which it has sold", n, shown)
		}
		if n := f.State(t).Calls; n == calls {
			t.Error("its bookings were not asked for")
		}
		seen, err := b.ldg.Sights(ctx, hotel.SightQuery{
			ChannelID: "a", RoomTypeIDs: []string{b.house.Rooms[0].ID}, RatePlanIDs: []string{b.house.Plans[0].ID}, Span: hotel.Span{From: night, To: night}, AtLeast: 1,
		})
		if err != nil || len(seen.Cells) != 1 || seen.Cells[0].Dot() != hotel.DotDiffers || seen.Cells[0].Groups[0].Code != "shadow" {
			t.Errorf("it is seen as %+v, %v", seen.Cells, err)
		}

		b.live()
		b.pass(time.Minute)
		if n := len(f.Book().Events(0, 10)); n != 0 {
			t.Errorf("live, the feed holds %d messages", n)
		}
		if booked, err = b.ldg.Reservations(ctx, hotel.ReservationFilter{PropertyIDs: []string{b.house.Property.ID}, Limit: 10}); err != nil || len(booked) != 1 {
			t.Errorf("told a second time: %d reservations, %v", len(booked), err)
		}
	})
}

// A channel that was tested is worked out and read back like one in shadow, whatever became of
// it before: its plan says what it shows, which somebody may have changed since it was
// disconnected. It is told nothing, and no run may have it told anything.
func TestTestedAChannelIsLookedAt(t *testing.T) {
	for name, before := range map[string]func(b *bench){
		"a draft": func(b *bench) {
			_, _, err := b.ldg.ChangeChannel(b.t.Context(), testkit.Tester, hotel.Once{}, "a", 0, func(c *hotel.Channel) error {
				c.Status = hotel.Draft
				return nil
			})
			if err != nil {
				b.t.Fatal(err)
			}
		},
		"disconnected": func(b *bench) {
			b.live()
			b.pass(20 * time.Second)
			b.paused(false)
			b.pass(20 * time.Second)
			if _, _, err := b.ldg.DisconnectChannel(b.t.Context(), testkit.Tester, hotel.Once{}, "a", 0, false); err != nil {
				b.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				defer b.stop()
				ctx := t.Context()
				f := b.far("a")
				b.channel("a", f.Settings(300))
				if err := b.eng.Start(ctx); err != nil {
					t.Fatal(err)
				}
				before(b)
				b.eng.Renew("a")
				night, two := b.first+3, 2
				f.Type(t, testkit.Edit{Room: b.house.RemoteRoom(suite), Rate: b.house.RemoteRate(0), From: night, To: night, Available: &two})
				if _, err := b.ldg.ChannelReached(ctx, testkit.Tester, "a"); err != nil {
					t.Fatal(err)
				}
				b.eng.Renew("a")
				b.pass(time.Minute)
				shown := b.shown(f)

				b.house.Stock(t, b.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(1)})
				b.pass(time.Minute)
				seen, err := b.ldg.Sights(ctx, hotel.SightQuery{
					ChannelID: "a", RoomTypeIDs: []string{b.house.Rooms[suite].ID}, RatePlanIDs: []string{b.house.Plans[0].ID}, Span: hotel.Span{From: night, To: night}, AtLeast: 1,
				})
				if err != nil || len(seen.Cells) != 1 || seen.Cells[0].Groups[0].Code != "shadow" {
					t.Fatalf("it is seen as %+v, %v", seen.Cells, err)
				}
				if g := seen.Cells[0].Groups[0]; g.ReadBack == nil || g.ReadBack.Value.Available != 2 || g.Desired == nil || g.Desired.Value.Available != 1 {
					t.Errorf("of two that it shows it is to show one: %+v", g)
				}
				if diff := cmp.Diff(shown, b.shown(f)); diff != "" {
					t.Errorf("it was told something:\n%s", diff)
				}
				plan, err := b.eng.Plan(ctx, "a", hotel.PlanQuery{Kind: hotel.PlanLive})
				if err != nil {
					t.Fatal(err)
				}
				for _, raise := range plan.Raises { // it is told 1 where it was read to show 2, and 0 was told before it was disconnected
					if raise.From <= night && night <= raise.To && raise.RoomTypeID == b.house.Rooms[suite].ID && name == "a draft" || raise.Shown == nil && name != "a draft" {
						t.Errorf("it raises %+v", raise)
					}
				}
				b.readBack()
				if _, _, err := b.eng.Sync(ctx, testkit.Tester, hotel.Once{}, "a", hotel.SyncOrder{Kind: hotel.SyncFull}); codeOf(err) != "channel_not_active" {
					t.Errorf("it is to be told everything: %v", err)
				}
				if open, err := b.ldg.OnSale(ctx, "a"); err != nil || name == "a draft" && open != (ledger.OnSale{}) {
					t.Errorf("what others sell there counts as ours: %+v, %v", open, err)
				}
				if _, _, err := b.ldg.DisconnectChannel(ctx, testkit.Tester, hotel.Once{}, "a", 0, name != "a draft"); err != nil {
					t.Errorf("it cannot be given up: %v", err)
				}
			})
		})
	}
}

// Who calls with a booking is not told that it has come while somebody else may be
// running the channel: it goes on telling them, and the booking is listed here.
func TestInShadowNobodyWhoCallsIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		ctx := t.Context()
		if err := b.eng.Start(ctx); err != nil {
			t.Fatal(err)
		}
		b.net.Serve(ctx, "hotel.test", b.eng.Handler())
		f := testkit.OpenFarSide(t, "push", "a.test", "http://hotel.test/inbound/a/", &http.Client{Transport: b.net.Line(ctx)}, b.house.Remote())
		b.net.Serve(ctx, f.Host, f)
		b.channel("a", f.Settings(300))
		b.live()
		b.pass(20 * time.Second)
		if _, _, err := b.ldg.ChangeChannel(ctx, testkit.Tester, hotel.Once{}, "a", 0, func(c *hotel.Channel) error {
			c.Shadow = true
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		b.pass(5 * time.Second)
		if _, err := f.Book().Sell(testkit.Request{
			Room: b.house.RemoteRoom(2), Rate: b.house.RemoteRate(0), CheckIn: b.first + 3, CheckOut: b.first + 4, Adults: 2, LastName: "Guest",
		}); err != nil {
			t.Fatal(err)
		}
		if more, err := f.PushOldest(ctx); err == nil || !more {
			t.Errorf("whoever called was told that it has come: %v, %v", more, err)
		}
		b.pass(3 * time.Minute)
		booked, err := b.ldg.Reservations(ctx, hotel.ReservationFilter{PropertyIDs: []string{b.house.Property.ID}, Limit: 10})
		if err != nil || len(booked) != 1 {
			t.Errorf("%d reservations, %v", len(booked), err)
		}

		b.live()
		b.pass(5 * time.Second)
		if _, err := f.PushOldest(ctx); err != nil || len(f.Book().Events(0, 10)) != 0 {
			t.Errorf("live, it is not taken: %v", err)
		}
	})
}

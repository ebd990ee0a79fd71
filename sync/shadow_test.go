package sync_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
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

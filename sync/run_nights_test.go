package sync_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// A run of some nights is about these alone: what is told again, what is read, and
// which bookings are listed.
func TestRunsOfSomeNights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, f := driftBench(t, "pull")
		defer b.stop()
		nights := hotel.Span{From: b.first + 5, To: b.first + 6}
		run := func(kind hotel.SyncKind) hotel.SyncRun {
			t.Helper()
			run, _, err := b.eng.Sync(t.Context(), testkit.Tester, hotel.Once{}, "a", hotel.SyncOrder{Kind: kind, Nights: nights})
			if err != nil {
				t.Fatal(err)
			}
			b.pass(5 * time.Second)
			if run, err = b.ldg.SyncRun(t.Context(), run.ID); err != nil || run.Status != hotel.SyncCompleted || run.Nights != nights || run.Calls == 0 {
				t.Errorf("%s: %+v, %v", kind, run, err)
			}
			return run
		}
		if n := run(hotel.SyncFull).Cells; n.Acknowledged == 0 || n.Acknowledged > 100 || n.Sent != n.Acknowledged {
			t.Errorf("%+v of two nights were told", n)
		}

		for _, night := range []hotel.Date{nights.To, nights.To + 1} {
			f.Type(t, testkit.Edit{Room: b.house.RemoteRoom(0), From: night, To: night, Available: new(50)})
		}
		before, err := b.ldg.Channel(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		run(hotel.SyncReadBack)
		for night, mended := range map[hotel.Date]bool{nights.To: true, nights.To + 1: false} {
			o, _ := f.Book().Shown(connectors.Key{Group: hotel.Availability, Room: b.house.RemoteRoom(0), Night: night})
			if got := o.Available < 50; got != mended {
				t.Errorf("put right on %v: %t, want %t", night, got, mended)
			}
		}
		after, err := b.ldg.Channel(t.Context(), "a")
		if err != nil || !after.LastReadAt.Equal(before.LastReadAt) {
			t.Errorf("everything counts as read at %v, before at %v: %v", after.LastReadAt, before.LastReadAt, err)
		}

		b.pass(time.Minute)
		for _, in := range []hotel.Date{nights.From, nights.To + 10} {
			if _, err := f.Book().Sell(testkit.Request{Room: b.house.RemoteRoom(1), Rate: b.house.RemoteRate(1), CheckIn: in, CheckOut: in + 1, Adults: 1, LastName: "Ada"}); err != nil {
				t.Fatal(err)
			}
		}
		run(hotel.SyncReservations)
		rs, err := b.ldg.Reservations(t.Context(), hotel.ReservationFilter{ChannelIDs: []string{"a"}, Limit: 10})
		if err != nil || len(rs) != 1 || rs[0].Stay.CheckIn != nights.From {
			t.Errorf("%d bookings were listed: %v", len(rs), err)
		}
	})
}

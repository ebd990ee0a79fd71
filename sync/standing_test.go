package sync_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// pause stops a channel's sales.
func (b *bench) pause(freeze bool) {
	b.t.Helper()
	if _, _, err := b.ldg.PauseChannel(b.t.Context(), testkit.Tester, hotel.Once{}, "a", 0, freeze); err != nil {
		b.t.Fatal(err)
	}
	b.eng.Renew("a")
}

// disconnect ends a channel without force.
func (b *bench) disconnect(id string) error {
	_, _, err := b.ldg.DisconnectChannel(b.t.Context(), testkit.Tester, hotel.Once{}, id, 0, false)
	b.eng.Renew(id)
	return err
}

// atRisk is how many rooms a channel is said to be able to sell while it stands still.
func (b *bench) atRisk(id string) int {
	b.t.Helper()
	state, err := b.ldg.Channel(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return state.RoomsAtRisk
}

// A paused channel of a guarded pool is closed, and asked for its bookings as before: what
// it sold just before the closing is heard of by that, and then it can be disconnected. The
// other channel is dealt what is left.
func TestAPausedChannelIsDrained(t *testing.T) {
	guards(t, []string{"pull", "pull"}, func(k *kinds) {
		night := k.first + 3
		granted := k.shows(k.far[0], suite, night)
		if granted == 0 {
			k.t.Fatal("nothing is dealt to the channel")
		}
		if _, err := k.far[0].Book().Sell(k.wish(suite, 0, night)); err != nil {
			k.t.Fatal(err)
		}
		k.pause(false)
		if err := k.disconnect("a"); codeOf(err) != "closing_unacknowledged" {
			k.t.Errorf("disconnected at once: %v", err)
		}
		if n := k.atRisk("a"); n < granted {
			k.t.Errorf("%d rooms are at risk, it was granted %d of one night", n, granted)
		}
		k.pass(3 * time.Minute)
		if n := k.rooms(k.far[0]); n != 0 {
			k.t.Errorf("paused, it shows %d rooms", n)
		}
		if n := k.atRisk("a"); n != 0 {
			k.t.Errorf("closed and listed, %d rooms are at risk", n)
		}
		if err := k.disconnect("a"); err != nil {
			k.t.Errorf("closed and listed: %v", err)
		}
		sold := 1
		for k.pass(3 * time.Minute); k.shows(k.far[1], suite, night) > 0; k.pass(3 * time.Minute) {
			if _, err := k.far[1].Book().Sell(k.wish(suite, 0, night)); err != nil {
				k.t.Fatal(err)
			}
			sold++
		}
		if sold != testkit.Suites {
			k.t.Errorf("of %d suites %d are sold, though the other channel sells all that it is dealt", testkit.Suites, sold)
		}
	})
}

// down has every call to a far side refused as if our credentials were wrong.
func (b *bench) down(f testkit.FarSide) {
	b.net.Serve(context.Background(), f.Host, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
}

// A channel that is frozen, in error, or was disconnected by force goes on selling what it
// was dealt. That goes on counting: it is shown, and neither the other channel nor the desk
// sells it a second time.
func TestWhatAChannelThatStandsStillMaySellIsNobodyElses(t *testing.T) {
	for _, c := range []struct {
		name   string
		stands func(k *kinds)
	}{
		{"frozen", func(k *kinds) { k.pause(true) }},
		{"in error", func(k *kinds) { k.down(k.far[0]) }},
		{"disconnected by force", func(k *kinds) {
			if _, _, err := k.ldg.DisconnectChannel(k.t.Context(), testkit.Tester, hotel.Once{}, "a", 0, true); err != nil {
				k.t.Fatal(err)
			}
			k.eng.Renew("a")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			guards(t, []string{"pull", "pull"}, func(k *kinds) {
				night := k.first + 3
				granted := k.shows(k.far[0], suite, night)
				if granted == 0 {
					k.t.Fatal("nothing is dealt to the channel")
				}
				c.stands(k)
				sold := 0
				for k.pass(3 * time.Minute); k.shows(k.far[1], suite, night) > 0; k.pass(3 * time.Minute) {
					k.sell(k.far[1], k.wish(suite, 0, night))
					sold++
				}
				for {
					_, _, err := k.ldg.CreateReservation(k.t.Context(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
						PropertyID: k.house.Property.ID, RoomTypeID: k.house.Rooms[suite].ID, RatePlanID: k.house.Plans[0].ID,
						Stay: hotel.Stay{CheckIn: night, CheckOut: night + 1}, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
					})
					if codeOf(err) == "not_available" {
						break
					}
					if err != nil {
						k.t.Fatal(err)
					}
					sold++
				}
				if sold != testkit.Suites-granted {
					k.t.Errorf("the others sell %d suites of %d, of which the channel may sell %d", sold, testkit.Suites, granted)
				}
				open, err := k.ldg.OnSale(k.t.Context(), "a")
				if err != nil || open.Rooms < granted || open.Undrained == 0 {
					k.t.Errorf("it may sell %+v, %v", open, err)
				}
				for range granted {
					if _, err := k.far[0].Book().Sell(k.wish(suite, 0, night)); err != nil {
						k.t.Errorf("it sells less than counts: %v", err)
					}
				}
			})
		})
	}
}

// sells takes the channel a live and lets it be told everything.
func (b *bench) sells() {
	b.t.Helper()
	b.live()
	b.pass(time.Minute)
}

// Whatever a channel's status, from its test on its bookings are received: by the lists
// that it can be asked for while somebody else may be running it, else from whoever calls.
func TestBookingsAreReceivedInEveryStatus(t *testing.T) {
	for _, c := range []struct {
		name   string
		listed bool
		stands func(b *bench, f testkit.FarSide)
	}{
		{"testing", true, func(*bench, testkit.FarSide) {}},
		{"shadow", true, func(b *bench, _ testkit.FarSide) {
			b.sells()
			if _, _, err := b.ldg.ShadowChannel(b.t.Context(), testkit.Tester, hotel.Once{}, "a", 0); err != nil {
				b.t.Fatal(err)
			}
		}},
		{"active", false, func(b *bench, _ testkit.FarSide) { b.sells() }},
		{"paused", false, func(b *bench, _ testkit.FarSide) { b.sells(); b.pause(false) }},
		{"frozen", false, func(b *bench, _ testkit.FarSide) { b.sells(); b.pause(true) }},
		{"in error", false, func(b *bench, f testkit.FarSide) { b.sells(); b.down(f) }},
	} {
		t.Run(c.name, func(t *testing.T) {
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
				c.stands(b, f)
				b.pass(time.Minute)
				night, one := b.first+3, 1 // somebody opens it there by hand, whatever it shows
				f.Type(t, testkit.Edit{
					Room: b.house.RemoteRoom(suite), Rate: b.house.RemoteRate(0), From: night, To: night, Available: &one, Closed: new(false), Price: new("100.00"),
				})
				if _, err := f.Book().Sell(testkit.Request{
					Room: b.house.RemoteRoom(suite), Rate: b.house.RemoteRate(0), CheckIn: night, CheckOut: night + 1, Adults: 2, LastName: "Guest",
				}); err != nil {
					t.Fatal(err)
				}
				if _, err := f.PushOldest(ctx); !c.listed && err != nil {
					t.Errorf("whoever calls is turned away: %v", err)
				}
				if c.listed {
					b.pass(3 * time.Minute)
				}
				booked, err := b.ldg.Reservations(ctx, hotel.ReservationFilter{PropertyIDs: []string{b.house.Property.ID}, Limit: 10})
				if err != nil || len(booked) != 1 {
					t.Errorf("%d reservations, %v", len(booked), err)
				}
			})
		})
	}
}

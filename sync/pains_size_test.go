package sync_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// A house of 20 room types, each with 40 rates, is told anew to a channel that takes ten
// calls of a kind a minute and says once that these were too many. A closing passes all that
// waits, nothing of the rest is dropped, and the limit is kept.
func TestPainEverythingIsToldUnderASmallLimit(t *testing.T) {
	const rooms, plans, calls = 20, 40, 10
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		ctx := t.Context()
		if _, _, err := b.ldg.ChangeProperty(ctx, testkit.Tester, hotel.Once{}, b.house.Property.ID, hotel.Change[hotel.Property]{Apply: func(p *hotel.Property) error {
			p.HorizonDays = 2
			return nil
		}}); err != nil {
			t.Fatal(err)
		}
		var all []string
		for i := len(b.house.Rooms); i < rooms; i++ {
			r, _, err := b.ldg.CreateRoomType(ctx, testkit.Tester, hotel.Once{}, hotel.RoomType{
				PropertyID: b.house.Property.ID, Code: fmt.Sprint("room", i), Name: fmt.Sprint("room", i), TotalUnits: 5,
				BaseOccupancy: 2, MaxAdults: 2, MaxOccupancy: 2, Position: i + 1, Status: hotel.Active,
			})
			if err != nil {
				t.Fatal(err)
			}
			b.house.Rooms = append(b.house.Rooms, r)
		}
		for _, r := range b.house.Rooms {
			all = append(all, r.ID)
		}
		for _, p := range b.house.Plans {
			if _, _, err := b.ldg.ChangeRatePlan(ctx, testkit.Tester, hotel.Once{}, p.ID, hotel.Change[hotel.RatePlan]{Apply: func(p *hotel.RatePlan) error {
				p.RoomTypeIDs = all
				return nil
			}}); err != nil {
				t.Fatal(err)
			}
		}
		for i := len(b.house.Plans); i < plans; i++ {
			p, _, err := b.ldg.CreateRatePlan(ctx, testkit.Tester, hotel.Once{}, hotel.RatePlan{
				PropertyID: b.house.Property.ID, Code: fmt.Sprint("plan", i), Name: fmt.Sprint("plan", i), Currency: "EUR", Pricing: hotel.PerOccupancy,
				MealPlan: "room_only", TaxMode: "inclusive", RoomTypeIDs: all, Audience: hotel.Public, SoldBy: []string{"a"}, Position: i + 1, Status: hotel.Active,
				DerivedFrom: &hotel.Derivation{RatePlanID: b.house.Plans[0].ID, Kind: hotel.Percent, Value: fmt.Sprint(i), Rounding: hotel.RoundNone},
			})
			if err != nil {
				t.Fatal(err)
			}
			b.house.Plans = append(b.house.Plans, p)
		}
		nights := hotel.Span{From: b.first, To: b.first + 2}
		price := func(first int64) {
			t.Helper()
			var entries []hotel.RateEntry
			for room := range b.house.Rooms {
				for night := nights.From; night <= nights.To; night++ {
					entries = append(entries, b.house.PriceEntry(room, hotel.Span{From: night, To: night}, first+100*int64(night-nights.From)))
				}
			}
			if _, _, err := b.ldg.UpdateRates(ctx, testkit.Tester, hotel.Once{}, hotel.RateUpdate{PropertyID: b.house.Property.ID, Source: "api", Entries: entries}); err != nil {
				t.Fatal(err)
			}
		}
		price(10_000)
		far := b.far("a")
		b.channel("a", far.Settings(calls))
		if err := b.ldg.GoLive(ctx, testkit.Tester, "a", 0); err != nil {
			t.Fatal(err)
		}
		var told []time.Time // of rates
		refused := 0
		b.net.Serve(context.Background(), far.Host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/rates") && r.Method == http.MethodPost {
				if told = append(told, time.Now()); len(told) == 25 {
					refused++
					w.Header().Set("Retry-After", "20")
					http.Error(w, "too many", http.StatusTooManyRequests)
					return
				}
			}
			far.ServeHTTP(w, r)
		}))
		if err := b.eng.Start(ctx); err != nil {
			t.Fatal(err)
		}
		lag := func() int {
			c, err := b.ldg.Channel(ctx, "a")
			if err != nil {
				t.Fatal(err)
			}
			return c.Lag
		}
		rest := func() {
			t.Helper()
			for range 30 {
				if b.pass(time.Minute); lag() == 0 {
					return
				}
			}
			t.Fatalf("%d values are still to be told", lag())
		}
		rest()
		price(20_000)
		b.full()
		closed := connectors.Key{Group: hotel.Closures, Room: b.house.RemoteRoom(rooms - 1), Rate: b.house.RemoteRate(plans - 1), Night: nights.To}
		if _, _, err := b.ldg.UpdateRestrictions(ctx, testkit.Tester, hotel.Once{}, hotel.RestrictionUpdate{PropertyID: b.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{{
			RoomTypeID: b.house.Rooms[rooms-1].ID, RatePlanID: b.house.Plans[plans-1].ID, Dates: hotel.Dates{Span: hotel.Span{From: nights.To, To: nights.To}}, Closed: hotel.Given(true),
		}}}); err != nil {
			t.Fatal(err)
		}
		b.pass(15 * time.Second)
		if o, _ := far.Book().Shown(closed); !o.Closed.Closed || lag() < 500 {
			t.Errorf("closed: %t, with %d values behind it", o.Closed.Closed, lag())
		}
		rest()
		if refused != 1 {
			t.Errorf("%d calls were too many, want one", refused)
		}
		for i := calls; i < len(told); i++ {
			if span := told[i].Sub(told[i-calls]); span < time.Minute {
				t.Errorf("%d calls within %v", calls+1, span)
			}
		}
		for room := range b.house.Rooms {
			for plan := range b.house.Plans {
				for night := nights.From; night <= nights.To; night++ {
					o, _ := far.Book().Shown(connectors.Key{Group: hotel.Price, Room: b.house.RemoteRoom(room), Rate: b.house.RemoteRate(plan), Night: night, Occupancy: 2})
					want := 20_000 + 100*int64(night-nights.From)
					if plan == 1 {
						want = want * 9 / 10
					} else {
						want += want * int64(plan) / 100
					}
					if o.Amount.Minor != want {
						t.Fatalf("room %d, plan %d, %v costs %+v, want %d", room, plan, night, o, want)
					}
				}
			}
		}
	})
}

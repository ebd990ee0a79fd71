package sync_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// Two houses that sell one suite read each other's calendars, each with a ledger and an engine
// of its own: what one sells the other holds, nothing comes back as an echo, what is cancelled
// is given free, and then nothing changes any more. Of a night that both have sold one of them
// knows at least. One sells further ahead than the other, and holds nothing that the other does
// not sell yet, but for what the other has taken over there from the system before it.
func TestTwoHousesReadEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newBench(t), newBench(t)
		defer a.stop()
		defer b.stop()
		night := b.first + 8
		a.net.Serve(t.Context(), "there.test", b.eng.Handler())
		b.net.Serve(t.Context(), "there.test", a.eng.Handler())
		const key = "k0123456789abcdef0123456789abcdef"
		for i, o := range []*bench{a, b} {
			_, _, err := o.ldg.ChangeProperty(t.Context(), testkit.Tester, hotel.Once{}, o.house.Property.ID, hotel.Change[hotel.Property]{Apply: func(p *hotel.Property) error {
				p.HorizonDays = []int{200, 90}[i]
				return nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			o.house.Stock(t, o.ldg, suite, hotel.Span{From: o.first, To: o.first + 20}, hotel.InventoryEntry{Total: hotel.Given(1)})
			room := o.house.RemoteRoom(suite)
			settings, err := json.Marshal(map[string]string{
				"site": "the other", "property": "one suite", "time_zone": "Europe/Vienna", "key": key, "blocks": "held",
				"calendars": room + " http://there.test/inbound/a/" + key + "/" + room + "-1.ics",
			})
			if err == nil {
				_, _, err = o.ldg.CreateChannel(t.Context(), testkit.Tester, hotel.Once{}, hotel.Channel{
					Entity: hotel.Entity{ID: "a"}, PropertyID: o.house.Property.ID, Connector: "ical", Name: "the other", Status: hotel.Testing,
					Settings: settings, Account: "ical:other", Schedule: "@every 15m",
				})
			}
			if err == nil {
				err = o.ldg.MapChannel(t.Context(), testkit.Tester, "a", hotel.Remap{StockPer: hotel.PerRoom, Mappings: []hotel.Mapping{
					{RoomTypeID: o.house.Rooms[suite].ID, RatePlanID: o.house.Plans[0].ID, RemoteRoom: room},
				}})
			}
			if err == nil {
				err = o.ldg.GoLive(t.Context(), testkit.Tester, "a", 0)
			}
			if err == nil {
				err = o.eng.Start(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		pass := func(d, beat time.Duration) {
			t.Helper()
			for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(beat) {
				if err := errors.Join(a.eng.Tick(t.Context()), b.eng.Tick(t.Context())); err != nil {
					t.Fatal(err)
				}
			}
			synctest.Wait()
		}
		sell := func(o *bench, from, nights hotel.Date) string {
			t.Helper()
			r, _, err := o.ldg.CreateReservation(t.Context(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
				PropertyID: o.house.Property.ID, RoomTypeID: o.house.Rooms[suite].ID, RatePlanID: o.house.Plans[0].ID,
				Stay: hotel.Stay{CheckIn: from, CheckOut: from + nights}, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
			})
			if err != nil {
				t.Fatal(err)
			}
			return r.ID
		}
		// stays are those that a house holds, by whether it has sold them itself; and the state of its ledger.
		stays := func(o *bench) (all []string, sequence int64) {
			t.Helper()
			list, err := o.ldg.Reservations(t.Context(), hotel.ReservationFilter{PropertyIDs: []string{o.house.Property.ID}, Limit: 50})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range list {
				if r.Status != hotel.Cancelled {
					all = append(all, fmt.Sprintf("%d-%d own:%t", r.Stay.CheckIn-night, r.Stay.CheckOut-night, r.Source.ChannelID != "a"))
				}
			}
			slices.Sort(all)
			if sequence, err = o.ldg.Sequence(t.Context()); err != nil {
				t.Fatal(err)
			}
			return all, sequence
		}
		rests := func(when string, wantA, wantB []string) {
			t.Helper()
			pass(4*time.Hour, 5*time.Minute)
			_, beforeA := stays(a)
			_, beforeB := stays(b)
			pass(2*time.Hour, 5*time.Minute)
			gotA, afterA := stays(a)
			gotB, afterB := stays(b)
			if !slices.Equal(gotA, wantA) || !slices.Equal(gotB, wantB) {
				t.Errorf("%s one has %q and the other %q, want %q and %q", when, gotA, gotB, wantA, wantB)
			}
			if beforeA != afterA || beforeB != afterB {
				t.Errorf("%s they do not come to rest: %d to %d, %d to %d", when, beforeA, afterA, beforeB, afterB)
			}
		}
		pass(3*time.Hour, 5*time.Minute)
		sell(a, night, 2)
		gone := sell(b, night+4, 3)
		rests("when each has sold", []string{"0-2 own:true", "4-7 own:false"}, []string{"0-2 own:false", "4-7 own:true"})
		if _, _, err := b.ldg.CancelReservation(t.Context(), testkit.Tester, hotel.Once{}, gone, hotel.CancelRequest{Reason: "illness"}); err != nil {
			t.Fatal(err)
		}
		rests("when one is cancelled", []string{"0-2 own:true"}, []string{"0-2 own:false"})
		pass(26*time.Hour, time.Hour) // which put other nights on sale
		rests("a day later", []string{"0-2 own:true"}, []string{"0-2 own:false"})
		sell(a, night+4, 1)
		sell(b, night+4, 1)
		pass(4*time.Hour, 5*time.Minute)
		inA, _ := stays(a)
		inB, _ := stays(b)
		const heard, own = "4-5 own:false", "4-5 own:true"
		if !slices.Contains(inA, own) || !slices.Contains(inB, own) || !slices.Contains(inA, heard) && !slices.Contains(inB, heard) {
			t.Errorf("when both have sold a night one has %q and the other %q", inA, inB)
		}
		out, err := b.ldg.ImportReservations(t.Context(), testkit.Tester, hotel.Import{PropertyID: b.house.Property.ID, Rows: []hotel.ImportRow{{
			NewReservation: hotel.NewReservation{
				RoomTypeID: b.house.Rooms[suite].ID, RatePlanID: b.house.Plans[0].ID, Stay: hotel.Stay{CheckIn: night + 120, CheckOut: night + 122},
				Adults: 2, Guest: hotel.Guest{LastName: "Guest"}, Source: hotel.Source{ChannelID: hotel.Direct, Reference: "HP-1"},
			},
		}}})
		if err != nil || len(out.Rows) != 1 {
			t.Fatalf("imported is %v, %v", out, err)
		}
		pass(4*time.Hour, 5*time.Minute)
		if inA, _ = stays(a); !slices.Contains(inA, "120-122 own:false") {
			t.Errorf("when one has taken over a stay that it does not sell yet the other has %q", inA)
		}
	})
}

package sync_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// without is a far side one of whose operations does not answer sensibly.
func without(f testkit.FarSide, operation string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, operation) {
			http.Error(w, "down for repair", http.StatusServiceUnavailable)
			return
		}
		f.ServeHTTP(w, r)
	})
}

// onSaleAt reports whether the far side would sell a room of the type on a night, under
// any of its rates.
func (b *bench) onSaleAt(f testkit.FarSide, room int, night hotel.Date) bool {
	for _, c := range f.State(b.t).Cells {
		if c.Room == b.house.RemoteRoom(room) && c.Date == night && c.Available > 0 && !c.Closed.Closed {
			return true
		}
	}
	return false
}

// A channel that takes closings and no counts is closed where it may sell what is not
// there any more, and opened when it has confirmed the count. What somebody else has closed
// meanwhile stays closed.
func TestNightsWhoseCountIsNotTakenAreClosedByAnotherRoute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		f, other := b.far("a"), b.far("b")
		for id, f := range map[string]testkit.FarSide{"a": f, "b": other} {
			b.channel(id, f.Settings(300))
			if err := b.ldg.GoLive(t.Context(), testkit.Tester, id, 0); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		night := b.first + 3
		both := hotel.Span{From: night, To: night + 1}
		b.house.Stock(t, b.ldg, suite, both, hotel.InventoryEntry{Total: hotel.Given(2)})
		b.pass(time.Hour)

		b.net.Serve(context.Background(), f.Host, without(f, "/availability"))
		for at := night - 2; at <= both.To; at++ { // first of rooms that are many, whose count is tried before
			room := suite
			if at < both.From {
				room = 0
			}
			_, err := other.Book().Sell(testkit.Request{
				Room: b.house.RemoteRoom(room), Rate: b.house.RemoteRate(0), CheckIn: at, CheckOut: at + 1, Adults: 1, LastName: "Guest",
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		b.pass(9 * time.Minute)
		if !b.onSaleAt(f, suite, night) {
			t.Fatal("closed before its time")
		}
		b.pass(4 * time.Minute)
		for at := both.From; at <= both.To; at++ {
			if b.onSaleAt(f, suite, at) {
				t.Errorf("%s is sold though it is not known how many rooms are left", at)
			}
		}
		if !b.onSaleAt(f, suite, night+2) || !b.onSaleAt(f, 0, night) || !b.onSaleAt(other, suite, night) {
			t.Error("more is closed than what is short at the channel")
		}
		b.wantConflicts() // nothing is at risk any more
		x, err := b.eng.Explain(t.Context(), hotel.ExplainQuery{ChannelID: "a", RoomTypeID: b.house.Rooms[suite].ID, RatePlanID: b.house.Plans[0].ID, Night: night})
		if err != nil {
			t.Fatal(err)
		}
		if step := lastStep(x, hotel.FieldClosed); step.Name != "other_route" || step.Text != "true" || step.Sequence == 0 {
			t.Errorf("explained by %+v", step)
		}

		b.house.Stock(t, b.ldg, suite, hotel.Span{From: night + 1, To: night + 1}, hotel.InventoryEntry{Closed: hotel.Given(true)})
		b.net.Serve(context.Background(), f.Host, f)
		b.pass(20 * time.Minute) // until it is tried again
		if !b.onSaleAt(f, suite, night) {
			t.Error("not opened though the count is confirmed")
		}
		if b.onSaleAt(f, suite, night+1) {
			t.Error("what the house has closed was opened")
		}
		b.wantConflicts()
	})
}

// lastStep is the last step of how a field comes about.
func lastStep(x hotel.Explanation, f hotel.Field) hotel.Step {
	for _, n := range x.Numbers {
		if n.Field == f {
			return n.Steps[len(n.Steps)-1]
		}
	}
	return hotel.Step{}
}

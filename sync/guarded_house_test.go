package sync_test

import (
	"encoding/json"
	"testing"
	"time"

	"ostler.example/hotel"
	staying "ostler.example/hotel/stay"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// A guest stays in the house whatever his channel says. If it cancels him there and puts his
// room on sale again, it can sell one more than there is: somebody is told at once when it is
// heard, or when he comes though it was, and no more when the channel is closed and listed.
func TestARoomThatIsOnSaleThoughItsGuestIsInTheHouseIsToldOf(t *testing.T) {
	for name, before := range map[string]bool{"cancelled in the house": false, "cancelled before he comes": true} {
		t.Run(name, func(t *testing.T) {
			guards(t, []string{"pull", "pull"}, func(k *kinds) {
				today := k.first
				q := k.wish(suite, 0, today)
				q.CheckOut = today + 3
				b := k.sell(k.far[0], q)
				k.pass(2 * time.Minute)
				r := k.kept()[0]
				cancel := func() {
					if _, err := k.far[0].Book().Cancel(b.Reference); err != nil {
						k.t.Fatal(err)
					}
				}
				if before {
					cancel() // and nobody hears of it until he is let in
				}
				if _, _, err := k.ldg.StepReservation(k.t.Context(), testkit.Tester, hotel.Once{}, r.ID, staying.CheckIn, hotel.StepRequest{}); err != nil {
					k.t.Fatal(err)
				}
				if !before {
					cancel()
				}
				left := time.Now()
				shown := k.shows(k.far[0], suite, today+1)
				if on := shown + k.shows(k.far[1], suite, today+1); on != testkit.Suites {
					k.t.Fatalf("%d suites are on sale, one guest of %d is in the house: the story needs them all", on, testkit.Suites)
				}
				k.pass(10 * time.Minute)
				all, err := k.ldg.Conflicts(k.t.Context(), hotel.ConflictFilter{PropertyID: k.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictExposed}, Limit: 10})
				if err != nil || len(all) != 1 || !k.kept()[0].HasIssue(staying.CancelledInHouse) {
					k.t.Fatalf("%d conflicts tell of it: %v", len(all), err)
				}
				var facts ledger.ExposedFacts
				if err := json.Unmarshal(all[0].Facts, &facts); err != nil {
					k.t.Fatal(err)
				}
				want := hotel.Span{From: today, To: today + 2}
				if n := facts.Nights; facts.Reason != "removed" || len(n) != 1 || n[0].Span != want || int(*n[0].Shown)-n[0].Free != 1 || all[0].CreatedAt.Sub(left) > time.Minute+time.Second { // when it is polled
					k.t.Errorf("%s behind the cancellation it tells of %s", all[0].CreatedAt.Sub(left), all[0].Facts)
				}
				if all[0].Status == hotel.ConflictOpen {
					k.t.Error("told of it still, when the channel is closed and its bookings are listed")
				}
				if on := k.shows(k.far[0], suite, today+1) + k.shows(k.far[1], suite, today+1); on != testkit.Suites-1 {
					k.t.Errorf("%d suites are on sale in the end, one guest of %d is in the house", on, testkit.Suites)
				}
			})
		})
	}
}

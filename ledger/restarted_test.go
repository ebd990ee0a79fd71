package ledger

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
)

// A program that starts finds its parties as the search of guarded pools has them after
// a restart: what was being read is lost, and whatever may be on its way or was answered
// counts from now.
func TestPartiesRestartAsTheyAreSearched(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 2)
	terms := hotel.Terms{
		StockPer: hotel.PerRoom, AdjustsOn: hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustYes, Cancel: hotel.AdjustYes},
		AtMostOnce: true, ListsByDate: true, Acknowledges: hotel.BySeller, Lifetime: time.Minute,
	}
	if err := h.KeepTerms(t.Context(), f.id, terms); err != nil {
		t.Fatal(err)
	}
	f.goLive(t)
	for f.derive(t) {
	}
	h.protect(t, hotel.Guarded)
	span := hotel.Span{From: h.today, To: h.today + 3}
	rapid.Check(t, func(rt *rapid.T) {
		h.clock.move(time.Minute)
		now := h.clock.Steady().Truncate(time.Microsecond)
		drawn := map[partyNight]exposure.Party{}
		err := h.write(t.Context(), urgent, tester, func(tx *tx) error {
			held, err := tx.holdings(h.property.ID, span)
			if err != nil {
				return err
			}
			for at, p := range held.of {
				p.now = exposure.Party{
					Account: rapid.IntRange(0, 2).Draw(rt, "account"), Raise: rapid.Bool().Draw(rt, "raise"), Paid: rapid.IntRange(0, 2).Draw(rt, "paid"),
					RaiseLast: rapid.SampledFrom([]time.Time{{}, now.Add(-time.Hour).UTC(), now.Add(time.Hour).UTC()}).Draw(rt, "last"),
					Doing:     rapid.SampledFrom([]exposure.Doing{exposure.Resting, exposure.Setting, exposure.Set, exposure.Closing, exposure.Closed, exposure.Counted}).Draw(rt, "doing"),
					Since:     rapid.SampledFrom([]time.Time{{}, now.Add(-time.Hour).UTC(), now.Add(time.Hour).UTC()}).Draw(rt, "since"),
					Read:      rapid.Int64Range(0, 1).Draw(rt, "read"),
				}
				drawn[at] = p.now
				if err := tx.q.PutParty(tx.ctx, rowOf(p)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		h.reopen(t)
		must(h.Recover(t.Context()))(t)
		held := must((&tx{ctx: t.Context(), q: h.read, l: h.Ledger}).holdings(h.property.ID, span))(t)
		for at, was := range drawn {
			if want, is := was.Restarted(now.UTC()), held.of[at].now; is != want {
				t.Fatalf("%+v restarts as %+v, want %+v", was, is, want)
			}
		}
		if len(drawn) == 0 {
			t.Fatal("there is no party")
		}
	})
}

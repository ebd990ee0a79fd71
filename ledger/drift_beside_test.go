package ledger

import (
	"slices"
	"testing"

	"ostler.example/hotel"
	"ostler.example/hotel/drift"
	"ostler.example/ledger/internal/ledgerdb"
)

// A channel that shows one price for two that it was told has a highest one there, unless
// it is known to show more on nights that were not asked about this time.
func TestABoundIsNoneWhereMoreIsShownBeside(t *testing.T) {
	for name, test := range map[string]struct {
		others int64 // what the other nights cost
		want   drift.Verdict
	}{
		"the others cost more": {12000, drift.LostPush},
		"the others cost less": {4000, drift.Clamp},
	} {
		t.Run(name, func(t *testing.T) {
			b := newInbox(t)
			night := b.today + 3
			must(b.setPrice(b.double, b.flex, b.today, b.today+60, test.others))(t)
			must(b.setPrice(b.double, b.flex, night, night+1, 5000))(t)
			b.live(t)
			b.f.catchUp(t)
			b.f.looks(t)
			must(b.setPrice(b.double, b.flex, night, night, 7000))(t)
			must(b.setPrice(b.double, b.flex, night+1, night+1, 8000))(t)
			b.deriveAll(t)
			b.f.catchUp(t)
			line := b.f.mappings[0].Line
			for d := night; d <= night+1; d++ { // a late call of before
				b.f.shown[hotel.Cell{Line: line, Group: hotel.Price, Night: d}] = 5000
			}
			b.f.beginRead(t)
			b.f.read.cells = slices.DeleteFunc(b.f.read.cells, func(s SentCell) bool { return s.Cell.Night < night || s.Cell.Night > night+1 })
			b.f.endRead(t)
			rows, err := b.read.Drifts(t.Context(), ledgerdb.DriftsParams{ChannelID: b.f.id, Line: line, First: int64(night), Last: int64(night)})
			if err != nil || len(rows) == 0 {
				t.Fatalf("%d differences are noted (%v)", len(rows), err)
			}
			if got := drift.Verdict(rows[0].Verdict); got != test.want {
				t.Errorf("the verdict is %s, want %s", got, test.want)
			}
		})
	}
}

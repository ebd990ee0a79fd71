package ledger

import (
	"context"
	"testing"

	"ostler.example/hotel"
)

// What was decided about the price of one night holds although another night of the
// product was asked about, and decided, since: judged again, neither is asked about.
func TestWhatWasDecidedAboutAHeldPriceHolds(t *testing.T) {
	b, ctx := newInbox(t), context.Background()
	b.live(t)
	hold := func(night hotel.Date) {
		t.Helper()
		cell := hotel.Cell{Line: b.f.mappings[0].Line, Group: hotel.Price, Night: night}
		must(b.Hold(ctx, b.f.id, 0, []HeldPrice{{SentCell: SentCell{Cell: cell, Value: 777}, Reason: "below_floor", By: "floor 50.00"}}))(t)
	}
	first, second := b.today+3, b.today+5
	for _, night := range []hotel.Date{first, second} {
		must(b.setPrice(b.double, b.flex, night, night, 777))(t)
		for b.f.derive(t) {
		}
		hold(night)
		c := b.open(t, hotel.ConflictPriceGuard)
		if c.Status != hotel.ConflictOpen || c.Cells[0].From != night || len(c.Cells) != 1 {
			t.Fatalf("asked about %+v", c.Cells)
		}
		b.resolve(t, c, hotel.OptionHold, "")
	}
	must2(b.ChangeChannel(ctx, tester, hotel.Once{}, b.f.id, 0, func(c *hotel.Channel) error { // all is judged again
		c.Pricing.Guard.MaxChangePct = "10"
		return nil
	}))(t)
	hold(first)
	hold(second)
	for _, c := range b.conflicts(t, hotel.ConflictPriceGuard) {
		if c.Status == hotel.ConflictOpen {
			t.Errorf("asked again about %+v", c.Cells)
		}
	}
}

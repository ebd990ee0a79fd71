package ledger

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

func quietly(string, float64) {}

// verified verifies the house's file beside the open ledger.
func (h *house) verified(t tb) Verification {
	t.Helper()
	return must(Verify(context.Background(), h.path, quietly))(t)
}

// After any writes the tables are what the journal says.
func TestVerifyFindsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		h.newFarSide(t, 5)
		var made []hotel.Reservation
		for range rapid.IntRange(1, 12).Draw(t, "writes") {
			h.drawWrite(t, &made)
		}
		if rapid.Bool().Draw(t, "derived") {
			h.deriveAll(t)
		}
		v := h.verified(t)
		for _, d := range v.Differences {
			t.Errorf("%s", d)
		}
		if v.Entries != must(h.Sequence(context.Background()))(t) || v.Compared == 0 || v.Chains != 2 {
			t.Errorf("verified %+v", v)
		}
	})
}

// A large update that is still on its way into the tables is no difference.
func TestVerifyWhileAnUpdateIsDue(t *testing.T) {
	h := newHouse(t)
	h.exec(t, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 500)")
	h.property.HorizonDays = 500
	for i := range 3 {
		must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(0, 450), OutOfOrder: hotel.Given(i)}))(t)
		must(h.DeriveDue(context.Background()))(t)
	}
	for _, d := range h.verified(t).Differences {
		if !strings.HasPrefix(d.Where, "property") { // the horizon was changed by hand
			t.Error(d)
		}
	}
}

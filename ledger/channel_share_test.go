package ledger

import (
	"testing"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// A counter that is closed keeps its rooms until its bookings are listed, and sells none.
func TestAClosedCounterMaySellNothing(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	night := f.granted(t, promising(nil))
	account := f.party(t, night).Account
	share := func() int {
		var of map[hotel.RoomNight]int
		if err := h.snapshot(t.Context(), func(q *ledgerdb.Queries) (err error) {
			of, err = shares(t.Context(), q, h.property.ID, f.id, hotel.Span{From: night, To: night})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return of[hotel.RoomNight{Night: night, RoomTypeID: h.double.ID}]
	}
	if n := share(); n != account {
		t.Errorf("of %d rooms it may sell %d", account, n)
	}
	h.closeNights(t, night, night, true)
	h.deriveAll(t)
	for f.derive(t) {
	}
	f.tells(t, night)
	for _, doing := range []exposure.Doing{exposure.Closing, exposure.Closed} {
		if p := f.party(t, night); p.Doing != doing || p.Account != account || share() != 0 {
			t.Errorf("it may sell %d rooms: %+v", share(), p)
		}
		if doing == exposure.Closing {
			f.settle(t, 0, Settlement{State: DeliveryApplied})
		}
	}
}

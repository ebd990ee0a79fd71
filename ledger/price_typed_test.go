package ledger

import (
	"context"
	"testing"

	"ostler.example/hotel"
)

// remap has the codes of the far side told prices for a number of guests.
func (f *farSide) remap(t *testing.T, guests int) {
	t.Helper()
	for i := range f.mappings {
		f.mappings[i].Guests = guests
	}
	if err := f.h.MapChannel(context.Background(), tester, f.id, 0, hotel.PerRoom, f.mappings); err != nil {
		t.Fatal(err)
	}
}

func (h *house) pricedBy(t *testing.T, by hotel.Pricing) {
	t.Helper()
	must2(h.ChangeRatePlan(context.Background(), tester, hotel.Once{}, h.flex.ID, hotel.Change[hotel.RatePlan]{Apply: func(of *hotel.RatePlan) error {
		of.Pricing = by
		return nil
	}}))(t)
}

// TestAMissingPriceIsTypedForTheGuestsOfTheCode: of a plan by occupancy it is that of
// their number alone, which the code waits for.
func TestAMissingPriceIsTypedForTheGuestsOfTheCode(t *testing.T) {
	h := newHouse(t)
	h.pricedBy(t, hotel.PerOccupancy)
	f := h.newFarSide(t, 5)
	f.remap(t, 1)
	f.goLive(t)
	h.unprice(t, h.today+3, h.today+3)
	if got := f.missing(t); got != "3-3 " {
		t.Fatalf("asked about %q", got)
	}
	h.resolve(t, h.conflicts(t, hotel.ConflictMissingPrice)[0], hotel.OptionSetPrice, `{"amount":{"amount":"61.00","currency":"EUR"}}`)
	if got := f.missing(t); got != "" {
		t.Errorf("still asked about %q", got)
	}
	if cell := h.price(t, h.twin, 3); cell.ByOccupancy[1].Minor != 6100 || cell.Amount != nil {
		t.Errorf("the house says %+v by number, %+v for the base occupancy", cell.ByOccupancy, cell.Amount)
	}
	h.sound(t)
}

// TestPricesOfMoreGuestsAreKept where they are others, and forgotten where they are so
// no more.
func TestPricesOfMoreGuestsAreKept(t *testing.T) {
	h := newHouse(t)
	guests := func() (n int) {
		t.Helper()
		h.sound(t)
		if err := h.readDB.QueryRow("SELECT count(DISTINCT occupancy) FROM house_price WHERE occupancy > 0 AND room_type_id = ? AND rate_plan_id = ? AND night = ?",
			h.twin.ID, h.flex.ID, int64(h.today+3)).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	further := func(v hotel.Optional[hotel.Money]) {
		t.Helper()
		must(h.updateRates(hotel.RateEntry{RoomTypeID: h.twin.ID, RatePlanID: h.flex.ID, Dates: h.span(3, 3), ExtraAdult: v}))(t)
	}
	if n := guests(); n != 0 {
		t.Errorf("a plan by the room has prices for %d other numbers of guests", n)
	}
	further(hotel.Given(hotel.Money{Minor: 1500, Currency: "EUR"}))
	if n, want := guests(), h.twin.MaxOccupancy-h.twin.BaseOccupancy; n != want {
		t.Errorf("prices for %d other numbers of guests, want %d", n, want)
	}
	further(hotel.Optional[hotel.Money]{Set: true, Null: true})
	if n := guests(); n != 0 {
		t.Errorf("%d of them have stayed", n)
	}
	h.pricedBy(t, hotel.PerOccupancy)
	if n := guests(); n != h.twin.BaseOccupancy { // more have none without a price of theirs
		t.Errorf("a plan by occupancy has %d prices", n)
	}
	h.pricedBy(t, hotel.PerRoomPrice)
	if n := guests(); n != 0 {
		t.Errorf("%d of them have stayed behind the plan by occupancy", n)
	}
}

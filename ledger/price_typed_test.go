package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"ostler.example/hotel"
)

// remap has the codes of the far side told prices for a number of guests.
func (f *farSide) remap(t *testing.T, guests int) {
	t.Helper()
	for i := range f.mappings {
		f.mappings[i].Guests = guests
	}
	f.sells(t, f.mappings...)
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

// furtherAdult has a further adult pay so much of the flexible twin on some nights.
func (h *house) furtherAdult(t *testing.T, from, to hotel.Date, minor int64) {
	t.Helper()
	must(h.updateRates(hotel.RateEntry{RoomTypeID: h.twin.ID, RatePlanID: h.flex.ID, Dates: h.span(from, to), ExtraAdult: h.euros(minor)}))(t)
}

// refusedAmount wants a decision to be refused for its amount.
func (h *house) refusedAmount(t *testing.T, c hotel.Conflict, option, arguments, want string) {
	t.Helper()
	_, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: option, Arguments: json.RawMessage(arguments)})
	if r, refused := errors.AsType[*hotel.Refusal](err); !refused || r.Items[0].Pointer+" "+r.Items[0].Code != want {
		t.Errorf("answered %v, want %s", err, want)
	}
}

// TestAMissingPriceOfFurtherGuestsComesOut: of a plan by the room, in which further guests
// pay, the amount that is typed for them is what they pay in all, each night by its own.
func TestAMissingPriceOfFurtherGuestsComesOut(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.remap(t, 3)
	f.goLive(t)
	h.furtherAdult(t, 3, 4, 1500)
	h.furtherAdult(t, 5, 5, 2000)
	h.unprice(t, h.today+3, h.today+6)
	if got := f.missing(t); got != "3-6 " {
		t.Fatalf("asked about %q", got)
	}
	c := h.conflicts(t, hotel.ConflictMissingPrice)[0]
	h.refusedAmount(t, c, hotel.OptionSetPrice, `{"amount":{"amount":"19.99","currency":"EUR"}}`, "/arguments/amount min")
	h.resolve(t, c, hotel.OptionSetPrice, `{"amount":{"amount":"120.00","currency":"EUR"}}`)
	if got := f.missing(t); got != "" {
		t.Errorf("still asked about %q", got)
	}
	for night, base := range map[hotel.Date]int64{3: 10500, 4: 10500, 5: 10000, 6: 12000} {
		if cell := h.price(t, h.twin, night); cell.Amount == nil || cell.Amount.Minor != base {
			t.Errorf("night %d has the amount %v, want %d", night, cell.Amount, base)
		}
		b := must(h.Board(context.Background(), h.property.ID))(t)
		ofRoom, _ := b.Room(h.twin.ID)
		ofPlan, _ := b.Plan(h.flex.ID)
		if p, ok := b.HousePrice(h.today+night, ofRoom, ofPlan, 3); !ok || p.Minor() != 12000 {
			t.Errorf("night %d costs three guests %d, want 12000", night, p.Minor())
		}
	}
	h.sound(t)
}

// TestARefusedPriceOfFurtherGuestsIsChanged to what they pay in all.
func TestARefusedPriceOfFurtherGuestsIsChanged(t *testing.T) {
	h, f := refusingSide(t)
	f.remap(t, 3)
	f.catchUp(t)
	h.furtherAdult(t, 3, 3, 1500)
	f.refuse(t, hotel.Price)
	c := h.conflict(t, hotel.ConflictRejected)
	h.refusedAmount(t, c, hotel.OptionChange, `{"values":{"amount":{"amount":"10.00","currency":"EUR"}}}`, "/arguments/values/amount min")
	h.resolve(t, c, hotel.OptionChange, `{"values":{"amount":{"amount":"120.00","currency":"EUR"}}}`)
	if cell := h.price(t, h.twin, 3); cell.Amount == nil || cell.Amount.Minor != 10500 {
		t.Errorf("the amount is %v, want 105.00 and 15.00 for the third guest", cell.Amount)
	}
	h.sound(t)
}

// TestOneAmountForSeveralNumbersOfGuests is refused where the amount of the plan would have
// to be two on one night.
func TestOneAmountForSeveralNumbersOfGuests(t *testing.T) {
	euros := func(from, to hotel.Date, minor int64) hotel.RateEntry {
		return hotel.RateEntry{Dates: hotel.Dates{Span: hotel.Span{From: from, To: to}}, Amount: hotel.Given(hotel.Money{Minor: minor, Currency: "EUR"})}
	}
	three := hotel.RateEntry{
		Dates:       hotel.Dates{Span: hotel.Span{From: 1, To: 9}},
		Occupancies: map[int]hotel.Optional[hotel.Money]{3: hotel.Given(hotel.Money{Minor: 9000, Currency: "EUR"})},
	}
	for name, test := range map[string]struct {
		entries []hotel.RateEntry
		night   hotel.Date // 0: they go together
	}{
		"one after the other": {[]hotel.RateEntry{euros(1, 3, 9000), euros(4, 9, 8000)}, 0},
		"the same twice":      {[]hotel.RateEntry{euros(1, 5, 9000), euros(3, 9, 9000)}, 0},
		"by number":           {[]hotel.RateEntry{euros(1, 5, 8000), three}, 0},
		"two on one night":    {[]hotel.RateEntry{euros(1, 5, 9000), three, euros(5, 9, 8000)}, 5},
		"one within another":  {[]hotel.RateEntry{euros(1, 9, 9000), euros(4, 4, 8000)}, 4},
	} {
		if night, odds := atOdds(test.entries); odds != (test.night > 0) || night != test.night {
			t.Errorf("%s: %d, %t", name, night, odds)
		}
	}
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

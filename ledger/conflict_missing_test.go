package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"ostler.example/hotel"
)

// unprice takes the price of the twin away on some nights.
func (h *house) unprice(t tb, from, to hotel.Date) {
	t.Helper()
	must(h.updateRates(hotel.RateEntry{
		RoomTypeID: h.twin.ID, RatePlanID: h.flex.ID, Dates: hotel.Dates{Span: hotel.Span{From: from, To: to}}, Amount: hotel.Optional[hotel.Money]{Set: true, Null: true},
	}))(t)
}

// missing says which nights somebody is asked about, once the channel is told all.
func (f *farSide) missing(t tb) string {
	t.Helper()
	f.catchUp(t)
	if err := f.h.NoteMissingPrices(context.Background()); err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, c := range f.h.conflicts(t, hotel.ConflictMissingPrice) {
		if c.Status != hotel.ConflictOpen {
			continue
		}
		facts := must(missingFactsOf(&c))(t)
		if c.ChannelID != f.id || c.Subject.RoomTypeID != f.h.twin.ID || c.Subject.RatePlanID != f.h.flex.ID {
			t.Errorf("it is about %+v", c.Subject)
		}
		for _, n := range facts.Nights {
			said += fmt.Sprintf("%d-%d ", n.From-f.h.today, n.To-f.h.today)
		}
	}
	return said
}

// TestAMissingPriceIsToldOf: once for a product at a channel, for as long as a night
// that is on sale has none.
func TestAMissingPriceIsToldOf(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	asks := func(want string) {
		t.Helper()
		if got := f.missing(t); got != want {
			t.Errorf("asked about %q, want %q", got, want)
		}
	}
	asks("")
	before := must(h.Sequence(context.Background()))(t)
	h.unprice(t, h.today+3, h.today+5)
	between := must(h.Sequence(context.Background()))(t)
	h.unprice(t, h.today+9, h.today+9)
	asks("3-5 9-9 ")
	since := must(missingFactsOf(&h.conflicts(t, hotel.ConflictMissingPrice)[0]))(t).Nights
	if first, second := since[0].Sequence, since[1].Sequence; first <= before || first > between || second <= between {
		t.Errorf("nights without a price since %d and %d; the prices were taken away after %d and after %d", first, second, before, between)
	}
	asks("3-5 9-9 ")
	closed := func(is bool) {
		t.Helper()
		must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.twin.ID, Dates: h.span(9, 9), Closed: hotel.Given(is)}))(t)
	}
	closed(true)
	asks("3-5 ") // it is not on sale
	closed(false)
	asks("3-5 9-9 ")
	must(h.updateRules(hotel.RestrictionEntry{RoomTypeID: h.twin.ID, RatePlanID: h.flex.ID, Dates: h.span(9, 9), Closed: hotel.Given(true)}))(t)
	asks("3-5 ")
	must(h.setPrice(h.twin, h.flex, h.today+4, h.today+4, 8000))(t)
	asks("3-3 5-5 ")

	c := h.conflicts(t, hotel.ConflictMissingPrice)[0]
	for arguments, want := range map[string]string{
		`{}`: "/arguments/amount required",
		`{"amount":{"amount":"80.00","currency":"USD"}}`: "/arguments/amount currency_mismatch",
	} {
		_, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: hotel.OptionSetPrice, Arguments: []byte(arguments)})
		if r, refused := errors.AsType[*hotel.Refusal](err); !refused || r.Items[0].Pointer+" "+r.Items[0].Code != want {
			t.Errorf("%s: %v, want %s", arguments, err, want)
		}
	}
	h.resolve(t, c, hotel.OptionSetPrice, `{"amount":{"amount":"81.00","currency":"EUR"}}`)
	asks("")
	if cell := h.price(t, h.twin, 5); cell.Amount.Minor != 8100 {
		t.Errorf("the price is %+v", cell.Amount)
	}

	h.unprice(t, h.today+20, h.today+21)
	asks("20-21 ")
	h.resolve(t, h.conflicts(t, hotel.ConflictMissingPrice)[0], hotel.OptionKeepClosed, "")
	asks("")
	h.unprice(t, h.today+22, h.today+22)
	asks("22-22 ") // it is another night
	must(h.setPrice(h.twin, h.flex, h.today+22, h.today+22, 8000))(t)
	asks("")
	if n := len(h.conflicts(t, hotel.ConflictMissingPrice)); n != 3 {
		t.Errorf("asked %d times", n)
	}
	h.sound(t)
}

// A price is set on all nights that have none, also on more than an entry of an update takes.
func TestAMissingPriceOfManyNights(t *testing.T) {
	h := newHouse(t)
	must2(h.ChangeProperty(context.Background(), tester, hotel.Once{}, h.property.ID, hotel.Change[hotel.Property]{Apply: func(of *hotel.Property) error {
		of.HorizonDays = hotel.MaxEntryDates + 150
		return nil
	}}))(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	h.deriveAll(t)
	f.sells(t, f.mappings[2])
	f.missing(t)
	c := h.conflicts(t, hotel.ConflictMissingPrice)[0]
	nights := must(missingFactsOf(&c))(t).Nights
	if longest := slices.MaxFunc(nights, func(a, b MissingNights) int { return a.Days() - b.Days() }); longest.Days() <= hotel.MaxEntryDates {
		t.Fatalf("only %d nights in a row are without a price", longest.Days())
	}
	h.resolve(t, c, hotel.OptionSetPrice, `{"amount":{"amount":"99.00","currency":"EUR"}}`)
	if got := f.missing(t); got != "" {
		t.Errorf("still asked about %s", got)
	}
	h.sound(t)
}

// Of a product that a channel sells under several codes somebody is asked about each by
// itself, and can tell them apart.
func TestConflictsOfOneProductNameTheirCodes(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	codes := func() (said []string) {
		t.Helper()
		f.missing(t)
		for _, c := range h.conflicts(t, hotel.ConflictMissingPrice) {
			if c.Status == hotel.ConflictOpen {
				said = append(said, c.Subject.RemoteRoom+"/"+c.Subject.RemoteRate)
			}
		}
		slices.Sort(said)
		return said
	}
	h.unprice(t, h.today+3, h.today+5)
	if got := codes(); !slices.Equal(got, []string{"/"}) {
		t.Errorf("under one code: %q", got)
	}
	second := f.mappings[2]
	second.RemoteRoom = "T2"
	f.sells(t, f.mappings[2], second)
	h.unprice(t, h.today+7, h.today+7)
	if got := codes(); !slices.Equal(got, []string{"T/F", "T2/F"}) {
		t.Errorf("under two codes: %q", got)
	}
}

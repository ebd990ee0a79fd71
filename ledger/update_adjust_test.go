package ledger

import (
	"errors"
	"testing"

	"ostler.example/hotel"
)

func TestAdjust(t *testing.T) {
	h := newHouse(t)
	entry := func(room hotel.RoomType, plan hotel.RatePlan, from, to hotel.Date, kind hotel.AdjustmentKind, value string, rounding hotel.Rounding) hotel.RateEntry {
		return hotel.RateEntry{
			RoomTypeID: room.ID, RatePlanID: plan.ID, Dates: h.span(from, to),
			Adjust: &hotel.PriceStep{Kind: kind, Value: value, Rounding: rounding},
		}
	}
	must(h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(1, 1), Amount: h.euros(333)}))(t)
	upd := must(h.updateRates(
		entry(h.double, h.flex, 0, 1, hotel.Percent, "-10", hotel.RoundNone),
		entry(h.double, h.flex, 1, 2, hotel.Amount, "1.5", hotel.RoundNone), // over the first one
		entry(h.suite, h.flex, 0, 0, hotel.Percent, "3", hotel.RoundEnd9),
	))(t)
	if upd.CellsChanged != 4 {
		t.Errorf("update %+v", upd)
	}
	for night, want := range []int64{9000, 450, 10150, 10000} {
		if got := h.price(t, h.double, hotel.Date(night)).Base.Minor; got != want {
			t.Errorf("night %d: %d, want %d", night, got, want)
		}
	}
	if got := h.price(t, h.suite, 0).Base.Minor; got != 9900 {
		t.Errorf("rounded to %d", got)
	}
	for _, test := range []struct {
		name, item, pointer string
		entry               hotel.RateEntry
	}{
		{"of a price that is derived", "required", "/entries/0/values/adjust", entry(h.double, h.saver, 0, 0, hotel.Percent, "5", "")},
		{"below nothing", "min", "/entries/0/values/adjust", entry(h.double, h.flex, 0, 1, hotel.Amount, "-5", "")},
		{"no number", "format", "/entries/0/values/adjust/value", entry(h.double, h.flex, 0, 0, hotel.Percent, "many", "")},
		{"beside an amount", "type", "/entries/0/values/adjust", func() hotel.RateEntry {
			e := entry(h.double, h.flex, 0, 0, hotel.Percent, "5", "")
			e.Amount = h.euros(1)
			return e
		}()},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := h.updateRates(test.entry)
			r := (*hotel.Refusal)(nil)
			if !errors.As(err, &r) || len(r.Items) != 1 || r.Items[0].Code != test.item || r.Items[0].Pointer != test.pointer {
				t.Errorf("told %v", err)
			}
		})
	}
}

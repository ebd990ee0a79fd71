package ledger

import (
	"fmt"
	"slices"

	"ostler.example/hotel"
)

// extras checks what somebody says is charged beside the room.
func (w *wrong) extras(s *structure, r *hotel.Reservation) {
	for i, e := range r.Extras {
		at := fmt.Sprintf("/extras/%d", i)
		if e.DateTo < e.DateFrom {
			w.add(at+"/date_to", "date_order", "must not be before date_from (%s)", e.DateFrom)
		}
		if e.DateFrom < r.Stay.CheckIn || e.DateTo > r.Stay.CheckOut {
			w.add(at+"/date_from", "date_order", "must lie between check_in (%s) and check_out (%s)", r.Stay.CheckIn, r.Stay.CheckOut)
		}
		w.currency(at+"/unit_price", s, &e.UnitPrice)
		if of := (hotel.Money{Minor: e.UnitPrice.Minor * int64(e.Quantity), Currency: e.UnitPrice.Currency}); !of.Countable() {
			w.add(at+"/unit_price", "max", "%d times %s is more than can be counted: look whether it has digits too many", e.Quantity, e.UnitPrice)
		}
	}
}

// cutTo leaves of an extra the days of a stay, that of the departure included; false where
// there is none.
func cutTo(e hotel.Extra, to hotel.Stay) (hotel.Extra, bool) {
	e.DateFrom, e.DateTo = max(e.DateFrom, to.CheckIn), min(e.DateTo, to.CheckOut)
	return e, e.DateFrom <= e.DateTo
}

// cutExtras leaves what the days of a stay have of its extras: for channels, which say
// themselves what else is charged.
func cutExtras(r *hotel.Reservation) {
	var left []hotel.Extra
	for _, e := range r.Extras {
		if cut, some := cutTo(e, r.Stay); some {
			left = append(left, cut)
		}
	}
	r.Extras = left
}

// followExtras has what is charged beside the room follow new dates: what is there from the
// first day to the last night or the departure stays so, the rest is cut to the stay. What
// would be lost altogether is for the caller to place.
func followExtras(r *hotel.Reservation, was hotel.Stay) error {
	var w wrong
	now := slices.Clone(r.Extras)
	for i, e := range now {
		if whole := e.DateFrom == was.CheckIn && e.DateTo >= was.CheckOut-1; whole && e.DateTo > e.DateFrom {
			now[i].DateFrom, now[i].DateTo = r.Stay.CheckIn, r.Stay.CheckOut-(was.CheckOut-e.DateTo)
			continue
		}
		cut, some := cutTo(e, r.Stay)
		if !some {
			w.add("/extras", "date_order", "the stay has no longer a day of %q (%s to %s): say the extras too, with the days that they have now", e.Code, e.DateFrom, e.DateTo)
		}
		now[i] = cut
	}
	if err := w.refusal(); err != nil {
		return err
	}
	r.Extras = now
	return nil
}

package ledger

import (
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// wrong collects what is wrong with a request, so that all of it is told at once.
type wrong []hotel.RefusedItem

func (w *wrong) add(pointer, code, format string, args ...any) {
	*w = append(*w, hotel.Wrong(pointer, code, format, args...))
}

// refusal is nil when nothing is wrong.
func (w wrong) refusal() error {
	if len(w) == 0 {
		return nil
	}
	return hotel.InvalidItems(w)
}

// expiry checks until when a reservation waits for an answer.
func (w *wrong) expiry(r *hotel.Reservation, now time.Time) {
	switch {
	case r.HoldExpires.IsZero():
		if r.Status == hotel.Held {
			w.add("/hold_expires_at", "required", "a room that is held is held until some time")
		}
	case !stay.Expires(r.Status):
		w.add("/hold_expires_at", "enum", "a reservation that is %s does not expire", r.Status)
	case !r.HoldExpires.After(now):
		w.add("/hold_expires_at", "min", "must be in the future")
	}
}

// details checks what of a new reservation has to fit its dates and its property.
func (w *wrong) details(s *structure, r *hotel.Reservation) {
	w.extras(s, r)
	w.segment(s, r)
	w.tags(r)
}

func (w *wrong) segment(s *structure, r *hotel.Reservation) {
	if r.Segment != "" && !slices.ContainsFunc(s.property.MarketSegments, func(m hotel.MarketSegment) bool { return m.Code == r.Segment }) {
		w.add("/market_segment", "enum", "the property has no market segment of that code")
	}
}

func (w *wrong) tags(r *hotel.Reservation) {
	for i, tag := range r.Tags {
		if slices.Contains(r.Tags[:i], tag) {
			w.add(fmt.Sprintf("/tags/%d", i), "enum", "stands there twice")
		}
	}
}

// deposit checks what somebody says was paid ahead: in the property's currency, or in that of
// the price, of which it is taken off.
func (w *wrong) deposit(s *structure, r *hotel.Reservation) {
	if paid := r.DepositPaid; paid != nil && (!r.PriceKnown || paid.Currency != r.Total.Currency) {
		w.currency("/deposit_paid", s, paid)
	}
}

// commission checks what somebody says a channel keeps: likewise, or in the currency of the
// plan, in which what is not priced yet will be.
func (w *wrong) commission(s *structure, r *hotel.Reservation) {
	kept := r.Commission
	switch {
	case kept == nil:
	case kept.Minor < 0:
		w.add("/commission", "min", "must not be negative")
	case r.PriceKnown && kept.Currency == r.Total.Currency, kept.Currency == currencyOf(s, r):
	default:
		w.currency("/commission", s, kept)
	}
}

func (w *wrong) currency(pointer string, s *structure, m *hotel.Money) {
	if m != nil && m.Currency != s.property.Currency {
		w.add(pointer, "currency_mismatch", "the property's currency is %s", s.property.Currency)
	}
}

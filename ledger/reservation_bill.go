package ledger

import (
	"reflect"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
	"ostler.example/hotel/stay"
)

// total works out what a reservation comes to. Of one that is over it stands as it
// was, whatever becomes of the taxes, until its prices change.
func total(s *structure, r, before *hotel.Reservation) {
	if !r.PriceKnown {
		r.Totals = nil
		return
	}
	if before != nil && stay.Over(r.Status) && r.Totals != nil && reflect.DeepEqual(r.Nightly, before.Nightly) {
		return
	}
	b := price.Bill{
		Property: &s.property, Mode: r.TaxMode, Adults: r.Adults, Ages: r.ChildrenAges, Nightly: r.Nightly,
		ByOther: r.Source.Collect == hotel.ChannelCollects,
	}
	if plan := s.plan(r.RatePlanID); plan != nil {
		b.Included = plan.Included
	}
	for _, e := range r.Extras {
		b.Charges = append(b.Charges, price.Charge{Span: hotel.Span{From: e.DateFrom, To: e.DateTo}, Quantity: e.Quantity, Price: e.UnitPrice})
	}
	t := hotel.Totals(b.Total())
	r.Totals = &t
}

// cancelFee is what the guest owes when a reservation is cancelled at an instant,
// by the policy under which it was booked; nil when that is not known.
func cancelFee(s *structure, r *hotel.Reservation, at time.Time) *hotel.Money {
	return fee(s, r, price.CancelPenalty(r.Policy, r.Stay.CheckIn, at, s.property.Zone()))
}

// noFee is what the guest owes for cancelling what was not firm, or a room that was
// released: nothing, which is known.
func noFee(s *structure, r *hotel.Reservation) *hotel.Money {
	if len(r.Nightly) == 0 {
		return &hotel.Money{Currency: currencyOf(s, r)}
	}
	return fee(s, r, hotel.Penalty{Kind: hotel.NoPenalty})
}

// noShowFee is what the guest owes for not coming.
func noShowFee(s *structure, r *hotel.Reservation) *hotel.Money {
	return fee(s, r, price.NoShowPenalty(r.NoShowFee, r.Policy, r.Stay.CheckIn))
}

func fee(s *structure, r *hotel.Reservation, p hotel.Penalty) *hotel.Money {
	m, known := price.Fee(p, currencyOf(s, r), r.Nightly)
	if !known {
		return nil
	}
	return &m
}

// currencyOf is what the reservation's plan is priced in, or else the property.
func currencyOf(s *structure, r *hotel.Reservation) hotel.Currency {
	if plan := s.plan(r.RatePlanID); plan != nil {
		return plan.Currency
	}
	return s.property.Currency
}

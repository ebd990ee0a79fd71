package desk

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
)

// CommissionSource says how the commission of a booking is known.
type CommissionSource string

// The sources: told with the booking, or worked out of its channel's terms.
const (
	CommissionTold     CommissionSource = "told"
	CommissionComputed CommissionSource = "computed"
	CommissionUnknown  CommissionSource = "unknown"
)

// Commission returns what the channel takes for a booking, nil where that is not known.
// Of one that did not come about only what was told is.
func (d *Desk) Commission(ctx context.Context, r hotel.Reservation) (*hotel.Money, CommissionSource, error) {
	switch {
	case r.Commission != nil:
		return r.Commission, CommissionTold, nil
	case r.Totals == nil, r.Status == hotel.Cancelled, r.Status == hotel.NoShow, r.Status == hotel.Declined:
		return nil, CommissionUnknown, nil
	}
	var terms *hotel.Commission
	if r.Source.ChannelID != hotel.Direct {
		var err error
		if terms, err = d.ledger.CommissionTerms(ctx, r.Source); err != nil {
			return nil, "", err
		}
	}
	m, ok := report.CommissionOf(&r, terms)
	if !ok {
		return nil, CommissionUnknown, nil
	}
	return &m, CommissionComputed, nil
}

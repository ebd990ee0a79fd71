package report

import (
	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// bill is what a booking comes to in the currency of a report, in minor units.
type bill struct {
	room, extras, vat, cityTax int64
	commission                 int64
	unknown                    bool // the commission
}

// billOf returns what a booking comes to; ok is false when it has no price, and
// foreign is true when it has one in another currency than the report's. Of a room
// that is free, or that the house uses itself, only extras are paid.
func (b *Books) billOf(r *hotel.Reservation, c hotel.Currency) (_ bill, ok, foreign bool) {
	if !r.PriceKnown || r.Totals == nil {
		return bill{}, false, false
	}
	r = atHome(r, c)
	t := r.Totals
	if t.Room.Currency != c {
		return bill{}, false, true
	}
	if r.Free || r.HouseUse {
		return bill{extras: t.Extras.Minor}, true, false
	}
	out := bill{room: t.Room.Minor, extras: t.Extras.Minor, vat: t.VAT.Minor}
	if t.CityTax.Currency == c {
		out.cityTax = t.CityTax.Minor
	}
	commission, ok := CommissionOf(r, b.TermsOf(r.Source))
	out.commission, out.unknown = commission.Minor, !ok || commission.Currency != c
	if r.NetOfCommission && !out.unknown {
		out.room += out.commission
	}
	return out, true, false
}

// CommissionOf returns what the channel takes for a booking that has a price: what was
// told, else what its terms come to, nil where there are none. Direct sales cost none.
// ok is false when it is not known.
func CommissionOf(r *hotel.Reservation, terms *hotel.Commission) (_ hotel.Money, ok bool) {
	of := hotel.Money{Currency: r.Totals.Gross.Currency}
	switch {
	case r.Commission != nil:
		return *r.Commission, true
	case r.Source.ChannelID == hotel.Direct:
		return of, true
	case terms == nil || r.NetOfCommission:
		return of, false
	}
	of.Minor = taken(*terms, r.Totals.Gross.Minor, r.Totals.Room.Minor+r.Totals.Extras.Minor)
	return of, true
}

// atHome returns a booking in the report's currency, where its rate turns what it has
// into that.
func atHome(r *hotel.Reservation, c hotel.Currency) *hotel.Reservation {
	if r.Exchange == nil || r.Exchange.To != c || r.Totals == nil || r.Totals.Room.Currency != r.Exchange.From {
		return r
	}
	turn := func(m hotel.Money) hotel.Money {
		if turned, ok := r.Exchange.Turn(m); ok {
			return turned
		}
		return m
	}
	out, totals := *r, *r.Totals
	totals.Room, totals.Extras, totals.VAT, totals.Gross = turn(totals.Room), turn(totals.Extras), turn(totals.VAT), turn(totals.Gross)
	out.Totals = &totals
	if r.Commission != nil {
		m := turn(*r.Commission)
		out.Commission = &m
	}
	if r.Cancel != nil && r.Cancel.Penalty != nil {
		cancel, m := *r.Cancel, turn(*r.Cancel.Penalty)
		cancel.Penalty = &m
		out.Cancel = &cancel
	}
	return &out
}

// chargeOf returns what a guest is charged for not coming or for cancelling, without
// the VAT that the stay's price has in it; 0 when nothing is, or when that is not
// known; gross is the charge with it.
func chargeOf(r *hotel.Reservation, c hotel.Currency) (net, gross int64) {
	r = atHome(r, c)
	if r.Cancel == nil || r.Cancel.Waived || r.Cancel.Penalty == nil || r.Cancel.Penalty.Currency != c {
		return 0, 0
	}
	charge := r.Cancel.Penalty.Minor
	if r.TaxMode == hotel.TaxExclusive || r.Totals == nil || r.Totals.Gross.Minor == 0 {
		return charge, charge
	}
	without := r.Totals.Room.Minor + r.Totals.Extras.Minor
	return ratio(charge, without, r.Totals.Gross.Minor).N, charge
}

// feeUnconverted reports whether a guest is charged something for not staying that has no
// exchange into the report's currency.
func feeUnconverted(r *hotel.Reservation, c hotel.Currency) bool {
	r = atHome(r, c)
	return r.Cancel != nil && !r.Cancel.Waived && r.Cancel.Penalty != nil && r.Cancel.Penalty.Minor != 0 && r.Cancel.Penalty.Currency != c
}

// noShowCommission returns what the channel takes of a charge for not coming.
func (b *Books) noShowCommission(r *hotel.Reservation, net, gross int64) (amount int64, unknown bool) {
	if r.Source.ChannelID == hotel.Direct || gross == 0 {
		return 0, false
	}
	terms := b.TermsOf(r.Source)
	if terms == nil {
		return 0, true
	}
	if !terms.OnNoShow {
		return 0, false
	}
	return taken(*terms, gross, net), false
}

// taken is what a channel takes of an amount by its terms, rounded half-even.
func taken(terms hotel.Commission, gross, net int64) int64 {
	base := gross
	if terms.Base == "net_of_tax" {
		base = net
	}
	pct := decimal.RequireFromString(terms.Pct)
	return decimal.NewFromInt(base).Mul(pct).Shift(-2).RoundBank(0).IntPart()
}

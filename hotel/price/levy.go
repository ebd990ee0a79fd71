package price

import (
	"slices"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// Levies are what taxes that are amounts come to on one night, in minor units.
// The zero value is nothing.
type Levies struct{ room, person decimal.Decimal }

// LeviesOf returns the amounts that prices with tax contain on a night and that
// count as VAT or as a fee. An amount for the stay is not among them: a price of
// one night does not know the stay that it becomes a part of.
func LeviesOf(taxes []hotel.Tax, night hotel.Date, c hotel.Currency) Levies {
	var l Levies
	for i := range taxes {
		t := &taxes[i]
		if !t.Included || t.CountsAs == hotel.CityTax || !due(t, night) {
			continue
		}
		switch t.Kind {
		case hotel.PerRoomNight:
			l.room = l.room.Add(fixedTax(t, 1, c))
		case hotel.PerPersonTax:
			l.person = l.person.Add(fixedTax(t, 1, c))
		case hotel.PercentTax, hotel.PerStay:
		}
	}
	return l
}

// LeavesOutStay reports whether a channel's prices are on another tax basis than the
// plan's while something for the stay, which no price of a night is taken to that
// basis with, lies between the two: a tax that is an amount, or an included item with
// a VAT of its own.
func LeavesOutStay(c *hotel.Channel, of *hotel.Property, plan *hotel.RatePlan) bool {
	if c.Pricing.Basis == "" || (plan.TaxMode == hotel.TaxExclusive) == (c.Pricing.Basis == hotel.TaxExcluded) {
		return false
	}
	return slices.ContainsFunc(of.Taxes, func(t hotel.Tax) bool {
		return t.Kind == hotel.PerStay && t.Included && t.CountsAs != hotel.CityTax
	}) || slices.ContainsFunc(plan.Included, func(i hotel.Included) bool { return i.Per == hotel.IncludedPerStay && i.VAT != "" })
}

// of returns what a room with so many adults pays.
func (l Levies) of(guests int) decimal.Decimal {
	return l.room.Add(l.person.Mul(decimal.NewFromInt(int64(guests))))
}

package price

import (
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

// of returns what a room with so many adults pays.
func (l Levies) of(guests int) decimal.Decimal {
	return l.room.Add(l.person.Mul(decimal.NewFromInt(int64(guests))))
}

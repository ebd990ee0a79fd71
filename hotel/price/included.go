package price

import (
	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// Items are what the prices of a plan include beside the room on one night, with the
// VAT that each has.
type Items []includedItem

type includedItem struct {
	room, person decimal.Decimal // minor units of the plan's currency
	vat          Taxes
}

// ItemsOf returns what the plan's prices include on a night. An item for the stay is
// not among them, for the same reason as in [LeviesOf]. taxes are those of the night
// that prices contain; an item without a VAT of its own has theirs, and none has
// their fees.
func ItemsOf(plan *hotel.RatePlan, taxes Taxes) Items {
	var out Items
	for i := range plan.Included {
		x := &plan.Included[i]
		amount := x.Amount[""]
		if x.Per == hotel.IncludedPerStay || amount.Currency != plan.Currency {
			continue
		}
		item := includedItem{vat: taxes.of(hotel.VAT)}
		if x.VAT != "" {
			item.vat = vatOf(x.VAT)
		}
		if x.Per == hotel.IncludedPerPerson {
			item.person = decimal.NewFromInt(amount.Minor)
		} else {
			item.room = decimal.NewFromInt(amount.Minor)
		}
		out = append(out, item)
	}
	return out
}

// vatOf is the VAT of an item that has one of its own, in per cent.
func vatOf(percent string) Taxes {
	return Taxes{{rate: decimal.RequireFromString(percent).Shift(-2), use: hotel.VAT}}
}

// apart takes the items for so many adults out of a price, as far as it goes, and
// returns what is left of it and the sum of the items, each with its VAT added or
// taken away by turn.
func (l Items) apart(price fraction, guests int, turn func(Taxes, fraction) fraction) (rest, items fraction) {
	rest, items = price, whole(decimal.Zero)
	for i := range l {
		amount := l[i].room.Add(l[i].person.Mul(decimal.NewFromInt(int64(guests))))
		part := whole(amount)
		if rest.cmp(amount) < 0 {
			part = rest
		}
		rest = rest.less(amount)
		items = items.add(turn(l[i].vat, part))
	}
	return rest, items
}

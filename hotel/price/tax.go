package price

import (
	"slices"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// Taxes are taxes by percentage on one night. The zero value is none.
type Taxes []percentage

// percentage is a tax of so many percent of the net price, at most cap minor
// units of it.
type percentage struct {
	rate   decimal.Decimal // of one: 0.07
	cap    decimal.Decimal
	capped bool
	use    hotel.TaxUse
}

// TaxesOf returns the property's percentages that count as VAT or as a fee and
// are due on a night: those that prices with tax contain, which lie between a net
// and a gross price, or those that come on top of every price. A cap in another
// currency than the price's caps nothing.
func TaxesOf(taxes []hotel.Tax, night hotel.Date, c hotel.Currency, contained bool) Taxes {
	var out Taxes
	for i := range taxes {
		t := &taxes[i]
		if t.Kind != hotel.PercentTax || t.Included != contained || t.CountsAs == hotel.CityTax || !due(t, night) {
			continue
		}
		p := percentage{rate: decimal.RequireFromString(t.Value).Shift(-2), use: t.CountsAs}
		if t.Cap != nil && t.Cap.Currency == c {
			p.cap, p.capped = decimal.NewFromInt(t.Cap.Minor), true
		}
		out = append(out, p)
	}
	// In the order in which their caps are reached as a price grows.
	slices.SortStableFunc(out, func(a, b percentage) int {
		if a.capped != b.capped {
			if a.capped {
				return -1
			}
			return 1
		}
		return a.cap.Mul(b.rate).Cmp(b.cap.Mul(a.rate))
	})
	return out
}

// due reports whether a tax is due on a night.
func due(t *hotel.Tax, night hotel.Date) bool {
	if t.ValidFrom != nil && night < *t.ValidFrom || t.ValidTo != nil && night > *t.ValidTo {
		return false
	}
	return len(t.Seasons) == 0 || slices.ContainsFunc(t.Seasons, func(s hotel.Span) bool { return s.Contains(night) })
}

// of returns the taxes that count as one thing.
func (t Taxes) of(use hotel.TaxUse) Taxes {
	var out Taxes
	for i := range t {
		if t[i].use == use {
			out = append(out, t[i])
		}
	}
	return out
}

// gross adds the taxes to a net price.
func (t Taxes) gross(net fraction) fraction {
	sum := net
	for i := range t {
		sum = sum.add(t[i].of(net))
	}
	return sum
}

// of returns the tax of a net price.
func (p *percentage) of(net fraction) fraction {
	tax := net.times(p.rate)
	if p.capped && tax.cmp(p.cap) > 0 {
		return whole(p.cap)
	}
	return tax
}

// net takes the taxes out of a price that contains them.
func (t Taxes) net(gross fraction) fraction {
	rates, caps := decimal.NewFromInt(1), decimal.Zero
	for i := range t {
		rates = rates.Add(t[i].rate)
	}
	net := gross.over(rates)
	// The more caps are reached the larger the net; try them in the order in
	// which they are.
	for i := range t {
		if !t[i].capped || net.times(t[i].rate).cmp(t[i].cap) <= 0 {
			return net
		}
		rates, caps = rates.Sub(t[i].rate), caps.Add(t[i].cap)
		net = gross.plus(caps.Neg()).over(rates)
	}
	return net
}

package alpinebits

import (
	"strconv"
	"strings"

	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// money reads an amount; false: there is none that makes sense.
func money(amount, currency string) (hotel.Money, bool) {
	c := hotel.Currency(currency)
	if whole, part, cut := strings.Cut(amount, "."); cut {
		amount = strings.TrimSuffix(whole+"."+strings.TrimRight(part, "0"), ".") // 299.000 has two decimals
	}
	m, err := hotel.ParseMoney(amount, c)
	return m, err == nil && c.Known() && m.Minor >= 0
}

// amountsOf returns what each night costs, nil when that is not told of all of them
// without a doubt.
func amountsOf(rates []message.NightRate, stay hotel.Stay) []hotel.Money {
	amounts := make([]hotel.Money, stay.Nights())
	for _, r := range rates {
		from, err := hotel.ParseDate(r.Date)
		if err != nil || len(r.Base) != 1 || r.Nights != "" && r.Nights != "1" {
			return nil
		}
		amount, ok := money(r.Base[0].AfterTax, r.Base[0].Currency)
		last := from
		if r.End != "" {
			if last, err = hotel.ParseDate(r.End); err != nil {
				return nil
			}
			if r.Excluded == "true" || r.Excluded == "1" {
				last--
			}
		}
		if !ok || from < stay.CheckIn || last >= stay.CheckOut {
			return nil
		}
		for night := from; night <= last; night++ {
			if !amounts[night-stay.CheckIn].IsZero() {
				return nil
			}
			amounts[night-stay.CheckIn] = amount
		}
	}
	for _, a := range amounts {
		if a.IsZero() || a.Currency != amounts[0].Currency {
			return nil
		}
	}
	return amounts
}

// currencyOf is the currency that a stay is priced in; where there is none, what was the only
// one of the standard for years.
func currencyOf(s message.Stay) hotel.Currency {
	if s.Total != nil && hotel.Currency(s.Total.Currency).Known() {
		return hotel.Currency(s.Total.Currency)
	}
	return "EUR"
}

// sums adds up the totals and the commissions of the rooms; nil: not told of all of
// them in one currency.
func sums(stays []message.Stay) (total, commission *hotel.Money) {
	total, commission = &hotel.Money{}, &hotel.Money{}
	for _, s := range stays {
		if s.Total == nil {
			return nil, nil
		}
		costs, ok := money(s.Total.AfterTax, s.Total.Currency)
		if !ok || !total.IsZero() && costs.Currency != total.Currency {
			return nil, nil
		}
		*total = hotel.Money{Minor: total.Minor + costs.Minor, Currency: costs.Currency}
		kept, ok := commissionOf(s.RatePlan.Commission, costs)
		if !ok || commission == nil {
			commission = nil
			continue
		}
		*commission = hotel.Money{Minor: commission.Minor + kept.Minor, Currency: kept.Currency}
	}
	if total.IsZero() {
		return nil, nil
	}
	return total, commission
}

// commissionOf is what the portal keeps of a total, to the nearest minor unit.
func commissionOf(c *message.Commission, total hotel.Money) (hotel.Money, bool) {
	if c == nil {
		return hotel.Money{}, false
	}
	if c.Payable != nil {
		m, ok := money(c.Payable.Amount, c.Payable.Currency)
		return m, ok && m.Currency == total.Currency
	}
	percent, err := strconv.ParseUint(c.Percent, 10, 8)
	if err != nil || percent > 100 {
		return hotel.Money{}, false
	}
	return hotel.Money{Minor: (total.Minor*int64(percent) + 50) / 100, Currency: total.Currency}, true
}

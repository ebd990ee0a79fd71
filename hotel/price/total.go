package price

import (
	"math/big"
	"slices"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// Bill is what the total of a stay is made of.
type Bill struct {
	Property *hotel.Property // its taxes, age bands and currency
	Mode     hotel.TaxMode   // of the nightly prices and the charges; "" is inclusive
	Included []hotel.Included
	Adults   int
	Ages     []int // of the children; negative: nobody told
	Nightly  []hotel.NightPrice
	Charges  []Charge // what is paid beside the room
	ByOther  bool     // the channel takes the taxes of which it says so
}

// Charge is so many of something on each of some dates, both inclusive.
type Charge struct {
	hotel.Span
	Quantity int
	Price    hotel.Money // of one
}

// Total is what a stay comes to. Room and Extras are without VAT, and Gross is
// their sum with it. City tax is in neither.
type Total struct {
	Room    hotel.Money // the nights without what their price includes beside the room
	Extras  hotel.Money // what is included, what is charged, and fees
	VAT     hotel.Money
	Gross   hotel.Money
	CityTax hotel.Money // due at the property, in its currency
}

// Total works out a stay. Everything is exact until the end, where room, extras,
// gross and city tax are rounded half-even; VAT is what is left between them, so
// that the parts add up.
//
// Taxes that prices with tax contain are taken out of inclusive prices and added
// to exclusive ones; the others are added to either. Percentages are of the net
// price. An included item has the plan's tax mode and its own VAT, and one
// without the VAT of the room; so have the charges. Items never take more out of
// a night than its price. Items, charges and fixed amounts of another currency
// than the nights' are left out, and so is city tax by percent when the nights
// are not in the property's currency.
//
// City tax is due on the first MaxNights nights on which it applies, of adults
// and of children from its age on; a child of unknown age is as old as a child
// can be.
func (b *Bill) Total() Total {
	s := newSums(b)
	for i := range b.Nightly {
		s.night(b, i)
	}
	for i := range b.Charges {
		s.charge(b, &b.Charges[i])
	}
	c := s.currency
	t := Total{Room: rounded(&s.room, c), Extras: rounded(&s.extras, c)}
	var gross big.Rat
	gross.Add(&s.room, &s.extras)
	t.Gross = rounded(gross.Add(&gross, &s.vat), c)
	t.VAT = hotel.Money{Minor: t.Gross.Minor - t.Room.Minor - t.Extras.Minor, Currency: c}
	t.CityTax = rounded(s.cityTax(b), b.Property.Currency)
	return t
}

// sums adds up a stay in minor units.
type sums struct {
	currency          hotel.Currency
	inclusive         bool
	guests            Guests
	room, extras, vat big.Rat
	net, meals        []fraction // of each night: the room's net price, and that of what it includes
}

func newSums(b *Bill) *sums {
	s := &sums{currency: b.Property.Currency, inclusive: b.Mode != hotel.TaxExclusive}
	if len(b.Nightly) > 0 {
		s.currency = b.Nightly[0].Amount.Currency
	}
	s.guests = Bands(b.Property.AgeBands).Guests(b.Adults, b.Ages)
	return s
}

// night adds one night of the stay.
func (s *sums) night(b *Bill, i int) {
	night, left := b.Nightly[i].Date, decimal.NewFromInt(b.Nightly[i].Amount.Minor)
	in, top := TaxesOf(b.Property.Taxes, night, s.currency, true), TaxesOf(b.Property.Taxes, night, s.currency, false)
	meals := whole(decimal.Zero)
	for j := range b.Included {
		amount := decimal.Min(left, s.included(b, &b.Included[j], i == 0))
		left = left.Sub(amount)
		meals = meals.add(s.sale(amount, b.Included[j].VAT, in, top))
	}
	for j := range b.Property.Taxes {
		t := &b.Property.Taxes[j]
		if t.Kind == hotel.PercentTax || t.CountsAs == hotel.CityTax || !due(t, night) || t.Kind == hotel.PerStay && i > 0 {
			continue
		}
		amount := s.fixed(b, t)
		if s.inclusive && t.Included {
			amount = decimal.Min(left, amount)
			left = left.Sub(amount)
		}
		s.tax(t.CountsAs, whole(amount))
	}
	net := whole(left)
	if s.inclusive {
		net = in.net(net)
	}
	s.room.Add(&s.room, net.rat())
	for _, taxes := range []Taxes{in, top} {
		for j := range taxes {
			s.tax(taxes[j].use, taxes[j].of(net))
		}
	}
	s.net, s.meals = append(s.net, net), append(s.meals, meals)
}

// included returns what the price of one night includes of an item.
func (s *sums) included(b *Bill, item *hotel.Included, first bool) decimal.Decimal {
	amount := func(band string, n int) decimal.Decimal {
		m := item.Amount[band]
		if m.Currency != s.currency {
			return decimal.Zero
		}
		return decimal.NewFromInt(m.Minor).Mul(decimal.NewFromInt(int64(n)))
	}
	if item.Per == hotel.IncludedPerStay && !first {
		return decimal.Zero
	}
	if item.Per != hotel.IncludedPerPerson {
		return amount("", 1)
	}
	sum := amount("", s.guests.Adults+s.guests.Unknown)
	for i, band := range b.Property.AgeBands {
		code := ""
		if _, own := item.Amount[band.Code]; own || band.CountsAs == hotel.Infant {
			code = band.Code
		}
		sum = sum.Add(amount(code, s.guests.ByBand[i]))
	}
	return sum
}

// sale adds something sold beside the room and returns its net price.
func (s *sums) sale(amount decimal.Decimal, vat string, in, top Taxes) fraction {
	inside, above := in.of(hotel.VAT), top.of(hotel.VAT)
	if vat != "" {
		inside, above = vatOf(vat), nil
	}
	net := whole(amount)
	if s.inclusive {
		net = inside.net(net)
	}
	s.extras.Add(&s.extras, net.rat())
	for _, taxes := range []Taxes{inside, above} {
		for i := range taxes {
			s.tax(hotel.VAT, taxes[i].of(net))
		}
	}
	return net
}

// charge adds what is paid beside the room.
func (s *sums) charge(b *Bill, c *Charge) {
	if c.Price.Currency != s.currency {
		return
	}
	for d := c.From; d <= c.To; d++ {
		amount := decimal.NewFromInt(c.Price.Minor).Mul(decimal.NewFromInt(int64(c.Quantity)))
		s.sale(amount, "", TaxesOf(b.Property.Taxes, d, s.currency, true), TaxesOf(b.Property.Taxes, d, s.currency, false))
	}
}

func (s *sums) tax(use hotel.TaxUse, amount fraction) {
	if use == hotel.VAT {
		s.vat.Add(&s.vat, amount.rat())
		return
	}
	s.extras.Add(&s.extras, amount.rat())
}

// fixed returns what a tax that is an amount comes to on one night, or for the
// stay; nothing when the stay is in another currency.
func (s *sums) fixed(b *Bill, t *hotel.Tax) decimal.Decimal {
	if s.currency != b.Property.Currency {
		return decimal.Zero
	}
	return fixedTax(t, s.payers(b, t), b.Property.Currency)
}

// fixedTax returns a tax that is an amount, for so many who pay it.
func fixedTax(t *hotel.Tax, payers int, c hotel.Currency) decimal.Decimal {
	amount := decimal.RequireFromString(t.Value).Shift(int32(c.Exponent()))
	if t.Cap != nil && t.Cap.Currency == c {
		amount = decimal.Min(amount, decimal.NewFromInt(t.Cap.Minor))
	}
	if t.Kind == hotel.PerPersonTax {
		amount = amount.Mul(decimal.NewFromInt(int64(payers)))
	}
	return amount
}

// payers counts the guests who are old enough to pay a tax.
func (s *sums) payers(b *Bill, t *hotel.Tax) int {
	oldest := adultAge - 1
	if bands := Bands(b.Property.AgeBands); bands.children() {
		oldest = slices.MaxFunc(bands, func(x, y hotel.AgeBand) int {
			return childAge(x) - childAge(y)
		}).ToAge - 1
	}
	n := b.Adults
	for _, age := range b.Ages {
		if age < 0 {
			age = oldest
		}
		if age >= t.AgeFrom {
			n++
		}
	}
	return n
}

// adultAge is the age from which a guest is no child anywhere.
const adultAge = 18

// childAge returns up to which age a band counts as child, 0 when it does not.
func childAge(b hotel.AgeBand) int {
	if b.CountsAs != hotel.Child {
		return 0
	}
	return b.ToAge
}

// cityTax adds up the city taxes that are due at the property, in minor units of
// its currency.
func (s *sums) cityTax(b *Bill) *big.Rat {
	var sum big.Rat
	for i := range b.Property.Taxes {
		t := &b.Property.Taxes[i]
		if t.CountsAs != hotel.CityTax || t.CollectedBy == "channel" || t.CollectedBy == "as_channel_says" && b.ByOther {
			continue
		}
		nights := 0
		for n := range b.Nightly {
			if !due(t, b.Nightly[n].Date) || t.MaxNights > 0 && nights == t.MaxNights || t.Kind == hotel.PerStay && nights > 0 {
				continue
			}
			nights++
			sum.Add(&sum, s.cityTaxOf(b, t, n).rat())
		}
	}
	return &sum
}

// cityTaxOf returns a city tax for one night.
func (s *sums) cityTaxOf(b *Bill, t *hotel.Tax, night int) fraction {
	c := b.Property.Currency
	if t.Kind != hotel.PercentTax {
		return whole(fixedTax(t, s.payers(b, t), c))
	}
	if s.currency != c {
		return whole(decimal.Zero)
	}
	base := s.net[night]
	if t.Base == "room_and_meals" {
		base = base.add(s.meals[night])
	}
	p := percentage{rate: decimal.RequireFromString(t.Value).Shift(-2)}
	if t.Cap != nil && t.Cap.Currency == c {
		p.cap, p.capped = decimal.NewFromInt(t.Cap.Minor), true
	}
	return p.of(base)
}

// rounded returns an exact sum in whole minor units, rounded half-even.
func rounded(r *big.Rat, c hotel.Currency) hotel.Money {
	f := fraction{decimal.NewFromBigInt(r.Num(), 0), decimal.NewFromBigInt(r.Denom(), 0)}
	return hotel.Money{Minor: f.nearest().IntPart(), Currency: c}
}

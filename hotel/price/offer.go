package price

import (
	"cmp"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// Channel is what one channel makes of the house's prices of one plan on one
// night. The zero value changes nothing.
type Channel struct {
	Markup   *hotel.Markup    // nil: none; must be one that Check finds sound
	Mode     hotel.TaxMode    // of the plan; "" is inclusive
	Basis    hotel.PriceBasis // "": as the plan has it
	Taxes    Taxes            // of the night; with Levies and the VAT of Items what lies between the plan's mode and the basis
	Levies   Levies           // of the night
	Items    Items            // of the night
	Guests   int              // whom the price is for; they pay the levies by person
	Currency hotel.Currency   // "": the house's
	Exchange *hotel.Exchange  // from the house's currency; see Converts. Its rate is above 0
	Min, Max hotel.Money      // what the far side accepts, in the channel's currency; the zero Money is no bound
}

// ChannelFor returns what a channel makes of a plan's prices on a night. The
// bounds of the far side and the guests are for the caller to add.
func ChannelFor(c *hotel.Channel, of *hotel.Property, plan *hotel.RatePlan, night hotel.Date) Channel {
	out := Channel{
		Markup: c.Markup, Mode: plan.TaxMode, Basis: c.Pricing.Basis, Taxes: TaxesOf(of.Taxes, night, plan.Currency, true),
		Currency: c.Pricing.Currency,
	}
	out.Items = ItemsOf(plan, out.Taxes)
	if plan.Currency == of.Currency {
		out.Exchange = c.Pricing.Exchange // its rate is that of the property's currency
		out.Levies = LeviesOf(of.Taxes, night, of.Currency)
	}
	return out
}

// Converts reports whether prices in a currency can be taken to the channel's.
// Those that cannot have no price there.
func (c *Channel) Converts(from hotel.Currency) bool {
	return c.Currency == "" || c.Currency == from || c.Exchange != nil
}

// Offer returns the price, in a currency that the channel converts, that the
// channel is to show: the house price with the
// channel's markup, on its tax basis, in its currency, rounded once by the
// house's mode, moved into the plan's limits and then into the far side's bounds.
//
// The limits are the plan's, taken to the channel's basis and currency. The mode
// survives both: below a floor the next permitted amount at or above it is taken,
// above a ceiling the next at or below; where there is none between the two, the
// floor or ceiling itself. The steps recorded are markup, tax_basis, currency,
// rounding, floor_ceiling and capability_clamp.
func Offer(h House, c Channel, tr *hotel.Trace) hotel.Money {
	to, amount := c.shows(h.Currency), c.marked(h)
	taxed := c.taxed(whole(amount))
	exact := c.exchanged(taxed, h.Currency, to)
	g := gridOf(h.Rounding, to)
	rounded := hotel.Money{Minor: g.nearest(exact), Currency: to}
	limits := c.limits(h.Limits, h.Currency, to)
	within := hotel.Money{Minor: g.within(rounded.Minor, limits), Currency: to}
	m := hotel.Money{Minor: g.within(within.Minor, Limits{c.Min.Minor, c.Max.Minor}), Currency: to}
	if tr != nil {
		if c.Markup == nil {
			tr.AddText("markup", major(amount, h.Currency), "")
		} else {
			tr.AddText("markup", major(amount, h.Currency), c.Markup.Value+" "+string(c.Markup.Kind))
			tr.Name(hotel.Acted{Kind: string(c.Markup.Kind)})
		}
		tr.AddText("tax_basis", taxed.text(h.Currency), string(c.Basis))
		tr.AddText("currency", exact.text(to), c.rate(h.Currency, to))
		tr.AddText("rounding", rounded.Amount(), string(h.Rounding))
		tr.AddText("floor_ceiling", within.Amount(), limits.By(to))
		tr.AddText("capability_clamp", m.Amount(), bounds(c.Min, c.Max))
	}
	return m
}

// exact is what becomes of a house price in the channel's currency before it is rounded.
func (c *Channel) exact(h House) fraction {
	return c.exchanged(c.taxed(whole(c.marked(h))), h.Currency, c.shows(h.Currency))
}

// shows is the currency in which prices of the house's are shown.
func (c *Channel) shows(house hotel.Currency) hotel.Currency { return cmp.Or(c.Currency, house) }

// marked is a house price with the channel's markup.
func (c *Channel) marked(h House) decimal.Decimal {
	if c.Markup == nil {
		return h.Amount
	}
	return adjust(h.Amount, c.Markup.Kind, decimal.RequireFromString(c.Markup.Value), h.Currency)
}

// taxed takes an amount of the plan to the channel's tax basis, as [Bill.Total] tells
// what a night of it is made of.
func (c *Channel) taxed(amount fraction) fraction {
	exclusive := c.Mode == hotel.TaxExclusive
	switch {
	case exclusive && c.Basis == hotel.TaxIncluded:
		room, items := c.Items.apart(amount, c.Guests, Taxes.gross)
		return c.Taxes.gross(room).plus(c.Levies.of(c.Guests)).add(items)
	case !exclusive && c.Basis == hotel.TaxExcluded:
		room, items := c.Items.apart(amount, c.Guests, Taxes.net)
		return c.Taxes.net(room.less(c.Levies.of(c.Guests))).add(items)
	}
	return amount
}

// exchanged takes an amount to another currency.
func (c *Channel) exchanged(amount fraction, from, to hotel.Currency) fraction {
	if from == to {
		return amount
	}
	rate := decimal.RequireFromString(c.Exchange.Rate)
	return amount.times(rate.Shift(int32(to.Exponent() - from.Exponent())))
}

// limits takes the plan's limits to the channel's tax basis and currency.
func (c *Channel) limits(l Limits, from, to hotel.Currency) Limits {
	there := func(minor int64) fraction {
		return c.exchanged(c.taxed(whole(decimal.NewFromInt(minor))), from, to)
	}
	var out Limits
	if l.Floor > 0 {
		out.Floor = there(l.Floor).ceil().IntPart()
	}
	if l.Ceiling > 0 {
		// Less than one minor unit would be no limit at all.
		out.Ceiling = max(1, there(l.Ceiling).floor().IntPart())
	}
	return out
}

// rate names the channel's currency for the trace, and the rate with its day.
func (c *Channel) rate(from, to hotel.Currency) string {
	if from == to {
		return string(to)
	}
	return string(to) + " at " + c.Exchange.Rate + " of " + c.Exchange.Date.String()
}

// bounds names bounds for the trace.
func bounds(low, high hotel.Money) string {
	switch {
	case low.Minor == 0 && high.Minor == 0:
		return ""
	case high.Minor == 0:
		return "at least " + low.Amount()
	case low.Minor == 0:
		return "at most " + high.Amount()
	}
	return "from " + low.Amount() + " to " + high.Amount()
}

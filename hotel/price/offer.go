package price

import (
	"ostler.example/hotel"
)

// Channel is what one channel makes of the house's prices. The zero value
// changes nothing.
type Channel struct {
	Markup   *hotel.Markup // nil: none; must be one that Check finds sound
	Min, Max hotel.Money   // what the far side accepts; the zero Money is no bound
}

// Offer returns the price that the channel is to show: the house price with the
// channel's markup, rounded once by the house's mode and moved into the bounds.
// The mode survives the bounds: below Min the next permitted amount at or above
// it is taken, above Max the next at or below; where there is none between them,
// the bound. The steps recorded are markup, tax_basis, currency, rounding and
// capability_clamp. The tax basis and the currency are the property's own.
func Offer(h House, c Channel, tr *hotel.Trace) hotel.Money {
	amount, by := h.Amount, ""
	if c.Markup != nil {
		amount = adjust(amount, c.Markup.Kind, c.Markup.Value, h.Currency)
		by = c.Markup.Value + " " + string(c.Markup.Kind)
	}
	if tr != nil {
		text := major(amount, h.Currency)
		tr.AddText("markup", text, by)
		tr.AddText("tax_basis", text, "")
		tr.AddText("currency", text, string(h.Currency))
	}
	m := Round(amount, h.Rounding, h.Currency)
	if tr != nil {
		tr.AddText("rounding", m.Amount(), string(h.Rounding))
	}
	m.Minor = gridOf(h.Rounding, h.Currency).within(m.Minor, c.Min.Minor, c.Max.Minor)
	if tr != nil {
		tr.AddText("capability_clamp", m.Amount(), bounds(c))
	}
	return m
}

// bounds names the bounds of a channel for the trace.
func bounds(c Channel) string {
	switch {
	case c.Min.IsZero() && c.Max.IsZero():
		return ""
	case c.Max.IsZero():
		return "at least " + c.Min.Amount()
	case c.Min.IsZero():
		return "at most " + c.Max.Amount()
	}
	return "from " + c.Min.Amount() + " to " + c.Max.Amount()
}

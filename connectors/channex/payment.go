package channex

import (
	"strconv"
	"strings"
	"time"

	"ostler.example/hotel"
)

// guarantee is the card that stands for a booking, its number masked.
type guarantee struct {
	Number  text              `json:"card_number"`
	Type    text              `json:"card_type"`
	Expires text              `json:"expiration_date"` // MM/YYYY
	Virtual bool              `json:"is_virtual"`
	Meta    lenient[cardMeta] `json:"meta"`
}

type cardMeta struct {
	Currency  text `json:"virtual_card_currency_code"`
	Balance   text `json:"virtual_card_current_balance"` // a whole number of units of so many decimals
	Decimals  text `json:"virtual_card_decimal_places"`
	Effective text `json:"virtual_card_effective_date"`
}

// payment reads what a revision says of the money. Amounts are what guests pay. A card
// is seen at the agency alone: Channex shows its number to nobody without an audit.
func (a attributes) payment(currency hotel.Currency) hotel.ChannelPayment {
	var p hotel.ChannelPayment
	switch a.Collect {
	case "property":
		p.Collect = hotel.HotelCollects
	case "ota":
		p.Collect, p.Guarantee = hotel.ChannelCollects, "prepaid"
	}
	g := a.Guarantee.v
	if g == (guarantee{}) {
		if paid, ok := a.paid(currency); ok && paid.Minor > 0 && p.Guarantee == "" {
			p.Guarantee = "deposit"
		}
		return p
	}
	if p.Guarantee == "" {
		p.Guarantee = "card_on_file"
	}
	p.Card, p.Access = g.card(currency), &hotel.CardAccess{Kind: hotel.CardInExtranet}
	return p
}

func (g guarantee) card(currency hotel.Currency) *hotel.Card {
	c := &hotel.Card{Brand: hotel.CardBrand(string(g.Type)), Virtual: g.Virtual}
	if n := len(g.Number); n > 4 && allDigits(g.Number[n-4:]) { // else they are masked too
		c.Last4 = string(g.Number[n-4:])
	}
	if at, err := time.Parse("01/2006", string(g.Expires)); err == nil {
		c.ExpMonth, c.ExpYear = int(at.Month()), at.Year()
	}
	m := g.Meta.v
	if m.Currency != "" {
		currency = hotel.Currency(m.Currency)
	}
	if minor, err := strconv.ParseInt(string(m.Balance), 10, 64); err == nil && currency.Known() && string(m.Decimals) == strconv.Itoa(currency.Exponent()) {
		c.Balance = &hotel.Money{Minor: minor, Currency: currency}
	}
	day, _, _ := strings.Cut(string(m.Effective), "T")
	if d, err := hotel.ParseDate(day); err == nil {
		c.ChargeAt = &d
	}
	return c
}

func allDigits(t text) bool {
	return !strings.ContainsFunc(string(t), func(r rune) bool { return r < '0' || r > '9' })
}

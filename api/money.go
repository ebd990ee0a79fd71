package api

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
)

// money is an amount on the wire.
type money struct {
	Amount   string `json:"amount" pattern:"^-?\\d{1,12}(\\.\\d{1,4})?$" patternDescription:"a decimal number such as 189.00" example:"189.00"`
	Currency string `json:"currency" pattern:"^[A-Z]{3}$" patternDescription:"an ISO 4217 code" example:"EUR"`
}

func moneyOf(m hotel.Money) money { return money{Amount: m.Amount(), Currency: string(m.Currency)} }

func moneyOrNone(m *hotel.Money) *money {
	if m == nil {
		return nil
	}
	v := moneyOf(*m)
	return &v
}

// read returns the amount; at is the pointer of the member.
func (m money) read(at string) (hotel.Money, error) {
	currency := hotel.Currency(m.Currency)
	if !currency.Known() {
		return hotel.Money{}, hotel.Invalid(at+"/currency", "enum", "is no currency of ISO 4217")
	}
	return amountText(m.Amount).read(currency, at+"/amount")
}

// amountText is an amount whose currency is known.
type amountText string

// Schema is that of the amount of [money].
func (amountText) Schema(r huma.Registry) *huma.Schema {
	s := *r.Schema(reflect.TypeFor[money](), false, "").Properties["amount"]
	return &s
}

// read returns the amount; at is the pointer of the member.
func (a amountText) read(c hotel.Currency, at string) (hotel.Money, error) {
	v, err := hotel.ParseMoney(string(a), c)
	if err != nil {
		return hotel.Money{}, hotel.Invalid(at, "amount_precision", "has at most %d decimals in this currency", c.Exponent())
	}
	return v, nil
}

// readMoney reads an amount that may be left out.
func readMoney(m *money, at string) (*hotel.Money, error) {
	if m == nil {
		return nil, nil
	}
	v, err := m.read(at)
	if err != nil {
		return nil, err
	}
	return &v, nil
}

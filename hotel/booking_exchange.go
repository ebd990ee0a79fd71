package hotel

import (
	"time"

	"github.com/shopspring/decimal"
)

// BookingExchange turns what a booking costs into the property's currency. The rate of
// the day on which it was first known stays with the booking.
type BookingExchange struct {
	Rate   string    `json:"rate"` // decimal: so many units of To for one of From
	From   Currency  `json:"from"`
	To     Currency  `json:"to"`
	At     time.Time `json:"at"`     // when it was taken
	Source string    `json:"source"` // where the rate is from; see ExchangeOfChannel
}

// ExchangeOfChannel is the source of a rate that somebody typed for the channel.
const ExchangeOfChannel = "channel"

// ratePlaces is how many decimals a rate has that is worked out of its reciprocal.
const ratePlaces = 12

// BackFrom is the way back of a channel's exchange, from the channel's currency into
// the property's.
func (e Exchange) BackFrom(channel, property Currency, at time.Time) (BookingExchange, error) {
	rate, err := decimal.NewFromString(e.Rate)
	if err != nil || !rate.IsPositive() {
		return BookingExchange{}, err
	}
	return BookingExchange{
		Rate: decimal.NewFromInt(1).DivRound(rate, ratePlaces).String(), From: channel, To: property, At: at, Source: ExchangeOfChannel,
	}, nil
}

// Turn returns an amount of From in To, rounded half-even; false of another currency.
func (x *BookingExchange) Turn(m Money) (Money, bool) {
	if x == nil || m.Currency != x.From {
		return Money{}, false
	}
	rate, err := decimal.NewFromString(x.Rate)
	if err != nil {
		return Money{}, false
	}
	exact := decimal.New(m.Minor, -int32(m.Currency.Exponent())).Mul(rate) // an exponent is 0 to 4
	return Money{Minor: exact.Shift(int32(x.To.Exponent())).RoundBank(0).IntPart(), Currency: x.To}, true
}

// TotalAtHome returns what a booking in another currency comes to in the property's,
// taxes included; nil of one that is in the property's already, or without a rate.
func (r *Reservation) TotalAtHome() *Money {
	if r.Totals == nil {
		return nil
	}
	m, ok := r.Exchange.Turn(r.Totals.Gross)
	if !ok {
		return nil
	}
	return &m
}

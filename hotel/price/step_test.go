package price_test

import (
	"testing"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

func TestStep(t *testing.T) {
	for _, test := range []struct {
		name     string
		minor    int64
		currency hotel.Currency
		step     hotel.PriceStep
		want     int64 // -1: refused
	}{
		{"ten percent off", 18900, "EUR", hotel.PriceStep{Kind: hotel.Percent, Value: "-10"}, 17010},
		{"half a cent goes to the even one, below", 250, "EUR", hotel.PriceStep{Kind: hotel.Percent, Value: "1"}, 252},
		{"half a cent goes to the even one, above", 350, "EUR", hotel.PriceStep{Kind: hotel.Percent, Value: "1"}, 354},
		{"an amount of the currency", 18900, "EUR", hotel.PriceStep{Kind: hotel.Amount, Value: "-0.50"}, 18850},
		{"an amount where there are no decimals", 18900, "JPY", hotel.PriceStep{Kind: hotel.Amount, Value: "100"}, 19000},
		{"three decimals", 18900, "KWD", hotel.PriceStep{Kind: hotel.Amount, Value: "0.005"}, 18905},
		{"rounded once, at the end", 10049, "EUR", hotel.PriceStep{Kind: hotel.Percent, Value: "10", Rounding: hotel.RoundNearest5}, 11000},
		{"down to nothing", 18900, "EUR", hotel.PriceStep{Kind: hotel.Percent, Value: "-100"}, 0},
		{"below nothing", 18900, "EUR", hotel.PriceStep{Kind: hotel.Amount, Value: "-189.01"}, -1},
		{"more than can be typed", 99999999999999, "EUR", hotel.PriceStep{Kind: hotel.Percent, Value: "1"}, -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := price.Step(hotel.Money{Minor: test.minor, Currency: test.currency}, test.step)
			if ok != (test.want >= 0) || ok && got != (hotel.Money{Minor: test.want, Currency: test.currency}) {
				t.Errorf("got %v, %v", got, ok)
			}
		})
	}
}

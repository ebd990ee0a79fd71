package price_test

import (
	"testing"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

func TestRound(t *testing.T) {
	tests := []struct {
		name     string
		minor    string
		mode     hotel.Rounding
		currency hotel.Currency
		want     string
	}{
		{"no mode rounds to cents", "21734.6", "", "EUR", "217.35 EUR"},
		{"half a cent goes to the even one below", "21734.5", hotel.RoundNone, "EUR", "217.34 EUR"},
		{"half a cent goes to the even one above", "21735.5", hotel.RoundNone, "EUR", "217.36 EUR"},
		{"just above half a cent goes up", "21734.50000001", hotel.RoundNone, "EUR", "217.35 EUR"},
		{"yen have no decimals", "18900.5", hotel.RoundNone, "JPY", "18900 JPY"},
		{"dinars have three", "189125.5", hotel.RoundNone, "KWD", "189.126 KWD"},
		{"whole euros", "21750.01", hotel.RoundNearest1, "EUR", "218.00 EUR"},
		{"half a euro goes to the even one", "21650", hotel.RoundNearest1, "EUR", "216.00 EUR"},
		{"whole yen", "18900.4", hotel.RoundNearest1, "JPY", "18900 JPY"},
		{"fives of euros", "21740", hotel.RoundNearest5, "EUR", "215.00 EUR"},
		{"between two fives the even multiple", "21750", hotel.RoundNearest5, "EUR", "220.00 EUR"},
		{"between two fives the even multiple below", "21250", hotel.RoundNearest5, "EUR", "210.00 EUR"},
		{"fives of yen", "18903", hotel.RoundNearest5, "JPY", "18905 JPY"},
		{"fives of dinars", "187600", hotel.RoundNearest5, "KWD", "190.000 KWD"},
		{"ends in 9", "21735", hotel.RoundEnd9, "EUR", "219.00 EUR"},
		{"14 lies between 9 and 19", "1400", hotel.RoundEnd9, "EUR", "9.00 EUR"},
		{"24 lies between 19 and 29", "2400", hotel.RoundEnd9, "EUR", "29.00 EUR"},
		{"yen end in 9", "18902", hotel.RoundEnd9, "JPY", "18899 JPY"},
		{"ends in 99 cents", "21735", hotel.RoundEnd99, "EUR", "216.99 EUR"},
		{"yen end in 99", "18930", hotel.RoundEnd99, "JPY", "18899 JPY"},
		{"dinars end in 990 fils", "189600", hotel.RoundEnd99, "KWD", "189.990 KWD"},
		{"never below nothing", "-500", hotel.RoundNone, "EUR", "0.00 EUR"},
		{"the first that ends in 9", "100", hotel.RoundEnd9, "EUR", "9.00 EUR"},
		{"nothing that ends in 99", "-100", hotel.RoundEnd99, "EUR", "0.99 EUR"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := price.Round(decimal.RequireFromString(test.minor), test.mode, test.currency)
			if got.String() != test.want {
				t.Errorf("round = %s, want %s", got, test.want)
			}
		})
	}
}

func TestAverage(t *testing.T) {
	tests := []struct {
		name   string
		total  int64
		nights int
		want   int64
	}{
		{"one night", 18950, 1, 18950},
		{"even", 37900, 2, 18950},
		{"half goes to the even one below", 37901, 2, 18950},
		{"half goes to the even one above", 37903, 2, 18952},
		{"a third goes down", 100, 3, 33},
		{"two thirds go up", 101, 3, 34},
		{"nothing", 0, 5, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := price.Average(hotel.Money{Minor: test.total, Currency: "EUR"}, test.nights)
			if want := (hotel.Money{Minor: test.want, Currency: "EUR"}); got != want {
				t.Errorf("average = %s, want %s", got, want)
			}
		})
	}
}

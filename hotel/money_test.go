package hotel_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

func TestParseMoney(t *testing.T) {
	tests := []struct {
		name     string
		amount   string
		currency hotel.Currency
		minor    int64
		ok       bool
	}{
		{"euros", "189.00", "EUR", 18900, true},
		{"euros without cents", "189", "EUR", 18900, true},
		{"one decimal", "189.5", "EUR", 18950, true},
		{"less than a euro", "0.05", "EUR", 5, true},
		{"less than nothing", "-0.05", "EUR", -5, true},
		{"leading zeros", "007.10", "EUR", 710, true},
		{"yen", "18900", "JPY", 18900, true},
		{"dinars", "189.125", "KWD", 189125, true},
		{"the largest", "999999999999.99", "EUR", 99999999999999, true},
		{"yen with decimals are refused, not rounded", "18900.0", "JPY", 0, false},
		{"euros with three decimals", "189.001", "EUR", 0, false},
		{"too many digits", "1000000000000", "EUR", 0, false},
		{"a comma", "189,00", "EUR", 0, false},
		{"no whole part", ".50", "EUR", 0, false},
		{"no decimals after the point", "189.", "EUR", 0, false},
		{"a plus sign", "+189", "EUR", 0, false},
		{"an exponent", "1e3", "EUR", 0, false},
		{"a space", " 189", "EUR", 0, false},
		{"a line break", "189\n", "EUR", 0, false},
		{"other digits", "١٨٩", "EUR", 0, false},
		{"nothing", "", "EUR", 0, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := hotel.ParseMoney(test.amount, test.currency)
			if (err == nil) != test.ok {
				t.Fatalf("parse = %v, %v", got, err)
			}
			if test.ok && got != (hotel.Money{Minor: test.minor, Currency: test.currency}) {
				t.Errorf("parse = %+v, want %d %s", got, test.minor, test.currency)
			}
		})
	}
}

func TestMoneyText(t *testing.T) {
	tests := []struct {
		money hotel.Money
		want  string
	}{
		{hotel.Money{Minor: 18900, Currency: "EUR"}, "189.00 EUR"},
		{hotel.Money{Minor: 5, Currency: "EUR"}, "0.05 EUR"},
		{hotel.Money{Minor: -5, Currency: "EUR"}, "-0.05 EUR"},
		{hotel.Money{Minor: -18900, Currency: "EUR"}, "-189.00 EUR"},
		{hotel.Money{Minor: 0, Currency: "EUR"}, "0.00 EUR"},
		{hotel.Money{Minor: 18900, Currency: "JPY"}, "18900 JPY"},
		{hotel.Money{Minor: -1, Currency: "JPY"}, "-1 JPY"},
		{hotel.Money{Minor: 7, Currency: "KWD"}, "0.007 KWD"},
	}
	for _, test := range tests {
		t.Run(test.want, func(t *testing.T) {
			if got := test.money.String(); got != test.want {
				t.Errorf("text = %q, want %q", got, test.want)
			}
		})
	}
}

func TestMoneyComesBackFromText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := hotel.Money{
			Minor:    rapid.Int64Range(-1_000_000_000, 1_000_000_000).Draw(t, "minor"),
			Currency: rapid.SampledFrom([]hotel.Currency{"EUR", "JPY", "KWD"}).Draw(t, "currency"),
		}
		got, err := hotel.ParseMoney(want.Amount(), want.Currency)
		if err != nil || got != want {
			t.Fatalf("%s came back as %s, %v", want, got, err)
		}
	})
}

// What is written is read again, also a sum that nobody may ask for.
func TestMoneyIsReadAsItIsStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := hotel.Money{
			Minor:    rapid.Int64().Draw(t, "minor"),
			Currency: rapid.SampledFrom([]hotel.Currency{"EUR", "JPY", "KWD", "CLF"}).Draw(t, "currency"),
		}
		raw, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got hotel.Money
		if err := json.Unmarshal(raw, &got); err != nil || got != want {
			t.Fatalf("%s came back as %s, %v", raw, got, err)
		}
	})
}

func TestMoneyIsZero(t *testing.T) {
	if !(hotel.Money{}).IsZero() {
		t.Error("no money is not zero")
	}
	if (hotel.Money{Currency: "EUR"}).IsZero() {
		t.Error("nothing in euros is no money at all")
	}
}

func TestCurrency(t *testing.T) {
	tests := []struct {
		code     hotel.Currency
		known    bool
		exponent int
	}{
		{"EUR", true, 2},
		{"USD", true, 2},
		{"HUF", true, 2},
		{"JPY", true, 0},
		{"KWD", true, 3},
		{"eur", false, 2},
		{"EURO", false, 2},
		{"QQQ", false, 2},
		{"", false, 2},
		{"XOF", true, 0},
		{"XCG", true, 2},
		{"XAU", false, 2},
		{"XTS", false, 2},
		{"XXX", false, 2},
	}
	for _, test := range tests {
		t.Run(string(test.code), func(t *testing.T) {
			if got := test.code.Known(); got != test.known {
				t.Errorf("known = %t, want %t", got, test.known)
			}
			if got := test.code.Exponent(); got != test.exponent {
				t.Errorf("exponent = %d, want %d", got, test.exponent)
			}
		})
	}
}

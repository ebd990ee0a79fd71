package hotel

import (
	"testing"
	"time"
)

func TestBookingExchange(t *testing.T) {
	for _, c := range []struct {
		name string
		rate string // of the channel: so many of its units for one of the property's
		from Money
		to   Money
		ok   bool
	}{
		{"francs", "0.95", Money{9500, "CHF"}, Money{10000, "EUR"}, true},
		{"a rate without end", "3", Money{10000, "CHF"}, Money{3333, "EUR"}, true},
		{"yen have no decimals", "160", Money{16000, "JPY"}, Money{10000, "EUR"}, true},
		{"into dinars, which have three", "2", Money{100, "EUR"}, Money{500, "KWD"}, true},
		{"half a cent goes to the even one", "2", Money{101, "CHF"}, Money{50, "EUR"}, true},
		{"another currency", "2", Money{101, "USD"}, Money{}, false},
	} {
		from := c.from.Currency
		if !c.ok {
			from = "CHF"
		}
		to := c.to.Currency
		if to == "" {
			to = "EUR"
		}
		x, err := Exchange{Rate: c.rate}.BackFrom(from, to, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := x.Turn(c.from); got != c.to || ok != c.ok {
			t.Errorf("%s: %v %v, want %v", c.name, got, ok, c.to)
		}
	}
	if _, ok := (*BookingExchange)(nil).Turn(Money{1, "EUR"}); ok {
		t.Error("nothing turned an amount")
	}
}

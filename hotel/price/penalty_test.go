package price_test

import (
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

func TestCancelPenalty(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	step := func(days int, at string, percent string) hotel.CancellationStep {
		s := hotel.CancellationStep{Penalty: hotel.Penalty{Kind: hotel.PercentPenalty, Value: percent}}
		if at != "" {
			s.Until = &hotel.CutOff{DaysBefore: days, Time: at}
		}
		return s
	}
	arrival := hotel.DateOf(2026, time.March, 30) // the day after the clocks change
	policy := &hotel.CancellationPolicy{
		Kind:  "custom",
		Steps: []hotel.CancellationStep{step(7, "18:00", "0"), step(1, "18:00", "50"), step(0, "", "90")},
		Seasons: []hotel.CancellationSeason{
			{DateFrom: arrival + 10, DateTo: arrival + 11, Steps: []hotel.CancellationStep{step(30, "12:00", "10"), step(20, "12:00", "100")}},
		},
	}
	local := func(d hotel.Date, hour, minute int) time.Time { return d.At(hour, minute, berlin) }
	tests := []struct {
		name    string
		policy  *hotel.CancellationPolicy
		arrival hotel.Date
		at      time.Time
		want    string
	}{
		{"long before", policy, arrival, local(arrival-30, 0, 0), "0"},
		{"the deadline itself is in time", policy, arrival, local(arrival-7, 18, 0), "0"},
		{"a second after the first deadline", policy, arrival, local(arrival-7, 18, 0).Add(time.Second), "50"},
		{"the day of the clock change counts local time", policy, arrival, local(arrival-1, 17, 59), "50"},
		{"after the last deadline", policy, arrival, local(arrival-1, 18, 1), "90"},
		{"after arrival", policy, arrival, local(arrival+1, 9, 0), "90"},
		{"in season, by arrival", policy, arrival + 10, local(arrival-15, 9, 0), "100"},
		{"in season, early", policy, arrival + 11, local(arrival-30, 9, 0), "10"},
		{"in season, after the last deadline the last step holds", policy, arrival + 11, local(arrival, 9, 0), "100"},
		{"the day after the season", policy, arrival + 12, local(arrival-30, 9, 0), "0"},
		{"no policy", nil, arrival, local(arrival, 0, 0), ""},
		{"no steps", &hotel.CancellationPolicy{Kind: "flexible"}, arrival, local(arrival, 0, 0), ""},
		{"not refundable", &hotel.CancellationPolicy{Kind: "non_refundable"}, arrival, local(arrival-300, 0, 0), "100"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := price.CancelPenalty(test.policy, test.arrival, test.at, berlin); got.Value != test.want {
				t.Errorf("penalty = %+v, want %s percent", got, test.want)
			}
		})
	}
	own := hotel.Penalty{Kind: hotel.FirstNight}
	if got := price.NoShowPenalty(&own, policy, arrival); got != own {
		t.Errorf("no-show with a fee of its own = %+v", got)
	}
	if got := price.NoShowPenalty(nil, policy, arrival); got.Value != "90" {
		t.Errorf("no-show = %+v, want that of the last step", got)
	}
	if got := price.NoShowPenalty(nil, &hotel.CancellationPolicy{Kind: "non_refundable"}, arrival); got.Value != "100" {
		t.Errorf("no-show without steps = %+v, want everything", got)
	}
	if got := price.NoShowPenalty(nil, nil, arrival); got.Kind != hotel.NoPenalty {
		t.Errorf("no-show without a policy = %+v, want nothing", got)
	}
}

func TestFee(t *testing.T) {
	nights := func(c hotel.Currency, minor ...int64) []hotel.NightPrice {
		var all []hotel.NightPrice
		for i, m := range minor {
			all = append(all, hotel.NightPrice{Date: hotel.Date(i), Amount: hotel.Money{Minor: m, Currency: c}})
		}
		return all
	}
	tests := []struct {
		name    string
		penalty hotel.Penalty
		nightly []hotel.NightPrice
		want    string // "" when it cannot be said
	}{
		{"nothing", hotel.Penalty{Kind: hotel.NoPenalty}, nights("EUR", 100, 200), "0.00 EUR"},
		{"the first night", hotel.Penalty{Kind: hotel.FirstNight}, nights("EUR", 10001, 200), "100.01 EUR"},
		{"half a cent goes to the even one", hotel.Penalty{Kind: hotel.PercentPenalty, Value: "50"}, nights("EUR", 10001, 10000), "100.00 EUR"},
		{"all of it", hotel.Penalty{Kind: hotel.PercentPenalty, Value: "100"}, nights("JPY", 10001), "10001 JPY"},
		{"an amount", hotel.Penalty{Kind: hotel.AmountPenalty, Value: "25.5"}, nights("EUR", 10001), "25.50 EUR"},
		{"an amount above the price of the stay", hotel.Penalty{Kind: hotel.AmountPenalty, Value: "500"}, nights("EUR", 10001), "100.01 EUR"},
		{"an amount in another currency", hotel.Penalty{Kind: hotel.AmountPenalty, Value: "500"}, nights("JPY", 10001), ""},
		{"a stay without a price", hotel.Penalty{Kind: hotel.FirstNight}, nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := price.Fee(test.penalty, "EUR", test.nightly)
			if ok != (test.want != "") || ok && got.String() != test.want {
				t.Errorf("fee = %s %t, want %q", got, ok, test.want)
			}
		})
	}
}

package price_test

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

func vat(percent string, included bool) hotel.Tax {
	return hotel.Tax{Code: "vat", Kind: hotel.PercentTax, Value: percent, Included: included, CountsAs: hotel.VAT}
}

func TestTotal(t *testing.T) {
	fee := hotel.Tax{Code: "resort", Kind: hotel.PercentTax, Value: "10", Included: true, CountsAs: hotel.Fee}
	cleaning := hotel.Tax{Code: "cleaning", Kind: hotel.PerStay, Value: "30", CountsAs: hotel.Fee}
	energy := hotel.Tax{Code: "energy", Kind: hotel.PerRoomNight, Value: "2", Included: true, CountsAs: hotel.Fee}
	city := hotel.Tax{Code: "city", Kind: hotel.PerPersonTax, Value: "2.50", AgeFrom: 12, MaxNights: 3, CountsAs: hotel.CityTax}
	berlin := hotel.Tax{Code: "city", Kind: hotel.PercentTax, Value: "7.5", CountsAs: hotel.CityTax}
	breakfast := hotel.Included{Code: "breakfast", Per: "person", VAT: "19", Amount: map[string]hotel.Money{
		"": *money(1190), "kid": *money(595),
	}}
	bands := []hotel.AgeBand(chainBands)
	nightly := func(minor ...int64) []hotel.NightPrice {
		var all []hotel.NightPrice
		for i, m := range minor {
			all = append(all, hotel.NightPrice{Date: hotel.Date(100 + i), Amount: *money(m)})
		}
		return all
	}
	later := vat("19", true)
	until, from := hotel.Date(100), hotel.Date(101)
	early := vat("7", true)
	early.ValidTo, later.ValidFrom = &until, &from
	tests := []struct {
		name  string
		taxes []hotel.Tax
		bill  price.Bill
		want  string // room, extras, vat, gross, city tax
	}{
		{"no taxes", nil, price.Bill{Nightly: nightly(10000, 12000)}, "220.00 0.00 0.00 220.00 0.00"},
		{"contained in the price", []hotel.Tax{vat("7", true)}, price.Bill{Nightly: nightly(10700)}, "100.00 0.00 7.00 107.00 0.00"},
		{"on top of an exclusive price", []hotel.Tax{vat("7", true)}, price.Bill{Mode: hotel.TaxExclusive, Nightly: nightly(10000)}, "100.00 0.00 7.00 107.00 0.00"},
		{"on top of every price", []hotel.Tax{vat("7", false)}, price.Bill{Nightly: nightly(10000)}, "100.00 0.00 7.00 107.00 0.00"},
		{"rounded once for the stay, not by night", []hotel.Tax{vat("7", true)}, price.Bill{Nightly: nightly(1000, 1000, 1000)}, "28.04 0.00 1.96 30.00 0.00"},
		{"a rate that changes in mid-stay", []hotel.Tax{early, later}, price.Bill{Nightly: nightly(10700, 11900)}, "200.00 0.00 26.00 226.00 0.00"},
		{"a fee is no room revenue", []hotel.Tax{vat("7", true), fee}, price.Bill{Nightly: nightly(11700)}, "100.00 10.00 7.00 117.00 0.00"},
		{"a fee for the stay on top", []hotel.Tax{cleaning}, price.Bill{Nightly: nightly(10000, 10000)}, "200.00 30.00 0.00 230.00 0.00"},
		{"a fee by night within the price", []hotel.Tax{energy, vat("7", true)}, price.Bill{Nightly: nightly(10900)}, "100.00 2.00 7.00 109.00 0.00"},
		{"meals have their own VAT", []hotel.Tax{vat("7", true)}, price.Bill{
			Nightly: nightly(14855), Included: []hotel.Included{breakfast}, Adults: 2, Ages: []int{5, 1},
		}, "111.03 25.00 12.52 148.55 0.00"},
		{"meals never take more than there is", nil, price.Bill{Nightly: nightly(1000), Included: []hotel.Included{breakfast}, Adults: 2}, "0.00 8.40 1.60 10.00 0.00"},
		{"charges beside the room", []hotel.Tax{vat("7", true)}, price.Bill{
			Nightly: nightly(10700), Charges: []price.Charge{{Span: hotel.Span{From: 100, To: 101}, Quantity: 2, Price: *money(107)}},
		}, "100.00 4.00 7.28 111.28 0.00"},
		{"city tax from an age, for so many nights", []hotel.Tax{city}, price.Bill{Nightly: nightly(1, 1, 1, 1), Adults: 2, Ages: []int{11, 12}}, "0.04 0.00 0.00 0.04 22.50"},
		{"a child of unknown age pays city tax", []hotel.Tax{city}, price.Bill{Nightly: nightly(1), Adults: 1, Ages: []int{-1}}, "0.01 0.00 0.00 0.01 5.00"},
		{"city tax of the net price", []hotel.Tax{vat("7", true), berlin}, price.Bill{Nightly: nightly(10700, 10700)}, "200.00 0.00 14.00 214.00 15.00"},
		{"city tax of the net price up to a cap", []hotel.Tax{vat("7", true), {Kind: hotel.PercentTax, Value: "7.5", CountsAs: hotel.CityTax, Cap: money(300)}}, price.Bill{Nightly: nightly(10700, 1070)}, "110.00 0.00 7.70 117.70 3.75"},
		{"city tax of room and meals", []hotel.Tax{{Kind: hotel.PercentTax, Value: "10", CountsAs: hotel.CityTax, Base: "room_and_meals"}}, price.Bill{Nightly: nightly(11190), Included: []hotel.Included{breakfast}, Adults: 1}, "100.00 10.00 1.90 111.90 11.00"},
		{"city tax that the channel takes", []hotel.Tax{{Kind: hotel.PerStay, Value: "5", CountsAs: hotel.CityTax, CollectedBy: "channel"}}, price.Bill{Nightly: nightly(100)}, "1.00 0.00 0.00 1.00 0.00"},
		{"city tax that this channel takes", []hotel.Tax{{Kind: hotel.PerStay, Value: "5", CountsAs: hotel.CityTax, CollectedBy: "as_channel_says"}}, price.Bill{Nightly: nightly(100), ByOther: true}, "1.00 0.00 0.00 1.00 0.00"},
		{"city tax once a stay, in season", []hotel.Tax{{Kind: hotel.PerStay, Value: "5", CountsAs: hotel.CityTax, Seasons: []hotel.Span{{From: 101, To: 102}}}}, price.Bill{Nightly: nightly(100, 100, 100)}, "3.00 0.00 0.00 3.00 5.00"},
		{"no nights", []hotel.Tax{vat("7", true), city}, price.Bill{Adults: 2}, "0.00 0.00 0.00 0.00 0.00"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.bill.Property = &hotel.Property{Currency: "EUR", Taxes: test.taxes, AgeBands: bands}
			x := test.bill.Total()
			got := fmt.Sprint(x.Room.Amount(), " ", x.Extras.Amount(), " ", x.VAT.Amount(), " ", x.Gross.Amount(), " ", x.CityTax.Amount())
			if got != test.want {
				t.Errorf("total = %s, want %s", got, test.want)
			}
		})
	}
}

func TestTotalInAnotherCurrency(t *testing.T) {
	property := &hotel.Property{Currency: "EUR", Taxes: []hotel.Tax{
		vat("10", true),
		{Kind: hotel.PerRoomNight, Value: "3", CountsAs: hotel.Fee},
		{Kind: hotel.PerPersonTax, Value: "2", CountsAs: hotel.CityTax},
		{Kind: hotel.PercentTax, Value: "5", CountsAs: hotel.CityTax},
	}}
	bill := price.Bill{
		Property: property, Adults: 2, Nightly: []hotel.NightPrice{{Amount: hotel.Money{Minor: 22000, Currency: "JPY"}}},
		Included: []hotel.Included{{Code: "breakfast", Per: "room", Amount: map[string]hotel.Money{"": *money(1000)}}},
		Charges:  []price.Charge{{Quantity: 1, Price: *money(500)}},
	}
	got := bill.Total()
	if got.Room.String() != "20000 JPY" || got.Gross.String() != "22000 JPY" || got.Extras.Minor != 0 || got.CityTax.String() != "4.00 EUR" {
		t.Errorf("total = %+v, want what is in yen, and the city tax that is an amount", got)
	}
}

// The parts add up whatever the taxes, and nothing is off by more than the
// rounding of one sum. The model divides fractions night by night.
func TestTotalsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bill := price.Bill{Property: &hotel.Property{Currency: "EUR"}, Mode: rapid.SampledFrom([]hotel.TaxMode{"", hotel.TaxExclusive}).Draw(t, "mode")}
		percents := rapid.SliceOfN(rapid.SampledFrom([]string{"7", "19", "3.8", "0.5"}), 0, 3).Draw(t, "percents")
		rates := big.NewRat(1, 1)
		for _, p := range percents {
			bill.Property.Taxes = append(bill.Property.Taxes, vat(p, true))
			rates.Add(rates, new(big.Rat).Quo(rat(t, p), big.NewRat(100, 1)))
		}
		room, gross := new(big.Rat), new(big.Rat)
		for range rapid.IntRange(1, 9).Draw(t, "nights") {
			minor := rapid.Int64Range(0, 50000).Draw(t, "price")
			bill.Nightly = append(bill.Nightly, hotel.NightPrice{Amount: *money(minor)})
			night := big.NewRat(minor, 1)
			if bill.Mode == hotel.TaxExclusive {
				room.Add(room, night)
				gross.Add(gross, night.Mul(night, rates))
			} else {
				gross.Add(gross, night)
				room.Add(room, new(big.Rat).Quo(night, rates))
			}
		}
		got := bill.Total()
		if want := halfEven(room); got.Room.Minor != want {
			t.Fatalf("room = %s, want %d", got.Room, want)
		}
		if want := halfEven(gross); got.Gross.Minor != want {
			t.Fatalf("gross = %s, want %d", got.Gross, want)
		}
		if got.Room.Minor+got.Extras.Minor+got.VAT.Minor != got.Gross.Minor {
			t.Fatalf("%+v do not add up", got)
		}
	})
}

// halfEven rounds a number that is not negative.
func halfEven(r *big.Rat) int64 {
	low := floorRat(r)
	twice := new(big.Rat).Sub(r, big.NewRat(low, 1))
	switch twice.Mul(twice, big.NewRat(2, 1)).Cmp(big.NewRat(1, 1)) {
	case -1:
		return low
	case 1:
		return low + 1
	}
	return low + low%2
}

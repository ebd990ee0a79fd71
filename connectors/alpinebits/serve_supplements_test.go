package alpinebits

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// The nights on which the plan of these tests costs 150.00 for two and 106.00 for one.
var march = hotel.Span{From: hotel.DateOf(2023, 3, 3), To: hotel.DateOf(2023, 3, 12)} // a Friday and what follows

func planWith(kind message.PlanKind, supplements ...message.Supplement) string {
	p := message.Plan{Code: "Rate1-4-HB", Kind: kind, Currency: "EUR", Supplements: supplements, Rates: []message.Rate{{
		Category: "double", Nights: march, Prices: []message.GuestPrice{{Guests: 1, Minor: 10600}, {Guests: 2, Minor: 15000}},
		Extra: []message.ExtraGuest{{Minor: 5000}, {Child: true, FromAge: 3, BelowAge: 12, Minor: 2000}},
	}}}
	if kind != message.Overlay {
		p.Basis = &message.PriceBasis{Meals: "12"}
	}
	return string(message.WriteRatePlans(message.PlanSet{Hotel: message.Hotel{Code: "123"}, Plans: []message.Plan{p}}))
}

// pricesOf lists what is written of the nights that have a price.
func pricesOf(rates []hotel.RateEntry) (all []string) {
	for _, e := range rates {
		if e.Amount.Null {
			continue
		}
		all = append(all, fmt.Sprintf("%s to %s: %d, alone %d, a third %d, a child %d",
			e.From, e.To, e.Amount.Value.Minor, e.Occupancies[1].Value.Minor, e.ExtraAdult.Value.Minor, e.ExtraChild["child"].Value.Minor))
	}
	return all
}

// TestSupplementsOfAPMS: what everybody pays by night is in the prices of its nights; what
// is paid for a stay has to be a fee of the property.
func TestSupplementsOfAPMS(t *testing.T) {
	due := message.SupplementDue{Nights: march, Minor: 300}
	weekend := message.SupplementDue{Nights: march, Minor: 1000, Days: &[7]bool{time.Saturday: true}}
	cleaning := message.Supplement{Code: "cleaning", Charge: message.ChargeRoomStay, Due: []message.SupplementDue{{Nights: march, Minor: 2000}}}
	fee := hotel.Tax{Code: "CLEANING", Kind: hotel.PerStay, Value: "20.00", CountsAs: hotel.Fee}
	another, included := fee, fee
	another.Value, included.Included = "21.00", true
	plain := []string{"2023-03-03 to 2023-03-12: 15000, alone 10600, a third 5000, a child 2000"}
	for _, c := range []struct {
		name    string
		of      message.Supplement
		taxes   []hotel.Tax
		want    []string
		refused string
	}{
		{"for the room and night", message.Supplement{Code: "heat", Charge: message.ChargeRoomNight, Due: []message.SupplementDue{due}}, nil, []string{
			"2023-03-03 to 2023-03-12: 15300, alone 10900, a third 5000, a child 2000",
		}, ""},
		{"for the person and night", message.Supplement{Code: "spa", Charge: message.ChargePersonNight, Due: []message.SupplementDue{due}}, nil, []string{
			"2023-03-03 to 2023-03-12: 15600, alone 10900, a third 5300, a child 2300",
		}, ""},
		{"on some days of the week", message.Supplement{Code: "gala", Charge: message.ChargeRoomNight, Due: []message.SupplementDue{weekend}}, nil, []string{
			"2023-03-03 to 2023-03-03: 15000, alone 10600, a third 5000, a child 2000",
			"2023-03-04 to 2023-03-04: 16000, alone 11600, a third 5000, a child 2000",
			"2023-03-05 to 2023-03-10: 15000, alone 10600, a third 5000, a child 2000",
			"2023-03-11 to 2023-03-11: 16000, alone 11600, a third 5000, a child 2000",
			"2023-03-12 to 2023-03-12: 15000, alone 10600, a third 5000, a child 2000",
		}, ""},
		{"of another category", message.Supplement{Code: "spa", Charge: message.ChargeRoomNight, Due: []message.SupplementDue{{Nights: march, Minor: 300, Category: "single"}}}, nil, plain, ""},
		{"a fee of the property by night", message.Supplement{Code: "heat", Charge: message.ChargeRoomNight, Due: []message.SupplementDue{due}}, []hotel.Tax{{Code: "heat", Kind: hotel.PerRoomNight, Value: "3", CountsAs: hotel.Fee}}, plain, ""},
		{"for a stay, and a fee of the property", cleaning, []hotel.Tax{fee}, plain, ""},
		{"for a stay, and no fee", cleaning, nil, nil, "make it a fee of the property"},
		{"for a stay, and a fee of another amount", cleaning, []hotel.Tax{another}, nil, "from 2023-03-03 on"},
		{"for a stay, and a fee that prices contain", cleaning, []hotel.Tax{included}, nil, "from 2023-03-03 on"},
		{"for a stay, on nights without a price", message.Supplement{Code: "cleaning", Charge: message.ChargeRoomStay, Due: []message.SupplementDue{{Nights: hotel.Span{From: march.To + 1, To: march.To + 9}, Minor: 2000}}}, nil, plain, ""},
		{"for a stay, and for nothing", message.Supplement{Code: "cleaning", Charge: message.ChargePersonStay, Due: []message.SupplementDue{{Nights: march}}}, nil, plain, ""},
	} {
		house := newPretend()
		house.layout.Property.Taxes, house.layout.Property.Currency = c.taxes, "EUR"
		said := tellPMS(t, pmsOf(t), house, message.V2022, message.RatePlans.Name, planWith(message.New, c.of)).Body.String()
		if refused := strings.Contains(said, "<Errors>"); refused != (c.refused != "") || !strings.Contains(said, c.refused) {
			t.Errorf("%s: it is answered %s", c.name, said)
		}
		if diff := cmp.Diff(c.want, pricesOf(house.rates)); diff != "" {
			t.Errorf("%s: the prices are (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestSupplementsStay: a change of some nights has the supplements of the plan in it, and
// one of a supplement is refused, since it is in the prices of nights that are not told.
func TestSupplementsStay(t *testing.T) {
	heat := message.Supplement{Code: "heat", Charge: message.ChargeRoomNight, Due: []message.SupplementDue{{Nights: march, Minor: 300}}}
	pms, house := pmsOf(t), newPretend()
	tell := func(request string) string {
		t.Helper()
		house.rates = nil
		return tellPMS(t, pms, house, message.V2022, message.RatePlans.Name, request).Body.String()
	}
	tell(planWith(message.New, heat))
	with := []string{"2023-03-03 to 2023-03-12: 15300, alone 10900, a third 5000, a child 2000"}
	if said := tell(planWith(message.Overlay)); cmp.Diff(with, pricesOf(house.rates)) != "" {
		t.Errorf("a change is %v: %s", pricesOf(house.rates), said)
	}
	again := heat
	again.Charge = ""
	for _, s := range []message.Supplement{heat, again} {
		if said := tell(planWith(message.Overlay, s)); !strings.Contains(said, "tell the plan as a whole") || len(house.rates) > 0 {
			t.Errorf("a change of a supplement is answered %s", said)
		}
	}
	again.Code = "sauna" // nobody has said that everybody pays it
	if said := tell(planWith(message.Overlay, again)); cmp.Diff(with, pricesOf(house.rates)) != "" {
		t.Errorf("a change of another supplement is %v: %s", pricesOf(house.rates), said)
	}
	tell(planWith(message.New))
	if tell(planWith(message.Overlay)); strings.Contains(pricesOf(house.rates)[0], "15300") {
		t.Errorf("a supplement outlives its plan")
	}
}

package message

import (
	"strconv"

	"ostler.example/hotel"
)

// Price is what a room of a category costs for so many guests on each night of a
// span, which includes both ends.
type Price struct {
	Category string
	Nights   hotel.Span
	Guests   int
	Amount   hotel.Money
}

type planUpdate struct {
	Kind     string        `xml:"RatePlanNotifType,attr"`
	Currency string        `xml:"CurrencyCode,attr"`
	Code     string        `xml:"RatePlanCode,attr"`
	Rates    []datedAmount `xml:"Rates>Rate"`
}

type datedAmount struct {
	Category string      `xml:"InvTypeCode,attr"`
	Start    string      `xml:"Start,attr"`
	End      string      `xml:"End,attr"`
	Amount   guestAmount `xml:"BaseByGuestAmts>BaseByGuestAmt"`
}

type guestAmount struct {
	Guests   string `xml:"NumberOfGuests,attr"`
	Who      string `xml:"AgeQualifyingCode,attr"`
	AfterTax string `xml:"AmountAfterTax,attr"`
}

// What is written into the message.
const (
	overlay = "Overlay" // what is there is changed, the rest of the plan stays
	adults  = "10"
)

// WritePrices tells prices of a rate plan that the portal has already, and leaves all
// other nights as they are. Spans of a category must not overlap. Prices of another
// currency than those before them begin a part of their own.
func WritePrices(h Hotel, plan string, prices []Price) []byte {
	type plans struct {
		Hotel
		Plan []planUpdate `xml:"RatePlan"`
	}
	all := plans{Hotel: h}
	for i, p := range prices {
		if i == 0 || p.Amount.Currency != prices[i-1].Amount.Currency {
			all.Plan = append(all.Plan, planUpdate{Kind: overlay, Currency: string(p.Amount.Currency), Code: plan})
		}
		last := &all.Plan[len(all.Plan)-1]
		last.Rates = append(last.Rates, datedAmount{
			Category: p.Category, Start: p.Nights.From.String(), End: p.Nights.To.String(),
			Amount: guestAmount{strconv.Itoa(p.Guests), adults, p.Amount.Amount()},
		})
	}
	return write("OTA_HotelRatePlanNotifRQ", "1.000", struct {
		Plans plans `xml:"RatePlans"`
	}{all})
}

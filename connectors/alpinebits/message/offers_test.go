package message

import (
	"errors"
	"strings"
	"testing"
)

// TestOffersAreHeldOrRefused: a condition that nobody here would look at is refused by
// name, and so is a discount; what asks for nothing is taken.
func TestOffersAreHeldOrRefused(t *testing.T) {
	for _, c := range []struct {
		name, offers, refused string
	}{
		{"nothing", ``, ""},
		{"an age of adults, and children", `<Offer><OfferRules><OfferRule><Occupancy AgeQualifyingCode="10" MinAge="16"/><Occupancy AgeQualifyingCode="8"/></OfferRule></OfferRules></Offer>`, ""},
		{"limits that are none", `<Offer><OfferRules><OfferRule><LengthsOfStay><LengthOfStay Time="1" TimeUnit="Day" MinMaxMessageType="SetMinLOS"/><LengthOfStay Time="0" TimeUnit="Day" MinMaxMessageType="SetMaxLOS"/></LengthsOfStay><DOW_Restrictions><ArrivalDaysOfWeek Mon="1"/></DOW_Restrictions><Occupancy AgeQualifyingCode="10" MinOccupancy="0"/></OfferRule></OfferRules></Offer>`, ""},
		{"days ahead", `<Offer><OfferRules><OfferRule MinAdvancedBookingOffset="P7D"><Occupancy AgeQualifyingCode="10"/></OfferRule></OfferRules></Offer>`, "BookingOffset"},
		{"days ahead at the most", `<Offer><OfferRules><OfferRule MaxAdvancedBookingOffset="P7D"><Occupancy AgeQualifyingCode="10"/></OfferRule></OfferRules></Offer>`, "BookingOffset"},
		{"a minimum stay", `<Offer><OfferRules><OfferRule><LengthsOfStay><LengthOfStay Time="3" TimeUnit="Day" MinMaxMessageType="SetMinLOS"/></LengthsOfStay><Occupancy AgeQualifyingCode="10"/></OfferRule></OfferRules></Offer>`, "DOWLOS"},
		{"days of the week", `<Offer><OfferRules><OfferRule><DOW_Restrictions><DepartureDaysOfWeek Sun="false"/></DOW_Restrictions><Occupancy AgeQualifyingCode="10"/></OfferRule></OfferRules></Offer>`, "DOWLOS"},
		{"couples alone", `<Offer><OfferRules><OfferRule><Occupancy AgeQualifyingCode="10" MinOccupancy="2" MaxOccupancy="2"/></OfferRule></OfferRules></Offer>`, "some guests alone"},
		{"children of some age", `<Offer><OfferRules><OfferRule><Occupancy AgeQualifyingCode="10"/><Occupancy AgeQualifyingCode="8" MinAge="6"/></OfferRule></OfferRules></Offer>`, "some guests alone"},
		{"free nights", `<Offer><Discount Percent="100" NightsRequired="7" NightsDiscounted="1"/></Offer>`, "FreeNightsOffers"},
		{"free children, in the second offer", `<Offer/><Offer><Guests><Guest AgeQualifyingCode="8" MaxAge="5" MinCount="1" FirstQualifyingPosition="1" LastQualifyingPosition="1"/></Guests></Offer>`, "FamilyOffers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for kind, refused := range map[string]string{"New": c.refused, "Overlay": c.refused, "Remove": ""} {
				_, err := ReadRatePlans([]byte(`<OTA_HotelRatePlanNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="3.000"><RatePlans HotelCode="H1">` +
					`<RatePlan RatePlanNotifType="` + kind + `" RatePlanCode="BAR" CurrencyCode="EUR"><Offers>` + c.offers + `</Offers></RatePlan></RatePlans></OTA_HotelRatePlanNotifRQ>`))
				var refusal Refusal
				if wants := refused != ""; wants != errors.As(err, &refusal) || wants != (err != nil) || wants && !strings.Contains(err.Error(), refused) {
					t.Errorf("%s: %v, want it to name %q", kind, err, refused)
				}
			}
		})
	}
}

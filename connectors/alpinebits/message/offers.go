package message

import "strings"

// offers are conditions under which a plan is sold, and what is taken off its prices. None
// of them can be held here: a plan that has any is refused, instead of being sold to those
// for whom it is not meant, or at a price that is not meant.
type offers struct {
	Offer []offer `xml:"Offer"`
}

type offer struct {
	Rule     *offerRule `xml:"OfferRules>OfferRule"`
	Discount *struct{}  `xml:"Discount"`
	Guests   *struct{}  `xml:"Guests"`
}

// offerRule says who may book, when and for how long. That there are children, and at what
// age a guest is an adult, is no condition.
type offerRule struct {
	Least     string       `xml:"MinAdvancedBookingOffset,attr"`
	Most      string       `xml:"MaxAdvancedBookingOffset,attr"`
	Lengths   *lengths     `xml:"LengthsOfStay"`
	Days      *stayDays    `xml:"DOW_Restrictions"`
	Occupancy []offerGuest `xml:"Occupancy"`
}

type offerGuest struct {
	Who    string `xml:"AgeQualifyingCode,attr"`
	From   string `xml:"MinAge,attr"`
	Below  string `xml:"MaxAge,attr"`
	Fewest string `xml:"MinOccupancy,attr"`
	Most   string `xml:"MaxOccupancy,attr"`
}

// held refuses offers that ask for something, or take something off.
func (o *offers) held() error {
	if o == nil {
		return nil
	}
	for _, one := range o.Offer {
		switch {
		case one.Discount != nil:
			return refuse(CodeInvalid, "free nights are not taken, nor announced in the handshake (FreeNightsOffers): tell the prices as they are to be")
		case one.Guests != nil:
			return refuse(CodeInvalid, "family offers are not taken, nor announced in the handshake (FamilyOffers): tell the prices of children as they are to be")
		case one.Rule == nil:
			continue
		}
		if err := one.Rule.held(); err != nil {
			return err
		}
	}
	return nil
}

func (r offerRule) held() error {
	if r.Least != "" || r.Most != "" {
		return refuse(CodeInvalid, "an offer that asks for days ahead is not taken, nor announced in the handshake (OfferRule_BookingOffset)")
	}
	const stays = "an offer that asks for lengths of stay or days of the week is not taken, nor announced in the handshake (OfferRule_DOWLOS): tell them as booking rules"
	if r.Lengths != nil {
		for _, l := range r.Lengths.Length {
			if n := trimmed(l.Time); n != "" && n != "0" && (l.Kind != "SetMinLOS" || n != "1") {
				return refuse(CodeInvalid, stays)
			}
		}
	}
	if r.Days != nil {
		for _, days := range []*weekdays{r.Days.Arrival, r.Days.Departure} {
			closed, err := days.closed()
			if err != nil {
				return err
			}
			if closed != [7]bool{} {
				return refuse(CodeInvalid, stays)
			}
		}
	}
	for _, g := range r.Occupancy {
		fewest := strings.TrimLeft(g.Fewest, "0")
		if fewest != "" || g.Most != "" || g.Below != "" || g.Who != adults && g.From != "" {
			return refuse(CodeInvalid, "an offer for some guests alone is not taken: a plan is sold to as many as its room type takes")
		}
	}
	return nil
}

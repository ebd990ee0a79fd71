package simulator

import (
	"errors"
	"strconv"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

type rateMessage struct {
	Plans struct {
		Code string `xml:"HotelCode,attr"`
		Name string `xml:"HotelName,attr"`
		Plan []plan `xml:"RatePlan"`
		stray
	} `xml:"RatePlans"`
}

type plan struct {
	Kind     string      `xml:"RatePlanNotifType,attr"`
	Currency string      `xml:"CurrencyCode,attr"`
	Code     string      `xml:"RatePlanCode,attr"`
	Rates    []datedRate `xml:"Rates>Rate"`
	stray
}

type datedRate struct {
	Category string `xml:"InvTypeCode,attr"`
	Start    string `xml:"Start,attr"`
	End      string `xml:"End,attr"`
	Base     []struct {
		Guests string `xml:"NumberOfGuests,attr"`
		Who    string `xml:"AgeQualifyingCode,attr"`
		Amount string `xml:"AmountAfterTax,attr"`
	} `xml:"BaseByGuestAmts>BaseByGuestAmt"`
	stray
}

const ratesAnswer = "OTA_HotelRatePlanNotifRS"

// standard is for how many guests the price of a room is.
const standard = 2

// ratePlans takes prices of plans that it has, all of a message or none. Whole plans
// it does not take: it has its own.
func (s *Simulator) ratePlans(c call) any {
	var q rateMessage
	if err := read(c.request, "OTA_HotelRatePlanNotifRQ", &q); err != nil {
		return failure(ratesAnswer, "320", err.Error())
	}
	changes, err := s.prices(q)
	if bad := (refusal{}); errors.As(err, &bad) {
		return failure(ratesAnswer, bad.code, bad.why)
	}
	last := hotel.DateIn(s.o.Clock.Now(), time.UTC) + maxDays
	for _, change := range changes {
		if change.Key.Night > last {
			return refused(ratesAnswer, "the dates are too far ahead")
		}
	}
	return s.take(ratesAnswer, changes)
}

// prices reads a message by the rules of the standard.
func (s *Simulator) prices(q rateMessage) ([]connectors.Change, error) {
	switch {
	case q.Plans.Code != s.o.Hotel:
		return nil, refuse("392", "there is no hotel of that code")
	case len(q.Plans.Plan) == 0:
		return nil, refuse("321", "there is no rate plan in it")
	}
	var changes []connectors.Change
	told := map[connectors.Key]bool{}
	for _, p := range q.Plans.Plan {
		if err := errors.Join(q.Plans.none(), p.none()); err != nil {
			return nil, refuse("320", "%v", err)
		}
		if p.Kind != "Overlay" {
			return nil, refuse("320", "a plan is changed, not made or taken away")
		}
		for _, r := range p.Rates {
			of, err := s.rate(p, r)
			if err != nil {
				return nil, err
			}
			for _, change := range of {
				if told[change.Key] {
					return nil, refuse("404", "the rates of a category overlap")
				}
				told[change.Key] = true
			}
			changes = append(changes, of...)
		}
	}
	return changes, nil
}

// rate reads what a category costs on some nights. A change of a plan says nothing
// that holds for all of it.
func (s *Simulator) rate(p plan, r datedRate) ([]connectors.Change, error) {
	if err := r.none(); err != nil {
		return nil, refuse("320", "%v", err)
	}
	from, bad := hotel.ParseDate(r.Start)
	to, worse := hotel.ParseDate(r.End)
	switch {
	case !s.kit.Book.Knows(r.Category, ""):
		return nil, refuse("402", "there is no category of that code")
	case !s.kit.Book.Knows(r.Category, p.Code):
		return nil, refuse("249", "there is no rate plan of that code")
	case bad != nil || worse != nil || to < from || to-from > maxDays:
		return nil, refuse("404", "invalid start/end date combination")
	case len(r.Base) == 0:
		return nil, refuse("321", "a rate has no amount")
	}
	var changes []connectors.Change
	for _, b := range r.Base {
		guests, err := strconv.Atoi(b.Guests)
		if err != nil || guests < 1 || guests > 20 || b.Who != "10" {
			return nil, refuse("320", "an amount is for so many adults")
		}
		if guests == standard {
			guests = 0
		}
		amount, err := hotel.ParseMoney(b.Amount, hotel.Currency(p.Currency))
		if err != nil || amount.Minor <= 0 || !amount.Currency.Known() {
			return nil, refuse("320", "the amount cannot be read")
		}
		for night := from; night <= to; night++ {
			k := connectors.Key{Room: r.Category, Rate: p.Code, Group: hotel.Price, Occupancy: guests, Night: night}
			changes = append(changes, connectors.Change{Key: k, Offer: hotel.Offer{Amount: amount}})
		}
	}
	return changes, nil
}

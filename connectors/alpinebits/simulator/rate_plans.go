package simulator

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

type rateMessage struct {
	UniqueID *struct {
		Type     string `xml:"Type,attr"`
		Instance string `xml:"Instance,attr"`
	} `xml:"UniqueID"`
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
	Rules    []rule      `xml:"BookingRules>BookingRule"`
	Rates    []datedRate `xml:"Rates>Rate"`
	Paid     []paid      `xml:"Supplements>Supplement"`
	stray
}

type datedRate struct {
	Category string `xml:"InvTypeCode,attr"`
	Start    string `xml:"Start,attr"`
	End      string `xml:"End,attr"`
	Unit     string `xml:"RateTimeUnit,attr"`
	Units    string `xml:"UnitMultiplier,attr"`
	Base     []struct {
		Guests string `xml:"NumberOfGuests,attr"`
		Who    string `xml:"AgeQualifyingCode,attr"`
		Amount string `xml:"AmountAfterTax,attr"`
		Type   string `xml:"Type,attr"`
	} `xml:"BaseByGuestAmts>BaseByGuestAmt"`
	Meals *struct {
		Code string `xml:"MealPlanCodes,attr"`
		On   string `xml:"MealPlanIndicator,attr"`
	} `xml:"MealsIncluded"`
	stray
}

const ratesAnswer = "OTA_HotelRatePlanNotifRS"

// standard is for how many guests the price of a room is.
const standard = 2

// ratePlans takes prices and booking rules, all of a message or none.
func (s *Simulator) ratePlans(c call) any {
	var q rateMessage
	if err := read(c.request, "OTA_HotelRatePlanNotifRQ", &q); err != nil {
		return failure(ratesAnswer, "320", err.Error())
	}
	changes, err := s.planned(c.version, q)
	if bad := (refusal{}); errors.As(err, &bad) {
		return failure(ratesAnswer, bad.code, bad.why)
	}
	last := hotel.DateIn(s.o.Clock.Now(), time.UTC) + maxDays
	for _, change := range changes {
		if change.Key.Night > last {
			return refused(ratesAnswer, "the dates are too far ahead")
		}
	}
	answer := s.take(ratesAnswer, changes)
	if r, ok := answer.(reply); ok && r.Success != nil && r.Warnings == nil {
		s.paid(q)
	}
	if slices.ContainsFunc(q.Plans.Plan, func(p plan) bool { return p.Kind == "New" || p.Kind == "Full" }) {
		s.mu.Lock()
		s.took(askPlans, answer)
		s.mu.Unlock()
	}
	return answer
}

// planned reads a message by the rules of the standard.
func (s *Simulator) planned(version string, q rateMessage) ([]connectors.Change, error) {
	switch {
	case q.Plans.Code != s.o.Hotel:
		return nil, refuse("392", "there is no hotel of that code")
	case len(q.Plans.Plan) == 0:
		return nil, refuse("321", "there is no rate plan in it")
	case q.UniqueID != nil && (q.UniqueID.Instance != "CompleteSet" || q.UniqueID.Type != "16"):
		return nil, refuse("320", "UniqueID marks a complete set or nothing")
	}
	var changes []connectors.Change
	told := map[connectors.Key]bool{}
	listed := map[string]bool{}
	for _, p := range q.Plans.Plan {
		if listed[p.Code] && p.Kind != "Overlay" || q.UniqueID != nil && p.Kind != "New" && p.Kind != "Full" {
			return nil, refuse("320", "a rate plan stands there twice, or is no whole one of a complete set")
		}
		listed[p.Code] = true
		if err := errors.Join(q.Plans.none(), p.none()); err != nil {
			return nil, refuse("320", "%v", err)
		}
		rates, err := s.kind(version, p)
		if err != nil {
			return nil, err
		}
		var said []connectors.Change
		for _, r := range rates {
			of, err := s.rate(p, r)
			if err != nil {
				return nil, err
			}
			said = append(said, of...)
		}
		for _, r := range p.Rules {
			of, err := s.rule(p, r)
			if err != nil {
				return nil, err
			}
			said = append(said, of...)
		}
		for _, change := range said {
			if told[change.Key] {
				return nil, refuse("404", "the rates or the rules of a category overlap")
			}
			told[change.Key] = true
		}
		if p.Kind != "Overlay" {
			said = append(s.emptied(p.Code, p.Kind == "Remove"), said...)
		}
		changes = append(changes, said...)
	}
	if q.UniqueID != nil { // there are no others
		for _, product := range s.kit.Book.Products() {
			if !listed[product.Rate] {
				listed[product.Rate] = true
				changes = append(changes, s.emptied(product.Rate, true)...)
			}
		}
	}
	return changes, nil
}

// kind checks what becomes of the plan, and returns the rates of some nights. A whole
// plan begins with what holds for all of them: here amounts are for a room.
func (s *Simulator) kind(version string, p plan) ([]datedRate, error) {
	switch {
	case p.Kind == "Overlay" && s.o.Preset != sets, p.Kind == "Full" && version == newest, p.Kind == "New", p.Kind == "Remove":
	default:
		return nil, refuse("320", "rate plans of the kind %q are not taken", p.Kind)
	}
	known := false
	for _, product := range s.kit.Book.Products() {
		known = known || product.Rate == p.Code
	}
	if !known {
		return nil, refuse("249", "there is no rate plan of that code")
	}
	switch p.Kind {
	case "Overlay":
		if len(p.Paid) > 0 {
			return nil, refuse("320", "supplements are taken with whole rate plans alone")
		}
		return p.Rates, nil
	case "Remove":
		if len(p.Rates)+len(p.Rules)+len(p.Paid) > 0 {
			return nil, refuse("320", "a rate plan that is taken away says nothing else")
		}
		return nil, nil
	}
	if err := supplementsSound(p.Paid, p.Currency); err != nil {
		return nil, err
	}
	if len(p.Rates) == 0 {
		return nil, nil
	}
	first := p.Rates[0]
	switch {
	case first.Category != "", first.Start != "", len(first.Base) != 1, first.Base[0].Type != "25", first.Unit != "Day", first.Units != "1":
		return nil, refuse("320", "a whole plan begins by saying that its amounts are for a room and a day")
	case first.Meals == nil || first.Meals.Code == "" || first.Meals.On != "true":
		return nil, refuse("321", "a whole plan says which meals are in it")
	}
	return p.Rates[1:], nil
}

// emptied is a plan before a whole one takes its place: nothing of it restricts stays.
// What it cost it still costs where nothing is said, since a guest needs a price. One that
// is taken away is closed on every night of which anything is known.
func (s *Simulator) emptied(plan string, away bool) []connectors.Change {
	var out []connectors.Change
	for _, p := range s.kit.Book.Products() {
		if p.Rate != plan {
			continue
		}
		for _, c := range s.kit.Book.Changes(p.Room, hotel.Span{From: -1 << 30, To: 1 << 30}) {
			if c.Key.Rate == plan && (c.Key.Group == hotel.Closures || c.Key.Group == hotel.Lengths) {
				out = append(out, connectors.Change{Key: c.Key})
			}
			if away && c.Key.Group == hotel.Price && c.Key.Rate == plan && c.Key.Occupancy == 0 {
				c.Key.Group = hotel.Closures
				out = append(out, connectors.Change{Key: c.Key, Offer: hotel.Offer{Closed: hotel.Closed{Closed: true}}})
			}
		}
	}
	return out
}

// nights reads the category and the nights of something in a plan.
func (s *Simulator) nights(p plan, category, start, end string) (from, to hotel.Date, err error) {
	from, bad := hotel.ParseDate(start)
	to, worse := hotel.ParseDate(end)
	switch {
	case !s.kit.Book.Knows(category, ""):
		return 0, 0, refuse("402", "there is no category of that code")
	case !s.kit.Book.Knows(category, p.Code):
		return 0, 0, refuse("249", "the category is not in that rate plan")
	case bad != nil || worse != nil || to < from || to-from > maxDays:
		return 0, 0, refuse("404", "invalid start/end date combination")
	}
	return from, to, nil
}

// rate reads what a category costs on some nights. All that is not told of them is no
// longer so.
func (s *Simulator) rate(p plan, r datedRate) ([]connectors.Change, error) {
	if err := r.none(); err != nil {
		return nil, refuse("320", "%v", err)
	}
	if r.Category == "" {
		return nil, refuse("320", "what holds for all of a plan comes first in a whole one")
	}
	from, to, err := s.nights(p, r.Category, r.Start, r.End)
	if err != nil {
		return nil, err
	}
	amounts := map[int]hotel.Money{}
	for _, b := range r.Base {
		guests, err := strconv.Atoi(b.Guests)
		if _, twice := amounts[guests]; err != nil || twice || guests < 1 || guests > 20 || b.Who != "10" || b.Type != "" {
			return nil, refuse("320", "an amount is for so many adults, each number once")
		}
		amount, err := hotel.ParseMoney(b.Amount, hotel.Currency(p.Currency))
		if err != nil || amount.Minor <= 0 || !amount.Currency.Known() {
			return nil, refuse("320", "the amount cannot be read")
		}
		amounts[guests] = amount
	}
	of, said := amounts[standard]
	switch {
	case len(amounts) == 0:
		return nil, refuse("321", "a rate has no amount")
	case said:
		amounts[0] = of
	case p.Kind != "Overlay":
		return nil, refuse("321", "a rate of a whole plan has no amount for %d guests", standard)
	}
	var changes []connectors.Change
	for night := from; night <= to; night++ {
		for guests, amount := range amounts {
			k := connectors.Key{Room: r.Category, Rate: p.Code, Group: hotel.Price, Occupancy: guests, Night: night}
			changes = append(changes, connectors.Change{Key: k, Offer: hotel.Offer{Amount: amount}})
		}
	}
	return changes, nil
}

package message

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"ostler.example/hotel"
)

// PlanSet is what a message says of rate plans.
type PlanSet struct {
	Hotel    Hotel
	Complete bool // the plans in it are all that there are
	Plans    []Plan
}

// Plan is what is said of one rate plan.
type Plan struct {
	Code     string
	Kind     PlanKind
	Currency hotel.Currency
	Basis    *PriceBasis // of a whole plan, what its amounts are for
	Rates    []Rate
	Rules    []Rule

	Supplements []Supplement // what everybody pays beside the rates
}

// PlanKind says what becomes of the plan that the receiver has.
type PlanKind string

// The kinds. Full is New in the words of 2024-10.
const (
	New     PlanKind = "New" // it is replaced as a whole
	Full    PlanKind = "Full"
	Overlay PlanKind = "Overlay" // the nights that are named are replaced, the rest of the plan stays
	Remove  PlanKind = "Remove"
)

// PriceBasis is what holds for all amounts of a plan.
type PriceBasis struct {
	PerPerson bool   // an amount is for each guest, not for the room
	Meals     string // the code of what is eaten
}

// Rate is what a category costs on each night of a span, which includes both ends.
type Rate struct {
	Category string
	Nights   hotel.Span
	Prices   []GuestPrice
	Extra    []ExtraGuest
}

// GuestPrice is what a night costs for so many adults, in minor units of the plan's
// currency, as the plan's basis has it.
type GuestPrice struct {
	Guests int
	Minor  int64
}

// ExtraGuest is what a guest beyond the standard number costs, or a child.
type ExtraGuest struct {
	Child             bool
	FromAge, BelowAge int // of children; 0: from birth, of any age
	Minor             int64
}

// Rule is what restricts stays on each day of a span, which includes both ends: of one
// category, or of all where none is named.
type Rule struct {
	Category           string
	Nights             hotel.Span
	Closed             bool
	Arrival, Departure [7]bool            // on which days of the week, by [time.Weekday], nobody may come or go
	Lengths            hotel.LengthLimits // arrival and through, minimum and maximum
}

type planMessage struct {
	UniqueID *setID     `xml:"UniqueID"`
	Plans    planHolder `xml:"RatePlans"`
}

type planHolder struct {
	Hotel
	Plan []plan `xml:"RatePlan"`
}

// setID marks a set that is complete. What the number is does not matter.
type setID struct {
	Type     string `xml:"Type,attr"`
	ID       string `xml:"ID,attr"`
	Instance string `xml:"Instance,attr"`
}

// completeSet is how a message says that there is nothing beside what is in it.
var completeSet = setID{Type: "16", ID: "1", Instance: "CompleteSet"}

type plan struct {
	Kind     PlanKind `xml:"RatePlanNotifType,attr"`
	Currency string   `xml:"CurrencyCode,attr,omitempty"`
	Code     string   `xml:"RatePlanCode,attr"`
	Type     string   `xml:"RatePlanType,attr,omitempty"`
	Rules    *rules   `xml:"BookingRules"`
	Rates    *rates   `xml:"Rates"`

	Supplements *supplements `xml:"Supplements"`
	Offers      *offers      `xml:"Offers"` // read alone: there are none of ours
}

type rules struct {
	Rule []rule `xml:"BookingRule"`
}

type rates struct {
	Rate []rate `xml:"Rate"`
}

type rule struct {
	Context string    `xml:"CodeContext,attr,omitempty"`
	Code    string    `xml:"Code,attr,omitempty"`
	Start   string    `xml:"Start,attr"`
	End     string    `xml:"End,attr"`
	Lengths *lengths  `xml:"LengthsOfStay"`
	Days    *stayDays `xml:"DOW_Restrictions"`
	Status  *status   `xml:"RestrictionStatus"`
}

type lengths struct {
	Length []length `xml:"LengthOfStay"`
}

type length struct {
	Time string `xml:"Time,attr"`
	Unit string `xml:"TimeUnit,attr"`
	Kind string `xml:"MinMaxMessageType,attr"`
}

type stayDays struct {
	Arrival   *weekdays `xml:"ArrivalDaysOfWeek"`
	Departure *weekdays `xml:"DepartureDaysOfWeek"`
}

// weekdays are open days, by the names that OpenTravel gives them.
type weekdays struct {
	Mon  string `xml:"Mon,attr,omitempty"`
	Tue  string `xml:"Tue,attr,omitempty"`
	Weds string `xml:"Weds,attr,omitempty"`
	Thur string `xml:"Thur,attr,omitempty"`
	Fri  string `xml:"Fri,attr,omitempty"`
	Sat  string `xml:"Sat,attr,omitempty"`
	Sun  string `xml:"Sun,attr,omitempty"`
}

type status struct {
	Restriction string `xml:"Restriction,attr"`
	Status      string `xml:"Status,attr"`
}

type rate struct {
	Category string        `xml:"InvTypeCode,attr,omitempty"`
	Start    string        `xml:"Start,attr,omitempty"`
	End      string        `xml:"End,attr,omitempty"`
	Unit     string        `xml:"RateTimeUnit,attr,omitempty"`
	Units    string        `xml:"UnitMultiplier,attr,omitempty"`
	Base     *baseAmounts  `xml:"BaseByGuestAmts"`
	Extra    *extraAmounts `xml:"AdditionalGuestAmounts"`
	Meals    *Meals        `xml:"MealsIncluded"`
}

type baseAmounts struct {
	Amount []baseAmount `xml:"BaseByGuestAmt"`
}

type baseAmount struct {
	Guests   string `xml:"NumberOfGuests,attr,omitempty"`
	Who      string `xml:"AgeQualifyingCode,attr,omitempty"`
	AfterTax string `xml:"AmountAfterTax,attr,omitempty"`
	Currency string `xml:"CurrencyCode,attr,omitempty"`
	Type     string `xml:"Type,attr,omitempty"`
}

type extraAmounts struct {
	Amount []extraAmount `xml:"AdditionalGuestAmount"`
}

type extraAmount struct {
	Who    string `xml:"AgeQualifyingCode,attr"`
	From   string `xml:"MinAge,attr,omitempty"`
	Below  string `xml:"MaxAge,attr,omitempty"`
	Amount string `xml:"Amount,attr"`
}

// What is written into the message.
const (
	adults    = "10"
	children  = "8"
	perPerson = "7"
	perRoom   = "25"
	roomType  = "ROOMTYPE"
	master    = "Master"
	opened    = "Open"
	shut      = "Close"
	day       = "Day"
)

// byLength are the lengths of stay of a rule, by their names.
func byLength(l *hotel.LengthLimits) []struct {
	name  string
	value *int
} {
	return []struct {
		name  string
		value *int
	}{
		{"SetMinLOS", &l.MinStayArrival},
		{"SetMaxLOS", &l.MaxStayArrival},
		{"SetForwardMinStay", &l.MinStayThrough},
		{"SetForwardMaxStay", &l.MaxStayThrough},
	}
}

// WriteRatePlans tells rates and booking rules. Spans of a category must not overlap.
func WriteRatePlans(m PlanSet) []byte {
	return write("OTA_HotelRatePlanNotifRQ", "1.000", m.wire())
}

// WriteBaseRates answers a question about rates.
func WriteBaseRates(m PlanSet) []byte {
	type answer struct {
		Success unit
		planMessage
	}
	return write(BaseRated, "3.000", answer{planMessage: m.wire()})
}

func (m PlanSet) wire() planMessage {
	out := planMessage{Plans: planHolder{Hotel: m.Hotel}}
	if m.Complete {
		out.UniqueID = &completeSet
	}
	for _, p := range m.Plans {
		out.Plans.Plan = append(out.Plans.Plan, p.wire())
	}
	return out
}

func (p Plan) wire() plan {
	out := plan{Kind: p.Kind, Currency: string(p.Currency), Code: p.Code}
	for _, r := range p.Rules {
		if out.Rules == nil {
			out.Rules = &rules{}
		}
		out.Rules.Rule = append(out.Rules.Rule, r.wire())
	}
	if p.Basis != nil || len(p.Rates) > 0 {
		out.Rates = &rates{}
	}
	if b := p.Basis; b != nil {
		kind := perRoom
		if b.PerPerson {
			kind = perPerson
		}
		static := rate{Unit: day, Units: "1", Base: &baseAmounts{[]baseAmount{{Type: kind}}}}
		static.Meals = MealsOf(b.Meals)
		out.Rates.Rate = append(out.Rates.Rate, static)
	}
	for _, r := range p.Rates {
		out.Rates.Rate = append(out.Rates.Rate, r.wire(p.Currency))
	}
	out.Supplements = supplementsWire(p.Supplements, p.Currency)
	return out
}

func (r Rule) wire() rule {
	out := rule{Start: r.Nights.From.String(), End: r.Nights.To.String(), Status: &status{master, opened}}
	if r.Category != "" {
		out.Context, out.Code = roomType, r.Category
	}
	if r.Closed {
		out.Status.Status = shut
	}
	for _, l := range byLength(&r.Lengths) {
		if *l.value == 0 {
			continue
		}
		if out.Lengths == nil {
			out.Lengths = &lengths{}
		}
		out.Lengths.Length = append(out.Lengths.Length, length{strconv.Itoa(*l.value), day, l.name})
	}
	if r.Arrival != [7]bool{} || r.Departure != [7]bool{} {
		out.Days = &stayDays{openDays(r.Arrival), openDays(r.Departure)}
	}
	return out
}

// openDays names all days of the week, those on which something is closed with 0.
func openDays(closed [7]bool) *weekdays {
	if closed == [7]bool{} {
		return nil
	}
	var w weekdays
	for day, to := range w.fields() {
		*to = "1"
		if closed[day] {
			*to = "0"
		}
	}
	return &w
}

// fields are the days by [time.Weekday].
func (w *weekdays) fields() [7]*string {
	return [7]*string{&w.Sun, &w.Mon, &w.Tue, &w.Weds, &w.Thur, &w.Fri, &w.Sat}
}

func (r Rate) wire(c hotel.Currency) rate {
	amount := func(minor int64) string { return hotel.Money{Minor: minor, Currency: c}.Amount() }
	out := rate{Category: r.Category, Start: r.Nights.From.String(), End: r.Nights.To.String()}
	for _, p := range r.Prices {
		if out.Base == nil {
			out.Base = &baseAmounts{}
		}
		out.Base.Amount = append(out.Base.Amount, baseAmount{Guests: strconv.Itoa(p.Guests), Who: adults, AfterTax: amount(p.Minor)})
	}
	for _, e := range r.Extra {
		if out.Extra == nil {
			out.Extra = &extraAmounts{}
		}
		who, text := adults, func(n int) string { return "" }
		if e.Child {
			who, text = children, func(n int) string {
				if n == 0 {
					return ""
				}
				return strconv.Itoa(n)
			}
		}
		out.Extra.Amount = append(out.Extra.Amount, extraAmount{who, text(e.FromAge), text(e.BelowAge), amount(e.Minor)})
	}
	return out
}

// ReadRatePlans reads what somebody tells of rate plans. A message that says something
// that makes no sense is refused as a whole, with a [Refusal].
func ReadRatePlans(raw []byte) (PlanSet, error) {
	var q planMessage
	if _, err := read(raw, "OTA_HotelRatePlanNotifRQ", &q); err != nil {
		return PlanSet{}, err
	}
	return q.content()
}

func (q planMessage) content() (PlanSet, error) {
	out := PlanSet{Hotel: q.Plans.Hotel}
	if u := q.UniqueID; u != nil {
		if u.Instance != completeSet.Instance || u.Type != completeSet.Type {
			return PlanSet{}, refuse(CodeInvalid, "UniqueID marks a complete set or nothing")
		}
		out.Complete = true
	}
	if len(q.Plans.Plan) == 0 {
		return PlanSet{}, refuse(CodeMissing, "there is no rate plan in it")
	}
	seen := map[string]bool{}
	for _, p := range q.Plans.Plan {
		content, err := p.content()
		if err != nil {
			return PlanSet{}, fmt.Errorf("rate plan %q: %w", p.Code, err)
		}
		if seen[p.Code] && p.Kind != Overlay {
			return PlanSet{}, refuse(CodeInvalid, "rate plan %q stands there twice", p.Code)
		}
		seen[p.Code] = true
		out.Plans = append(out.Plans, content)
	}
	return out, nil
}

func (p plan) content() (Plan, error) {
	out := Plan{Code: p.Code, Kind: p.Kind, Currency: hotel.Currency(p.Currency)}
	switch p.Kind {
	case New, Full, Overlay:
		if priced := p.Rates != nil && len(p.Rates.Rate) > 0; !out.Currency.Known() && (priced || p.Currency != "") {
			return out, refuse(CodeInvalid, "%q is not a currency", p.Currency)
		}
	case Remove:
	default:
		return out, refuse(CodeInvalid, "the kind %q is none of New, Full, Overlay and Remove", p.Kind)
	}
	if p.Code == "" {
		return out, refuse(CodeMissing, "it has no code")
	}
	if p.Rules != nil {
		for _, r := range p.Rules.Rule {
			rule, err := r.content()
			if err != nil {
				return out, err
			}
			out.Rules = append(out.Rules, rule)
		}
	}
	if p.Rates != nil {
		for i, r := range p.Rates.Rate {
			if r.Category == "" && r.Start == "" && r.End == "" {
				basis, err := r.basis()
				if err != nil || i > 0 {
					return out, cmp.Or(err, refuse(CodeInvalid, "the rate without a category comes first"))
				}
				out.Basis = &basis
				continue
			}
			rate, err := r.content(out.Currency)
			if err != nil {
				return out, err
			}
			out.Rates = append(out.Rates, rate)
		}
	}
	supplements, err := p.Supplements.content(out.Currency, p.Kind == New || p.Kind == Full)
	if err != nil {
		return out, err
	}
	out.Supplements = supplements
	if err := p.Offers.held(); err != nil && p.Kind != Remove {
		return out, err
	}
	if whole := p.Kind == New || p.Kind == Full; whole && out.Basis == nil && len(out.Rates) > 0 {
		return out, refuse(CodeMissing, "a whole plan says what its amounts are for")
	}
	return out, errors.Join(overlap(out.Rates, Rate.place), overlap(out.Rules, Rule.place))
}

func (r Rate) place() (string, hotel.Span) { return r.Category, r.Nights }
func (r Rule) place() (string, hotel.Span) { return r.Category, r.Nights }

// overlap refuses two spans of a category that have a night in common.
func overlap[T any](all []T, place func(T) (string, hotel.Span)) error {
	taken := map[string][]hotel.Span{}
	for _, one := range all {
		category, nights := place(one)
		taken[category] = append(taken[category], nights)
	}
	for _, category := range slices.Sorted(maps.Keys(taken)) {
		spans := taken[category]
		slices.SortFunc(spans, func(a, b hotel.Span) int { return cmp.Compare(a.From, b.From) })
		for i := 1; i < len(spans); i++ {
			if spans[i].From <= spans[i-1].To {
				return refuse(CodeDates, "spans of category %q overlap on %s", category, spans[i].From)
			}
		}
	}
	return nil
}

func (r rate) basis() (PriceBasis, error) {
	var b PriceBasis
	if r.Base == nil || len(r.Base.Amount) != 1 {
		return b, refuse(CodeMissing, "the rate that holds for all says what amounts are for")
	}
	switch r.Base.Amount[0].Type {
	case perPerson:
		b.PerPerson = true
	case perRoom:
	default:
		return b, refuse(CodeInvalid, "an amount is for a person (7) or a room (25), not %q", r.Base.Amount[0].Type)
	}
	if r.Meals != nil {
		b.Meals = r.Meals.Code
	}
	return b, nil
}

func (r rate) content(c hotel.Currency) (Rate, error) {
	nights, err := spanOf(r.Start, r.End)
	if err != nil {
		return Rate{}, err
	}
	if r.Category == "" {
		return Rate{}, refuse(CodeMissing, "a rate of some nights says of which category")
	}
	out := Rate{Category: r.Category, Nights: nights}
	minor := func(text, currency string) (int64, error) {
		m, err := hotel.ParseMoney(trimmed(text), c)
		if err != nil || m.Minor < 0 || currency != "" && hotel.Currency(currency) != c {
			return 0, refuse(CodeInvalid, "the amount %q cannot be read in %s", text, c)
		}
		return m.Minor, nil
	}
	if r.Base != nil {
		seen := map[int]bool{}
		for _, b := range r.Base.Amount {
			guests, err := strconv.Atoi(b.Guests)
			if err != nil || guests < 1 || guests > maxOccupancy || b.Who != "" && b.Who != adults || seen[guests] {
				return Rate{}, refuse(CodeInvalid, "a base amount is for so many adults, each number once")
			}
			seen[guests] = true
			m, err := minor(b.AfterTax, b.Currency)
			if err != nil || m == 0 {
				return Rate{}, cmp.Or(err, refuse(CodeInvalid, "a price is above zero"))
			}
			out.Prices = append(out.Prices, GuestPrice{guests, m})
		}
	}
	if r.Extra != nil {
		for _, e := range r.Extra.Amount {
			extra, err := e.content()
			if err == nil {
				extra.Minor, err = minor(e.Amount, "")
			}
			if err != nil {
				return Rate{}, err
			}
			out.Extra = append(out.Extra, extra)
		}
	}
	if len(out.Prices)+len(out.Extra) == 0 {
		return Rate{}, refuse(CodeMissing, "a rate has no amount")
	}
	return out, out.extraSound()
}

// extraSound refuses two amounts for one guest.
func (r Rate) extraSound() error {
	grown := 0
	var ages [][2]int
	for _, e := range r.Extra {
		if !e.Child {
			grown++
			continue
		}
		to := e.BelowAge
		if to == 0 {
			to = 1 << 30
		}
		if to <= e.FromAge {
			return refuse(CodeInvalid, "a child of no age has a price")
		}
		for _, other := range ages {
			if e.FromAge < other[1] && to > other[0] {
				return refuse(CodeInvalid, "the ages of children overlap")
			}
		}
		ages = append(ages, [2]int{e.FromAge, to})
	}
	if grown > 1 {
		return refuse(CodeInvalid, "another adult costs two amounts")
	}
	return nil
}

func (e extraAmount) content() (ExtraGuest, error) {
	age := func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if text == "" {
			return 0, nil
		}
		if err != nil || n < 1 || n > 120 {
			return 0, refuse(CodeInvalid, "the age %q makes no sense", text)
		}
		return n, nil
	}
	from, err := age(e.From)
	below, worse := age(e.Below)
	if err := cmp.Or(err, worse); err != nil {
		return ExtraGuest{}, err
	}
	switch {
	case e.Who == adults && from == 0 && below == 0:
		return ExtraGuest{}, nil
	case e.Who == children:
		return ExtraGuest{Child: true, FromAge: from, BelowAge: below}, nil
	}
	return ExtraGuest{}, refuse(CodeInvalid, "a further guest is an adult or a child of some age")
}

func (r rule) content() (Rule, error) {
	nights, err := spanOf(r.Start, r.End)
	if err != nil {
		return Rule{}, err
	}
	out := Rule{Category: r.Code, Nights: nights}
	if (r.Context == roomType) != (r.Code != "") || r.Context != "" && r.Context != roomType {
		return Rule{}, refuse(CodeInvalid, "a booking rule is for a category by its code, or for all")
	}
	if r.Status != nil {
		switch r.Status.Status {
		case shut:
			out.Closed = true
		case opened, "":
		default:
			return Rule{}, refuse(CodeInvalid, "a booking rule opens or closes")
		}
	}
	if r.Days != nil {
		if out.Arrival, err = r.Days.Arrival.closed(); err != nil {
			return Rule{}, err
		}
		if out.Departure, err = r.Days.Departure.closed(); err != nil {
			return Rule{}, err
		}
	}
	if r.Lengths != nil {
		for _, l := range r.Lengths.Length {
			if err := l.into(&out.Lengths); err != nil {
				return Rule{}, err
			}
		}
	}
	return out, nil
}

// maxNights is the longest length of stay that anybody means.
const maxNights = 999

func (l length) into(all *hotel.LengthLimits) error {
	n, err := strconv.Atoi(trimmed(l.Time))
	if err != nil || n < 0 || n > maxNights || l.Unit != day {
		return refuse(CodeInvalid, "a length of stay is a number of days, not %q", l.Time)
	}
	for _, known := range byLength(all) {
		if known.name != l.Kind {
			continue
		}
		if *known.value != 0 {
			return refuse(CodeInvalid, "%s stands there twice", l.Kind)
		}
		*known.value = n
		return nil
	}
	return refuse(CodeInvalid, "there is no length of stay %q", l.Kind)
}

// closed are the days on which something is not open. A day that is not named is.
func (w *weekdays) closed() (closed [7]bool, err error) {
	if w == nil {
		return closed, nil
	}
	for day, text := range w.fields() {
		switch *text {
		case "1", "true", "":
		case "0", "false":
			closed[day] = true
		default:
			return closed, refuse(CodeInvalid, "a day of the week is open or not")
		}
	}
	return closed, nil
}

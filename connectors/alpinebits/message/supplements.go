package message

import (
	"cmp"
	"slices"

	"ostler.example/hotel"
)

// Supplement is what everybody pays beside the rates of a plan. What the guest chooses is
// not read.
type Supplement struct {
	Code   string
	Charge Charge // "": nothing is said but what it costs when, of one that was told before
	Titles []Text
	Due    []SupplementDue
}

// SupplementDue is what a supplement costs on the nights of a span, which includes both
// ends, in minor units of the plan's currency.
type SupplementDue struct {
	Nights   hotel.Span
	Minor    int64
	Category string   // "": whatever category is booked
	Days     *[7]bool // by [time.Weekday], those on which it is due; nil: all
}

// On reports whether it is due on a night of a category.
func (d SupplementDue) On(category string, night hotel.Date) bool {
	return d.Nights.Contains(night) && (d.Category == "" || d.Category == category) && (d.Days == nil || d.Days[night.Weekday()])
}

// Charge says for what the amount of a supplement is, by OpenTravel's list CHG.
type Charge string

// The charges.
const (
	ChargeDaily       Charge = "1"
	ChargeStay        Charge = "12"
	ChargeRoomStay    Charge = "18"
	ChargeRoomNight   Charge = "19"
	ChargePersonStay  Charge = "20"
	ChargePersonNight Charge = "21"
	ChargeItem        Charge = "24"
)

// What supplements may be and are written as.
const (
	maxSupplement = 16   // characters of a code
	mostEntries   = 2000 // of one plan
	extraType     = "EXTRA"
	onDays        = "ALPINEBITSDOW"
	titleName     = "title"
)

var charges = []Charge{ChargeDaily, ChargeStay, ChargeRoomStay, ChargeRoomNight, ChargePersonStay, ChargePersonNight, ChargeItem}

// supplements are told in entries: one of each code that says what it is, then those of
// what it costs when.
type supplements struct {
	Entry []supplement `xml:"Supplement"`
}

type supplement struct {
	Add       string        `xml:"AddToBasicRateIndicator,attr,omitempty"`
	Charge    Charge        `xml:"ChargeTypeCode,attr,omitempty"`
	Amount    string        `xml:"Amount,attr,omitempty"`
	Type      string        `xml:"InvType,attr"`
	Code      string        `xml:"InvCode,attr"`
	Mandatory string        `xml:"MandatoryIndicator,attr,omitempty"`
	Start     string        `xml:"Start,attr,omitempty"`
	End       string        `xml:"End,attr,omitempty"`
	Only      *prerequisite `xml:"PrerequisiteInventory"`
	Texts     []description `xml:"Description"`
}

// prerequisite says of which category, or on which days, an entry is.
type prerequisite struct {
	Code string `xml:"InvCode,attr"`
	Type string `xml:"InvType,attr"`
}

type description struct {
	Name string      `xml:"Name,attr"`
	Text []titleText `xml:"Text"`
}

type titleText struct {
	Format   string `xml:"TextFormat,attr"`
	Language string `xml:"Language,attr,omitempty"`
	Text     string `xml:",chardata"`
}

func supplementsWire(all []Supplement, c hotel.Currency) *supplements {
	if len(all) == 0 {
		return nil
	}
	out := &supplements{}
	for _, s := range all {
		if s.Charge != "" {
			out.Entry = append(out.Entry, s.wire())
		}
		for _, d := range s.Due {
			out.Entry = append(out.Entry, d.wire(s.Code, c))
		}
	}
	return out
}

// wire is the entry that says what a supplement is.
func (s Supplement) wire() supplement {
	what := supplement{Add: "true", Charge: s.Charge, Type: extraType, Code: s.Code, Mandatory: "true"}
	if len(s.Titles) > 0 {
		title := description{Name: titleName}
		for _, t := range s.Titles {
			title.Text = append(title.Text, titleText{plain, t.Language, t.Text})
		}
		what.Texts = []description{title}
	}
	return what
}

func (d SupplementDue) wire(code string, c hotel.Currency) supplement {
	out := supplement{
		Type: extraType, Code: code, Amount: hotel.Money{Minor: d.Minor, Currency: c}.Amount(),
		Start: d.Nights.From.String(), End: d.Nights.To.String(),
	}
	switch {
	case d.Category != "":
		out.Only = &prerequisite{d.Category, roomType}
	case d.Days != nil:
		var bits [7]byte
		for day, due := range d.Days { // from Monday on
			bits[(day+6)%7] = '0'
			if due {
				bits[(day+6)%7] = '1'
			}
		}
		out.Only = &prerequisite{string(bits[:]), onDays}
	}
	return out
}

// content reads what everybody pays beside the rates, in the order of the codes. A whole
// plan says of each what it is.
func (s *supplements) content(c hotel.Currency, whole bool) ([]Supplement, error) {
	if s == nil {
		return nil, nil
	}
	if len(s.Entry) > mostEntries {
		return nil, refuse(CodeInvalid, "a rate plan has more than %d entries of supplements", mostEntries)
	}
	known, chosen := map[string]bool{}, map[string]bool{} // by the guest
	var out []Supplement
	for _, e := range s.Entry {
		if e.dated() {
			continue
		}
		if known[e.Code] {
			return nil, refuse(CodeInvalid, "the supplement %q says twice what it is", e.Code)
		}
		if known[e.Code] = true; !on(e.Mandatory) {
			chosen[e.Code] = true
			continue
		}
		what, err := e.what()
		if err != nil {
			return nil, err
		}
		out = append(out, what)
	}
	for _, e := range s.Entry {
		if !e.dated() || chosen[e.Code] {
			continue
		}
		due, err := e.due(c)
		at := slices.IndexFunc(out, func(s Supplement) bool { return s.Code == e.Code })
		switch {
		case at < 0 && whole:
			err = refuse(CodeMissing, "the supplement %q says what it costs, and not what it is", e.Code)
		case at < 0 && err != nil:
			continue // perhaps the guest chooses it
		case at < 0:
			at, out = len(out), append(out, Supplement{Code: e.Code})
		}
		if err != nil {
			return nil, err
		}
		out[at].Due = append(out[at].Due, due)
	}
	for _, s := range out {
		if err := s.sound(); err != nil && s.Charge != "" {
			return nil, err
		}
	}
	return out, nil
}

// dated reports whether an entry says what a supplement costs when.
func (e supplement) dated() bool { return e.Start != "" || e.End != "" || e.Amount != "" }

// sound refuses a supplement that costs two amounts on one night.
func (s Supplement) sound() error {
	type of struct {
		category string
		day      int
	}
	taken := map[of][]hotel.Span{}
	for _, d := range s.Due {
		for day := range 7 {
			if d.Days != nil && !d.Days[day] {
				continue
			}
			at := of{d.Category, day}
			taken[at] = append(taken[at], d.Nights)
		}
	}
	for at, spans := range taken {
		slices.SortFunc(spans, func(a, b hotel.Span) int { return cmp.Compare(a.From, b.From) })
		for i := 1; i < len(spans); i++ {
			if shared := (hotel.Span{From: spans[i].From, To: min(spans[i].To, spans[i-1].To)}); has(shared, at.day) {
				return refuse(CodeDates, "the supplement %q costs two amounts on %s", s.Code, spans[i].From)
			}
		}
	}
	return nil
}

// has reports whether a span has a night of that day of the week.
func has(s hotel.Span, day int) bool {
	for night := s.From; night <= s.To && night < s.From+7; night++ {
		if int(night.Weekday()) == day {
			return true
		}
	}
	return false
}

// what reads the entry that says what a supplement is.
func (e supplement) what() (Supplement, error) {
	out := Supplement{Code: e.Code, Charge: e.Charge}
	if n := len([]rune(e.Code)); n < 1 || n > maxSupplement {
		return out, refuse(CodeInvalid, "the code of a supplement has 1 to %d characters, not %d", maxSupplement, n)
	}
	if !slices.Contains(charges, e.Charge) {
		return out, refuse(CodeInvalid, "the supplement %q is charged for nothing that anybody knows: ChargeTypeCode %q", e.Code, e.Charge)
	}
	for _, d := range e.Texts {
		for _, t := range d.Text {
			if d.Name == titleName && t.Format == plain {
				out.Titles = append(out.Titles, Text{t.Language, t.Text})
			}
		}
	}
	return out, nil
}

// due reads an entry of what a supplement costs.
func (e supplement) due(c hotel.Currency) (SupplementDue, error) {
	var out SupplementDue
	var err error
	if out.Nights, err = spanOf(e.Start, e.End); err != nil {
		return out, err
	}
	amount, err := hotel.ParseMoney(trimmed(e.Amount), c)
	if err != nil || amount.Minor < 0 || !c.Known() {
		return out, refuse(CodeInvalid, "the amount %q of the supplement %q cannot be read in %s", e.Amount, e.Code, c)
	}
	out.Minor = amount.Minor
	if e.Only == nil {
		return out, nil
	}
	switch e.Only.Type {
	case roomType:
		if out.Category = e.Only.Code; out.Category == "" {
			return out, refuse(CodeMissing, "the supplement %q does not say for which category it is", e.Code)
		}
		return out, nil
	case onDays:
		var days [7]bool
		if len(e.Only.Code) != len(days) {
			break
		}
		for i, bit := range []byte(e.Only.Code) { // from Monday on
			if bit != '0' && bit != '1' {
				return out, refuse(CodeInvalid, "the days of the supplement %q are seven noughts and ones, not %q", e.Code, e.Only.Code)
			}
			days[(i+1)%7] = bit == '1'
		}
		out.Days = &days
		return out, nil
	}
	return out, refuse(CodeInvalid, "the supplement %q is for a category or for days of the week, not for %q of the type %q", e.Code, e.Only.Code, e.Only.Type)
}

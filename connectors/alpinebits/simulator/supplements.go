package simulator

import (
	"slices"
	"strings"

	"ostler.example/hotel"
)

// paid is an entry about what is paid beside the rates: first what it is, then what it
// costs when.
type paid struct {
	Add       string `xml:"AddToBasicRateIndicator,attr"`
	Charge    string `xml:"ChargeTypeCode,attr"`
	Amount    string `xml:"Amount,attr"`
	Type      string `xml:"InvType,attr"`
	Code      string `xml:"InvCode,attr"`
	Mandatory string `xml:"MandatoryIndicator,attr"`
	Start     string `xml:"Start,attr"`
	End       string `xml:"End,attr"`
	Texts     []struct {
		Name string `xml:"Name,attr"`
	} `xml:"Description"`
	stray
}

// Supplement is what guests of a rate plan pay beside its rates.
type Supplement struct {
	Code, Charge string
	Due          []string // "from to amount"
}

// Supplements returns those of a rate plan, as they were told last.
func (s *Simulator) Supplements(plan string) []Supplement {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.beside[plan])
}

// paid keeps the supplements of the whole plans of a message that was taken.
func (s *Simulator) paid(q rateMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.beside == nil || q.UniqueID != nil {
		s.beside = map[string][]Supplement{}
	}
	for _, p := range q.Plans.Plan {
		if p.Kind == "Overlay" {
			continue
		}
		var all []Supplement
		for _, e := range p.Paid {
			if e.Start == "" {
				all = append(all, Supplement{Code: e.Code, Charge: e.Charge})
				continue
			}
			of := &all[slices.IndexFunc(all, func(s Supplement) bool { return s.Code == e.Code })]
			of.Due = append(of.Due, strings.Join([]string{e.Start, e.End, e.Amount}, " "))
		}
		s.beside[p.Code] = all
	}
}

// supplementsSound keeps the rules of the standard for supplements: each begins by saying
// what it is, and costs one amount on a night.
func supplementsSound(all []paid, currency string) error {
	due := map[string][]hotel.Span{}
	for _, e := range all {
		spans, known := due[e.Code]
		if err := e.none(); err != nil {
			return refuse("320", "%v", err)
		}
		if e.Type != "EXTRA" && e.Type != "ALPINEBITSEXTRA" || e.Code == "" || len(e.Code) > 16 {
			return refuse("320", "a supplement has a type and a code")
		}
		if e.Start == "" && e.End == "" {
			if known || e.Amount != "" || !slices.Contains([]string{"1", "12", "18", "19", "20", "21", "24"}, e.Charge) || e.Add != "1" && e.Add != "true" || e.Mandatory == "" {
				return refuse("320", "supplement %s does not say once what it is", e.Code)
			}
			due[e.Code] = []hotel.Span{}
			continue
		}
		from, bad := hotel.ParseDate(e.Start)
		to, worse := hotel.ParseDate(e.End)
		amount, wrong := hotel.ParseMoney(e.Amount, hotel.Currency(currency))
		switch {
		case !known || e.Charge+e.Add+e.Mandatory != "" || len(e.Texts) > 0:
			return refuse("320", "supplement %s says what it costs before what it is", e.Code)
		case bad != nil || worse != nil || to < from || slices.ContainsFunc(spans, func(s hotel.Span) bool { return from <= s.To && to >= s.From }):
			return refuse("404", "invalid start/end date combination")
		case wrong != nil || amount.Minor < 0:
			return refuse("320", "the amount cannot be read")
		}
		due[e.Code] = append(spans, hotel.Span{From: from, To: to})
	}
	return nil
}

package message

import "ostler.example/hotel"

// RatesQuestion asks what rooms cost.
type RatesQuestion struct {
	Hotel    Hotel
	From, To *hotel.Date // nights, both included; nil: from the first, to the last
	Plans    []string    // none named: all
}

// ReadRatesQuestion reads such a question.
func ReadRatesQuestion(raw []byte) (RatesQuestion, error) {
	var q struct {
		Plan *struct {
			Range []struct {
				Start string `xml:"Start,attr"`
				End   string `xml:"End,attr"`
			} `xml:"DateRange"`
			Candidates []struct {
				Code string `xml:"RatePlanCode,attr"`
				ID   string `xml:"RatePlanID,attr"`
			} `xml:"RatePlanCandidates>RatePlanCandidate"`
			Ref Hotel `xml:"HotelRef"`
		} `xml:"RatePlans>RatePlan"`
	}
	if _, err := read(raw, "OTA_HotelRatePlanRQ", &q); err != nil {
		return RatesQuestion{}, err
	}
	if q.Plan == nil {
		return RatesQuestion{}, refuse(CodeMissing, "it does not say of which hotel")
	}
	out := RatesQuestion{Hotel: q.Plan.Ref}
	if len(q.Plan.Range) > 1 {
		return out, refuse(CodeInvalid, "it names more than one range of dates")
	}
	for _, r := range q.Plan.Range {
		for _, end := range []struct {
			text string
			to   **hotel.Date
		}{{r.Start, &out.From}, {r.End, &out.To}} {
			if end.text == "" {
				continue
			}
			d, err := hotel.ParseDate(end.text)
			if err != nil {
				return out, refuse(CodeDates, "%q is no date", end.text)
			}
			*end.to = &d
		}
	}
	if out.From != nil && out.To != nil && *out.To < *out.From {
		return out, refuse(CodeDates, "the range ends before it begins")
	}
	for _, c := range q.Plan.Candidates {
		if c.Code != "" {
			out.Plans = append(out.Plans, c.Code)
		} else {
			out.Plans = append(out.Plans, c.ID)
		}
	}
	return out, nil
}

package simulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
)

// unknownField is said of a field that there is not, and of one that is null.
const unknownField = "must be a non null value or a field that exists"

// about is what a value is about: a room type or a rate plan, and its nights. Nights
// that are over are moved past, with a remark; those too far ahead are dropped
// without a word.
type about struct {
	id     string
	nights []hotel.Date
	remark string
}

// weekdays are the names of the days.
var weekdays = map[string]time.Weekday{
	"mo": time.Monday, "tu": time.Tuesday, "we": time.Wednesday, "th": time.Thursday, "fr": time.Friday, "sa": time.Saturday, "su": time.Sunday,
}

// about reads it; id is the field that names the room type or the rate plan.
func (s *Simulator) about(v value, id string) (about, map[string]string) {
	refuse := func(field, text string) (about, map[string]string) { return about{}, map[string]string{field: text} }
	for field, raw := range v {
		if bytes.Equal(raw, []byte("null")) {
			return refuse(field, unknownField)
		}
	}
	var said struct {
		Property string      `json:"property_id"`
		Date     *hotel.Date `json:"date"`
		From     *hotel.Date `json:"date_from"`
		To       *hotel.Date `json:"date_to"`
	}
	text, _ := json.Marshal(v) // what was JSON before
	if json.Unmarshal(text, &said) != nil {
		return refuse("date", "is invalid")
	}
	var out about
	switch {
	case said.Property != s.o.Hotel:
		return refuse("property_id", "is invalid")
	case json.Unmarshal(v[id], &out.id) != nil:
		return refuse(id, "can't be blank")
	case said.Date != nil && said.From == nil && said.To == nil:
		said.From, said.To = said.Date, said.Date
	case said.Date != nil, said.From == nil, said.To == nil:
		return refuse("date", "give a date, or date_from and date_to")
	}
	today := s.today()
	if *said.To < *said.From || *said.To < today {
		return refuse("date_to", "must be today or later, and not before date_from")
	}
	if *said.From < today {
		out.remark = fmt.Sprintf("date_from %s is in the past and was moved to %s", said.From, today)
	}
	days, refusal := daysOf(v)
	for night := max(*said.From, today); night <= min(*said.To, s.last()); night++ {
		if len(days) == 0 || slices.Contains(days, night.Weekday()) {
			out.nights = append(out.nights, night)
		}
	}
	return out, refusal
}

// daysOf reads the days of the week that a value is for; none is all of them.
func daysOf(v value) ([]time.Weekday, map[string]string) {
	raw, there := v["days"]
	if !there {
		return nil, nil
	}
	var names []string
	var out []time.Weekday
	if json.Unmarshal(raw, &names) != nil {
		return nil, map[string]string{"days": "is invalid"}
	}
	for _, name := range names {
		day, known := weekdays[name]
		if !known {
			return nil, map[string]string{"days": "is invalid"}
		}
		out = append(out, day)
	}
	return out, nil
}

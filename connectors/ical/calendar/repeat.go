package calendar

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"ostler.example/hotel"
)

// The most that events which repeat are followed.
const (
	maxInstances = 1000
	maxRepeating = 100
	maxRule      = 500      // bytes
	maxSteps     = 200000   // of all rules, those that lead to before the window too
	longAgo      = 20 * 366 // days before the window
)

// untilDate is the end of a rule that is a date.
var untilDate = regexp.MustCompile(`(?:^|;)UNTIL=\d{8}(?:;|$)`)

// errRule is a rule that is not followed.
var errRule = errors.New("how it repeats cannot be read")

// starts returns when the instances of an event begin that may take a night of the
// window: one, unless it repeats. Nothing is expanded beyond the window.
func (r *reader) starts(f fields, s span) (starts []moment, err error) {
	rule, repeats := f.first("RRULE")
	dates := f["RDATE"]
	if !repeats && len(dates) == 0 {
		return []moment{s.start}, nil
	}
	if r.repeating++; r.repeating > maxRepeating {
		return nil, fmt.Errorf("more than %d events of the calendar repeat", maxRepeating)
	}
	found := []moment{s.start}
	if repeats {
		if found, err = r.follow(rule.value, s.start); err != nil {
			return nil, err
		}
	}
	found = append(found, r.listed(dates)...)
	gone := r.moments(r.listed(f["EXDATE"])...)
	found = slices.DeleteFunc(found, gone.has)
	if len(found) > maxInstances {
		return nil, fmt.Errorf("it repeats more than %d times", maxInstances)
	}
	return found, nil
}

// listed reads lists of moments. One that cannot be read is passed by.
func (r *reader) listed(all []property) (out []moment) {
	for _, p := range all {
		for value := range strings.SplitSeq(p.value, ",") {
			value, _, _ = strings.Cut(value, "/") // a period: its beginning
			if m, err := r.momentOf(property{value: value, parameters: p.parameters}); err == nil && len(out) <= maxInstances {
				out = append(out, m)
			}
		}
	}
	return out
}

// follow has the library work out a rule as far as the window goes.
func (r *reader) follow(rule string, start moment) (out []moment, err error) {
	defer func() {
		if recover() != nil {
			out, err = nil, errRule
		}
	}()
	if len(rule) > maxRule {
		return nil, errRule
	}
	if start.civil(r.in.Zone) < r.in.From-longAgo {
		return nil, errors.New("it repeats since too long ago")
	}
	zone := time.UTC
	if start.timed {
		zone = start.at.Location()
	}
	rule = strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(rule)), "RRULE:")
	option, err := rrule.StrToROptionInLocation(rule, zone)
	if err != nil {
		return nil, errRule
	}
	if start.timed && untilDate.MatchString(rule) {
		option.Until = option.Until.AddDate(0, 0, 1).Add(-time.Second) // that day belongs to it
	}
	switch option.Freq {
	case rrule.YEARLY, rrule.MONTHLY, rrule.WEEKLY, rrule.DAILY:
	default:
		return nil, errors.New("it repeats within a day")
	}
	if option.Interval < 0 || max(1, len(option.Bysecond))*max(1, len(option.Byminute))*max(1, len(option.Byhour)) > 24 {
		return nil, errRule
	}
	option.Dtstart = start.at
	if !start.timed {
		option.Dtstart = start.date.Time()
	}
	if end := r.in.To.Time().Add(24 * time.Hour); option.Until.IsZero() || option.Until.After(end) {
		option.Until = end
	}
	all, err := rrule.NewRRule(*option)
	if err != nil {
		return nil, errRule
	}
	next := all.Iterator()
	for at, more := next(); more; at, more = next() {
		if r.steps++; r.steps > maxSteps || r.ctx.Err() != nil {
			return nil, errors.New("the calendar's rules are too long to follow")
		}
		m := moment{at: at, timed: true}
		if !start.timed {
			m = moment{date: hotel.DateOf(at.Date())}
		}
		if m.civil(r.in.Zone) < r.in.From-maxStay {
			continue // it is over
		}
		if len(out) > 0 && out[len(out)-1] == m {
			continue // several times of a date are one
		}
		if out = append(out, m); len(out) > maxInstances {
			return nil, fmt.Errorf("it repeats more than %d times", maxInstances)
		}
	}
	return out, nil
}

package calendar

import (
	"errors"
	"time"

	"ostler.example/hotel"
)

// What takes no night.
var (
	errNegative = errors.New("it ends before it begins")
	errEmpty    = errors.New("it takes no time")
)

// span is when an event takes place.
type span struct{ start, end moment }

// spanOf reads when an event takes place. A date without an end is one day.
func (r *reader) spanOf(f fields) (span, error) {
	p, ok := f.first("DTSTART")
	if !ok {
		return span{}, errors.New("it has no beginning")
	}
	start, err := r.momentOf(p)
	if err != nil {
		return span{}, err
	}
	s := span{start: start, end: start}
	if p, ok := f.first("DTEND"); ok {
		s.end, err = r.momentOf(p)
		return s, err
	}
	if p, ok := f.first("DURATION"); ok {
		lasts, err := lengthOf(p.value)
		if err != nil {
			return span{}, err
		}
		s.end = lasts.after(start)
		return s, nil
	}
	if !start.timed {
		s.end.date++
	}
	return s, nil
}

// stay returns the nights that are taken: from the date of the beginning to that of
// the end, which is the day of check-out. Less than a day takes one night.
func (s span) stay(zone *time.Location) (hotel.Stay, error) {
	switch {
	case s.end.before(s.start, zone):
		return hotel.Stay{}, errNegative
	case s.end == s.start, !s.start.before(s.end, zone) && !s.start.timed:
		return hotel.Stay{}, errEmpty
	case s.start.timed && s.end.timed && s.start.at.Equal(s.end.at):
		return hotel.Stay{}, errEmpty
	}
	stay := hotel.Stay{CheckIn: s.start.civil(zone), CheckOut: s.end.civil(zone)}
	if stay.CheckIn == stay.CheckOut {
		stay.CheckOut++
	}
	return stay, nil
}

package calendar

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"ostler.example/hotel"
)

// moment is where an event begins or ends: on a civil date, or at an instant.
type moment struct {
	date  hotel.Date
	at    time.Time // zero: it is a date
	timed bool
}

// civil returns the date of the moment in the property's zone.
func (m moment) civil(zone *time.Location) hotel.Date {
	if !m.timed {
		return m.date
	}
	y, month, d := m.at.In(zone).Date()
	return hotel.DateOf(y, month, d)
}

// before reports whether m comes before o, seen from the property.
func (m moment) before(o moment, zone *time.Location) bool {
	if m.timed && o.timed {
		return m.at.Before(o.at)
	}
	return m.civil(zone) < o.civil(zone)
}

// moments is a set of moments, as exceptions name instances: one of which only the date
// is told is any that day.
type moments struct {
	zone     *time.Location
	instants map[int64]bool      // of those with a time, since 1970
	days     map[hotel.Date]bool // of those with a time
	dates    map[hotel.Date]bool // of those without
}

func (r *reader) moments(all ...moment) *moments {
	s := &moments{zone: r.in.Zone, instants: map[int64]bool{}, days: map[hotel.Date]bool{}, dates: map[hotel.Date]bool{}}
	for _, m := range all {
		s.add(m)
	}
	return s
}

func (s *moments) add(m moment) {
	if !m.timed {
		s.dates[m.date] = true
		return
	}
	s.instants[m.at.Unix()], s.days[m.civil(s.zone)] = true, true
}

// has reports whether a moment is in the set; in none there is nothing.
func (s *moments) has(m moment) bool {
	switch {
	case s == nil:
		return false
	case m.timed && s.instants[m.at.Unix()]:
		return true
	case m.timed:
		return s.dates[m.civil(s.zone)]
	}
	return s.dates[m.date] || s.days[m.date]
}

// The forms of a value. That it is a date is told by the form: sites leave
// VALUE=DATE out.
const (
	dateForm  = "20060102"
	localForm = "20060102T150405"
	utcForm   = "20060102T150405Z"
)

// momentOf reads a date, or a date with a time in its own zone, in UTC, or in the
// property's zone.
func (r *reader) momentOf(p property) (moment, error) {
	value := strings.TrimSpace(p.value)
	if t, err := time.Parse(dateForm, value); err == nil {
		return moment{date: hotel.DateOf(t.Date())}, nil
	}
	if t, err := time.Parse(utcForm, value); err == nil {
		return moment{at: t, timed: true}, nil
	}
	t, err := time.Parse(localForm, value)
	if err != nil {
		return moment{}, fmt.Errorf("%q is no date", short(value))
	}
	zone := r.zoneOf(p.parameter("TZID"))
	return moment{at: time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, zone), timed: true}, nil
}

// length is a DURATION: calendar days, and hours on top.
type length struct {
	days int
	rest time.Duration
}

// maxDays bounds a duration: nothing here lasts longer.
const maxDays = 36500

// lengthOf reads a duration such as P4D, P1W or P1DT12H.
func lengthOf(value string) (length, error) {
	wrong := fmt.Errorf("%q is no duration", short(value))
	rest, ok := strings.CutPrefix(strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(value)), "+"), "P")
	if !ok || rest == "" {
		return length{}, wrong
	}
	var out length
	inTime := false
	for rest != "" {
		if rest[0] == 'T' && !inTime {
			inTime, rest = true, rest[1:]
			continue
		}
		end := strings.IndexAny(rest, "WDHMS")
		if end <= 0 {
			return length{}, wrong
		}
		n, err := strconv.Atoi(rest[:end])
		if err != nil || n < 0 || n > maxDays*24*3600 {
			return length{}, wrong
		}
		switch unit := rest[end]; {
		case unit == 'W' && !inTime:
			out.days += 7 * n
		case unit == 'D' && !inTime:
			out.days += n
		case unit == 'H' && inTime:
			out.rest += time.Duration(n) * time.Hour
		case unit == 'M' && inTime:
			out.rest += time.Duration(n) * time.Minute
		case unit == 'S' && inTime:
			out.rest += time.Duration(n) * time.Second
		default:
			return length{}, wrong
		}
		if out.days > maxDays || out.rest > maxDays*24*time.Hour {
			return length{}, wrong
		}
		rest = rest[end+1:]
	}
	return out, nil
}

// after returns the moment so long after m.
func (l length) after(m moment) moment {
	if m.timed {
		m.at = m.at.AddDate(0, 0, l.days).Add(l.rest)
		return m
	}
	m.date += hotel.Date(l.days)
	if l.rest > 0 {
		m.date += hotel.Date((l.rest + 24*time.Hour - 1) / (24 * time.Hour))
	}
	return m
}

// short is the beginning of somebody's words, fit for a warning.
func short(words string) string {
	const most = 40
	if len(words) <= most {
		return words
	}
	return strings.ToValidUTF8(words[:most], "") + "…"
}

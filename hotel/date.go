package hotel

import (
	"fmt"
	"time"
)

// Date is a civil date, counted in days since 1970-01-01. A night is the Date
// on which it begins, in the property's time zone. Arithmetic is plain integer
// arithmetic and never passes through an instant, so clock changes cannot
// shift a night.
type Date int32

// DateOf returns the Date of a calendar day. Days out of range are normalised
// as [time.Date] does it.
func DateOf(year int, month time.Month, day int) Date {
	return Date(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// DateIn returns the calendar date that clocks in loc show at instant t.
func DateIn(t time.Time, loc *time.Location) Date {
	return DateOf(t.In(loc).Date())
}

// ParseDate reads an ISO 8601 calendar date, exactly YYYY-MM-DD.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return 0, fmt.Errorf("date %q is not a calendar date of the form YYYY-MM-DD", s)
	}
	return Date(t.Unix() / 86400), nil
}

// Time returns midnight UTC of the date. It is for formatting and calendar
// arithmetic only; the instant at which a night begins is [Date.At].
func (d Date) Time() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

// At returns the instant of the given wall-clock time on the date in loc.
// A time that a clock change skips is moved forward by the change.
func (d Date) At(hour, minute int, loc *time.Location) time.Time {
	y, m, day := d.Time().Date()
	t := time.Date(y, m, day, hour, minute, 0, 0, loc)
	// For a skipped time, package time takes one of the two offsets; the later
	// instant is the one that the change moved forward.
	_, offset := t.Zone()
	wall := time.Date(y, m, day, hour, minute, 0, 0, time.UTC)
	if later := wall.Add(-time.Duration(offset) * time.Second); later.After(t) {
		return later.In(loc)
	}
	return t
}

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return d.Time().Weekday() }

// String returns the date as YYYY-MM-DD.
func (d Date) String() string { return d.Time().Format(time.DateOnly) }

// MarshalText writes the date as YYYY-MM-DD.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads YYYY-MM-DD.
func (d *Date) UnmarshalText(b []byte) error {
	v, err := ParseDate(string(b))
	if err != nil {
		return err
	}
	*d = v
	return nil
}

// Stay is a half-open span of nights: the guest sleeps every night from CheckIn
// up to, not including, CheckOut.
type Stay struct {
	CheckIn  Date `json:"check_in"`
	CheckOut Date `json:"check_out"`
}

// Nights returns the number of nights, 0 for an empty or reversed stay.
func (s Stay) Nights() int { return max(0, int(s.CheckOut-s.CheckIn)) }

// Dates lists the nights in ascending order.
func (s Stay) Dates() []Date {
	dates := make([]Date, 0, s.Nights())
	for d := s.CheckIn; d < s.CheckOut; d++ {
		dates = append(dates, d)
	}
	return dates
}

// Contains reports whether the guest sleeps here on night d.
func (s Stay) Contains(d Date) bool { return s.CheckIn <= d && d < s.CheckOut }

// Span is an inclusive range of nights, as ARI updates are written.
type Span struct {
	From Date `json:"from"`
	To   Date `json:"to"`
}

// Days returns the number of nights in the span, 0 when To is before From.
func (s Span) Days() int { return max(0, int(s.To-s.From)+1) }

// Contains reports whether d lies in the span.
func (s Span) Contains(d Date) bool { return s.From <= d && d <= s.To }

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

// DateIn returns the calendar date that clocks in loc show at instant t. A date
// that has begun does not end because clocks are set back over midnight, as those
// of St. John's once were: what they show then still belongs to it.
func DateIn(t time.Time, loc *time.Location) Date {
	t = t.In(loc)
	date := DateOf(t.Date())
	if changed, _ := t.ZoneBounds(); t.Sub(changed) < 24*time.Hour {
		// The offset of the instant before, at the change.
		_, before := changed.Add(-1).Zone()
		return max(date, DateOf(changed.Add(-1).UTC().Add(time.Duration(before)*time.Second).Date()))
	}
	return date
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
// A time that a clock change skips is moved forward by the change, one that it
// repeats is the first of the two.
func (d Date) At(hour, minute int, loc *time.Location) time.Time {
	y, m, day := d.Time().Date()
	// Package time may take either offset around a change. That of half a day
	// before is the one in force until it; the other is right after it only.
	around := time.Date(y, m, day, hour, minute, 0, 0, loc)
	wall := time.Date(y, m, day, hour, minute, 0, 0, time.UTC)
	at := func(other time.Time) time.Time {
		_, offset := other.Zone()
		return wall.Add(-time.Duration(offset) * time.Second).In(loc)
	}
	before, after := at(around.Add(-12*time.Hour)), at(around.Add(12*time.Hour))
	if before.Hour() != hour && after.Hour() == hour || before.Minute() != minute && after.Minute() == minute {
		return after
	}
	return before
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

// Covers reports whether every night of another stay is one of this one.
func (s Stay) Covers(other Stay) bool {
	return s.CheckIn <= other.CheckIn && other.CheckOut <= s.CheckOut
}

// Span is an inclusive range of nights, as ARI updates are written.
type Span struct {
	From Date `json:"from"`
	To   Date `json:"to"`
}

// Days returns the number of nights in the span, 0 when To is before From.
func (s Span) Days() int { return max(0, int(s.To-s.From)+1) }

// Contains reports whether d lies in the span.
func (s Span) Contains(d Date) bool { return s.From <= d && d <= s.To }

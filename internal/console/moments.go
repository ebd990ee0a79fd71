package console

import (
	"time"

	"ostler.example/hotel"
)

// moment is an instant as the clock of the house shows it. It has its year where that is
// not the present one: a day of another year would read as one of this.
func (v *visit) moment(t time.Time) string {
	t = t.In(v.house.Zone())
	return v.nearDate(hotel.DateIn(t, t.Location())) + ", " + t.Format("15:04")
}

// nearDate is a day without its weekday, and without its year where that is the present one.
func (v *visit) nearDate(d hotel.Date) string {
	if d.Time().Year() == v.house.Today(v.c.clock.Now()).Time().Year() {
		return v.words.shortDate(d)
	}
	return v.words.yearDate(d)
}

// nearSpan is from which day to which, likewise.
func (v *visit) nearSpan(s hotel.Span) string {
	switch {
	case s.From == s.To:
		return v.nearDate(s.To)
	case sameYear(s.From, s.To):
		return v.words.shortDate(s.From) + " – " + v.nearDate(s.To)
	}
	return v.words.yearDate(s.From) + " – " + v.words.yearDate(s.To)
}

// shortDate is a day without its weekday and year, as charts have room for.
func (w *words) shortDate(d hotel.Date) string {
	return w.T("date.short", d.Time().Day(), w.month(d))
}

// yearDate is a day without its weekday.
func (w *words) yearDate(d hotel.Date) string {
	return w.T("date.with_year", d.Time().Day(), w.month(d), d.Time().Year())
}

// stay is from when to when.
func (w *words) stay(s hotel.Stay) string { return w.fromTo(s.CheckIn, s.CheckOut) }

// span is from which night to which.
func (w *words) span(s hotel.Span) string {
	if s.From == s.To {
		return w.date(s.From)
	}
	return w.fromTo(s.From, s.To)
}

// fromTo is from one day to a later one, which has the weekday and the year; the first has a
// year where it is another.
func (w *words) fromTo(from, to hotel.Date) string {
	first := w.yearDate(from)
	if sameYear(from, to) {
		first = w.shortDate(from)
	}
	return first + " – " + w.date(to)
}

func sameYear(a, b hotel.Date) bool { return a.Time().Year() == b.Time().Year() }

// Moment, ShortDate, NearSpan, Span and Stay show days and instants on pages.
func (v view) Moment(t time.Time) string     { return v.moment(t) }
func (v view) ShortDate(d hotel.Date) string { return v.words.shortDate(d) }
func (v view) NearSpan(s hotel.Span) string  { return v.nearSpan(s) }
func (v view) Span(s hotel.Span) string      { return v.words.span(s) }
func (v view) Stay(s hotel.Stay) string      { return v.words.stay(s) }

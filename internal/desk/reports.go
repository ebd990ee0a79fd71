package desk

import (
	"context"
	"errors"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// Comparison is what a report is set beside.
type Comparison string

// The comparisons: the dates just before, the same dates a year ago, or the same days
// of the week 364 days ago. What is compared stands as it stood so much earlier.
const (
	PreviousPeriod  Comparison = "previous_period"
	LastYearDate    Comparison = "last_year_date"
	LastYearWeekday Comparison = "last_year_weekday"
	NoComparison    Comparison = "none"
)

// ReportQuery asks for a report.
type ReportQuery struct {
	Name        string
	PropertyIDs []string // none: every property that the caller was granted
	Span        hotel.Span
	GroupBy     []report.Dimension
	Currency    hotel.Currency // "": the properties', when they have one between them
	Compare     Comparison     // "": none
	ByBooked    bool           // see [report.Query]
	AsOf        time.Time      // zero: now; of a pickup its end
	Since       time.Time      // of a pickup its beginning
}

// Report is a report with what it rests on.
type Report struct {
	report.Report
	Currency    hotel.Currency
	GeneratedAt time.Time
	AsOf        time.Time
}

// reports is what reports are worked out from.
type reports interface {
	Books(ctx context.Context, q ledger.BooksQuery) (report.Books, error)
	ServiceWork(ctx context.Context, properties []string, clientID string, days hotel.Span) ([]report.Worked, error)
}

// Report works out a report. One is worked out at a time: they are long reads, and
// nobody sells a room by them. A caller that stands for a channel is told of that
// channel's bookings and of the work done for it.
func (d *Desk) Report(ctx context.Context, c Caller, q ReportQuery) (Report, error) {
	r := Report{GeneratedAt: d.clock.Now()}
	definition := report.Named(q.Name)
	if definition == nil {
		return r, nothing()
	}
	properties, err := d.enterReport(ctx, c, &q, r.GeneratedAt)
	if err != nil {
		return r, err
	}
	if err := q.settleCurrency(properties, definition.OfService); err != nil {
		return r, err
	}
	select {
	case d.reporting <- struct{}{}:
		defer func() { <-d.reporting }()
	case <-ctx.Done():
		return r, ctx.Err()
	}
	r.Currency, r.AsOf = q.Currency, q.AsOf
	if r.AsOf.IsZero() {
		r.AsOf = r.GeneratedAt
	}
	run := reporting{d: d, q: &q, definition: definition, properties: properties, whose: whoseWork(c), channel: c.ChannelID, asOf: r.AsOf}
	r.Report, err = run.make(ctx)
	return r, said(err)
}

// enterReport checks who asks and what is asked for.
func (d *Desk) enterReport(ctx context.Context, c Caller, q *ReportQuery, now time.Time) ([]hotel.Property, error) {
	if err := c.need(auth.ReportsRead); err != nil {
		return nil, err
	}
	switch {
	case q.Span.To < q.Span.From:
		return nil, hotel.Invalid("/date_to", "date_order", "must not be before date_from (%s)", q.Span.From)
	case q.Span.Days() > maxSpan:
		return nil, hotel.Invalid("/date_to", "max", "a report covers at most %d days, and this is %d; ask for it in parts", maxSpan, q.Span.Days())
	case q.AsOf.After(now):
		return nil, hotel.Invalid(q.asOfName(), "max", "must not be after now (%s)", now.UTC().Format(time.RFC3339))
	case q.Since.After(now), !q.AsOf.IsZero() && q.Since.After(q.AsOf):
		return nil, hotel.Invalid("/pickup_since", "max", "must not be after pickup_until, nor after now (%s)", now.UTC().Format(time.RFC3339))
	}
	properties, err := d.among(ctx, c, q.PropertyIDs)
	if err != nil {
		return nil, err
	}
	if len(properties) == 0 {
		return nil, noProperty()
	}
	return properties, nil
}

// settleCurrency checks the currency of a report, or takes that of its properties. One
// without money needs none.
func (q *ReportQuery) settleCurrency(properties []hotel.Property, moneyless bool) error {
	if q.Currency == "" && moneyless {
		return nil
	}
	if q.Currency == "" {
		q.Currency = properties[0].Currency
		if slices.ContainsFunc(properties, func(p hotel.Property) bool { return p.Currency != q.Currency }) {
			return hotel.Invalid("/currency", "currency_mismatch", "the properties have several currencies; name the one that is to be reported, or name the properties of one")
		}
	}
	if !q.Currency.Known() {
		return hotel.Invalid("/currency", "enum", "is no currency of ISO 4217")
	}
	return nil
}

func (q *ReportQuery) asOfName() string {
	if q.Since.IsZero() {
		return "/as_of"
	}
	return "/pickup_until"
}

// reporting is one report being worked out.
type reporting struct {
	d          *Desk
	q          *ReportQuery
	definition *report.Definition
	properties []hotel.Property
	whose      string // requests and webhooks, see [whoseWork]
	channel    string // that the caller stands for; "": none, who is told of the whole house
	asOf       time.Time
}

func (r *reporting) make(ctx context.Context) (report.Report, error) {
	var none report.Report
	query := report.Query{Span: r.q.Span, GroupBy: r.q.GroupBy, Currency: r.q.Currency, ByBooked: r.q.ByBooked, ChannelID: r.channel}
	now, err := r.set(ctx, stood{r.q.Span, r.q.Since, r.q.AsOf}, false)
	if err != nil {
		return none, err
	}
	if r.q.Compare == "" || r.q.Compare == NoComparison {
		return r.definition.Make(query, now, nil, nil), nil
	}
	then, was := r.before(query)
	before, err := r.set(ctx, was, true)
	if err != nil {
		return none, err
	}
	return r.definition.Make(query, now, &then, &before), nil
}

// stood is which dates a report is worked out of, and the instants at which what is
// told of them stood.
type stood struct {
	span         hotel.Span
	since, until time.Time // since: of a pickup alone; until: zero for now
}

// set reads what the report is worked out of.
func (r *reporting) set(ctx context.Context, of stood, compared bool) (s report.Set, err error) {
	if r.definition.OfService {
		s.Work, err = r.d.work(ctx, r.properties, r.whose, of)
		return s, err
	}
	if s.Books, err = r.books(ctx, of.span, of.until, compared); err != nil || of.since.IsZero() {
		return s, err
	}
	if s.Since, err = r.books(ctx, of.span, of.since, compared); err != nil {
		return s, err
	}
	if of.until.IsZero() {
		of.until = r.asOf
	}
	year := hotel.Span{From: of.span.From - report.Year, To: of.span.To - report.Year}
	s.LastYear, err = r.books(ctx, year, of.until.AddDate(0, 0, -report.Year), true)
	return s, err
}

// books reads the books of every property, with bookings as they stood at an instant. Of
// nights that are only compared with, which may be older than what the journal has, the
// rooms are those that the house is known to have had where it cannot be told how they
// stood then.
func (r *reporting) books(ctx context.Context, span hotel.Span, known time.Time, compared bool) ([]report.Books, error) {
	list := make([]report.Books, len(r.properties))
	for i := range r.properties {
		var err error
		of := ledger.BooksQuery{PropertyID: r.properties[i].ID, Span: span, ByBooked: r.q.ByBooked, Known: known, Stock: r.q.AsOf}
		list[i], err = r.d.ledger.Books(ctx, of)
		if expired, is := errors.AsType[*hotel.Refusal](err); is && compared && expired.Code == "as_of_expired" {
			of.Stock = time.Time{}
			list[i], err = r.d.ledger.Books(ctx, of)
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// before is what the report is compared with: the query, the dates, and the instants
// at which bookings stood.
func (r *reporting) before(q report.Query) (then report.Query, was stood) {
	days := report.Year
	switch r.q.Compare {
	case LastYearDate:
		q.Dated = yearAfter
		return q, r.earlier(hotel.Span{From: yearBefore(q.Span.From), To: yearBefore(q.Span.To)}, 1, 0)
	case PreviousPeriod:
		days = q.Span.Days()
	case LastYearWeekday, NoComparison:
	}
	q.Dated = func(d hotel.Date) (hotel.Date, bool) { return d + hotel.Date(days), true }
	return q, r.earlier(hotel.Span{From: q.Span.From - hotel.Date(days), To: q.Span.To - hotel.Date(days)}, 0, days)
}

// earlier is some dates as they stood so much earlier than those asked for.
func (r *reporting) earlier(span hotel.Span, years, days int) stood {
	was := stood{span: span, until: r.asOf.AddDate(-years, 0, -days)}
	if !r.q.Since.IsZero() {
		was.since = r.q.Since.AddDate(-years, 0, -days)
	}
	return was
}

// yearAfter is the same date of the next year; the 29th of February has none.
func yearAfter(d hotel.Date) (hotel.Date, bool) {
	y, m, day := d.Time().Date()
	next := hotel.DateOf(y+1, m, day)
	return next, next.Time().Day() == day
}

// yearBefore is the same date of the year before, or the day after where it has none.
func yearBefore(d hotel.Date) hotel.Date {
	y, m, day := d.Time().Date()
	return hotel.DateOf(y-1, m, day)
}

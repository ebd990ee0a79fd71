package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// DatesIn are the parameters of every report.
type DatesIn struct {
	PropertyID []string `query:"property_id" doc:"With commas between them; without it every property that the client was granted."`
	DateFrom   string   `query:"date_from" required:"true" format:"date" doc:"Inclusive."`
	DateTo     string   `query:"date_to" required:"true" format:"date" doc:"Inclusive; at most 400 days."`
	Accept     string   `header:"Accept" doc:"text/csv answers with a table."`
}

// ReportIn are the parameters of every report on the house's books.
type ReportIn struct {
	DatesIn
	GroupBy  []string `query:"group_by" maxItems:"2" uniqueItems:"true" enum:"day,week,month,property,room_type,booked_room_type,rate_plan,channel,seller,segment" doc:"What there is a row for; without it one row."`
	Currency string   `query:"currency" pattern:"^[A-Z]{3}$" doc:"Of all amounts; needed when the properties have several. What is in another is left out and counted."`
}

// ComparedIn are the parameters of reports that stand beside what was before.
type ComparedIn struct {
	Compare string `query:"compare" enum:"previous_period,last_year_date,last_year_weekday,none" default:"last_year_weekday" doc:"What stands beside each figure: the dates just before, the same dates a year ago, or the same days of the week 364 days ago; all as they stood so much earlier."`
}

// PastIn are the parameters of reports that can be asked for as of a past instant.
type PastIn struct {
	ComparedIn
	AsOf string `query:"as_of" format:"date-time" doc:"Answers as the books stood at this instant, worked out from the journal."`
}

// ServiceIn are the parameters of the report on the service itself. What it tells of
// happened once and is never told otherwise later; it is counted by whole days.
type ServiceIn struct {
	DatesIn
	ComparedIn
	AsOf     string   `query:"as_of" format:"date-time" doc:"Leaves out the days, in UTC, behind that of this instant."`
	Currency string   `query:"currency" pattern:"^[A-Z]{3}$" doc:"As with every report; this one has no amounts."`
	GroupBy  []string `query:"group_by" maxItems:"2" uniqueItems:"true" enum:"day,week,month,property,channel" doc:"What there is a row for; without it one row. Days are those of UTC."`
}

func (in *DatesIn) query(name string, by []string) desk.ReportQuery {
	q := desk.ReportQuery{Name: name, PropertyIDs: in.PropertyID}
	q.Span.From, _ = hotel.ParseDate(in.DateFrom) // validated by their format
	q.Span.To, _ = hotel.ParseDate(in.DateTo)
	for _, d := range by {
		q.GroupBy = append(q.GroupBy, report.Dimension(d))
	}
	return q
}

func (in *ReportIn) query(name string) desk.ReportQuery {
	q := in.DatesIn.query(name, in.GroupBy)
	q.Currency = hotel.Currency(in.Currency)
	return q
}

func (in *PastIn) put(q *desk.ReportQuery) {
	q.AsOf, _ = time.Parse(time.RFC3339, in.AsOf) // validated by its format
	q.Compare = desk.Comparison(in.Compare)
}

// reportAnswer is a report in one of its two forms.
type reportAnswer struct {
	ContentType string `header:"Content-Type"`
	Body        []byte
}

func (s *server) registerReports() {
	s.registerReportList()
	for i := range report.Definitions {
		d := &report.Definitions[i]
		switch d.Name {
		case "service":
			registerReport(s, d, func(in *ServiceIn) (desk.ReportQuery, string) {
				q := in.query(d.Name, in.GroupBy)
				q.Currency, q.Compare = hotel.Currency(in.Currency), desk.Comparison(in.Compare)
				q.AsOf, _ = time.Parse(time.RFC3339, in.AsOf) // validated by its format
				return q, in.Accept
			})
		case "pickup":
			registerReport(s, d, func(in *struct {
				ReportIn
				ComparedIn
				Since string `query:"pickup_since" required:"true" format:"date-time" doc:"From how the books stood then."`
				Until string `query:"pickup_until" format:"date-time" doc:"To how they stood then; now when it is left out."`
			},
			) (desk.ReportQuery, string) {
				q := in.query(d.Name)
				q.Since, _ = time.Parse(time.RFC3339, in.Since) // validated by their format
				q.AsOf, _ = time.Parse(time.RFC3339, in.Until)
				q.Compare = desk.Comparison(in.Compare)
				return q, in.Accept
			})
		case "cancellations":
			registerReport(s, d, func(in *struct {
				ReportIn
				PastIn
				By string `query:"by" enum:"arrival,created_at" default:"arrival" doc:"Whether the dates are those of arrival or those on which was booked."`
			},
			) (desk.ReportQuery, string) {
				q := in.query(d.Name)
				in.put(&q)
				q.ByBooked = in.By == "created_at"
				return q, in.Accept
			})
		default:
			registerReport(s, d, func(in *struct {
				ReportIn
				PastIn
			},
			) (desk.ReportQuery, string) {
				q := in.query(d.Name)
				if in.put(&q); d.Name == "channels" && len(q.GroupBy) == 0 {
					q.GroupBy = []report.Dimension{report.BySeller}
				}
				return q, in.Accept
			})
		}
	}
}

// registerReport registers one report.
func registerReport[I any](s *server, d *report.Definition, read func(*I) (desk.ReportQuery, string)) {
	op := huma.Operation{
		OperationID: "report-" + d.Name, Method: http.MethodGet, Path: "/reports/" + d.Name,
		Summary: d.Text, Tags: []string{tagReports}, Description: "GET /reports says what each figure means. A client of kind ota is told of the bookings of its channel, and of the work done for it, alone: rooms of the house and shares in it are null.",
		Responses: map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{
			mediaJSON: {Schema: s.reportSchema(d)},
			mediaCSV:  {Schema: &huma.Schema{Type: huma.TypeString, Description: "A line for each row, under one with the names; amounts are in the report's currency."}},
		}}},
	}
	a := needs(auth.ReportsRead)
	a.table = true
	register(s, op, a, func(ctx context.Context, in *I) (*reportAnswer, error) {
		q, accept := read(in)
		r, err := s.desk.Report(ctx, callerOf(ctx), q)
		if err != nil {
			return nil, inReport(err)
		}
		if prefersCSV(accept) {
			text, err := r.CSV()
			return &reportAnswer{mediaCSV + "; charset=utf-8; header=present", text}, err
		}
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		err = encoder.Encode(s.reportOf(ctx, &r, q))
		return &reportAnswer{mediaJSON, text.Bytes()}, err
	})
}

// reportOf writes a report.
func (s *server) reportOf(ctx context.Context, r *desk.Report, q desk.ReportQuery) reportBody {
	b := reportBody{
		Report: r.Name, GeneratedAt: stamp(r.GeneratedAt), AsOf: stamp(r.AsOf), DateFrom: q.Span.From.String(), DateTo: q.Span.To.String(),
		Currency: orNull(string(r.Currency)), GroupBy: []string{}, Compare: string(q.Compare), Rows: []reportRow{},
		Totals: reportRow{r, r.Totals}, DefinitionsURL: baseOf(ctx) + "/reports",
	}
	for _, d := range r.GroupBy {
		b.GroupBy = append(b.GroupBy, string(d))
	}
	for _, row := range r.Rows {
		b.Rows = append(b.Rows, reportRow{r, row})
	}
	return b
}

// prefersCSV reports whether an Accept header names text/csv and no JSON before it.
func prefersCSV(accept string) bool {
	media := mediaTypes(accept)
	csv := slices.Index(media, mediaCSV)
	if csv < 0 {
		return false
	}
	first := slices.IndexFunc(media, func(m string) bool { return m == mediaJSON })
	return first < 0 || csv < first
}

// inReport names parameters in place of members. Currencies that cannot be added up
// are no fault of a parameter: they are of what was asked for.
func inReport(err error) error {
	r, ok := errors.AsType[*hotel.Refusal](err)
	if ok && len(r.Items) == 1 && r.Items[0].Code == "currency_mismatch" {
		p := refused(r)
		p.inQuery()
		return p
	}
	return inParameters(err)
}

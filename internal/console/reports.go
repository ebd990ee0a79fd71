package console

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
	"ostler.example/internal/desk"
)

// reportPage is what of a report is shown how.
type reportPage struct {
	name  string
	by    report.Dimension // what its rows are, unless something else is asked for
	span  func(today hotel.Date) hotel.Span
	tiles []string
	drawn []drawn
}

// drawn is a figure that is drawn. Where there is no row, one that counts is 0, and any
// other is not known.
type drawn struct {
	figure string
	counts bool
}

// reportPages are those that there are, in the order in which they are offered.
var reportPages = []reportPage{
	{
		"occupancy", report.ByDay, monthOf,
		[]string{"occupancy_pct", "rooms_sold", "rooms_available", "average_length_of_stay"},
		[]drawn{{"occupancy_pct", false}, {"rooms_sold", true}, {"arrivals", true}, {"guests", true}},
	},
	{
		"revenue", report.ByDay, monthOf,
		[]string{"total_revenue", "adr", "revpar", "trevpar"},
		[]drawn{{"adr", false}, {"revpar", false}, {"trevpar", false}, {"total_revenue", true}},
	},
	{
		"pickup", report.ByDay, func(today hotel.Date) hotel.Span { return hotel.Span{From: today, To: today + 89} },
		[]string{"rooms_net", "revenue_net", "otb_rooms", "adr_pickup"},
		[]drawn{{"otb_rooms", true}, {"rooms_net", true}, {"rooms_added", true}, {"rooms_cancelled", true}, {"revenue_net", true}},
	},
	{
		"channels", report.BySeller, monthOf,
		[]string{"reservations", "room_nights", "room_revenue", "adr"},
		[]drawn{{"share_revenue_pct", false}, {"share_room_nights_pct", false}, {"adr", false}, {"cancellation_rate_pct", false}},
	},
	{
		"cancellations", report.ByWeek, func(today hotel.Date) hotel.Span { return hotel.Span{From: today - 89, To: today} },
		[]string{"booked", "cancelled", "cancellation_rate_pct", "lost_revenue"},
		[]drawn{{"cancelled", true}, {"cancellation_rate_pct", false}, {"no_shows", true}, {"lost_revenue", true}},
	},
	{
		"lead-time", "", monthOf,
		[]string{"reservations", "mean_days", "median_days", "adr"},
		[]drawn{{"reservations", true}, {"room_nights", true}, {"adr", false}},
	},
	{
		"service", report.ByDay, func(today hotel.Date) hotel.Span { return hotel.Span{From: today - 29, To: today} },
		[]string{"sync_pushes", "sync_latency_p95_ms", "requests", "webhook_success_pct"},
		[]drawn{{"sync_pushes", true}, {"sync_failures", true}, {"sync_latency_p95_ms", false}, {"drift_found", true}, {"requests", true}, {"latency_p95_ms", false}},
	},
}

// monthOf is the month of a date.
func monthOf(d hotel.Date) hotel.Span {
	y, m, _ := d.Time().Date()
	return hotel.Span{From: hotel.DateOf(y, m, 1), To: hotel.DateOf(y, m+1, 1) - 1}
}

// comparisons are those that a report can be set beside, the usual one first.
var comparisons = []desk.Comparison{desk.LastYearWeekday, desk.LastYearDate, desk.PreviousPeriod, desk.NoComparison}

// reportForm is what a report is asked for with, as the address has it.
type reportForm struct {
	Span    hotel.Span
	By      report.Dimension
	Compare desk.Comparison
	AsOf    string // by the clock of the house; "": now
	Since   string // likewise, of a pickup
	Booked  bool   // dates are those of booking
}

// reportNamed is the page that the address names.
func (v *visit) reportNamed() (reportPage, error) {
	i := slices.IndexFunc(reportPages, func(p reportPage) bool { return p.name == v.r.PathValue("name") })
	if i < 0 {
		return reportPage{}, hotel.Refuse("not_found", "there is no such report")
	}
	return reportPages[i], nil
}

// reportAsked reads the form; what it does not say is as usual. It is filled in as far as
// it can be read, to be mended.
func (v *visit) reportAsked(p reportPage) (f reportForm, q desk.ReportQuery, err error) {
	today, said := v.c.desk.Today(v.house), v.r.URL.Query()
	f = reportForm{Span: p.span(today), By: p.by, Compare: comparisons[0], AsOf: said.Get("as_of"), Since: said.Get("since"), Booked: said.Get("of") == "booked"}
	if p.name == "pickup" && f.Since == "" {
		f.Since = (today - 7).At(0, 0, v.house.Zone()).Format(localMoment)
	}
	for _, d := range []struct {
		name string
		into *hotel.Date
	}{{"from", &f.Span.From}, {"to", &f.Span.To}} {
		if text := said.Get(d.name); text != "" {
			day, wrong := hotel.ParseDate(text)
			if wrong != nil {
				err = hotel.Invalid("/"+d.name, "date", "is not a date")
				continue
			}
			*d.into = day
		}
	}
	if by := report.Dimension(said.Get("by")); by != "" && slices.Contains(p.groups(), by) {
		f.By = by
	}
	if c := desk.Comparison(said.Get("compare")); slices.Contains(comparisons, c) {
		f.Compare = c
	}
	q = desk.ReportQuery{Name: p.name, PropertyIDs: []string{v.house.ID}, Span: f.Span, Compare: f.Compare, ByBooked: f.Booked && p.name == "cancellations"}
	if f.By != "" {
		q.GroupBy = []report.Dimension{f.By}
	}
	for _, at := range []struct {
		name, text string
		into       *time.Time
	}{{"as_of", f.AsOf, &q.AsOf}, {"since", f.Since, &q.Since}} {
		if at.text == "" || at.name == "since" && p.name != "pickup" {
			continue
		}
		var wrong error
		if *at.into, wrong = time.ParseInLocation(localMoment, at.text, v.house.Zone()); wrong != nil {
			err = hotel.Invalid("/"+at.name, "format", "is a date and a time such as 2026-11-22T09:00")
		}
	}
	return f, q, err
}

// groups are what its rows can be. Ranges of days are always those of lead times.
func (p reportPage) groups() []report.Dimension {
	if p.by == "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(report.Named(p.name).GroupedBy()), func(d report.Dimension) bool { return d == report.ByProperty })
}

// reports leads to the first of them.
func (c *Console) reports(v *visit) error {
	http.Redirect(v.w, v.r, v.path("reports/"+reportPages[0].name), http.StatusSeeOther)
	return nil
}

// report shows a report. What is asked for in vain is said above the form.
func (c *Console) report(v *visit) error {
	p, err := v.reportNamed()
	if err != nil {
		return err
	}
	f, q, err := v.reportAsked(p)
	shown := reported{page: p, Ask: f, Presets: v.presets(p)}
	var r desk.Report
	if err == nil {
		r, err = c.desk.Report(v.r.Context(), v.caller, q)
	}
	if refused, is := v.refusal(err); is && refused.Code != "insufficient_scope" {
		shown.Problem = refused.Detail
		return v.show("report", http.StatusUnprocessableEntity, shown)
	}
	if err != nil {
		return err
	}
	if err := v.tell(&shown, &r); err != nil {
		return err
	}
	return v.show("report", http.StatusOK, shown)
}

// reportTable is the report as a table for spreadsheets.
func (c *Console) reportTable(v *visit) error {
	p, err := v.reportNamed()
	if err != nil {
		return err
	}
	_, q, err := v.reportAsked(p)
	if err != nil {
		return err
	}
	r, err := c.desk.Report(v.r.Context(), v.caller, q)
	if err != nil {
		return err
	}
	text, err := r.CSV()
	if err != nil {
		return err
	}
	v.w.Header().Set("Content-Type", "text/csv; charset=utf-8; header=present")
	v.w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s %s %s.csv"`, p.name, q.Span.From, q.Span.To))
	if _, err := v.w.Write(text); err != nil {
		return nil //nolint:nilerr // whoever asked has left
	}
	return nil
}

// preset is a time that is often asked for.
type preset struct {
	Name, Query string
	Now         bool // it is what is shown
}

// presets lead to the same report of other times.
func (v *visit) presets(p reportPage) []preset {
	today := v.c.desk.Today(v.house)
	y, _, _ := today.Time().Date()
	usual := p.span(today)
	var list []preset
	for _, t := range []struct {
		name string
		hotel.Span
	}{
		{"last_month", monthOf(monthOf(today).From - 1)},
		{"this_month", monthOf(today)},
		{"last_90", hotel.Span{From: today - 89, To: today}},
		{"next_90", hotel.Span{From: today, To: today + 89}},
		{"this_year", hotel.Span{From: hotel.DateOf(y, time.January, 1), To: hotel.DateOf(y, time.December, 31)}},
	} {
		q := v.r.URL.Query()
		q.Set("from", t.From.String())
		q.Set("to", t.To.String())
		said := v.r.URL.Query()
		now := cmp.Or(said.Get("from"), usual.From.String()) == t.From.String() && cmp.Or(said.Get("to"), usual.To.String()) == t.To.String()
		list = append(list, preset{t.name, "?" + q.Encode(), now})
	}
	return list
}

// Query is the form as an address has it.
func (f reportForm) Query() string {
	q := url.Values{"from": {f.Span.From.String()}, "to": {f.Span.To.String()}, "compare": {string(f.Compare)}}
	for name, value := range map[string]string{"by": string(f.By), "as_of": f.AsOf, "since": f.Since} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.Booked {
		q.Set("of", "booked")
	}
	return "?" + q.Encode()
}

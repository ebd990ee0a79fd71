package console

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
	"ostler.example/internal/auth"
)

func TestReportsShowFiguresChartsAndTables(t *testing.T) {
	s := newSite(t)
	s.book(t, "Lovelace", 0)
	b := s.as(t, "owner")
	if r := b.get(s.path("reports")); r.path != s.path("reports/occupancy") {
		t.Errorf("led to %s", r.path)
	}
	page := b.get(s.path("reports/revenue?from=2026-11-21&to=2026-11-24&by=day")).body
	shows(t, page,
		`<span>Average daily rate (ADR)</span><b>€`, `<path class="curve now" d="M`, `aria-label="Average daily rate (ADR) over time`,
		`<th scope="row">Sun 22 Nov 2026</th><td>€`, `Average daily rate: room revenue by nights sold that have a price.`,
		`href="`+s.path("reports/revenue/table?by=day&amp;compare=last_year_weekday&amp;from=2026-11-21&amp;to=2026-11-24")+`"`,
	)
	page = b.get(s.path("reports/occupancy?from=2026-11-01&to=2026-12-31")).body
	shows(t, page, `<svg class="heat" viewBox="0 0 806 68"`, `<title>Sun 22 Nov 2026: `, "Nov 2026", "Dec 2026")
	page = b.get(s.path("reports/channels?from=2026-11-01&to=2026-11-30")).body
	shows(t, page, `<th scope="row">the house<svg class="bar"`, `<b>100%</b>`, `width="1000" height="6"`)
	page = b.get(s.path("reports/lead-time")).body
	shows(t, page, `<th scope="row">0 days<svg`)
	if strings.Contains(page, `name="by"`) {
		t.Error("lead times are grouped by something else than ranges of days")
	}
	for _, p := range reportPages {
		if r := b.get(s.path("reports/" + p.name)); r.status != http.StatusOK || !strings.Contains(r.body, `id="figures-h"`) {
			t.Errorf("%s: %d", p.name, r.status)
		}
	}
}

// The table is what the page shows, for a spreadsheet.
func TestReportsAreDownloaded(t *testing.T) {
	s := newSite(t)
	s.book(t, "Lovelace", 0)
	b := s.as(t, "revenue")
	r := b.get(s.path("reports/occupancy/table?from=2026-11-21&to=2026-11-23&by=day&compare=none"))
	if got := r.header.Get("Content-Disposition"); got != `attachment; filename="occupancy 2026-11-21 2026-11-23.csv"` || !strings.HasPrefix(r.header.Get("Content-Type"), "text/csv") {
		t.Errorf("%s, %s", got, r.header.Get("Content-Type"))
	}
	lines, err := csv.NewReader(strings.NewReader(r.body)).ReadAll()
	if err != nil || len(lines) != 4 || lines[0][0] != "day" || lines[2][0] != "2026-11-22" || lines[2][5] != "1" || lines[1][5] != "0" {
		t.Errorf("%v %v", err, lines)
	}
}

// A day by itself has dots in place of lines; where nothing is known, that is said; what
// cannot be asked for is said above the form, which keeps what was typed.
func TestReportsOfLittle(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	page := b.get(s.path("reports/occupancy?from=2026-11-22&to=2026-11-22")).body
	shows(t, page, `<circle class="now" cx="280" cy="166" r="2.6"/>`, `<text x="280" y="188" text-anchor="middle">22 Nov</text>`)
	page = b.get(s.path("reports/channels?from=2026-11-22&to=2026-11-22&by=day")).body
	shows(t, page, "Nothing of it is known for these dates.")
	page = b.get(s.path("reports/channels")).body
	shows(t, page, "Nothing of it is known for these dates.")
	for query, want := range map[string]string{
		"from=2026-11-23&to=2026-11-22":        "must not be before date_from",
		"from=2020-01-01&to=2026-11-22":        "at most 400 days",
		"from=soon":                            "is not a date",
		"as_of=yesterday":                      "is a date and a time",
		"as_of=2030-01-01T09:00&to=2026-11-22": "must not be after now",
		"as_of=2001-01-01T09:00&by=room_type":  "as_of",
	} {
		r := b.get(s.path("reports/revenue?" + query))
		if r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, want) || !strings.Contains(r.body, `name="as_of"`) {
			t.Errorf("%s: %d %s", query, r.status, r.body)
		}
	}
	if r := b.get(s.path("reports/revenue/table?from=soon")); r.status != http.StatusUnprocessableEntity {
		t.Errorf("%d", r.status)
	}
	for _, page := range []string{"reports/nothing", "reports/nothing/table"} {
		if r := b.get(s.path(page)); r.status != http.StatusNotFound {
			t.Errorf("%s: %d", page, r.status)
		}
	}
}

// The books as they stood: a booking of today was not there yesterday.
func TestReportsOfThePast(t *testing.T) {
	s := newSite(t)
	s.clock.advance(48 * 3600 * 1e9)
	s.book(t, "Lovelace", 0)
	b := s.as(t, "owner")
	at := "reports/pickup?from=2026-11-24&to=2026-11-24&compare=none"
	shows(t, b.get(s.path(at+"&since=2026-11-23T09:00")).body, `<span>Room nights, net</span><b>1</b>`, "On the books on 23 Nov, 09:00")
	shows(t, b.get(s.path(at+"&since=2026-11-23T09:00&as_of=2026-11-23T18:00")).body, `<span>Room nights, net</span><b>0</b>`)
}

func TestEveryFigureHasWords(t *testing.T) {
	w := wordsIn("en")
	for _, d := range report.Definitions {
		if !w.has("report." + d.Name) {
			t.Errorf("nobody can say %s", d.Name)
		}
		for _, f := range d.Figures {
			if !w.has("figure." + f.Name) {
				t.Errorf("nobody can say %s", f.Name)
			}
		}
		for _, by := range d.GroupedBy() {
			if by != report.ByProperty && !w.has("reports.by."+string(by)) {
				t.Errorf("nobody can say %s", by)
			}
		}
	}
	for _, c := range comparisons {
		if !w.has("compare." + string(c)) {
			t.Errorf("nobody can say %s", c)
		}
	}
	if len(reportPages) != len(report.Definitions) {
		t.Errorf("%d of %d reports have a page", len(reportPages), len(report.Definitions))
	}
}

func TestChartsHaveRoundHeights(t *testing.T) {
	for _, c := range []struct {
		kind   report.Kind
		values []int64
		marks  []int64
	}{
		{report.Count, []int64{0, 0}, []int64{0, 1}},
		{report.Count, []int64{3, 7}, []int64{0, 2, 4, 6, 8}},
		{report.Count, []int64{-3, 4}, []int64{-4, -2, 0, 2, 4}},
		{report.Percent, []int64{4680, 10000}, []int64{0, 5000, 10000}},
		{report.Amount, []int64{123456}, []int64{0, 50000, 100000, 150000}},
	} {
		var marks []int64
		k := curve{}
		times := make([]period, len(c.values))
		for _, n := range c.values {
			k.values = append(k.values, report.Value{Known: true, N: n})
		}
		p := chart{Curves: []curve{k}}
		p.plot(c.kind, times, func(report.Value) string { return "" }, func(n int64) string { marks = append(marks, n); return "" })
		if len(marks) != len(c.marks) || marks[0] != c.marks[0] || marks[len(marks)-1] != c.marks[len(c.marks)-1] {
			t.Errorf("%v has lines at %v, want %v", c.values, marks, c.marks)
		}
	}
}

// A curve is broken where a value is not known; one that stands alone is a dot.
func TestCurvesAreBroken(t *testing.T) {
	k := curve{Area: "yes"}
	for i := range 50 {
		k.values = append(k.values, report.Value{Known: i != 2 && i != 4, N: int64(i)})
	}
	p := chart{Curves: []curve{k}}
	p.plot(report.Count, make([]period, 50), func(report.Value) string { return "" }, func(int64) string { return "" })
	if got := p.Curves[0]; strings.Count(got.Path, "M") != 3 || strings.Count(got.Area, "Z") != 3 || len(got.Dots) != 1 {
		t.Errorf("%+v", got)
	}
	if got := len(p.Times); got > mostTimes {
		t.Errorf("%d labels", got)
	}
}

func TestNumbersOfReportsInEachLanguage(t *testing.T) {
	for language, want := range map[string]string{"en": "12.3% 1,234.6 −0.5 100% €1,200 €1,200.50", "de": "12,3 % 1.234,6 −0,5 100 % 1.200 € 1.200,50 €"} {
		w := wordsIn(language)
		got := []string{w.percent(1234), w.tenths(123456), w.tenths(-50), w.percent(10000), w.round(hotel.Money{Minor: 120000, Currency: "EUR"}), w.round(hotel.Money{Minor: 120050, Currency: "EUR"})}
		if strings.Join(got, " ") != want {
			t.Errorf("%q, want %q", strings.Join(got, " "), want)
		}
	}
}

// On a phone the bar has room for four sections; the others are on a page that it leads to.
func TestSectionsOfAPhone(t *testing.T) {
	s := newSite(t)
	for _, r := range auth.Roles {
		page := s.as(t, string(r)).get(s.path("more"))
		if got := strings.Count(page.body, `class="row" href="`); page.status != http.StatusOK || got == 0 || strings.Count(page.body, `class="aside"`) != got {
			t.Errorf("%s: %d, %d sections", r, page.status, got)
		}
	}
}

// What every figure of every report means is said in every language, without the API's
// names.
func TestFiguresAreExplainedInEveryLanguage(t *testing.T) {
	for _, l := range languages {
		v := &visit{words: wordsIn(l)}
		for _, d := range report.Definitions {
			for _, f := range d.Figures {
				if got := v.means(d.Name, f.Name); strings.HasPrefix(got, "means.") || strings.Contains(got, "_") {
					t.Errorf("%s of %s means %q in %s", f.Name, d.Name, got, l)
				}
			}
		}
	}
	page := newSite(t).read(t, "reports/revenue", "de")
	shows(t, page, "Logiserlös durch Zimmer im Angebot.")
	if strings.Contains(page, "room_revenue / ") {
		t.Error("a figure is explained in English on a German page")
	}
}

// read is a page as the owner reads it in a language.
func (s *site) read(t *testing.T, page, language string) string {
	t.Helper()
	return s.as(t, "owner").do(http.MethodGet, s.path(page), nil, http.Header{"Accept-Language": {language}}).body
}

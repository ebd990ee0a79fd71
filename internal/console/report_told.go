package console

import (
	"cmp"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
	"ostler.example/internal/desk"
)

// reported is a report as its page shows it.
type reported struct {
	page    reportPage
	Ask     reportForm
	Presets []preset
	Problem string // why nothing is told

	Told        bool
	AsOf        time.Time
	GeneratedAt time.Time
	Tiles       []tile
	Heat        *heatMap
	Charts      []chart
	Mixes       []mix
	Figures     []figureLine
	Compared    bool
}

// Name is the report's.
func (r reported) Name() string { return r.page.name }

// Names are those of all reports.
func (reported) Names() []string {
	names := make([]string, len(reportPages))
	for i, p := range reportPages {
		names[i] = p.name
	}
	return names
}

// Groups are what the rows of the report can be.
func (r reported) Groups() []report.Dimension { return r.page.groups() }

// Comparisons are those that there are.
func (reported) Comparisons() []desk.Comparison { return comparisons }

// tile is a figure of the whole time.
type tile struct {
	Figure, Value  string
	Differ, Before string // "": nothing is known to compare with
}

// figureLine is a figure with what it means.
type figureLine struct {
	Figure, Means       string
	Now, Before, Differ string
}

// figure is a value in words.
func (v *visit) figure(k report.Kind, c hotel.Currency, val report.Value) string {
	switch {
	case !val.Known:
		return "–"
	case k == report.Count:
		return v.words.number(int(val.N))
	case k == report.Amount:
		return v.words.money(hotel.Money{Minor: val.N, Currency: c})
	case k == report.Percent:
		return v.words.percent(val.N)
	}
	return v.words.tenths(val.N)
}

// differ is by how much a value is more or less than another; "" where that is not known.
func (v *visit) differ(now, before report.Value) string {
	change := report.Change(now, before)
	switch {
	case !change.Known:
		return ""
	case change.N > 0:
		return "+" + v.words.percent(change.N)
	}
	return v.words.percent(change.N)
}

// means is what a figure of a report is, in the hotel's words.
func (v *visit) means(report, figure string) string {
	if key := "means." + report + "." + figure; v.words.has(key) {
		return v.words.T(key)
	}
	return v.words.T("means." + figure)
}

// tell puts a report into what the page shows.
func (v *visit) tell(shown *reported, r *desk.Report) error {
	shown.Told, shown.AsOf, shown.GeneratedAt = true, r.AsOf, r.GeneratedAt
	shown.Compared = r.Totals.Before != nil
	for i, f := range r.Figures {
		line := figureLine{Figure: f.Name, Means: v.means(r.Name, f.Name), Now: v.figure(f.Kind, r.Currency, r.Totals.Values[i])}
		if shown.Compared {
			line.Before = v.figure(f.Kind, r.Currency, r.Totals.Before[i])
			line.Differ = v.differ(r.Totals.Values[i], r.Totals.Before[i])
		}
		shown.Figures = append(shown.Figures, line)
	}
	for _, name := range shown.page.tiles {
		line := shown.Figures[figureAt(r, name)]
		t := tile{Figure: name, Value: line.Now}
		if before := r.Totals.Before; before != nil && before[figureAt(r, name)].Known {
			t.Before = line.Before
			if line.Now != line.Before {
				t.Differ = line.Differ
			}
		}
		shown.Tiles = append(shown.Tiles, t)
	}
	times := v.times(shown.Ask.Span, shown.Ask.By)
	if times == nil {
		return v.tellMixes(shown, r)
	}
	rows := map[string]*report.Row{}
	for i := range r.Rows {
		rows[r.Rows[i].Key[0]] = &r.Rows[i]
	}
	for _, d := range shown.page.drawn {
		shown.Charts = append(shown.Charts, v.chart(shown, r, d, times, rows))
	}
	if shown.page.name == "occupancy" && shown.Ask.By == report.ByDay {
		full := figureAt(r, "occupancy_pct")
		shown.Heat = v.heat(shown.Ask.Span, func(d hotel.Date) report.Value {
			if row := rows[d.String()]; row != nil {
				return row.Values[full]
			}
			return report.Value{}
		})
	}
	return nil
}

func figureAt(r *desk.Report, name string) int {
	return slices.IndexFunc(r.Figures, func(f report.Figure) bool { return f.Name == name })
}

// times are the days, weeks or months of a span; none where a dimension is no time.
func (v *visit) times(span hotel.Span, by report.Dimension) []period {
	var list []period
	for d := span.From; d <= span.To; d++ {
		var t period
		switch by {
		case report.ByDay:
			t = period{d.String(), v.words.date(d), v.words.shortDate(d)}
		case report.ByWeek:
			monday := d - hotel.Date((d.Weekday()+6)%7)
			t = period{monday.String(), v.words.T("reports.week", v.words.date(monday)), v.words.shortDate(monday)}
		case report.ByMonth:
			t = period{d.String()[:len("2006-01")], v.words.monthOf(d), v.words.monthOf(d)}
		default:
			return nil
		}
		if len(list) == 0 || list[len(list)-1].key != t.key {
			list = append(list, t)
		}
	}
	return list
}

// chart draws a figure over time, and beside it what it is compared with.
func (v *visit) chart(shown *reported, r *desk.Report, d drawn, times []period, rows map[string]*report.Row) chart {
	at := figureAt(r, d.figure)
	f := r.Figures[at]
	c := chart{ID: "f-" + d.figure, Title: v.words.T("figure." + d.figure), Total: shown.Figures[at].Now}
	values := func(of func(*report.Row) []report.Value, at int) []report.Value {
		list := make([]report.Value, len(times))
		for i, t := range times {
			list[i] = report.Value{Known: d.counts}
			if row := rows[t.key]; row != nil && of(row) != nil {
				list[i] = of(row)[at]
			}
		}
		return list
	}
	now := func(row *report.Row) []report.Value { return row.Values }
	before := func(row *report.Row) []report.Value { return row.Before }
	c.Curves = []curve{{Name: v.words.T("reports.now"), Class: "now", Area: "yes", values: values(now, at)}}
	switch {
	case d.figure == "otb_rooms": // the curve of a pickup: what was on the books at both ends, and a year ago
		c.Curves[0].Name = v.words.T("reports.otb_now", v.moment(r.AsOf))
		net, first := values(now, figureAt(r, "rooms_net")), values(now, at)
		for i := range first {
			first[i].N -= net[i].N
		}
		c.Curves = append(c.Curves,
			curve{Name: v.words.T("reports.otb_then", v.sinceOf(shown.Ask)), Class: "then", values: first},
			curve{Name: v.words.T("reports.otb_last_year"), Class: "before", values: values(now, figureAt(r, "otb_last_year"))})
	case shown.Compared:
		c.Curves = append(c.Curves, curve{Name: v.words.T("compare." + string(shown.Ask.Compare)), Class: "before", values: values(before, at)})
	}
	c.plot(f.Kind, times, func(val report.Value) string { return v.figure(f.Kind, r.Currency, val) }, func(n int64) string {
		if f.Kind == report.Amount {
			return v.words.round(hotel.Money{Minor: n, Currency: r.Currency})
		}
		return v.figure(f.Kind, r.Currency, report.Value{Known: true, N: n})
	})
	return c
}

// sinceOf is the instant that a pickup begins at, as it is written in the language.
func (v *visit) sinceOf(f reportForm) string {
	t, err := time.ParseInLocation(localMoment, f.Since, v.house.Zone())
	if err != nil {
		return f.Since
	}
	return v.moment(t)
}

// tellMixes shows figures of rooms, plans, channels and the like as bars, the largest of
// the first figure on top; ranges of days stay in their order.
func (v *visit) tellMixes(shown *reported, r *desk.Report) error {
	names, err := v.placesOf(r.GroupBy)
	if err != nil {
		return err
	}
	rows := slices.Clone(r.Rows)
	if first := figureAt(r, shown.page.drawn[0].figure); shown.Ask.By != "" {
		slices.SortStableFunc(rows, func(a, b report.Row) int { return cmp.Compare(b.Values[first].N, a.Values[first].N) })
	}
	for _, d := range shown.page.drawn {
		at := figureAt(r, d.figure)
		f := r.Figures[at]
		m := mix{ID: "f-" + d.figure, Title: v.words.T("figure." + d.figure), Compared: shown.Compared}
		var now, before []report.Value
		for _, row := range rows {
			line := mixLine{Name: names(row.Key[0]), Value: v.figure(f.Kind, r.Currency, row.Values[at])}
			now = append(now, row.Values[at])
			if row.Before != nil {
				before = append(before, row.Before[at])
				if row.Before[at].Known {
					line.Before, line.Differ = v.figure(f.Kind, r.Currency, row.Before[at]), v.differ(row.Values[at], row.Before[at])
				}
			}
			m.Lines = append(m.Lines, line)
		}
		m.measure(now, before)
		shown.Mixes = append(shown.Mixes, m)
	}
	return nil
}

// placesOf names the rows of a report: rooms, plans and channels by their names.
func (v *visit) placesOf(by []report.Dimension) (func(string) string, error) {
	known := map[string]string{}
	none := "–"
	var err error
	switch by[0] {
	case report.ByRoomType, report.ByBooked:
		known, err = v.rooms()
		none = v.words.T("bookings.unknown_room")
	case report.ByRatePlan:
		var plans []hotel.RatePlan
		plans, err = v.c.desk.RatePlans(v.r.Context(), v.caller, v.house.ID)
		for _, p := range plans {
			known[p.ID] = p.Name
		}
	case report.ByChannel, report.BySeller:
		known, err = v.sellers()
		known[hotel.Direct] = v.words.T("bookings.direct")
	case report.BySegment:
	default: // ranges of days
		return func(key string) string { return v.words.T("reports.days", key) }, nil
	}
	return func(key string) string {
		if key == "" {
			return none
		}
		return cmp.Or(known[key], key)
	}, err
}

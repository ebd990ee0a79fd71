package report

import (
	"slices"
	"strings"
)

// Report is what was asked for: a value for each figure of its definition, in rows and
// altogether.
type Report struct {
	*Definition
	GroupBy []Dimension
	Rows    []Row // by key
	Totals  Row
}

// Row is the figures of one place in the dimensions.
type Row struct {
	Key    []string // for each dimension; "" where there is none
	Values []Value
	Before []Value // what it is compared with; nil when nothing was asked for
}

// Make works out a report. What it is compared with, where before is not nil, is
// dated as [Query.Dated] of then says; the rows of both stand side by side.
func (d *Definition) Make(q Query, now Set, then *Query, before *Set) Report {
	by := slices.Concat(q.GroupBy, d.always)
	t := newTally(&q, by)
	d.tally(t, now.own(q.ChannelID))
	r := Report{Definition: d, GroupBy: by}
	var earlier *tally
	if before != nil {
		earlier = newTally(then, by)
		d.tally(earlier, before.own(q.ChannelID))
		for name, row := range earlier.rows {
			if t.rows[name] == nil {
				t.rows[name] = &tallied{key: row.key}
			}
		}
	}
	for name, row := range t.rows {
		out := Row{Key: row.key, Values: d.values(t, &row.sums, false)}
		if earlier != nil {
			was := &sums{}
			if e := earlier.rows[name]; e != nil {
				was = &e.sums
			}
			out.Before = d.values(earlier, was, false)
		}
		r.Rows = append(r.Rows, out)
	}
	slices.SortFunc(r.Rows, func(a, b Row) int { return slices.CompareFunc(a.Key, b.Key, inOrder) })
	r.Totals.Values = d.values(t, &t.total, true)
	if earlier != nil {
		r.Totals.Before = d.values(earlier, &earlier.total, true)
	}
	return r
}

func (d *Definition) values(t *tally, s *sums, totals bool) []Value {
	whole := t.q.ChannelID == ""
	f := figured{sums: *s, all: &t.total, whole: whole, house: whole && (totals || t.ofHouse()), ofAll: totals || t.ofAll()}
	out := make([]Value, len(d.Figures))
	for i := range d.Figures {
		out[i] = d.Figures[i].told(&f)
	}
	return out
}

// inOrder compares places in a dimension; ranges of days stand in the order of the
// days.
func inOrder(a, b string) int {
	place := func(name string) int {
		return slices.IndexFunc(leadRanges, func(r leadSpan) bool { return r.name == name })
	}
	if i, j := place(a), place(b); i >= 0 && j >= 0 {
		return i - j
	}
	return strings.Compare(a, b)
}

// GroupedBy are the dimensions that the report can be grouped by.
func (d *Definition) GroupedBy() []Dimension {
	if d.OfService {
		return []Dimension{ByDay, ByWeek, ByMonth, ByProperty, ByChannel}
	}
	return Dimensions
}

// Named returns the definition of a report, nil when there is none of the name.
func Named(name string) *Definition {
	i := slices.IndexFunc(Definitions, func(d Definition) bool { return d.Name == name })
	if i < 0 {
		return nil
	}
	return &Definitions[i]
}

package desk

import (
	"strings"
	"testing"

	"ostler.example/hotel/report"
)

// Words of others are no formulas of a spreadsheet; figures below zero stay figures.
func TestTablesHaveNoFormulas(t *testing.T) {
	r := &Report{Currency: "EUR", Report: report.Report{
		Definition: &report.Definition{Figures: []report.Figure{{Name: "revenue", Kind: report.Amount}, {Name: "nights", Kind: report.Count}}},
		GroupBy:    []report.Dimension{report.BySegment},
		Rows:       []report.Row{{Key: []string{"=HYPERLINK(1)"}, Values: []report.Value{{N: -1050, Known: true}, {N: -2, Known: true}}}},
	}}
	table, err := r.CSV()
	if err != nil {
		t.Fatal(err)
	}
	if want := "\r\n'=HYPERLINK(1),EUR,-10.50,-2\r\n"; !strings.HasSuffix(string(table), want) {
		t.Errorf("%q, want it to end in %q", table, want)
	}
}

package desk

import (
	"bytes"
	"encoding/csv"
	"strconv"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
)

// CSV returns the rows of the report as a table of RFC 4180: a line for each row, under
// one with the names. Amounts are in the report's currency; what is not known is empty.
func (r *Report) CSV() ([]byte, error) {
	var text bytes.Buffer
	table := csv.NewWriter(&text)
	table.UseCRLF = true // as RFC 4180 has it
	head := []string{}
	for _, d := range r.GroupBy {
		head = append(head, d.Member())
	}
	if r.Currency != "" {
		head = append(head, "currency")
	}
	for _, f := range r.Figures {
		head = append(head, f.Name)
	}
	if r.Totals.Before != nil {
		for _, f := range r.Figures {
			head = append(head, "comparison_"+f.Name)
		}
	}
	lines := [][]string{head}
	for _, row := range r.Rows {
		var line []string
		for _, name := range row.Key {
			line = append(line, report.SheetCell(name))
		}
		if r.Currency != "" {
			line = append(line, string(r.Currency))
		}
		for _, values := range [][]report.Value{row.Values, row.Before} {
			for i, v := range values {
				line = append(line, plainText(r.Figures[i].Kind, r.Currency, v))
			}
		}
		lines = append(lines, line)
	}
	err := table.WriteAll(lines)
	return text.Bytes(), err
}

// plainText is a value as a table has it; "" is not known.
func plainText(k report.Kind, c hotel.Currency, v report.Value) string {
	switch {
	case !v.Known:
		return ""
	case k == report.Count:
		return strconv.FormatInt(v.N, 10)
	case k == report.Amount:
		return hotel.Money{Minor: v.N, Currency: c}.Amount()
	}
	return hotel.Money{Minor: v.N, Currency: "EUR"}.Amount() // hundredths
}

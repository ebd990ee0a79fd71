package api

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
	"ostler.example/internal/desk"
)

type reportBody struct {
	Report         string      `json:"report"`
	GeneratedAt    string      `json:"generated_at"`
	AsOf           string      `json:"as_of"`
	DateFrom       string      `json:"date_from"`
	DateTo         string      `json:"date_to"`
	Currency       *string     `json:"currency"`
	GroupBy        []string    `json:"group_by"`
	Compare        string      `json:"compare,omitempty"`
	Rows           []reportRow `json:"rows"`
	Totals         reportRow   `json:"totals"`
	DefinitionsURL string      `json:"definitions_url"`
}

// reportRow is a row of a report; the row of totals has no key.
type reportRow struct {
	of  *desk.Report
	row report.Row
}

// MarshalJSON writes the members of the key, the figures by name, and beside them
// what they are compared with.
func (r reportRow) MarshalJSON() ([]byte, error) {
	out := map[string]any{}
	for i, name := range r.row.Key {
		out[r.of.GroupBy[i].Member()] = orNull(name)
	}
	maps.Copy(out, r.figures(r.row.Values))
	if r.row.Before != nil {
		changes := map[string]any{}
		for i, f := range r.of.Figures {
			changes[f.Name] = hundredths(report.Change(r.row.Values[i], r.row.Before[i]))
		}
		out["comparison"], out["change_pct"] = r.figures(r.row.Before), changes
	}
	return json.Marshal(out)
}

func (r reportRow) figures(values []report.Value) map[string]any {
	out := map[string]any{}
	for i, f := range r.of.Figures {
		switch v := values[i]; {
		case !v.Known:
			out[f.Name] = nil
		case f.Kind == report.Amount:
			out[f.Name] = moneyOf(hotel.Money{Minor: v.N, Currency: r.of.Currency})
		case f.Kind == report.Count:
			out[f.Name] = v.N
		default:
			out[f.Name] = hundredths(v)
		}
	}
	return out
}

// hundredths is a number with two decimals, or null.
func hundredths(v report.Value) any {
	if !v.Known {
		return nil
	}
	return json.Number(hotel.Money{Minor: v.N, Currency: "EUR"}.Amount())
}

// reportSchema is the schema of one report, with a member for each of its figures.
func (s *server) reportSchema(d *report.Definition) *huma.Schema {
	schemas := s.api.OpenAPI().Components.Schemas.Map()
	first, second, _ := strings.Cut(d.Name, "-")
	name := capital(first) + capital(second)
	ref := func(of string) *huma.Schema { return &huma.Schema{Ref: "#/components/schemas/" + of} }
	figures, changes := map[string]*huma.Schema{}, map[string]*huma.Schema{}
	for _, f := range d.Figures {
		figures[f.Name] = figureSchema(f)
		changes[f.Name] = &huma.Schema{Type: huma.TypeNumber, Nullable: true}
	}
	closed := func(members map[string]*huma.Schema, required ...string) *huma.Schema {
		return &huma.Schema{Type: huma.TypeObject, Properties: members, Required: required, AdditionalProperties: false}
	}
	names := slices.Sorted(maps.Keys(figures))
	row := maps.Clone(figures)
	for _, dimension := range d.GroupedBy() {
		row[dimension.Member()] = &huma.Schema{Type: huma.TypeString, Nullable: true, Description: "With group_by=" + string(dimension) + "; null where there is none."}
	}
	if d.Name == "lead-time" {
		row["bucket"] = &huma.Schema{Type: huma.TypeString, Description: "A range of days."}
	}
	schemas[name+"Figures"] = closed(figures, names...)
	row["comparison"] = ref(name + "Figures")
	row["change_pct"] = closed(changes)
	row["change_pct"].Description = "By how much each figure differs, in per cent of what it is compared with."
	schemas[name+"Row"] = closed(row, names...)
	text := func(format string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Format: format} }
	body := map[string]*huma.Schema{
		"report": {Type: huma.TypeString, Enum: []any{d.Name}}, "generated_at": text("date-time"), "as_of": text("date-time"),
		"date_from": text("date"), "date_to": text("date"), "currency": text(""), "group_by": {Type: huma.TypeArray, Items: text("")},
		"rows": {Type: huma.TypeArray, Items: ref(name + "Row")}, "totals": ref(name + "Row"), "definitions_url": text("uri"),
	}
	if body["currency"].Nullable = d.OfService; d.OfService {
		body["currency"].Description = "null: there is no money in it."
	}
	required := slices.Sorted(maps.Keys(body))
	body["compare"] = text("")
	schemas[name+"Report"] = closed(body, required...)
	return ref(name + "Report")
}

func figureSchema(f report.Figure) *huma.Schema {
	switch f.Kind {
	case report.Count:
		return &huma.Schema{Type: huma.TypeInteger, Nullable: true, Description: f.Text}
	case report.Amount:
		return &huma.Schema{
			Description: f.Text,
			AnyOf:       []*huma.Schema{{Ref: "#/components/schemas/Money"}, {Type: "null"}},
		}
	case report.Percent, report.Mean:
	}
	return &huma.Schema{Type: huma.TypeNumber, Nullable: true, Description: f.Text}
}

package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel/report"
	"ostler.example/internal/auth"
)

type reportInfo struct {
	Name        string       `json:"name"`
	URL         string       `json:"url" format:"uri"`
	Description string       `json:"description"`
	GroupBy     []string     `json:"group_by" doc:"What its rows can be grouped by."`
	Figures     []figureInfo `json:"figures"`
}

type figureInfo struct {
	Name       string `json:"name"`
	Kind       string `json:"kind" enum:"count,money,percent,number"`
	Definition string `json:"definition"`
}

func (s *server) registerReportList() {
	op := huma.Operation{
		OperationID: "list-reports", Method: http.MethodGet, Path: "/reports",
		Summary: "Reports, and what their figures mean", Tags: []string{tagReports},
		Description: "Totals are worked out of sums, never of the figures of rows; what would be divided by nothing is null. " +
			"Nights are dates of the property's calendar; days of the report on the service are those of UTC. Amounts in another currency than the report's are left out and counted.",
	}
	register(s, op, needs(auth.ReportsRead), func(ctx context.Context, in *struct{ Paging }) (*listOf[reportInfo], error) {
		var all []reportInfo
		for _, d := range report.Definitions {
			info := reportInfo{Name: d.Name, URL: baseOf(ctx) + "/reports/" + d.Name, Description: d.Text}
			for _, by := range d.GroupedBy() {
				info.GroupBy = append(info.GroupBy, string(by))
			}
			for _, f := range d.Figures {
				info.Figures = append(info.Figures, figureInfo{f.Name, string(f.Kind), f.Text})
			}
			all = append(all, info)
		}
		return pageOf(ctx, s, in.Paging, all, func(r reportInfo) position { return position{id: r.Name} }, func(r reportInfo) reportInfo { return r })
	})
}

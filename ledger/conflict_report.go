package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ostler.example/hotel"
)

// ReportFacts is what a channel's connector reports.
type ReportFacts struct {
	Report string `json:"report"` // its code
	Of     string `json:"of,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// What of a report is kept at the most, and how many of a channel are open at once. Of what
// is reported then it is no longer told apart what it is about.
const (
	mostReportOf     = 100 // characters
	mostReportReason = 500
	mostReports      = 50
)

// Report has somebody look at something at a channel, once while nobody has, or ends that.
func (l *Ledger) Report(ctx context.Context, channel string, r hotel.ChannelReport) error {
	err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.report(channel, r) })
	if err != nil {
		return fmt.Errorf("report %s of channel %s: %w", r.Code, channel, err)
	}
	return nil
}

func (t *tx) report(channel string, r hotel.ChannelReport) error {
	row, err := t.q.GetChannel(t.ctx, channel)
	if err != nil {
		return notFound(err)
	}
	topic := func(of string) string { return strings.TrimSuffix(channel+"/"+r.Code+"/"+of, "/") }
	of := shortened(r.Of, mostReportOf)
	if r.Over {
		return t.overTopic(row.PropertyID, hotel.ConflictReported, topic(of))
	}
	open, err := t.openConflicts(row.PropertyID, hotel.ConflictReported)
	if err != nil {
		return err
	}
	others := 0
	for i := range open {
		if open[i].ChannelID == channel && open[i].Topic != topic(of) {
			others++
		}
	}
	if others >= mostReports {
		of = ""
	}
	facts, err := json.Marshal(ReportFacts{Report: r.Code, Of: of, Reason: shortened(r.Reason, mostReportReason)})
	if err != nil {
		return err
	}
	severity := r.Severity
	if severity == "" {
		severity = hotel.Warning
	}
	return t.raise(hotel.Conflict{
		PropertyID: row.PropertyID, ChannelID: channel, Kind: hotel.ConflictReported, Topic: topic(of), Severity: severity, Facts: facts,
		Subject: hotel.ConflictSubject{Type: "channel", ID: channel},
	})
}

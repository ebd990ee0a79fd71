package desk

import (
	"context"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
	"ostler.example/internal/auth"
)

// whoseWork is the client whose requests and webhooks a caller is told of: its own, or
// for "" those of all where it was granted every property. In the sandbox nobody is told
// of the others.
func whoseWork(c Caller) string {
	if c.Environment == auth.Production && c.SeesAll() {
		return ""
	}
	return c.ClientID
}

// work reads what the service did on some days.
func (d *Desk) work(ctx context.Context, properties []hotel.Property, whose string, of stood) ([]report.Worked, error) {
	days := of.span
	if !of.until.IsZero() {
		days.To = min(days.To, hotel.DateIn(of.until, time.UTC))
	}
	ids := make([]string, len(properties))
	for i, p := range properties {
		ids[i] = p.ID
	}
	list, err := d.ledger.ServiceWork(ctx, ids, whose, days)
	if err != nil {
		return nil, err
	}
	answers, err := d.clients.Answers(ctx, whose, days)
	for _, a := range answers {
		list = append(list, report.Worked{Day: a.Day, Work: report.AnswerOf(a.Status), Took: a.Took, N: int64(a.Count)})
	}
	return list, err
}

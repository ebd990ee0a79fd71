package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger/internal/ledgerdb"
)

// SaveAnswers adds to what is counted of answers to clients.
func (l *Ledger) SaveAnswers(ctx context.Context, answers []auth.Answers) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		for _, a := range answers {
			err := t.q.AddAnswers(t.ctx, ledgerdb.AddAnswersParams{
				ClientID: a.ClientID, Day: int64(a.Day), Status: int64(a.Status), Took: int64(a.Took), Answers: int64(a.Count),
			})
			if err != nil {
				return fmt.Errorf("store the answers to client %s: %w", a.ClientID, err)
			}
		}
		return nil
	})
}

// Answers returns what is counted of a client, or for "" of all clients of production,
// on some days.
func (l *Ledger) Answers(ctx context.Context, clientID string, days hotel.Span) ([]auth.Answers, error) {
	var rows []ledgerdb.AnswerTally
	var err error
	if clientID == "" {
		rows, err = l.read.AnswersOfAll(ctx, ledgerdb.AnswersOfAllParams{First: int64(days.From), Last: int64(days.To)})
	} else {
		rows, err = l.read.AnswersOf(ctx, ledgerdb.AnswersOfParams{ClientID: clientID, First: int64(days.From), Last: int64(days.To)})
	}
	if err != nil {
		return nil, fmt.Errorf("read how requests were answered: %w", err)
	}
	list := make([]auth.Answers, len(rows))
	for i, r := range rows {
		list[i] = auth.Answers{ClientID: r.ClientID, Day: hotel.Date(r.Day), Status: int(r.Status), Took: hotel.Took(r.Took), Count: int(r.Answers)}
	}
	return list, nil
}

// ForgetAnswers drops what is counted of days before one.
func (l *Ledger) ForgetAnswers(ctx context.Context, before hotel.Date) error {
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.DeleteAnswers(t.ctx, int64(before))
	})
}

package auth

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
)

// Answers is how many requests of a client were answered with one status in about the
// same time on one day. Requests of people at the machine are not among them.
type Answers struct {
	ClientID string
	Day      hotel.Date // in UTC
	Status   int        // of HTTP
	Took     hotel.Took
	Count    int
}

// AnswerStore is the part of a store that keeps what was answered.
type AnswerStore interface {
	// SaveAnswers adds to what is counted.
	SaveAnswers(ctx context.Context, answers []Answers) error
	// Answers returns what is counted of a client, or for "" of all clients of
	// production, on some days.
	Answers(ctx context.Context, clientID string, days hotel.Span) ([]Answers, error)
	// ForgetAnswers drops what is counted of days before one.
	ForgetAnswers(ctx context.Context, before hotel.Date) error
}

// answersKept is for how many days answers are counted: two years can be compared.
const answersKept = 800

// NoteAnswer counts the answer to a request.
func (a *Authority) NoteAnswer(w Who, status int, took time.Duration) {
	if w.Operator != "" {
		return
	}
	a.answers.add(Answers{ClientID: w.ClientID, Day: hotel.DateIn(a.clock.Now(), time.UTC), Status: status, Took: hotel.TookOf(took)}, 1)
}

// Answers returns how requests of a client, or for "" of all clients of production,
// were answered on some days (UTC); those of the last second may be missing.
func (a *Authority) Answers(ctx context.Context, clientID string, days hotel.Span) ([]Answers, error) {
	return a.store.Answers(ctx, clientID, days)
}

func (a *Authority) saveAnswers(ctx context.Context) error {
	counts := a.answers.take()
	if len(counts) == 0 {
		return nil
	}
	list := make([]Answers, 0, len(counts))
	for answer, n := range counts {
		answer.Count = n
		list = append(list, answer)
	}
	if err := a.store.SaveAnswers(ctx, list); err != nil {
		a.answers.putBack(counts)
		return fmt.Errorf("save how %d sorts of requests were answered: %w", len(list), err)
	}
	return nil
}

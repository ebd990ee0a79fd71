package report

import (
	"time"

	"ostler.example/hotel"
)

// Work is something that the service itself does.
type Work string

// What the service does. Answers are to requests of /v1, pushes are calls that tell a
// channel something, and of a circuit the seconds count that it was open.
const (
	AnswerGood     Work = "answer_good"    // below 400
	AnswerRefused  Work = "answer_refused" // 4xx, but for the next
	AnswerLimited  Work = "answer_limited" // 429
	AnswerFailed   Work = "answer_failed"  // 5xx
	PushApplied    Work = "push_applied"   // all of it
	PushFailed     Work = "push_failed"    // refused, in part or wholly
	PushUnanswered Work = "push_unanswered"
	CircuitOpen    Work = "circuit_open"
	WebhookGood    Work = "webhook_good"
	WebhookFailed  Work = "webhook_failed"
	DriftFound     Work = "drift_found"    // values of cells
	DriftRepaired  Work = "drift_repaired" // those that were told again
)

// AnswerOf is what answering with a status is.
func AnswerOf(status int) Work {
	switch {
	case status < 400:
		return AnswerGood
	case status == 429:
		return AnswerLimited
	case status < 500:
		return AnswerRefused
	}
	return AnswerFailed
}

// Worked is how much of a work was done on one day (UTC), where it was done and, where
// that is counted, how long each took.
type Worked struct {
	Day        hotel.Date
	PropertyID string // "": it is of no property
	ChannelID  string // "": it is of no channel
	Work       Work
	Took       hotel.Took
	N          int64
}

// workSums is what each work is added to; how long each took, to the first of them.
var workSums = map[Work][]sum{
	AnswerGood:     {answers, answersGood},
	AnswerRefused:  {answers, answersRefused},
	AnswerLimited:  {answers, answersLimited},
	AnswerFailed:   {answers, answersFailed},
	PushApplied:    {pushes},
	PushFailed:     {pushes, pushesFailed},
	PushUnanswered: {pushes, pushesFailed},
	CircuitOpen:    {circuitSeconds},
	WebhookGood:    {webhooks, webhooksGood},
	WebhookFailed:  {webhooks},
	DriftFound:     {driftFound},
	DriftRepaired:  {driftRepaired},
}

// work adds what the service did. What is of no property shows in the totals alone
// where rows are of properties or channels.
func work(t *tally, list []Worked) {
	for i := range list {
		w := &list[i]
		line := sums{took: map[took]int64{}}
		for _, what := range workSums[w.Work] {
			line.n[what] = w.N
		}
		if w.Work != PushUnanswered {
			line.took[took{workSums[w.Work][0], w.Took}] = w.N
		}
		t.addTold(w.Day, &place{property: w.PropertyID, channel: w.ChannelID}, &line, w.PropertyID != "" || t.ofAll())
	}
}

// took is how long something lasted that is counted.
type took struct {
	what sum
	long hotel.Took
}

// quantile returns how long at the most so many per cent of something lasted, in
// hundredths of a millisecond; not known of nothing.
func (s *sums) quantile(what sum, pct int64) Value {
	var all int64
	var longest hotel.Took
	for k, n := range s.took {
		if k.what == what {
			all, longest = all+n, max(longest, k.long)
		}
	}
	if all == 0 {
		return Value{}
	}
	rank := (all*pct + 99) / 100
	for long := hotel.Took(0); long < longest; long++ {
		if rank -= s.took[took{what, long}]; rank <= 0 {
			return known(int64(long.Most() / (10 * time.Microsecond)))
		}
	}
	return known(int64(longest.Most() / (10 * time.Microsecond)))
}

// ofAll reports whether rows are parts of all that the service does, and not of
// properties or channels.
func (t *tally) ofAll() bool {
	for _, d := range t.by {
		if d == ByProperty || d == ByChannel {
			return false
		}
	}
	return true
}

package report

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

// Every figure is that of a plain count over single events.
func TestServiceEqualsAPlainCount(t *testing.T) {
	type event struct {
		day               hotel.Date
		property, channel string
		work              Work
		took              hotel.Took
		n                 int64
	}
	answers := []Work{AnswerGood, AnswerRefused, AnswerLimited, AnswerFailed}
	rapid.Check(t, func(t *rapid.T) {
		var events []event
		var list []Worked
		for range rapid.IntRange(0, 30).Draw(t, "events") {
			e := event{
				day: innSpan.From + hotel.Date(rapid.IntRange(-1, 4).Draw(t, "day")), n: rapid.Int64Range(1, 5).Draw(t, "n"), took: hotel.Took(rapid.IntRange(0, 40).Draw(t, "took")),
				work: rapid.SampledFrom(append(answers, PushApplied, PushFailed, PushUnanswered, CircuitOpen, WebhookGood, WebhookFailed, DriftFound, DriftRepaired)).Draw(t, "work"),
			}
			if !slices.Contains(append(answers, WebhookGood, WebhookFailed), e.work) {
				e.property, e.channel = "inn", rapid.SampledFrom([]string{"ch1", "ch2"}).Draw(t, "channel")
			}
			events = append(events, e)
			list = append(list, Worked{e.day, e.property, e.channel, e.work, e.took, e.n})
		}
		count := func(in func(event) bool, works ...Work) (n int64, each []int64) {
			for _, e := range events {
				if innSpan.Contains(e.day) && in(e) && slices.Contains(works, e.work) {
					n += e.n
					for range e.n {
						each = append(each, int64(e.took.Most()/1e4))
					}
				}
			}
			slices.Sort(each)
			return n, each
		}
		check := func(row Row, all bool, in func(event) bool) {
			figure := func(name string, want Value) {
				i := slices.IndexFunc(service, func(f Figure) bool { return f.Name == name })
				if row.Values[i] != want {
					t.Fatalf("%s of %v is %v, want %v", name, row.Key, row.Values[i], want)
				}
			}
			plain := func(name string, told bool, works ...Work) {
				n, _ := count(in, works...)
				figure(name, Value{told, n}.orNothing())
			}
			atMost := func(name string, pct int, works ...Work) {
				_, each := count(in, works...)
				if len(each) == 0 {
					figure(name, Value{})
					return
				}
				figure(name, known(each[(len(each)*pct+99)/100-1]))
			}
			plain("requests", all, answers...)
			plain("requests_refused", all, AnswerRefused)
			plain("rate_limit_hits", all, AnswerLimited)
			plain("requests_failed", all, AnswerFailed)
			plain("webhook_calls", all, WebhookGood, WebhookFailed)
			plain("sync_pushes", true, PushApplied, PushFailed, PushUnanswered)
			plain("sync_failures", true, PushFailed, PushUnanswered)
			plain("circuit_open_seconds", true, CircuitOpen)
			plain("drift_found", true, DriftFound)
			plain("drift_repaired", true, DriftRepaired)
			atMost("sync_latency_p50_ms", 50, PushApplied, PushFailed)
			atMost("sync_latency_p95_ms", 95, PushApplied, PushFailed)
			atMost("latency_p95_ms", 95, answers...)
		}
		q := Query{Span: innSpan, GroupBy: []Dimension{rapid.SampledFrom([]Dimension{ByDay, ByChannel, ByProperty}).Draw(t, "by")}}
		r := Named("service").Make(q, Set{Work: list}, nil, nil)
		for _, row := range r.Rows {
			check(row, q.GroupBy[0] == ByDay, func(e event) bool {
				of := map[Dimension]string{ByDay: e.day.String(), ByChannel: e.channel, ByProperty: e.property}
				return of[q.GroupBy[0]] == row.Key[0]
			})
		}
		r.Totals.Key = []string{"all"}
		check(r.Totals, true, func(event) bool { return true })
	})
}

package report

// service is what the service did itself.
var service = []Figure{
	{"requests", Count, "Requests that were answered: those of the client that asks, or of all clients where it was granted every property of production. A row by property or channel has none of them.", ofAll(answers)},
	{"requests_succeeded", Count, "Those of them with a status below 400.", ofAll(answersGood)},
	{"requests_refused", Count, "Those with a status from 400 to 499, without rate_limit_hits.", ofAll(answersRefused)},
	{"rate_limit_hits", Count, "Those with the status 429.", ofAll(answersLimited)},
	{"requests_failed", Count, "Those with a status from 500 on.", ofAll(answersFailed)},
	{"latency_p50_ms", Mean, "Half of the requests were answered within so many milliseconds, to the next quarter above.", lasted(answers, 50)},
	{"latency_p95_ms", Mean, "95 of 100 of them were.", lasted(answers, 95)},
	{"sync_pushes", Count, "Calls that told a channel rooms, prices or restrictions.", counted(pushes)},
	{"sync_failures", Count, "Those of them that were refused, if only in part, or that had no answer.", counted(pushesFailed)},
	{"sync_latency_p50_ms", Mean, "Half of those with an answer were answered within so many milliseconds, to the next quarter above.", lasted(pushes, 50)},
	{"sync_latency_p95_ms", Mean, "95 of 100 of them were.", lasted(pushes, 95)},
	{"circuit_open_seconds", Count, "Seconds in which channels were not called, because calls had failed or credentials were refused. One that is still open counts up to now.", counted(circuitSeconds)},
	{"webhook_calls", Count, "Calls of webhook endpoints, tests too: whose is as with requests.", ofAll(webhooks)},
	{"webhook_success_pct", Percent, "Those of them that were answered with a status from 200 to 299.", func(f *figured) Value {
		if !f.ofAll {
			return Value{}
		}
		return ratio(f.n[webhooksGood], 100*100, f.n[webhooks])
	}},
	{"drift_found", Count, "Values of cells that a channel showed otherwise than it was told, each time that it was read.", counted(driftFound)},
	{"drift_repaired", Count, "Those of them that the channel was told again.", counted(driftRepaired)},
}

// ofAll is a number that is of no property.
func ofAll(s sum) func(*figured) Value {
	return func(f *figured) Value { return Value{f.ofAll, f.n[s]}.orNothing() }
}

// lasted is how long at the most so many per cent of something lasted.
func lasted(what sum, pct int64) func(*figured) Value {
	return func(f *figured) Value { return f.quantile(what, pct) }
}

package auth

import (
	"slices"
	"testing"
	"time"
)

// Each check is passed by what it asks for and by nothing less.
func TestCertify(t *testing.T) {
	monday := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	one := func(operation string, status int, edit ...func(*Tally)) Tally {
		tally := Tally{Day: monday, Call: Call{Operation: operation, Status: status}, Count: 1}
		for _, e := range edit {
			e(&tally)
		}
		return tally
	}
	keyed := func(t *Tally) { t.Keyed = true }
	conditional := func(t *Tally) { t.Conditional = true }
	early := func(t *Tally) { t.Early = true }
	times := func(n int) func(*Tally) { return func(t *Tally) { t.Count = n } }
	nextDay := func(t *Tally) { t.Day = monday.AddDate(0, 0, 1) }
	for _, c := range []struct {
		check  string
		calls  []Tally
		passed bool
	}{
		{"token_obtained", nil, false},
		{"token_obtained", []Tally{one(CallToken, 200)}, true},
		{"availability_read", []Tally{one("get-availability", 422)}, false},
		{"availability_read", []Tally{one("get-availability", 200)}, true},
		{"reservation_created_with_idempotency_key", []Tally{one("create-reservation", 201)}, false},
		{"reservation_created_with_idempotency_key", []Tally{one("create-reservation", 409, keyed)}, false},
		{"reservation_created_with_idempotency_key", []Tally{one("create-reservation", 201, keyed)}, true},
		{"reservation_modified", []Tally{one("update-reservation", 202)}, true},
		{"reservation_cancelled", []Tally{one("cancel-reservation", 200)}, true},
		{"etag_used", []Tally{one("get-client", 412, conditional)}, false},
		{"etag_used", []Tally{one("get-client", 304, conditional)}, true},
		{"ari_update_sent", []Tally{one("update-rates", 200)}, true},
		{"webhook_verified", []Tally{one("test-webhook-endpoint", 200)}, false},
		{"webhook_verified", []Tally{one(CallWebhookVerified, 200)}, true},
		{"events_feed_read", []Tally{one("list-events", 200)}, true},
		{"rate_limit_headers_respected", nil, false},
		{"rate_limit_headers_respected", []Tally{one("list-events", 429)}, true},
		{"rate_limit_headers_respected", []Tally{one("list-events", 429), one("list-events", 429, early)}, false},
		{"errors_below_5pct", []Tally{one("list-events", 200, times(19))}, false},
		{"errors_below_5pct", []Tally{one("list-events", 200, times(19)), one("list-events", 404)}, false},
		{"errors_below_5pct", []Tally{one("list-events", 200, times(20)), one("list-events", 404)}, true},
		{"errors_below_5pct", []Tally{one("list-events", 500, times(90)), one("list-events", 200, times(40), nextDay)}, true},
		{"errors_below_5pct", []Tally{one("list-events", 200, times(90)), one("list-events", 500, times(40), nextDay)}, false},
	} {
		checks := Certify(AllScopes(), c.calls, nil)
		i := slices.IndexFunc(checks, func(k Check) bool { return k.Name == c.check })
		if got := checks[i].Status == CheckPassed; got != c.passed {
			t.Errorf("%s by %+v: %v", c.check, c.calls, got)
		}
		if got := Certify(AllScopes(), c.calls, []string{c.check})[i].Status; got == CheckPending {
			t.Errorf("%s is waived and %s", c.check, got)
		}
	}
	for _, k := range Certify(ScopesOf(ReportsRead), nil, nil) {
		if slices.Contains([]string{"availability_read", "reservation_modified", "ari_update_sent", "webhook_verified"}, k.Name) {
			t.Errorf("whoever reads reports is asked for %s", k.Name)
		}
	}
}

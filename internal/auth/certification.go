package auth

import (
	"slices"
	"time"
)

// Call is one request that a client of the sandbox made, as far as tests are judged
// by it.
type Call struct {
	Operation   string // as the document names it; "token" for a token given out
	Status      int
	Keyed       bool // it carried an Idempotency-Key
	Conditional bool // it carried If-Match or If-None-Match
	Early       bool // it came before the wait was over that an earlier answer had asked for
}

// Tally is how often a client made calls of one sort on one day.
type Tally struct {
	ClientID string
	Day      time.Time // midnight, UTC
	Call
	Count int
}

// The operations that stand for what is none.
const (
	CallToken           = "token"
	CallWebhookVerified = "webhook-verified" // a test call of a receiver was answered 2xx
)

// CheckStatus is how a client stands with one check.
type CheckStatus string

// A check is pending until the client's calls, or the operator, settle it.
const (
	CheckPending CheckStatus = "pending"
	CheckPassed  CheckStatus = "passed"
	CheckWaived  CheckStatus = "waived"
)

// Check is one thing that a client shows in the sandbox before it gets production
// credentials.
type Check struct {
	Name   string
	Status CheckStatus
}

// enoughCalls is how many calls of a day say something of how many fail.
const enoughCalls = 20

// certificate are the checks in their order: who is to pass each, and by what.
var certificate = []struct {
	name   string
	of     Scopes // whoever has one of them; 0: everybody
	passed func(calls []Tally) bool
}{
	{"token_obtained", 0, made(func(c Call) bool { return c.Operation == CallToken })},
	{"availability_read", ScopesOf(AvailabilityRead), did("get-availability")},
	{
		"reservation_created_with_idempotency_key", ScopesOf(ReservationsWrite),
		made(func(c Call) bool {
			return c.Keyed && (c.Operation == "create-reservation" || c.Operation == "create-reservation-group")
		}),
	},
	{"reservation_modified", ScopesOf(ReservationsWrite), did("update-reservation")},
	{"reservation_cancelled", ScopesOf(ReservationsWrite), did("cancel-reservation", "cancel-reservation-group")},
	{"etag_used", 0, made(func(c Call) bool { return c.Conditional })},
	{"ari_update_sent", ScopesOf(InventoryWrite, RatesWrite), did("update-inventory", "update-rates", "update-restrictions")},
	{"webhook_verified", ScopesOf(WebhooksWrite), did(CallWebhookVerified)},
	{"events_feed_read", ScopesOf(EventsRead), did("list-events")},
	{"rate_limit_headers_respected", 0, func(calls []Tally) bool {
		return len(calls) > 0 && !slices.ContainsFunc(calls, func(t Tally) bool { return t.Early })
	}},
	{"errors_below_5pct", 0, fewErrors},
}

// Checks are the names of all checks, in their order.
func Checks() []string {
	var names []string
	for _, c := range certificate {
		names = append(names, c.name)
	}
	return names
}

// Certify says how a client with the scopes stands with the checks that are meant for
// it, by the calls that it made.
func Certify(scopes Scopes, calls []Tally, waived []string) []Check {
	var checks []Check
	for _, c := range certificate {
		if c.of != 0 && c.of&scopes == 0 {
			continue
		}
		check := Check{Name: c.name, Status: CheckPending}
		switch {
		case c.passed(calls):
			check.Status = CheckPassed
		case slices.Contains(waived, c.name):
			check.Status = CheckWaived
		}
		checks = append(checks, check)
	}
	return checks
}

// made is passed by one call that went well and is of a sort.
func made(sort func(Call) bool) func([]Tally) bool {
	return func(calls []Tally) bool {
		return slices.ContainsFunc(calls, func(t Tally) bool { return t.Status < 400 && sort(t.Call) })
	}
}

func did(operations ...string) func([]Tally) bool {
	return made(func(c Call) bool { return slices.Contains(operations, c.Operation) })
}

// fewErrors is passed when of the calls of the last day with enough of them less than
// one in twenty was refused or failed. What was refused for its rate is judged by
// another check.
func fewErrors(calls []Tally) bool {
	all, failed := map[time.Time]int{}, map[time.Time]int{}
	for _, t := range calls {
		if t.Operation == CallToken || t.Operation == CallWebhookVerified || t.Status == 429 {
			continue
		}
		all[t.Day] += t.Count
		if t.Status >= 400 {
			failed[t.Day] += t.Count
		}
	}
	var last time.Time
	for day, n := range all {
		if n >= enoughCalls && day.After(last) {
			last = day
		}
	}
	return !last.IsZero() && 20*failed[last] < all[last]
}

// Missing names the checks that are pending.
func Missing(checks []Check) []string {
	missing := []string{}
	for _, c := range checks {
		if c.Status == CheckPending {
			missing = append(missing, c.Name)
		}
	}
	return missing
}

package api

import (
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/internal/auth"
)

// unaudited are the operations other than GET that change nothing, and why.
var unaudited = map[string]string{
	"simulate-pricing-rules": "it computes",
}

// personal are what answers have where they tell of people.
var personalData = []string{"Hopper", "Lovelace", "ada@example.com"}

// asking is how an operation is asked. What is left out is that of the document's
// samples.
type asking struct{ target, body, token string }

// Every operation of the document, done: one that changes something leaves an entry
// of the journal with the request's id, and one whose answer tells of a person is
// in the list of who was shown what.
func TestEveryOperationIsAudited(t *testing.T) {
	h := newAuditedHouse(t)
	told := map[string]bool{} // operations whose answers tell of people
	for _, op := range h.document() {
		is := h.asks[op.OperationID]
		a := asking{}
		if is != nil {
			a = is()
		}
		if a.target == "" {
			a.target = h.target(op.Path) + "?" + h.question(op)
		}
		headers := []string{"X-Request-Id: audit-" + op.OperationID}
		if a.token != "" {
			headers = append(headers, "Authorization: Bearer "+a.token)
		}
		got := h.call(op.Method, a.target, h.bodyOf(op, a.body), headers...)
		if got.StatusCode >= 300 {
			t.Errorf("%s is not done: %d %s", op.OperationID, got.StatusCode, got.body)
			continue
		}
		if slices.ContainsFunc(personalData, func(text string) bool { return strings.Contains(string(got.body), text) }) {
			told[op.OperationID] = true
		}
		if op.Method != "GET" && unaudited[op.OperationID] == "" && !h.journalled("audit-"+op.OperationID) {
			t.Errorf("%s leaves no entry of the journal", op.OperationID)
		}
	}
	noted := h.shown()
	for id := range told {
		if !noted["audit-"+id] {
			t.Errorf("%s tells of a person, and nobody wrote it down", id)
		}
	}
	for _, id := range []string{
		"get-guest", "export-guest", "list-guests", "list-reservations", "list-events", "get-access-request",
		"list-blocks", "get-block", "get-notifications",
		"list-access-requests", "create-access-request", "create-reservation", "update-guest", "cancel-reservation", "reject-access-request",
	} {
		if !told[id] {
			t.Errorf("%s told of nobody, which proves nothing", id)
		}
	}
}

// document lists the operations that need a token and those that take a body: the
// ones that only look first, and what ends something last.
func (h *auditedHouse) document() []*huma.Operation {
	var all []*huma.Operation
	for path, item := range h.handler.(*server).document().Paths {
		for method, op := range operationsOf(item) {
			if strings.HasPrefix(path, "/oauth/") || len(op.Security) == 0 && method == "GET" {
				continue // tokens are no facts of the house, and what is public tells of nobody
			}
			one := *op
			one.Method, one.Path = method, path
			all = append(all, &one)
		}
	}
	order := func(op *huma.Operation) int {
		if op.Method == "GET" {
			return 0
		}
		ends := []string{"pause", "merge", "drop", "delete", "disconnect", "cancel", "release", "revoke", "archive", "anonymize"}
		return 2 + slices.IndexFunc(ends, func(word string) bool { return strings.Contains(op.OperationID, word) })
	}
	slices.SortFunc(all, func(a, b *huma.Operation) int {
		if d := order(a) - order(b); d != 0 {
			return d
		}
		return strings.Compare(a.OperationID, b.OperationID)
	})
	return all
}

// bodyOf is the body that an operation is asked with.
func (h *busyHouse) bodyOf(op *huma.Operation, body string) string {
	if body != "" || op.RequestBody == nil || op.RequestBody.Content[mediaJSON] == nil {
		return body
	}
	return text(h.sample(op.RequestBody.Content[mediaJSON].Schema, "", false))
}

// question is a query that an operation can answer.
func (h *busyHouse) question(op *huma.Operation) string {
	query := ""
	if op.RequestBody != nil {
		return query // which says it
	}
	for name, value := range map[string]string{
		"property_id": "hotel_123", "date_from": "2026-12-01", "date_to": "2026-12-02", "check_in": "2026-12-01", "check_out": "2026-12-02",
		"pickup_since": "2026-11-20T10:00:00Z", "date": "2026-12-01",
	} {
		if names(op, name) {
			query += name + "=" + value + "&"
		}
	}
	if required(op, "room_type_id") {
		query += "room_type_id=" + h.standard.ID
	}
	return query
}

// journalled reports whether the journal has an entry of that request.
func (h *house) journalled(request string) bool {
	h.t.Helper()
	entries, err := h.ledger.Entries(h.t.Context(), 0, 100_000)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, e := range entries {
		if e.RequestID == request {
			return true
		}
	}
	return false
}

// shown are the requests that were shown what is known of somebody.
func (h *auditedHouse) shown() map[string]bool {
	h.t.Helper()
	requests := map[string]bool{}
	people := "hotel_123 " + h.call("GET", "/v1/guests?limit=200", "").want(h.t, 200, "").ids(h.t) + " " +
		h.call("GET", "/v1/blocks?limit=200", "").want(h.t, 200, "").ids(h.t) + " " +
		h.call("GET", "/v1/access-requests?limit=200", "").want(h.t, 200, "").ids(h.t)
	for id := range strings.FieldsSeq(people) {
		for _, a := range must(h.ledger.PersonalAccesses(h.t.Context(), id))(h.t) {
			requests[a.RequestID] = true
		}
	}
	return requests
}

// auditedHouse is a busy house that knows how to ask for what a sample does not
// bring about.
type auditedHouse struct {
	*busyHouse
	asks map[string]func() asking // by operation
}

func newAuditedHouse(t *testing.T) *auditedHouse {
	t.Helper()
	h := &auditedHouse{busyHouse: newBusyHouse(t), asks: map[string]func() asking{}}
	h.serve(auth.Tiers{auth.Standard: 1 << 30, "partner": 1 << 30})
	h.handler.(*server).applicants = auth.NewThrottle(1<<20, 1)
	h.knowBodies()
	h.knowBookings()
	h.knowChannels()
	h.knowPartners()
	h.knowTheRest()
	h.call("PATCH", "/v1/blocks/"+h.ids["/blocks/"], `{"contact":"Hopper"}`).want(t, 200, "")
	h.call("PUT", "/v1/properties/hotel_123/notifications", `{"recipients":[{"name":"Hopper","email":"ada@example.com"}]}`).want(t, 200, "")
	return h
}

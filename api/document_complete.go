package api

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// completeDocument adds to the document what follows from the rest of it: what each
// tag groups, which codes stand behind a status, and an example of every body. It is
// called once, when somebody first asks for the document, which few ever do: requests go
// on meanwhile, and need nothing of what it writes.
func (s *server) completeDocument() *huma.OpenAPI {
	doc := s.api.OpenAPI()
	doc.Tags = tags
	e := exemplar{schemas: doc.Components.Schemas}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		item := doc.Paths[path]
		for _, op := range operations(item) {
			s.tellErrors(op)
			e.show(op)
		}
	}
	plainSchemas(doc)
	shareProblems(doc)
	return doc
}

// shareProblems keeps once what operations answer alike when something is wrong: they
// refer to it by its status.
func shareProblems(doc *huma.OpenAPI) {
	doc.Components.Responses = map[string]*huma.Response{}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		item := doc.Paths[path]
		for _, op := range operations(item) {
			for status, r := range op.Responses {
				if len(r.Content) != 1 || r.Content[mediaProblem] == nil {
					continue
				}
				name := "Problem" + status
				if doc.Components.Responses[name] == nil {
					doc.Components.Responses[name] = r
				}
				if first := doc.Components.Responses[name]; reflect.DeepEqual(first, r) {
					op.Responses[status] = &huma.Response{Ref: "#/components/responses/" + name}
				}
			}
		}
	}
}

// operations are those of a path, in the order in which they are shown.
func operations(item *huma.PathItem) []*huma.Operation {
	all := []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete}
	return slices.DeleteFunc(all, func(op *huma.Operation) bool { return op == nil })
}

// tags are the groups of operations.
var tags = []*huma.Tag{
	{Name: tagService, Description: "The API itself: its version, its document, its problems."},
	{Name: tagOAuth, Description: "Access tokens for the credentials of a client."},
	{Name: tagAvailability, Description: "What can be booked for a stay, and what it costs."},
	{Name: tagReservations, Description: "Bookings and what becomes of them, alone and in groups."},
	{Name: tagGuests, Description: "Who stays: profiles, preferences, and what is forgotten."},
	{Name: tagInventory, Description: "Stock, prices, restrictions, blocks and pricing rules, by night."},
	{Name: tagStructure, Description: "What a property is made of."},
	{Name: tagClients, Description: "Who may use the API, and how much."},
	{Name: tagSandbox, Description: "A hotel to try things on: its clock, its guests, its faults."},
	{Name: tagAccess, Description: "How a partner gets a sandbox, and then production."},
	{Name: tagChannels, Description: "Where rooms are sold, what is shown there, and what has to be decided."},
	{Name: tagEvents, Description: "What happened, in the order of the journal."},
	{Name: tagWebhooks, Description: "Being called when something happens."},
	{Name: tagReports, Description: "What the house's books say."},
}

// tellErrors gives every status that an operation lists an answer, and names the
// codes behind it.
func (s *server) tellErrors(op *huma.Operation) {
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	if strings.HasPrefix(op.Path, "/guests/{id}") {
		op.Errors = append(op.Errors, http.StatusPermanentRedirect)
	}
	for _, status := range op.Errors {
		key := strconv.Itoa(status)
		if op.Responses[key] == nil {
			op.Responses[key] = &huma.Response{Content: map[string]*huma.MediaType{mediaProblem: {Schema: s.problems}}}
		}
	}
	for key, r := range op.Responses {
		status, err := strconv.Atoi(key)
		if known := codesByStatus()[status]; err == nil && r.Content[mediaProblem] != nil && len(known) > 0 {
			r.Description = http.StatusText(status) + "; code is " + strings.Join(known, ", ") + "."
		}
	}
}

// codesByStatus lists the codes of problems by their status, in order. That of a client
// that is not known is none of them: only /oauth has it, which answers in another form.
var codesByStatus = sync.OnceValue(func() map[int][]string {
	by := map[int][]string{}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		if code != codeClient {
			by[codes[code].status] = append(by[codes[code].status], code)
		}
	}
	return by
})

// plainSchemas takes out of the schemas what OpenAPI has no word for: what a pattern means is
// a part of the description. Messages that need it are made by now.
func plainSchemas(doc *huma.OpenAPI) {
	seen := map[*huma.Schema]bool{}
	var each func(*huma.Schema)
	each = func(s *huma.Schema) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		if s.PatternDescription != "" {
			if s.Description == "" {
				s.Description = capital(s.PatternDescription) + "."
			}
			s.PatternDescription = ""
		}
		each(s.Items)
		for _, of := range s.Properties {
			each(of)
		}
		for _, of := range slices.Concat(s.OneOf, s.AnyOf, s.AllOf) {
			each(of)
		}
		if of, ok := s.AdditionalProperties.(*huma.Schema); ok {
			each(of)
		}
	}
	for _, s := range doc.Components.Schemas.Map() {
		each(s)
	}
	for _, item := range doc.Paths {
		for _, op := range operations(item) {
			for _, p := range op.Parameters {
				each(p.Schema)
			}
			if op.RequestBody != nil {
				for _, content := range op.RequestBody.Content {
					each(content.Schema)
				}
			}
			for _, r := range op.Responses {
				for _, content := range r.Content {
					each(content.Schema)
				}
			}
		}
	}
}

// tell says in words who may call an operation.
func (a access) tell(description string) string {
	who := "Any token will do."
	switch {
	case a.public:
		who = "Needs no token."
	case a.applicants:
		who = fmt.Sprintf("Needs the claim token that POST /access-requests answered with, as a Bearer token, or an access token with the scope %s.", a.wanted())
	case len(a.also) > 0:
		who = fmt.Sprintf("Needs the scopes %s and %s.", a.wanted(), strings.Join(namesOf(a.also), " and "))
	case len(a.scopes) > 0:
		who = fmt.Sprintf("Needs the scope %s.", strings.ReplaceAll(a.wanted(), " ", " or "))
	}
	return strings.TrimSpace(description + "\n\n" + who)
}

package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
)

const mediaProblem = "application/problem+json"

// problem is an error as RFC 9457 writes it. Nothing in it repeats a value that
// the client sent: it may have been a secret or a guest's name.
type problem struct {
	Type      string `json:"type" format:"uri" doc:"Where the problem is explained."`
	Title     string `json:"title" doc:"What kind of problem it is, for people."`
	Status    int    `json:"status" example:"422"`
	Detail    string `json:"detail,omitempty" doc:"What is wrong here, for people."`
	Instance  string `json:"instance" doc:"The path that was asked for."`
	Code      string `json:"code" example:"validation_failed" doc:"What kind of problem it is, for programs. Stable."`
	RequestID string `json:"request_id" doc:"Name it when you ask for help."`
	Errors    []item `json:"errors,omitempty" doc:"What is wrong, member by member."`

	members map[string]any // facts that go with the code
	header  http.Header    // headers that go with it, beyond those of every answer
}

// item is one fault of a request. It has one of pointer, parameter and header.
type item struct {
	Pointer   string `json:"pointer,omitempty" example:"/check_out" doc:"The member of the body, as a JSON pointer."`
	Parameter string `json:"parameter,omitempty" doc:"The parameter of the query or of the address."`
	Header    string `json:"header,omitempty" doc:"The header."`
	Code      string `json:"code" example:"date_order" doc:"Stable."`
	Detail    string `json:"detail" doc:"For people."`

	whole bool // it is about the body as a whole, whose pointer is empty
}

// MarshalJSON writes the empty pointer where it is one.
func (i item) MarshalJSON() ([]byte, error) {
	type plain item
	if !i.whole {
		return json.Marshal(plain(i))
	}
	return json.Marshal(struct {
		Pointer string `json:"pointer"`
		plain
	}{i.Pointer, plain(i)})
}

var (
	_ huma.StatusError       = (*problem)(nil)
	_ huma.HeadersError      = (*problem)(nil)
	_ huma.ContentTypeFilter = (*problem)(nil)
)

// Error returns the code and the detail.
func (p *problem) Error() string { return p.Code + ": " + p.Detail }

// GetStatus returns the HTTP status.
func (p *problem) GetStatus() int { return p.Status }

// GetHeaders returns the headers that go with the problem.
func (p *problem) GetHeaders() http.Header { return p.header }

// ContentType is that of problem documents.
func (p *problem) ContentType(string) string { return mediaProblem }

// TransformSchema lets a problem have the members that go with its code.
func (p *problem) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.AdditionalProperties = true
	return s
}

// MarshalJSON writes the members of the code beside the usual ones.
func (p *problem) MarshalJSON() ([]byte, error) {
	type plain problem
	b, err := json.Marshal((*plain)(p))
	if err != nil || len(p.members) == 0 {
		return b, err
	}
	facts := maps.Clone(p.members)
	for name, fact := range facts {
		if at, is := fact.(time.Time); is {
			facts[name] = stamp(at)
		}
	}
	more, err := json.Marshal(facts)
	if err != nil {
		return nil, err
	}
	b[len(b)-1] = ','
	return append(b, more[1:]...), nil
}

// inQuery names query parameters in place of members of the body.
func (p *problem) inQuery() {
	for i := range p.Errors {
		p.Errors[i].Parameter, p.Errors[i].Pointer = strings.TrimPrefix(p.Errors[i].Pointer, "/"), ""
	}
}

// unknownParameter refuses a query for a parameter that the operation does not have.
func unknownParameter(name string) *problem {
	return &problem{Code: "unknown_parameter", Detail: "A query parameter is not known.", Errors: []item{
		{Parameter: name, Code: "unknown_parameter", Detail: "is not known"},
	}}
}

// maxItems is how many faults are told at once, and maxPointer more bytes than the
// pointer to any member has that is known.
const (
	maxItems   = 100
	maxPointer = 300
)

// bound keeps an answer short, whatever it is an answer to. Of a member with a name that
// nobody would give, the object that has it is told.
func bound(items []item) []item {
	items = items[:min(len(items), maxItems)]
	for i := range items {
		if at := &items[i]; len(at.Pointer) > maxPointer {
			at.Pointer = at.Pointer[:strings.LastIndexByte(at.Pointer[:maxPointer], '/')]
			at.whole = at.Pointer == ""
		}
	}
	return items
}

// itemsOf are the faults that a refusal names, in a body or in a part of it that has the
// pointer within.
func itemsOf(within string, faults []hotel.RefusedItem) []item {
	var items []item
	for _, f := range faults {
		at := within + f.Pointer
		items = append(items, item{Pointer: at, Code: f.Code, Detail: f.Detail, whole: at == ""})
	}
	return items
}

// complete fills in what follows from the code and the request.
func (p *problem) complete(c *call) *problem {
	info, ok := codes[p.Code]
	if !ok {
		info, p.Code = codes["internal_error"], "internal_error"
	}
	p.Errors = bound(p.Errors)
	p.Status, p.Title, p.Instance, p.RequestID = info.status, info.title, c.url.Path, c.requestID
	p.Type = info.uri
	if p.Type == "" {
		p.Type = c.base + "/problems/" + p.Code
	}
	if after, ok := number(p.members["retry_after"]); ok {
		p.setHeader("Retry-After", strconv.FormatInt(after, 10))
	}
	switch p.Status {
	case http.StatusServiceUnavailable:
		if p.header.Get("Retry-After") == "" {
			p.setHeader("Retry-After", "1")
		}
		members := map[string]any{"violated-policies": []string{"capacity"}}
		maps.Copy(members, p.members)
		p.members = members
	case http.StatusUnauthorized, http.StatusForbidden:
		p.challenge(c)
	}
	return p
}

func (p *problem) setHeader(name, value string) {
	if p.header == nil {
		p.header = http.Header{}
	}
	p.header.Set(name, value)
}

// challenge says how to come with a better token, as RFC 6750 and RFC 9728 ask.
func (p *problem) challenge(c *call) {
	metadata := `resource_metadata="` + resourceMetadata(c.base) + `"`
	switch p.Code {
	case "missing_token":
		p.setHeader("WWW-Authenticate", `Bearer realm="ostler", `+metadata)
	case "invalid_token":
		p.setHeader("WWW-Authenticate", `Bearer realm="ostler", error="invalid_token", `+metadata)
	case "insufficient_scope":
		scope, _ := p.members["scope"].(string)
		p.setHeader("WWW-Authenticate", `Bearer realm="ostler", error="insufficient_scope", scope="`+scope+`", `+metadata)
	}
}

// write sends the problem from a plain handler.
func (p *problem) write(w http.ResponseWriter) {
	h := w.Header()
	maps.Copy(h, p.header)
	h.Set("Content-Type", mediaProblem)
	h.Set("Cache-Control", "no-store")
	h.Del("Etag")
	b, err := json.Marshal(p)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(b) // whoever asked has gone
}

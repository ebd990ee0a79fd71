package api

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/internal/desk"
)

// docsPath is where people read what the document says to programs. It lies
// outside /v1, as a page and no part of the API.
const docsPath = "/docs"

//go:embed docs.html
var docsText string

var docsPage = template.Must(template.New("docs").Parse(docsText))

// docsView is the document as a page shows it.
type docsView struct {
	Title, Version, Base string
	Intro                []string
	Groups               []docsGroup
	Events               []desk.EventType
	Problems             []codeBody
	Changes              []changeEntry
	Retiring             []deprecatedBody
}

type docsGroup struct {
	ID, Name   string
	Operations []docsOperation
}

type docsOperation struct {
	ID, Method, Path, Summary, Description, Scope, Statuses string
	Deprecated                                              bool
	Parameters, Body, Answer                                []docsMember
}

type docsMember struct {
	Name, Kind, Text string
	Required         bool
}

// registerDocs serves the page. It loads nothing from anywhere and runs no script.
func (s *server) registerDocs() {
	page := s.file("text/html; charset=utf-8", func() ([]byte, error) {
		var b bytes.Buffer
		err := docsPage.Execute(&b, s.docs())
		return b.Bytes(), err
	})
	s.route(http.MethodGet, docsPath, access{public: true}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		w.Header().Set("Referrer-Policy", "no-referrer")
		page(w, r)
	})
}

func (s *server) docs() docsView {
	doc := s.document()
	v := docsView{
		Title: doc.Info.Title, Version: doc.Info.Version, Base: s.base(), Intro: strings.Split(doc.Info.Description, "\n\n"),
		Events: eventTypes(), Changes: apiChanges, Retiring: s.retired(),
	}
	groups := map[string][]docsOperation{}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		item := doc.Paths[path]
		for _, op := range operations(item) {
			if len(op.Tags) > 0 {
				groups[op.Tags[0]] = append(groups[op.Tags[0]], docsOf(doc, op))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		id := strings.ToLower(strings.NewReplacer(" ", "-", ",", "").Replace(name))
		v.Groups = append(v.Groups, docsGroup{"group-" + id, name, groups[name]})
	}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		body, _ := explain(code)
		v.Problems = append(v.Problems, body)
	}
	return v
}

func docsOf(doc *huma.OpenAPI, op *huma.Operation) docsOperation {
	o := docsOperation{
		ID: op.OperationID, Method: op.Method, Path: op.Path, Summary: op.Summary, Description: op.Description, Deprecated: op.Deprecated,
		Statuses: strings.Join(slices.Sorted(maps.Keys(op.Responses)), ", "),
	}
	if scope, known := op.Extensions["x-required-scope"]; known {
		o.Scope = strings.Trim(fmt.Sprint(scope), "[]")
	}
	for _, p := range op.Parameters {
		o.Parameters = append(o.Parameters, docsMember{p.Name, docsKind(p.Schema), p.Description, p.Required})
	}
	if op.RequestBody != nil {
		o.Body = docsMembers(doc, op.RequestBody.Content)
	}
	for status, r := range op.Responses {
		if strings.HasPrefix(status, "2") && r.Content != nil {
			o.Answer = docsMembers(doc, r.Content)
		}
	}
	return o
}

// docsMembers lists the members of a body, and of the objects in it by dotted
// names.
func docsMembers(doc *huma.OpenAPI, content map[string]*huma.MediaType) []docsMember {
	media := content[mediaJSON]
	if media == nil {
		return nil
	}
	var list []docsMember
	listMembers(doc, media.Schema, "", 0, &list)
	return list
}

// docsDepth is how deep objects in objects are shown.
const docsDepth = 3

func listMembers(doc *huma.OpenAPI, s *huma.Schema, at string, depth int, list *[]docsMember) {
	s = resolved(doc, s)
	if s == nil || depth > docsDepth {
		return
	}
	if s.Type == huma.TypeArray {
		listMembers(doc, s.Items, strings.TrimSuffix(at, ".")+"[].", depth, list)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		member := resolved(doc, s.Properties[name])
		*list = append(*list, docsMember{at + name, docsKind(member), member.Description, slices.Contains(s.Required, name)})
		listMembers(doc, member, at+name+".", depth+1, list)
	}
}

func resolved(doc *huma.OpenAPI, s *huma.Schema) *huma.Schema {
	for s != nil && s.Ref != "" {
		s = doc.Components.Schemas.SchemaFromRef(s.Ref)
	}
	return s
}

// docsKind says in a word or two what a value is.
func docsKind(s *huma.Schema) string {
	if s == nil {
		return ""
	}
	kind := s.Type
	switch {
	case len(s.Enum) > 0:
		words := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			words[i] = fmt.Sprint(v)
		}
		kind = strings.Join(words, ", ")
	case s.Format != "":
		kind = s.Format
	}
	if s.Nullable {
		kind += ", or null"
	}
	return kind
}

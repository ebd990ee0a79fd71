package api

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
)

// What a member of a request has at most, where its own schema says nothing.
const (
	idLength   = 64
	textLength = 500
	exactWhole = 1<<53 - 1 // whole numbers beyond it are not the same to every reader of JSON
)

// boundRequests gives every text and every whole number of the JSON that
// operations take a bound where it has none, so that what was never meant to be so
// large is refused by its name.
func boundRequests(doc *huma.OpenAPI) {
	seen := map[*huma.Schema]bool{}
	for _, path := range doc.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Put, path.Patch, path.Delete} {
			if op == nil || op.RequestBody == nil {
				continue
			}
			if content := op.RequestBody.Content[mediaJSON]; content != nil {
				boundSchema(doc.Components.Schemas, content.Schema, "", seen)
			}
		}
	}
}

func boundSchema(schemas huma.Registry, s *huma.Schema, name string, seen map[*huma.Schema]bool) {
	for s != nil && s.Ref != "" {
		s = schemas.SchemaFromRef(s.Ref)
	}
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	switch s.Type {
	case huma.TypeInteger:
		boundWhole(s)
	case huma.TypeString:
		boundText(s, name)
	}
	boundSchema(schemas, s.Items, strings.TrimSuffix(name, "s"), seen)
	for member, of := range s.Properties {
		boundSchema(schemas, of, member, seen)
	}
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
		boundSchema(schemas, values, "", seen)
	}
	s.PrecomputeMessages()
}

func boundWhole(s *huma.Schema) {
	if s.Maximum == nil {
		s.Maximum = new(float64(exactWhole))
	}
	if s.Minimum == nil {
		s.Minimum = new(float64(-exactWhole))
	}
}

func boundText(s *huma.Schema, name string) {
	switch {
	case s.MaxLength != nil || s.Pattern != "" || s.Format != "" || len(s.Enum) > 0:
	case name == "id" || strings.HasSuffix(name, "_id"):
		s.MaxLength = new(idLength)
	default:
		s.MaxLength = new(textLength)
	}
}

// dateText is a date in the document.
type dateText struct{}

// Schema is that of a calendar date.
func (dateText) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date"}
}

// knowDates lets the document say of the hotel's dates what they are.
func knowDates(schemas huma.Registry) {
	schemas.RegisterTypeAlias(reflect.TypeFor[hotel.Date](), reflect.TypeFor[dateText]())
}

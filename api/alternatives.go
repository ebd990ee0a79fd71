package api

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// documentKey is where an operation's metadata has the document, whose schemas those of its
// body refer to.
const documentKey = "document"

// sharper says what keeps a value from the form that it was meant to have, where it may have
// one of several: of those with the value's JSON type there is one at the most that it can
// have been. huma says only that it has none of them, and so does this of the others.
func sharper(op *huma.Operation, detail *huma.ErrorDetail) []error {
	none := []error{detail}
	doc, known := op.Metadata[documentKey].(*huma.OpenAPI)
	if !known || op.RequestBody == nil || op.RequestBody.Content[mediaJSON] == nil {
		return none
	}
	s := schemaAt(doc, op.RequestBody.Content[mediaJSON].Schema, detail.Location)
	if s == nil {
		return none
	}
	var meant *huma.Schema
	for _, form := range s.OneOf {
		if form = resolved(doc, form); !hasType(form, detail.Value) || len(form.Enum) > 0 {
			continue // another word than those that may stand for a value was meant for something else
		}
		if meant != nil {
			return none
		}
		meant = form
	}
	if meant == nil {
		return none
	}
	at, found := huma.NewPathBuffer(nil, 0), &huma.ValidateResult{}
	at.Push(detail.Location)
	huma.Validate(doc.Components.Schemas, meant, at, huma.ModeWriteToServer, detail.Value, found)
	if len(found.Errors) == 0 {
		return none
	}
	return found.Errors
}

// schemaAt is the schema of what stands at huma's location body.a[0].b, nil if it is not known.
func schemaAt(doc *huma.OpenAPI, s *huma.Schema, location string) *huma.Schema {
	for step := range strings.SplitSeq(strings.ReplaceAll(strings.TrimPrefix(location, "body"), "[", "."), ".") {
		if s = resolved(doc, s); s == nil || step == "" {
			continue
		}
		under, named := s.Properties[step]
		switch {
		case named:
		case s.Items != nil:
			under = s.Items
		default:
			under, _ = s.AdditionalProperties.(*huma.Schema)
		}
		s = under
	}
	return resolved(doc, s)
}

// hasType reports whether a value is of a schema's JSON type.
func hasType(s *huma.Schema, v any) bool {
	switch v.(type) {
	case float64:
		return s.Type == huma.TypeNumber || s.Type == huma.TypeInteger
	case string:
		return s.Type == huma.TypeString
	case []any:
		return s.Type == huma.TypeArray
	case map[string]any:
		return s.Type == huma.TypeObject
	}
	return false
}

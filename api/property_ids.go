package api

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/internal/auth"
)

// everyProperty is how a request for access says that it is about all of them.
const everyProperty = "all"

// propertyIDs are the ids of properties in a request: a list of them, or a word for every
// one.
type propertyIDs []string

// UnmarshalJSON reads what the schema has let through.
func (p *propertyIDs) UnmarshalJSON(b []byte) error {
	var word string
	if json.Unmarshal(b, &word) == nil && word != "" {
		*p = propertyIDs{auth.AllProperties}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(p))
}

// Schema is that of the list, and of the words.
func (propertyIDs) Schema(huma.Registry) *huma.Schema {
	ids := &huma.Schema{Type: huma.TypeString, MaxLength: new(idLength)}
	list := &huma.Schema{Type: huma.TypeArray, Items: ids, MaxItems: new(1000)}
	word := &huma.Schema{Type: huma.TypeString, Enum: []any{auth.AllProperties, everyProperty}}
	for _, s := range []*huma.Schema{ids, list, word} {
		s.PrecomputeMessages()
	}
	return &huma.Schema{OneOf: []*huma.Schema{list, word}}
}

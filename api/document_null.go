package api

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// nullable says in the written document what may be null: in place of an object the
// members whose Go type is a pointer that is always written, and those that a request
// can take away; among listed values those that have null as a type; and whatever has
// no type. The schemas that requests are held against stay as they are: of a choice
// they could not say which member is wrong.
func nullable(doc *huma.OpenAPI, written map[string]any) error {
	components, _ := written["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	for name, s := range schemas {
		t := doc.Components.Schemas.TypeFromRef("#/components/schemas/" + name)
		if t == nil { // a merge patch has the members of what it changes
			t = doc.Components.Schemas.TypeFromRef("#/components/schemas/" + strings.TrimSuffix(name, "Patch"))
		}
		schema, ok := s.(map[string]any)
		if !ok {
			return fmt.Errorf("schema %s is not an object", name)
		}
		members, ok := schema["properties"].(map[string]any)
		if t == nil || !ok {
			continue
		}
		for _, member := range nullMembers(t) {
			if property, _ := members[member].(map[string]any); property["$ref"] != nil {
				members[member] = map[string]any{"anyOf": []any{property, map[string]any{"type": "null"}}}
			}
		}
	}
	for _, row := range []string{"ImportRow", "ImportCancel"} {
		leftOutIsNull(schemas[row])
	}
	spellNull(schemas)
	return nil
}

// leftOutIsNull says of every member that may be left out that it may be null, as in the
// rows of an import (see [dropNulls]).
func leftOutIsNull(v any) {
	schema, _ := v.(map[string]any)
	needed, _ := schema["required"].([]any)
	members, _ := schema["properties"].(map[string]any)
	for name, v := range members {
		member, _ := v.(map[string]any)
		if slices.Contains(needed, any(name)) || member == nil {
			continue
		}
		if t, single := member["type"].(string); single {
			member["type"] = []any{t, "null"}
		} else if member["$ref"] != nil {
			members[name] = map[string]any{"anyOf": []any{member, map[string]any{"type": "null"}}}
		}
	}
}

// spellNull says of every schema below a value what readers differ about: that null is
// one of the listed values where it is one of the types, and one of the types where
// none is named. Where one of several schemas holds, null is one of them.
func spellNull(v any) {
	switch v := v.(type) {
	case map[string]any:
		types, _ := v["type"].([]any)
		if choice, is := v["oneOf"].([]any); is && slices.Contains(types, any("null")) {
			v["oneOf"] = append(choice, map[string]any{"type": "null"})
			delete(v, "type")
		}
		values, listed := v["enum"].([]any)
		if listed && slices.Contains(types, any("null")) && !slices.Contains(values, nil) {
			v["enum"] = append(values, nil)
		}
		members, _ := v["properties"].(map[string]any)
		for _, member := range members {
			spellAny(member)
		}
		spellAny(v["additionalProperties"])
		for name, below := range v {
			if name != "example" && name != "examples" && name != "enum" {
				spellNull(below)
			}
		}
	case []any:
		for _, below := range v {
			spellNull(below)
		}
	}
}

// spellAny lists the types of a schema that has none.
func spellAny(v any) {
	schema, ok := v.(map[string]any)
	if !ok {
		return
	}
	for _, says := range []string{"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const", "not"} {
		if schema[says] != nil {
			return
		}
	}
	schema["type"] = []any{"array", "boolean", "null", "number", "object", "string"}
	schema["items"] = map[string]any{} // which some linters want beside array
}

// nullMembers lists the members of a struct that are null when there is nothing.
func nullMembers(t reflect.Type) (list []string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			list = append(list, nullMembers(f.Type)...)
			continue
		}
		pointer := f.Type.Kind() == reflect.Pointer && !strings.Contains(options, "omit")
		if pointer || strings.HasPrefix(f.Type.Name(), "optional[") {
			list = append(list, name)
		}
	}
	return list
}

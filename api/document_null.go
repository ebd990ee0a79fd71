package api

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// nullable says in the written document which members may be null in place of an
// object: those whose Go type is a pointer that is always written, and those that a
// request can take away. The schemas that requests are held against stay as they are:
// of a choice they could not say which member is wrong.
func nullable(doc *huma.OpenAPI, written map[string]any) error {
	components, _ := written["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	for name, s := range schemas {
		t := doc.Components.Schemas.TypeFromRef("#/components/schemas/" + name)
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
	return nil
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

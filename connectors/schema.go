package connectors

import (
	"encoding/json"
	"reflect"
)

// Schema returns the JSON Schema of a channel's settings: every key with its
// type and its default. Secrets are marked writeOnly and have no default.
func (r *Registered) Schema() json.RawMessage { return r.schema }

// schemaOf describes settings by their type and their defaults.
func schemaOf(defaults any) json.RawMessage {
	s := objectSchema(reflect.ValueOf(defaults))
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	raw, err := json.Marshal(s)
	if err != nil {
		panic("connectors: schema of settings: " + err.Error()) // defaults that cannot be written down
	}
	return raw
}

func objectSchema(v reflect.Value) map[string]any {
	properties := map[string]any{}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if key := jsonKey(field); key != "" && field.Tag.Get("operator") != "true" {
			properties[key] = fieldSchema(field, v.Field(i))
		}
	}
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
}

func fieldSchema(f reflect.StructField, v reflect.Value) map[string]any {
	if v.Kind() == reflect.Struct && !readsText(v) {
		return objectSchema(v)
	}
	s := typeSchema(f.Type)
	switch {
	case f.Tag.Get("secret") == "true":
		s["writeOnly"] = true
		s["description"] = `A secret, or the name of one of the configuration as "secret:NAME".`
	case !v.IsZero():
		s["default"] = v.Interface()
	}
	return s
}

func typeSchema(t reflect.Type) map[string]any {
	switch inWords(t) {
	case "text":
		return map[string]any{"type": "string"}
	case "true or false":
		return map[string]any{"type": "boolean"}
	case "a whole number":
		return map[string]any{"type": "integer"}
	}
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		return map[string]any{"type": "array", "items": typeSchema(t.Elem())}
	}
	return map[string]any{"type": "object"}
}

package api

import "ostler.example/hotel"

// schemaOfArguments writes what an option takes as a JSON schema.
func schemaOfArguments(list []hotel.Argument) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, a := range list {
		properties[a.Name] = schemaOfArgument(a)
		if a.Required {
			required = append(required, a.Name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

func schemaOfArgument(a hotel.Argument) map[string]any {
	s := map[string]any{}
	switch a.Type {
	case hotel.GroupArgument:
		s = schemaOfArguments(a.Members)
	case hotel.TextArgument:
		s["type"] = "string"
		if a.Words != nil {
			s["enum"] = a.Words
		}
	case hotel.WordsArgument:
		s["type"], s["minItems"], s["items"] = "array", 1, map[string]any{"type": "string", "enum": a.Words}
	case hotel.DateArgument:
		s["type"], s["format"] = "string", "date"
	case hotel.FlagArgument:
		s["type"] = "boolean"
	case hotel.NumberArgument:
		s["type"] = "integer"
		if a.Max > 0 {
			s["minimum"], s["maximum"] = a.Min, a.Max
		}
	case hotel.MoneyArgument:
		s["type"], s["required"], s["additionalProperties"] = "object", []string{"amount", "currency"}, false
		s["properties"] = map[string]any{"amount": map[string]any{"type": "string"}, "currency": map[string]any{"type": "string"}}
	}
	s["description"] = a.Doc
	return s
}

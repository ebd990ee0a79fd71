package api

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// exemplar makes an example of each body from its schema: one place, so that no
// example can be of something else than what is taken and answered.
type exemplar struct{ schemas huma.Registry }

// wholeTo is how deep an example has everything; below it has what it must have.
const wholeTo = 2

// show gives an operation's bodies their examples. A request has what it must have, or
// two members where nothing is a must; an answer has everything at its top.
func (e exemplar) show(op *huma.Operation) {
	if op.RequestBody != nil {
		for _, content := range op.RequestBody.Content {
			if s := e.resolve(content.Schema); s != nil && s.Type == huma.TypeObject {
				content.Example = e.request(s)
			}
		}
	}
	for status, r := range op.Responses {
		for media, content := range r.Content {
			switch {
			case content.Schema == nil || op.Path == "/openapi.json" || op.Path == "/openapi.yaml":
			case media == mediaProblem:
				content.Example = e.problem(status)
			case media == mediaJSON:
				content.Example = e.of(content.Schema, "", true, 0)
			}
		}
	}
}

func (e exemplar) resolve(s *huma.Schema) *huma.Schema {
	for s != nil && s.Ref != "" {
		s = e.schemas.SchemaFromRef(s.Ref)
	}
	return s
}

func (e exemplar) request(s *huma.Schema) any {
	out, ok := e.of(s, "", false, 0).(map[string]any)
	if !ok || len(out) > 0 {
		return out
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		of := e.resolve(s.Properties[name])
		if simple := of != nil && !of.ReadOnly && slices.Contains([]string{huma.TypeString, huma.TypeInteger, huma.TypeBoolean}, of.Type); simple && len(out) < 2 {
			out[name] = e.of(of, name, false, 0)
		}
	}
	return out
}

// problem is an example of what goes wrong with a status.
func (e exemplar) problem(status string) any {
	number, err := strconv.Atoi(status)
	known := codesByStatus()[number]
	if err != nil || len(known) == 0 {
		return nil
	}
	code := known[0]
	if slices.Contains(known, codeInvalid) {
		code = codeInvalid
	}
	info := codes[code]
	out := map[string]any{
		"type": cmp.Or(info.uri, "https://hotel.example/v1/problems/"+code), "title": info.title, "status": info.status, "detail": info.meaning,
		"instance": prefix + "/reservations", "code": code, "request_id": "req_01M7ZK3V9DEK4S5TB8RJ0G2QXA",
	}
	if code == codeInvalid {
		out["errors"] = []any{map[string]any{"pointer": "/check_out", "code": "date_order", "detail": itemCodes["date_order"]}}
	}
	return out
}

// of is an example of a value: whole as it is answered, else as it is sent.
func (e exemplar) of(s *huma.Schema, name string, whole bool, depth int) any {
	if s = e.resolve(s); s == nil {
		return map[string]any{}
	}
	switch {
	case len(s.Examples) > 0:
		return s.Examples[0]
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.OneOf) > 0:
		return e.of(s.OneOf[0], name, whole, depth)
	case len(s.AnyOf) > 0:
		return e.of(s.AnyOf[0], name, whole, depth)
	}
	switch s.Type {
	case huma.TypeBoolean:
		return true
	case huma.TypeInteger, huma.TypeNumber:
		return exampleNumber(s)
	case huma.TypeArray:
		return []any{e.of(s.Items, strings.TrimSuffix(name, "s"), whole, depth+1)}
	case huma.TypeObject:
		return e.object(s, whole, depth+1)
	case huma.TypeString:
		return exampleText(s, name)
	}
	return map[string]any{}
}

func exampleNumber(s *huma.Schema) any {
	n := 1.0
	if s.Minimum != nil {
		n = max(n, *s.Minimum)
	}
	if s.Maximum != nil {
		n = min(n, *s.Maximum)
	}
	return int64(n)
}

func (e exemplar) object(s *huma.Schema, whole bool, depth int) any {
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		of := e.resolve(s.Properties[name])
		if whole && depth <= wholeTo && (of == nil || !of.WriteOnly) || slices.Contains(s.Required, name) && (of == nil || whole || !of.ReadOnly) {
			out[name] = e.of(s.Properties[name], name, whole, depth)
		}
	}
	if more, ok := s.AdditionalProperties.(*huma.Schema); ok && (whole && depth <= wholeTo || len(out) == 0) {
		out["2"] = e.of(more, "", whole, depth)
	}
	return out
}

// exampleTexts are what members are called by in examples.
var exampleTexts = map[string]string{
	"property_id": "hotel_123", "name": "Zur Post", "code": "standard", "first_name": "Ada", "last_name": "Lovelace", "email": "ada@example.com",
	"phone": "+49301234567", "time_zone": "Europe/Berlin", "currency": "EUR", "country": "DE", "language": "de", "url": "https://pms.example/hooks",
	"check_in": "2026-12-01", "check_out": "2026-12-03", "date_from": "2026-12-01", "date_to": "2026-12-07", "date": "2026-12-01",
	"account": "front desk", "connector": "mock", "remote_room": "DBL", "remote_rate": "FLEX",
}

// prefixes are those of the ids that members have.
var idPrefixes = map[string]string{
	"room_type_id": "rt", "rate_plan_id": "rp", "pool_id": "pl", "reservation_id": "res", "guest_id": "gst", "group_id": "grp", "block_id": "blk",
	"channel_id": "ch", "client_id": "cli", "endpoint_id": "we", "event_id": "evt", "request_id": "req",
}

// exampleText is a text that its schema lets through.
func exampleText(s *huma.Schema, name string) string {
	candidates := []string{exampleTexts[name]}
	if prefix := idPrefixes[name]; prefix != "" {
		candidates = append(candidates, prefix+"_01M7ZK3V9DEK4S5TB8RJ0G2QXA")
	}
	switch s.Format {
	case "date":
		candidates = append(candidates, "2026-12-01")
	case "date-time":
		candidates = append(candidates, "2026-12-01T10:00:00.000Z")
	case "uri":
		candidates = append(candidates, "https://hotel.example/v1/")
	case "email":
		candidates = append(candidates, "ada@example.com")
	}
	candidates = append(candidates, "text", "17:30", "1", "EUR", "DE", "#00ff00", "id_1", "100.00", strings.Repeat("a", 32))
	for _, text := range candidates {
		if text != "" && fits(s, text) {
			return text
		}
	}
	return ""
}

func fits(s *huma.Schema, text string) bool {
	if s.MinLength != nil && len(text) < *s.MinLength || s.MaxLength != nil && len(text) > *s.MaxLength {
		return false
	}
	if s.Format == "date" && len(text) != len("2026-12-01") || s.Format == "date-time" && !strings.Contains(text, "T") {
		return false
	}
	if s.Pattern == "" {
		return true
	}
	ok, err := regexp.MatchString(s.Pattern, text)
	return ok && err == nil
}

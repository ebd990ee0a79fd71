package api

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
)

// wrongValue is a value that a schema forbids, and how that is to be told.
type wrongValue struct {
	name  string
	value any
	codes string
}

// tooLong is how a text that nobody meant may be refused.
const tooLong = "length pattern format enum unknown_room_type"

// wrongValues lists what each rule of a schema forbids.
func wrongValues(s *huma.Schema) []wrongValue {
	var list []wrongValue
	add := func(name string, value any, codes string) { list = append(list, wrongValue{name, value, codes}) }
	switch s.Type {
	case "string":
		add("a number", 7, "type format")
		add("an endless text", strings.Repeat("x", 100_000), tooLong)
	case "integer":
		add("a text", "x", "type")
		add("a fraction", 1.5, "type")
		add("beyond any number", json.Number("1"+strings.Repeat("0", 30)), "max type")
	case "number", "boolean", "array", "object":
		add("a text", "x", "type")
	}
	if s.Minimum != nil {
		add("below the least", *s.Minimum-1, "min")
	}
	if s.Maximum != nil {
		add("above the most", *s.Maximum+1, "max")
	}
	if s.MaxLength != nil {
		add("too long", strings.Repeat("x", *s.MaxLength+1), tooLong)
	}
	if s.MinLength != nil && *s.MinLength > 0 {
		add("too short", "", "length pattern")
	}
	if s.Pattern != "" {
		add("without its form", "§", "pattern")
	}
	if len(s.Enum) > 0 && s.Type == "string" {
		add("none of its values", "no such value", "enum")
	}
	if s.Format != "" && s.Type == "string" {
		add("no "+s.Format, "§", "format")
	}
	return list
}

// oddValues lists what a schema allows and sense may not.
func oddValues(s *huma.Schema) []any {
	switch {
	case s.Type == "integer":
		return []any{*s.Minimum, *s.Maximum}
	case s.Type == "string" && s.Format == "date":
		return []any{"0001-01-01", "9999-12-31"}
	case s.Type == "string" && s.Pattern == "" && len(s.Enum) == 0:
		return []any{"", "§", "\u0000"}
	}
	return nil
}

func fitsPattern(pattern, text string) bool { return regexp.MustCompile(pattern).MatchString(text) }

// Every member of every body, with every value that its schema forbids: the answer
// names the member and says what is wrong by a code of the list. The same when a
// member is missing, and when there is one that nobody knows.
func TestBadInputHasItsCode(t *testing.T) {
	h := newBusyHouse(t)
	for _, op := range h.operations {
		if op.media != mediaJSON {
			continue // OAuth has codes of its own, and a merge patch is taken as JSON too
		}
		if strings.HasPrefix(op.id, "import-") {
			continue // what is wrong with a row is told beside it
		}
		t.Run(op.id, func(t *testing.T) {
			h.t = t
			h.spoil(t, op, op.schema, nil)
		})
	}
}

// spoil walks through the members of a body and sends each of them spoilt, beside
// those that the body cannot do without.
func (h *busyHouse) spoil(t *testing.T, op bodyOperation, s *huma.Schema, at []string) {
	t.Helper()
	if s = h.resolve(s); s.ReadOnly {
		h.refused(t, op, at, "set by the server", h.sample(s, "", true), "read_only")
		return
	}
	for _, w := range wrongValues(s) {
		if len(at) > 0 {
			h.refused(t, op, at, w.name, w.value, w.codes)
		}
	}
	for _, odd := range oddValues(s) {
		body := text(h.with(op.schema, at, odd))
		h.known(t, op, body, h.send(op, body))
	}
	switch s.Type {
	case "array":
		if s.MaxItems != nil {
			h.refused(t, op, at, "too many", slices.Repeat([]any{h.sample(s.Items, "", false)}, *s.MaxItems+1), "length")
		}
		h.spoil(t, op, s.Items, append(slices.Clip(at), "0"))
	case "object":
		if s.AdditionalProperties == false {
			h.refused(t, op, append(slices.Clip(at), "no/such~member"), "an unknown member", 1, "unknown_field")
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			member := append(slices.Clip(at), name)
			if slices.Contains(s.Required, name) && !h.resolve(s.Properties[name]).ReadOnly {
				h.refused(t, op, member, "missing", nil, "required")
			}
			h.spoil(t, op, s.Properties[name], member)
		}
		if more, ok := s.AdditionalProperties.(*huma.Schema); ok {
			h.spoil(t, op, more, append(slices.Clip(at), "2"))
		}
	}
}

// refused sends a body whose member at a place has a value, and expects an item of
// one of the codes that points there.
func (h *busyHouse) refused(t *testing.T, op bodyOperation, at []string, name string, value any, codes string) {
	t.Helper()
	r := h.send(op, text(h.with(op.schema, at, value)))
	want := ""
	for _, part := range at {
		want += "/" + hotel.PointerPart(part)
	}
	if want == "/property_id" && r.code() == "property_not_found" {
		return
	}
	var p problem
	if err := json.Unmarshal(r.body, &p); err != nil {
		t.Fatal(err)
	}
	for _, i := range p.Errors {
		if r.code() == codeInvalid && i.Pointer == want && slices.Contains(strings.Fields(codes), i.Code) {
			return
		}
	}
	t.Errorf("%s, %s: %d %s, want %s", want, name, r.StatusCode, short(r.body), codes)
}

// with is the least that a schema allows, but for one member.
func (h *busyHouse) with(s *huma.Schema, at []string, value any) any {
	if len(at) == 0 {
		return value
	}
	s = h.resolve(s)
	if s.Type == "array" {
		return []any{h.with(s.Items, at[1:], value)}
	}
	body := h.object(s, false)
	member := s.Properties[at[0]]
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok && member == nil {
		member = values
	}
	if body[at[0]] = h.with(member, at[1:], value); value == nil && len(at) == 1 {
		delete(body, at[0])
	}
	return body
}

func short(b []byte) string { return string(b[:min(len(b), 900)]) }

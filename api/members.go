package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
)

// Resources of which a house is made are the same JSON here and in package
// hotel, so that bodies are read into the hotel's own types. The shapes with the
// words of the document are the bodies that are answered: B below.

// written is the body of a request that makes a resource.
type written[B any] struct{ raw json.RawMessage }

// UnmarshalJSON keeps the body, which the schema has let through.
func (w *written[B]) UnmarshalJSON(b []byte) error {
	w.raw = slices.Clone(b)
	return nil
}

// Schema is that of the body that is answered.
func (written[B]) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[B](), true, "")
}

// patched is a merge patch of a resource (RFC 7396).
type patched[B any] struct{ written[B] }

// Schema is that of the body that is answered, with every member optional and
// null for what is to be cleared.
func (patched[B]) Schema(r huma.Registry) *huma.Schema {
	return patchOf(r, r.Schema(reflect.TypeFor[B](), true, ""))
}

// patchOf returns the schema of a merge patch of what the schema describes. A
// list is replaced as a whole, and so its entries are what they were.
func patchOf(r huma.Registry, s *huma.Schema) *huma.Schema {
	if s.Ref == "" {
		next := *s
		next.Nullable = true
		if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
			next.AdditionalProperties = clearable(r, values)
		}
		return &next
	}
	of := r.SchemaFromRef(s.Ref)
	if of.Type != huma.TypeObject {
		return s
	}
	name := s.Ref[strings.LastIndexByte(s.Ref, '/')+1:] + "Patch"
	ref := &huma.Schema{Ref: strings.TrimSuffix(s.Ref, name[:len(name)-len("Patch")]) + name}
	if r.Map()[name] != nil {
		return ref
	}
	next := *of
	next.Required = nil
	next.Properties = maps.Clone(of.Properties)
	r.Map()[name] = &next
	for member, schema := range next.Properties {
		next.Properties[member] = clearable(r, schema)
	}
	next.PrecomputeMessages()
	return ref
}

// clearable returns the schema of a member in a merge patch, of what the schema describes:
// null takes it away, an object too.
func clearable(r huma.Registry, s *huma.Schema) *huma.Schema {
	of := patchOf(r, s)
	if of.Ref != s.Ref {
		r.SchemaFromRef(of.Ref).Nullable = true
	}
	return of
}

// read reads a body into a new resource. Members that the server sets must not
// be in it.
func read[R, B any](w written[B], allowed ...string) (R, error) {
	var r R
	if err := check[B](w.raw, allowed...); err != nil {
		return r, err
	}
	return r, decode(w.raw, &r)
}

// change makes a patch into a change of a stored resource. It is laid over the
// resource where that is stored, so that it meets what is there by then.
func change[R, B any](p patched[B], ifRevision int64) (hotel.Change[R], error) {
	if err := check[B](p.raw); err != nil {
		return hotel.Change[R]{}, err
	}
	var patch any
	if err := decode(p.raw, &patch); err != nil {
		return hotel.Change[R]{}, err
	}
	if err := cleared[B](patch); err != nil {
		return hotel.Change[R]{}, err
	}
	return hotel.Change[R]{IfRevision: ifRevision, Apply: func(r *R) error {
		whole, err := laidOver(r, patch)
		if err != nil {
			return err
		}
		merged, err := json.Marshal(whole)
		if err != nil {
			return err
		}
		var next R
		if err := decode(merged, &next); err != nil {
			return err
		}
		*r = next
		return nil
	}}, nil
}

// cleared refuses a patch that clears what a resource cannot be without: what a new
// one needs, and what has the tag `clear:"false"`.
func cleared[B any](patch any) error {
	members, _ := patch.(map[string]any)
	for _, f := range reflect.VisibleFields(reflect.TypeFor[B]()) {
		name, more, _ := strings.Cut(f.Tag.Get("json"), ",")
		value, sent := members[name]
		needed := more == "" && name != "" && f.Tag.Get("required") != "false" || f.Tag.Get("clear") == "false"
		if sent && value == nil && needed {
			return hotel.Invalid("/"+name, "required", "cannot be cleared")
		}
	}
	return nil
}

// laidOver lays a merge patch over what is stored, as that is written in JSON.
func laidOver(now, patch any) (any, error) {
	raw, err := json.Marshal(now)
	if err != nil {
		return nil, err
	}
	var whole any
	if err := json.Unmarshal(raw, &whole); err != nil {
		return nil, err
	}
	return mergePatch(whole, patch), nil
}

// mergePatch lays a merge patch over a value.
func mergePatch(whole, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	members, ok := whole.(map[string]any)
	if !ok {
		members = map[string]any{}
	}
	for name, value := range changes {
		if value == nil {
			delete(members, name)
		} else {
			members[name] = mergePatch(members[name], value)
		}
	}
	return members
}

// fixed lists the members of a body that are set once: the server's own, and
// what a resource is and where it belongs.
func fixed[B any]() []string {
	names := []string{"id", "property_id"}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[B]()) {
		if f.Tag.Get("readOnly") == "true" {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	return names
}

// check looks at what a schema cannot say: at members that are not the sender's
// to set, and at amounts.
func check[B any](raw []byte, allowed ...string) error {
	var body map[string]any
	if err := decode(raw, &body); err != nil {
		return err
	}
	var items []hotel.RefusedItem
	for _, name := range fixed[B]() {
		if _, sent := body[name]; sent && !slices.Contains(allowed, name) {
			items = append(items, hotel.RefusedItem{Pointer: "/" + name, Code: "read_only", Detail: "is not to be set here"})
		}
	}
	items = amounts(items, body, "")
	if len(items) == 0 {
		return nil
	}
	refusal := hotel.Refuse(codeInvalid, "%s %s", strings.TrimPrefix(items[0].Pointer, "/"), items[0].Detail)
	refusal.Items = items[:min(len(items), maxItems)]
	return refusal
}

// amounts looks for money that its currency does not have.
func amounts(items []hotel.RefusedItem, v any, at string) []hotel.RefusedItem {
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			items = amounts(items, e, at+"/"+strconv.Itoa(i))
		}
	case map[string]any:
		amount, isAmount := v["amount"].(string)
		currency, isMoney := v["currency"].(string)
		if isAmount && isMoney {
			if _, err := (money{amount, currency}).read(at); err != nil {
				if r, ok := errors.AsType[*hotel.Refusal](err); ok {
					items = append(items, r.Items...)
				}
			}
			return items
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			items = amounts(items, v[name], at+"/"+hotel.PointerPart(name))
		}
	}
	return items
}

// decode reads JSON. Numbers that do not fit their member are refused here, as a
// schema takes any whole number for one.
func decode(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	err := d.Decode(into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return hotel.Invalid("/"+strings.ReplaceAll(wrong.Field, ".", "/"), "type", "cannot be read as what it stands for")
	}
	return err
}

// body writes a resource in the shape of the document.
func body[B, R any](r R) B {
	var b B
	raw, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(raw, &b)
	}
	if err != nil {
		panic("api: a resource does not fit its body: " + err.Error()) // a test tries them all
	}
	return b
}

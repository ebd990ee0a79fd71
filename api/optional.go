package api

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
)

// optional is a member that may be left out, null, or a value: in bulk updates
// and patches the three mean different things.
type optional[V any] struct {
	hotel.Optional[V]
}

// UnmarshalJSON reads a member that is there.
func (o *optional[V]) UnmarshalJSON(b []byte) error {
	o.Set = true
	if string(b) == "null" {
		o.Null = true
		return nil
	}
	return json.Unmarshal(b, &o.Value)
}

// Schema is that of the value. null is let through: huma takes it for a member
// that is left out, and of an object a schema can say it only in ways that would
// keep huma from looking inside.
func (o optional[V]) Schema(r huma.Registry) *huma.Schema {
	s := r.Schema(reflect.TypeFor[V](), true, "")
	s.Nullable = s.Ref == ""
	return s
}

// pointer is nil for a member that is left out, or null.
func (o optional[V]) pointer() *V {
	if !o.Set || o.Null {
		return nil
	}
	return &o.Value
}

// orZero is pointer, but null clears: it stands for the zero value.
func (o optional[V]) orZero() *V {
	if !o.Set {
		return nil
	}
	return &o.Value
}

// member is one that a patch names: null says that it is to be cleared.
type member struct {
	name string
	null bool
}

// keep refuses a patch that clears what cannot be without a value.
func keep(members ...member) error {
	for _, m := range members {
		if m.null {
			return hotel.Invalid("/"+m.name, "required", "cannot be cleared")
		}
	}
	return nil
}

package api

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
)

// laid is an object in a merge patch (RFC 7396): it is laid over the one that there is,
// member by member, and null takes it away.
type laid[B any] struct {
	Set   bool
	patch any
}

// UnmarshalJSON keeps a member that is there.
func (l *laid[B]) UnmarshalJSON(b []byte) error {
	l.Set = true
	return json.Unmarshal(b, &l.patch)
}

// Schema is that of the object, with every member optional and null for what is to be
// taken away.
func (laid[B]) Schema(r huma.Registry) *huma.Schema {
	return clearable(r, r.Schema(reflect.TypeFor[B](), true, ""))
}

// over lays it over what a channel has under a name. What comes of it must be whole: only
// then can be said what is missing.
func (l laid[B]) over(r huma.Registry, name string, now *B) (*B, error) {
	if !l.Set {
		return now, nil
	}
	if l.patch == nil {
		return nil, nil
	}
	whole, err := laidOver(now, l.patch)
	if err != nil {
		return nil, err
	}
	path, found := huma.NewPathBuffer(nil, 0), &huma.ValidateResult{}
	path.Push("body")
	path.Push(name)
	huma.Validate(r, r.Schema(reflect.TypeFor[B](), true, ""), path, huma.ModeWriteToServer, forLocations(whole), found)
	if len(found.Errors) > 0 {
		refusal := hotel.Refuse(codeInvalid, "%s cannot be meant so", name)
		for _, err := range found.Errors {
			it := itemOf(err)
			refusal.Items = append(refusal.Items, hotel.RefusedItem{Pointer: it.Pointer, Code: it.Code, Detail: it.Detail})
		}
		return nil, refusal
	}
	raw, err := json.Marshal(whole)
	if err != nil {
		return nil, err
	}
	next := new(B)
	return next, decode(raw, next)
}

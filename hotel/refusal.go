package hotel

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Refusal is a request that cannot be done, in words its sender can act on. Its
// code is stable and is one of those that the API lists; package api decides
// which HTTP status it has.
type Refusal struct {
	Code    string         `json:"code"`
	Detail  string         `json:"detail"`
	Items   []RefusedItem  `json:"items,omitempty"`   // what is wrong, member by member
	Members map[string]any `json:"members,omitempty"` // facts that go with the code, such as nights

	Replayed bool `json:"-"` // it was given before, to the same request
}

// RefusedItem is one fault of a request.
type RefusedItem struct {
	Pointer string `json:"pointer"` // RFC 6901, into the body: /check_out
	Code    string `json:"code"`
	Detail  string `json:"detail"`
}

// Error returns the code and the detail.
func (r *Refusal) Error() string { return r.Code + ": " + r.Detail }

// Refuse makes a refusal.
func Refuse(code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Invalid makes a refusal of one member of the request.
func Invalid(pointer, code, format string, args ...any) *Refusal {
	detail := fmt.Sprintf(format, args...)
	return &Refusal{Code: "validation_failed", Detail: detail, Items: []RefusedItem{{pointer, code, detail}}}
}

// Within says in which part of a request a refusal lies: the pointers of its items
// continue the part's, which is a member of its own. Other errors pass through.
func Within(err error, part string) error {
	r, ok := errors.AsType[*Refusal](err)
	if !ok {
		return err
	}
	inside := *r
	inside.Items = slices.Clone(r.Items)
	for i := range inside.Items {
		inside.Items[i].Pointer = part + inside.Items[i].Pointer
	}
	inside.Members = maps.Clone(r.Members)
	if inside.Members == nil {
		inside.Members = map[string]any{}
	}
	inside.Members["pointer"] = part
	return &inside
}

package hotel

import (
	"errors"
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

	phrase Phrase
}

// RefusedItem is one fault of a request.
type RefusedItem struct {
	Pointer string `json:"pointer"` // RFC 6901, into the body: /check_out
	Code    string `json:"code"`
	Detail  string `json:"detail"`

	phrase Phrase
}

// Error returns the code and the detail.
func (r *Refusal) Error() string { return r.Code + ": " + r.Detail }

// String returns the detail.
func (i RefusedItem) String() string { return i.Detail }

// Said is of what the detail is made; nothing, where it was read back from a store.
func (r *Refusal) Said() (format string, args []any) { return r.phrase.Said() }

// Said is of what the detail is made; nothing, where it was read back from a store.
func (i RefusedItem) Said() (format string, args []any) { return i.phrase.Said() }

// Refuse makes a refusal. An argument that has a Said of its own is what is said inside
// the sentence, and can be said in another language, too.
func Refuse(code, format string, args ...any) *Refusal {
	said := Say(format, args...)
	return &Refusal{Code: code, Detail: said.String(), phrase: said}
}

// Invalid makes a refusal of one member of the request.
func Invalid(pointer, code, format string, args ...any) *Refusal {
	return InvalidItems([]RefusedItem{Wrong(pointer, code, format, args...)})
}

// At is what the refusal says, as the fault of one member of a request.
func (r *Refusal) At(pointer string) RefusedItem {
	return RefusedItem{pointer, r.Code, r.Detail, r.phrase}
}

// InvalidItems makes a refusal of members of the request, which says the first in its detail.
func InvalidItems(items []RefusedItem) *Refusal {
	return &Refusal{Code: "validation_failed", Detail: items[0].Detail, Items: items, phrase: items[0].phrase}
}

// Wrong makes the fault of one member of a request.
func Wrong(pointer, code, format string, args ...any) RefusedItem {
	said := Say(format, args...)
	return RefusedItem{Pointer: pointer, Code: code, Detail: said.String(), phrase: said}
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

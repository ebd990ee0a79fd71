package api

import (
	"reflect"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// shownKey is where an operation's metadata has the type of its answer's body.
const shownKey = "shown"

// cellKey is where the metadata of a bulk update has the type of the cells that it writes:
// its answer shows none.
const cellKey = "cell"

// cellMember is before the name of a member of a cell in a bulk update.
var cellMember = regexp.MustCompile(`^/entries/[0-9]+/values/`)

// setByServer is what is wrong with sending a member that an answer shows.
const setByServer = "is set by the server"

// shown is the type of an answer's body, nil where it has none.
func shown[O any]() reflect.Type {
	body, ok := reflect.TypeFor[O]().FieldByName("Body")
	if !ok {
		return nil
	}
	return body.Type
}

// hasMember reports whether a body of a type has the member that a JSON pointer names.
func hasMember(t reflect.Type, pointer string) bool {
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if t = memberOf(t, step); t == nil {
			return false
		}
	}
	return true
}

// memberOf is the type of a member of an object, or of an entry of a list; nil where
// there is none.
func memberOf(t reflect.Type, name string) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == nil:
		return nil
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		return t.Elem()
	case t.Kind() != reflect.Struct:
		return nil
	}
	for f := range t.Fields() {
		called, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if called == name {
			return f.Type
		}
		if called == "" && f.Anonymous {
			if in := memberOf(f.Type, name); in != nil {
				return in
			}
		}
	}
	return nil
}

// markReadOnly tells a member that the server sets from one that nobody knows: a
// client that sends back what it was shown learns which of it is not its own.
func markReadOnly(op *huma.Operation, items []item) {
	body, _ := op.Metadata[shownKey].(reflect.Type)
	cell, _ := op.Metadata[cellKey].(reflect.Type)
	for i := range items {
		at := items[i].Pointer
		if items[i].Code != "unknown_field" || !strings.HasPrefix(at, "/") {
			continue
		}
		if hasMember(body, at) || cellMember.MatchString(at) && hasMember(cell, cellMember.ReplaceAllString(at, "/")) {
			items[i].Code, items[i].Detail = "read_only", setByServer
		}
	}
}

package api

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// shownKey is where an operation's metadata has the members that its answer shows.
const shownKey = "shown"

// shown lists the members of an answer's body by name, as far as it is an object.
func shown[O any]() map[string]bool {
	names := map[string]bool{}
	if body, ok := reflect.TypeFor[O]().FieldByName("Body"); ok {
		addMembers(names, body.Type)
	}
	return names
}

func addMembers(names map[string]bool, t reflect.Type) {
	if t.Kind() != reflect.Struct {
		return
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name != "" && name != "-":
			names[name] = true
		case f.Anonymous:
			addMembers(names, f.Type)
		}
	}
}

// markReadOnly tells a member that the server sets from one that nobody knows: a
// client that sends back what it was shown learns which of it is not its own.
func markReadOnly(op *huma.Operation, items []item) {
	names, _ := op.Metadata[shownKey].(map[string]bool)
	for i := range items {
		name, inBody := strings.CutPrefix(items[i].Pointer, "/")
		if items[i].Code == "unknown_field" && inBody && names[name] {
			items[i].Code, items[i].Detail = "read_only", "is set by the server"
		}
	}
}

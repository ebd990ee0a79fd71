package api

import "strings"

// huma writes down where it is in a body as body.a[0].b, and finds its way back by the last
// dot or bracket: a member whose own name has one leaves it lost, and everything after it
// is told of another place. So names are written with letters that no name has, for
// validation alone, and are put back where a pointer is made.

// Runes for private use stand for what has a meaning in a location, and for no name at all;
// the last of them marks one that was sent.
const (
	nameless = "\ue004"
	asSent   = "\ue005"

	privateByte = 0xee // with which they begin
)

var (
	inLocation  = strings.NewReplacer(".", "\ue001", "[", "\ue002", "]", "\ue003", "\ue001", asSent+"\ue001", "\ue002", asSent+"\ue002", "\ue003", asSent+"\ue003", nameless, asSent+nameless, asSent, asSent+asSent)
	outLocation = strings.NewReplacer(asSent+"\ue001", "\ue001", asSent+"\ue002", "\ue002", asSent+"\ue003", "\ue003", asSent+nameless, nameless, asSent+asSent, asSent, nameless, "", "\ue001", ".", "\ue002", "[", "\ue003", "]")
)

// oddName reports whether a name cannot stand in a location as it is.
func oddName[Name []byte | string](name Name) bool {
	if len(name) == 0 {
		return true
	}
	for i := range len(name) {
		switch name[i] {
		case '.', '[', ']', privateByte:
			return true
		}
	}
	return false
}

func locationName(name string) string {
	if name == "" {
		return nameless
	}
	return inLocation.Replace(name)
}

// forLocations copies what was read from JSON, with names that can stand in locations.
func forLocations(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, value := range v {
			if oddName(name) {
				name = locationName(name)
			}
			out[name] = forLocations(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = forLocations(v[i])
		}
		return out
	}
	return v
}

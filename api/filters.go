package api

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/desk"
)

// The values that filters of lists take, where the program knows them all. A value that
// is none of them is refused: an empty list would say that there was nothing.
type (
	eventTypeFilter    string // a public type, a group of them, or *
	deliveredType      string // what a webhook is called with
	conflictKindFilter string
)

var _, _, _ huma.SchemaProvider = eventTypeFilter(""), deliveredType(""), conflictKindFilter("")

// Schema names the types, and the groups behind them.
func (eventTypeFilter) Schema(huma.Registry) *huma.Schema {
	var names, groups []string
	for _, t := range eventTypes() {
		names = append(names, t.Name)
		if group := desk.EventGroup(t.Name) + ".*"; !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	}
	names = append(names, groups...)
	return oneOf(append(names, "*"))
}

// Schema names the types.
func (deliveredType) Schema(huma.Registry) *huma.Schema {
	names := []string{desk.WebhookPing}
	for _, t := range eventTypes() {
		names = append(names, t.Name)
	}
	return oneOf(names)
}

// Schema names the kinds.
func (conflictKindFilter) Schema(huma.Registry) *huma.Schema { return oneOf(hotel.ConflictKinds()) }

// oneOf is a text that is one of several.
func oneOf[T ~string](values []T) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

// withStatus keeps the resources that have one of the statuses, all when none is
// named.
func withStatus[R any](all []R, statuses []string, of func(R) hotel.Status) []R {
	if len(statuses) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(r R) bool { return !slices.Contains(statuses, string(of(r))) })
}

// several are the values of a filter that lets through what has one of several.
func several[T, S ~string](values []S) []T {
	list := make([]T, len(values))
	for i, v := range values {
		list[i] = T(v)
	}
	return list
}

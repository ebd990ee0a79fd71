package config

import (
	"maps"
	"reflect"
	"slices"
)

// Changed lists the keys whose values differ between two configurations: those
// that a running program takes over, and those that wait for its next start.
func Changed(from, to Config) (live, later []string) {
	for _, k := range keys {
		switch {
		case reflect.DeepEqual(k.of(from), k.of(to)):
		case k.live && (k.only == nil || k.only(from, to)):
			live = append(live, k.path)
		default:
			later = append(later, k.path)
		}
	}
	live = append(live, differing("rate_limits.tiers", from.RateLimits.Tiers, to.RateLimits.Tiers)...)
	live = append(live, differing("secrets", from.Secrets, to.Secrets)...)
	later = append(later, differing(connectorTables, from.Connectors, to.Connectors)...)
	return live, later
}

// differing lists the entries of a table that are not the same in both.
func differing[V any](table string, from, to map[string]V) []string {
	both := maps.Clone(from)
	maps.Copy(both, to)
	var paths []string
	for _, name := range slices.Sorted(maps.Keys(both)) {
		was, before := from[name]
		is, after := to[name]
		if before != after || !reflect.DeepEqual(was, is) {
			paths = append(paths, table+"."+name)
		}
	}
	return paths
}

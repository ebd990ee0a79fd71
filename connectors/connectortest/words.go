package connectortest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// mostNamed is how many values that are wrong in the same way are named; the others are
// counted.
const mostNamed = 3

// several says of things that are wrong in the same way which they are.
func several(names []string) string {
	if n := len(names) - mostNamed; n > 0 {
		return fmt.Sprintf("%s; and %d more", strings.Join(names[:mostNamed], "; "), n)
	}
	return strings.Join(names, "; ")
}

// named says what a key is of, as people say it.
func named(k connectors.Key) string {
	of := fmt.Sprintf("%s of %s", k.Group, k.Room)
	if k.Rate != "" {
		of += " at " + k.Rate
	}
	if k.Occupancy > 0 {
		of += fmt.Sprintf(" for %d guests", k.Occupancy)
	}
	return of + " on " + k.Night.String()
}

// differs says how what is there for a change is not what was told; false: nothing is.
func differs(c connectors.Change, got hotel.Offer, there bool) string {
	is := "nothing"
	if there {
		is = said(got, c.Key.Group)
	}
	return fmt.Sprintf("%s is %s, want %s", named(c.Key), is, said(c.Offer, c.Key.Group))
}

// fared is an outcome in words.
func fared(o connectors.Outcome) string {
	switch o {
	case connectors.Applied:
		return "applied"
	case connectors.Rejected:
		return "rejected"
	case connectors.Unknown:
	}
	return "unknown"
}

// noted are the fields of a line of the log.
func noted(fields map[string]any) string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		fmt.Fprintf(&out, ", %s: %v", name, fields[name])
	}
	return out.String()
}

// said is what an offer says in a group.
func said(o hotel.Offer, g hotel.Group) string {
	var parts []string
	add := func(is bool, format string, args ...any) {
		if is {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	l := o.Lengths
	switch g {
	case hotel.Availability:
		return fmt.Sprintf("%d rooms", o.Available)
	case hotel.Price:
		return o.Amount.String()
	case hotel.Closures:
		add(o.Closed.Closed, "closed")
		add(o.Closed.Arrival, "closed to arrival")
		add(o.Closed.Departure, "closed to departure")
	case hotel.Lengths:
		add(l.MinStayArrival != 0, "min_stay_arrival %d", l.MinStayArrival)
		add(l.MinStayThrough != 0, "min_stay_through %d", l.MinStayThrough)
		add(l.MaxStayArrival != 0, "max_stay_arrival %d", l.MaxStayArrival)
		add(l.MaxStayThrough != 0, "max_stay_through %d", l.MaxStayThrough)
		add(l.MinAdvance != 0, "min_advance_days %d", l.MinAdvance)
		add(l.MaxAdvance != 0, "max_advance_days %d", l.MaxAdvance)
	}
	if len(parts) == 0 {
		return "no limit"
	}
	return strings.Join(parts, ", ")
}

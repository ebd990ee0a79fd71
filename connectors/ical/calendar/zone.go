package calendar

import (
	"fmt"
	"strings"
	"time"
)

// The most names of zones that are looked up for a calendar, and their longest. Each is
// looked for in the files of the system, from each of its slashes on.
const (
	maxZones = 100
	maxZone  = 100
)

// zoneOf finds the zone of a TZID: by its IANA name, which some writers put behind a
// prefix of their own, by what the calendar itself says that it is, or by the name
// that Windows has for it. A zone that nobody knows is taken for the property's, with
// a warning; so is a time without one, which is what floating means here.
func (r *reader) zoneOf(tzid string) *time.Location {
	if tzid = strings.Trim(tzid, `" `); tzid == "" {
		return r.in.Zone
	}
	if known, ok := r.zones[tzid]; ok {
		return known
	}
	zone, ok := r.named(tzid)
	if !ok {
		zone = r.in.Zone
		r.warn(fmt.Sprintf("the time zone %q is not known: the property's is taken", short(tzid)))
	}
	if len(r.zones) < maxZones {
		r.zones[tzid] = zone
	}
	return zone
}

func (r *reader) named(tzid string) (*time.Location, bool) {
	if r.lookups++; r.lookups > maxZones || len(tzid) > maxZone {
		return nil, false
	}
	if name, ok := windowsZones[tzid]; ok {
		tzid = name
	}
	for name := strings.TrimLeft(tzid, "/"); name != ""; {
		if zone, err := time.LoadLocation(name); err == nil && !strings.EqualFold(name, "local") {
			return zone, true
		}
		_, rest, more := strings.Cut(name, "/")
		if !more {
			break
		}
		name = rest
	}
	return nil, false
}

// learnZones notes what the calendar says of zones that it names itself.
func (r *reader) learnZones(all [][]string) {
	for _, lines := range all {
		f := fieldsOf(lines)
		id := f.text("TZID")
		if _, ok := r.named(id); ok {
			continue
		}
		if zone, ok := r.named(f.text("X-LIC-LOCATION")); ok && id != "" {
			r.zones[id] = zone
		}
	}
}

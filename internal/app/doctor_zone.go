package app

import (
	"bytes"
	"os"
	"time"
)

// zone looks at the time zone of a property: known, and of its country by the clock, in
// winter and in summer. In a wrong one nights and cut-offs end at the wrong hour.
func (d *doctor) zone(p doctorProperty, now time.Time) {
	check := "property " + p.ID
	own, err := time.LoadLocation(p.TimeZone)
	if err != nil {
		d.say(Fault, check, "set its time_zone to one of the IANA list", "its time zone %q is not known", p.TimeZone)
		return
	}
	names := zonesOf(d.machine.zones(), p.Country)
	for _, name := range names {
		if l, err := time.LoadLocation(name); err != nil || likewise(own, l, now) {
			return
		}
	}
	if len(names) > 0 {
		d.say(Warning, check, "set its time_zone, such as to "+names[0]+", or its country", "its time zone %s is not that of its country, %s", p.TimeZone, p.Country)
	}
}

// likewise reports whether two zones show the same time in each of the coming twelve months.
func likewise(a, b *time.Location, now time.Time) bool {
	for month := range 12 {
		at := now.AddDate(0, month, 0)
		_, one := at.In(a).Zone()
		if _, other := at.In(b).Zone(); one != other {
			return false
		}
	}
	return true
}

// zonesOf reads a country's time zones from a table such as zone.tab.
func zonesOf(table []byte, country string) (names []string) {
	for line := range bytes.Lines(table) {
		if columns := bytes.Fields(line); len(columns) >= 3 && string(columns[0]) == country {
			names = append(names, string(columns[2]))
		}
	}
	return names
}

// zoneTable says in which time zones each country lies, where the machine has it.
const zoneTable = "/usr/share/zoneinfo/zone.tab"

func zones() []byte {
	text, err := os.ReadFile(zoneTable)
	if err != nil {
		return nil // nothing is compared
	}
	return text
}

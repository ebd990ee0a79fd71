package calendar

import (
	"errors"
	"fmt"
	"strings"

	ics "github.com/arran4/golang-ical"
)

// property is one property of an event.
type property struct {
	value      string
	parameters map[string][]string // by name, in capitals
}

// parameter returns the first value of a parameter, "" when there is none.
func (p property) parameter(name string) string {
	if values := p.parameters[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// text returns the value, whose escapes the library has undone.
func (p property) text() string { return strings.TrimSpace(p.value) }

// fields are the properties of one event by name.
type fields map[string][]property

// first returns the first property of the name; false: there is none.
func (f fields) first(name string) (property, bool) {
	if all := f[name]; len(all) > 0 {
		return all[0], true
	}
	return property{}, false
}

// text returns the text of the first property of the name, "" when there is none.
func (f fields) text(name string) string {
	p, _ := f.first(name)
	return p.text()
}

// uid is what the event is called, cut where that is far too long.
func (f fields) uid() string {
	uid := f.text("UID")
	return uid[:min(len(uid), maxUID)]
}

// nightsAreWhole checks that each line that says which nights are taken was read: an
// event without its end would be one of a night.
func (f fields) nightsAreWhole(all []string) error {
	for _, line := range all {
		name, _, _ := strings.Cut(line, ":")
		name, _, _ = strings.Cut(name, ";")
		switch name = strings.TrimSpace(name); name {
		case "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE":
			if len(f[name]) == 0 {
				return fmt.Errorf("its %s cannot be read", name)
			}
		}
	}
	return nil
}

// fieldsOf reads lines. A line that is none is passed by.
func fieldsOf(all []string) fields {
	out := fields{}
	for _, line := range all {
		if name, p, err := parse(line); err == nil {
			out[name] = append(out[name], p)
		}
	}
	return out
}

// maxHead is the longest name of a property with its parameters, in bytes. The library
// copies the rest of the line for each of them.
const maxHead = 1000

// headIsLong reports whether name and parameters are longer than [maxHead].
func headIsLong(line string) bool {
	quoted := false
	for i := range min(len(line), maxHead) {
		switch line[i] {
		case '"':
			quoted = !quoted
		case ':':
			if !quoted {
				return false
			}
		}
	}
	return len(line) > maxHead
}

// parse has the library take one line apart. Whatever it breaks off with is a line
// that cannot be read.
func parse(line string) (name string, p property, err error) {
	if headIsLong(line) {
		return "", property{}, errors.New("line has too many parameters")
	}
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("line cannot be read: %v", broken)
		}
	}()
	said, err := ics.ParseProperty(ics.ContentLine(line))
	if err != nil {
		return "", property{}, err
	}
	if said == nil {
		return "", property{}, fmt.Errorf("line is no property")
	}
	p = property{value: said.Value, parameters: map[string][]string{}}
	for parameter, values := range said.ICalParameters {
		p.parameters[strings.ToUpper(parameter)] = values
	}
	return strings.ToUpper(said.IANAToken), p, nil
}

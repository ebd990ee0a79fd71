package calendar

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The largest calendar that is read.
const (
	maxBytes   = 5 << 20
	maxEvents  = 20000
	maxContent = 64 << 10 // of one unfolded line: what is behind that is left out
)

// lines takes a body apart into its unfolded lines, if it is one whole calendar or
// several: a page of HTML and a body that was cut off are answered with 200 as well.
// Lines are unfolded as bytes, for some writers fold within a character.
func lines(body []byte) ([]string, error) {
	if len(body) > maxBytes {
		return nil, fmt.Errorf("it has more than %d bytes", maxBytes)
	}
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	switch {
	case len(body) == 0:
		return nil, errors.New("there is nothing in it")
	case !begins(body, "BEGIN:VCALENDAR"):
		return nil, errors.New("it is no calendar")
	}
	var raw [][]byte
	folded := false // the last of them is a copy, which may grow
	for line := range bytes.SplitSeq(body, []byte("\n")) {
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) > 0 && (line[0] == ' ' || line[0] == '\t') && len(raw) > 0 {
			last := len(raw) - 1
			if !folded {
				raw[last], folded = slices.Clip(raw[last]), true
			}
			more := line[1:]
			raw[last] = append(raw[last], more[:min(len(more), max(0, maxContent-len(raw[last])))]...)
			continue
		}
		raw, folded = append(raw, line[:min(len(line), maxContent)]), false
	}
	out := make([]string, 0, len(raw))
	for _, line := range raw {
		if text := upperName(strings.ToValidUTF8(string(line), "�")); text != "" {
			out = append(out, text)
		}
	}
	if out[len(out)-1] != "END:VCALENDAR" {
		return nil, errors.New("it breaks off before its end")
	}
	return out, nil
}

func begins(body []byte, with string) bool {
	return len(body) >= len(with) && strings.EqualFold(string(body[:len(with)]), with)
}

// upperName writes the name of a property, and of a component that begins or ends,
// in capitals: they may come in either.
func upperName(line string) string {
	end := strings.IndexAny(line, ":;")
	if end < 0 {
		return strings.TrimSpace(line)
	}
	name := strings.ToUpper(line[:end])
	if name == "BEGIN" || name == "END" {
		return name + strings.ToUpper(strings.TrimRight(line[end:], " \t"))
	}
	return name + line[end:]
}

// parts returns the lines of each event, and what is nested in it left out, and the
// lines of each time zone.
func parts(all []string) (events, zones [][]string, err error) {
	var open []string // the components that have begun
	for _, line := range all {
		what, begins := strings.CutPrefix(line, "BEGIN:")
		if begins {
			if len(open) > 0 && what == "VEVENT" && open[len(open)-1] == "VEVENT" {
				return nil, nil, errors.New("an event has no end")
			}
			open = append(open, what)
			switch what {
			case "VEVENT":
				events = append(events, nil)
			case "VTIMEZONE":
				zones = append(zones, nil)
			}
			if len(events) > maxEvents {
				return nil, nil, fmt.Errorf("it has more than %d events", maxEvents)
			}
			continue
		}
		if what, ends := strings.CutPrefix(line, "END:"); ends {
			switch {
			case len(open) > 0 && open[len(open)-1] == what:
				open = open[:len(open)-1]
			case what == "VCALENDAR":
				return nil, nil, errors.New("an event has no end")
			} // any other end without a beginning ends nothing
			continue
		}
		if len(open) == 0 {
			continue
		}
		switch open[len(open)-1] {
		case "VEVENT":
			events[len(events)-1] = append(events[len(events)-1], line)
		case "VTIMEZONE":
			zones[len(zones)-1] = append(zones[len(zones)-1], line)
		}
	}
	return events, zones, nil
}

package calendar

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	ics "github.com/arran4/golang-ical"

	"ostler.example/hotel"
)

// Busy is one stretch of nights that is told as taken.
type Busy struct {
	UID      string
	Sequence int       // counts the changes of its nights
	Changed  time.Time // when it got them
	Stay     hotel.Stay
	Unsold   bool // the nights are not sold yet, by anybody
}

// unsold is the property of an event that says so. Whoever does not know it takes the nights as
// taken, which they are to guests.
const unsold = "X-OSTLER-UNSOLD"

// Write writes a calendar of the name with what is taken. The same input gives the
// same bytes.
func Write(name string, busy []Busy) []byte {
	var w writer
	for _, line := range []string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Ostler//Ostler//EN", "CALSCALE:GREGORIAN", "METHOD:PUBLISH",
		"NAME:" + ics.ToText(name), "X-WR-CALNAME:" + ics.ToText(name),
	} {
		w.line(line)
	}
	for _, b := range busy {
		changed := b.Changed.UTC().Format(utcForm)
		for _, line := range []string{
			"BEGIN:VEVENT", "UID:" + ics.ToText(b.UID), "DTSTAMP:" + changed, "LAST-MODIFIED:" + changed,
			"SEQUENCE:" + strconv.Itoa(b.Sequence),
			"DTSTART;VALUE=DATE:" + b.Stay.CheckIn.Time().Format(dateForm), "DTEND;VALUE=DATE:" + b.Stay.CheckOut.Time().Format(dateForm),
			"SUMMARY:Not available", "STATUS:CONFIRMED", "TRANSP:OPAQUE", "CLASS:PRIVATE",
		} {
			w.line(line)
		}
		if b.Unsold {
			w.line(unsold + ":TRUE")
		}
		w.line("END:VEVENT")
	}
	w.line("END:VCALENDAR")
	return w.out.Bytes()
}

// maxLine is the longest line, in bytes and without its end.
const maxLine = 75

// writer folds lines between characters.
type writer struct{ out bytes.Buffer }

func (w *writer) line(text string) {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' {
			return -1
		}
		return r
	}, text)
	for room := maxLine; len(text) > room; room = maxLine - 1 {
		cut := room
		for cut > 1 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		w.out.WriteString(text[:cut] + "\r\n ")
		text = text[cut:]
	}
	w.out.WriteString(text + "\r\n")
}

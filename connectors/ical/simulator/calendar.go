package simulator

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// protocol serves the site's calendars, one of each room.
func (s *Simulator) protocol() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /calendar/{file}", func(w http.ResponseWriter, r *http.Request) {
		room, named := strings.CutSuffix(r.PathValue("file"), ".ics")
		if subtle.ConstantTimeCompare([]byte(r.URL.Query().Get("s")), []byte(s.secret("theirs"))) != 1 {
			http.Error(w, "who are you?", http.StatusForbidden)
			return
		}
		if !named || !slices.Contains(s.rooms(), room) {
			http.NotFound(w, r)
			return
		}
		s.mu.Lock()
		s.readings++
		reading := s.readings
		s.mu.Unlock()
		text := s.write(room, reading)
		if s.o.Preset != rotates { // which gives UIDs anew, and has no tag either
			sum := sha256.Sum256([]byte(text))
			tag := `"` + hex.EncodeToString(sum[:8]) + `"`
			w.Header().Set("ETag", tag)
			if r.Header.Get("If-None-Match") == tag {
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
		_, _ = w.Write([]byte(text)) // who has gone needs no answer
	})
	return mux
}

// event is one event of a calendar: its lines, but for its beginning and end.
type event []string

// write writes the calendar of a room as the site writes it.
func (s *Simulator) write(room string, reading int) string {
	today := hotel.DateIn(s.o.Clock.Now(), time.UTC)
	var events []event
	for _, b := range s.kit.Book.Bookings() {
		over := b.CheckOut <= today
		if b.Room != room || b.Status == simkit.Cancelled || over && s.o.Preset != vrbo {
			continue
		}
		events = append(events, s.event(b, reading))
	}
	product, end := "-//Pretend//Pretend//EN", "\r\n"
	switch s.o.Preset {
	case airbnb:
		product = "-//Airbnb Inc//Hosting Calendar 1.0//EN"
		// Nobody may arrive at such short notice: another block every day.
		events = append(events, event{
			"UID:7f662ec65913-" + hash(room, today.String()) + "@airbnb.com", "SUMMARY:Airbnb (Not available)",
			"DTSTART;VALUE=DATE:" + day(today), "DTEND;VALUE=DATE:" + day(today+1),
		})
	case booking:
		product = "-//admin.booking.com//NONSGML v1.0//EN"
	case vrbo:
		product = "-//HomeAway.com, Inc.//EN"
	case rotates:
		end = "\n"
	}
	lines := []string{"BEGIN:VCALENDAR", "PRODID:" + product, "CALSCALE:GREGORIAN", "VERSION:2.0"}
	for _, e := range events {
		lines = slices.Concat(lines, []string{"BEGIN:VEVENT"}, e, []string{"END:VEVENT"})
	}
	return strings.Join(append(lines, "END:VCALENDAR"), end) + end
}

// event writes a booking.
func (s *Simulator) event(b simkit.Booking, reading int) event {
	dates := event{"DTSTART;VALUE=DATE:" + day(b.CheckIn), "DTEND;VALUE=DATE:" + day(b.CheckOut)}
	switch s.o.Preset {
	case booking:
		return append(event{"UID:" + s.uid(b), "SUMMARY:CLOSED - Not available"}, dates...)
	case vrbo:
		return event{
			"UID:" + s.uid(b), "DTSTAMP:20260101T000000Z", "SUMMARY:Reserved - " + b.FirstName,
			"DTSTART;VALUE=DATE:" + day(b.CheckIn), fmt.Sprintf("DURATION:P%dD", b.Stay().Nights()),
		}
	case rotates:
		return event{
			"uid:" + hash(s.uid(b), fmt.Sprint(reading)) + "@pretend", "Summary:Reserved",
			"DTSTART;TZID=GMT Standard Time:" + day(b.CheckIn) + "T150000", "DTEND;TZID=GMT Standard Time:" + day(b.CheckOut) + "T100000",
		}
	}
	return append(event{
		"DTSTAMP:20260101T000000Z", "UID:" + s.uid(b), "SUMMARY:Reserved",
		// Folded within a word, as the site does it.
		"DESCRIPTION:Reservation URL: https://www.airbnb.com/hosting/reserv", " ations/details/" + number(b) + `\nPhone Number (Last 4 D`, " igits): 1234",
	}, dates...)
}

// number is the site's number of a booking: letters and digits.
func number(b simkit.Booking) string { return strings.ReplaceAll(b.Reference, "-", "") }

// uid is the UID of a booking, and stays it.
func (s *Simulator) uid(b simkit.Booking) string {
	h := hash(s.o.Hotel, b.Reference)
	switch s.o.Preset {
	case airbnb:
		return "1418fb94e984-" + h + "@airbnb.com"
	case booking:
		return h + "@booking.com"
	}
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:32]
}

func hash(words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, " ")))
	return hex.EncodeToString(sum[:16])
}

func day(d hotel.Date) string { return d.Time().Format("20060102") }

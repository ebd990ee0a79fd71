package calendar

import (
	"regexp"
	"strings"
)

// Kind says what takes the nights of an event.
type Kind string

// The kinds. An event is a reservation, or a block, only where its words say so.
const (
	Reservation Kind = "reservation"
	Block       Kind = "block"
	Unclear     Kind = "unclear"
)

var (
	// reservationURL is the address of a reservation in the site's own pages.
	reservationURL = regexp.MustCompile(`(?i)airbnb\.[a-z.]+/\S*(?:reservations?/|code=)\S*`)

	// code is the site's number of a reservation in such an address.
	code = regexp.MustCompile(`(?:/details/|[?&]code=)(HM[A-Z0-9]{4,20})\b`)
)

// reserved begin the words of a reservation, blocked are in those of a block,
// tentative begin those of one that is not certain. All are in lower case.
var (
	reserved  = []string{"reserved", "reservation", "réservée", "réservé", "réservation", "reservado", "reservada", "reserviert", "prenotato", "prenotazione", "gereserveerd"}
	blocked   = []string{"not available", "blocked", "unavailable", "indisponible", "no disponible", "nicht verfügbar", "non disponibile", "niet beschikbaar", "não disponível"}
	tentative = []string{"tentative", "provisoire"}

	// alike is what Booking.com writes of reservations and blocks alike.
	alike = []string{"closed - not available"}
)

// kindOf reads what takes the nights, and the site's own number of a reservation.
func kindOf(summary, description string) (kind Kind, number string, isTentative bool) {
	words := strings.ToLower(summary)
	if found := code.FindStringSubmatch(description); found != nil {
		number = found[1]
	}
	begins := func(with []string) bool {
		for _, w := range with {
			rest, ok := strings.CutPrefix(words, w)
			if ok && (rest == "" || !isLetter(rest[0])) {
				return true
			}
		}
		return false
	}
	isTentative = begins(tentative)
	switch {
	case number != "" || reservationURL.MatchString(description), begins(reserved):
		return Reservation, number, isTentative
	case begins(alike):
		return Unclear, number, isTentative
	}
	for _, b := range blocked {
		if strings.Contains(words, b) {
			return Block, number, isTentative
		}
	}
	return Unclear, number, isTentative
}

// isLetter reports whether a word goes on with b. What is not ASCII is a letter.
func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 0x80 }

// guestOf returns the guest's name behind the words of a reservation, "" when there
// is none: "Reserved - Ann".
func guestOf(summary string) string {
	_, name, _ := strings.Cut(summary, " - ")
	return strings.TrimSpace(name)
}

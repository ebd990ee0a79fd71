package api

import (
	"fmt"
	"strconv"
	"strings"

	"ostler.example/hotel"
)

// reservationTag is the validator of a reservation: its revision, that of its guest's
// profile, which can be changed through it, and all else that it shows.
func reservationTag(r hotel.Reservation, body reservationBody) string {
	return fmt.Sprintf(`"r%d-g%d-%x"`, r.Revision, r.GuestRevision, digest(body))
}

// reservationResource answers with a reservation, or with 304 when the sender holds
// what is shown of it.
func reservationResource(ifNoneMatch string, r hotel.Reservation, body reservationBody) *resource[reservationBody] {
	return taggedAs(ifNoneMatch, reservationTag(r, body), body)
}

// guestOfTag is the revision of the guest's profile that an If-Match names; 0 for any.
func guestOfTag(header string) int64 {
	_, rest, _ := strings.Cut(header, "-g")
	digits, _, _ := strings.Cut(rest, "-")
	revision, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0
	}
	return revision
}

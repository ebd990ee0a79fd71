package console

import (
	"regexp"
	"strings"

	"ostler.example/hotel"
)

// What people write into a number for the eye, and the 0 that is dialled in the country alone.
var (
	phoneSigns = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "/", "", "-", "", "\u2010", "", "\u2011", "", "–", "", ".", "", "(", "", ")", "", "[", "", "]", "")
	trunkZero  = regexp.MustCompile(`^(\+[\d ]{1,4})\(0\)`)
)

// phone is a number as it is stored, of one that was written for the eye: +43 (0)1/234-567 is
// +431234567. Without a country code nobody knows whose number it is: guests are of everywhere.
func phone(written string) (string, error) {
	written = strings.TrimSpace(written)
	number := phoneSigns.Replace(trunkZero.ReplaceAllString(written, "$1"))
	if number != "" && !strings.HasPrefix(number, "+") {
		return written, hotel.Invalid("/phone", "format", "begins with + and the country code, such as +43 1 234567")
	}
	return number, nil
}

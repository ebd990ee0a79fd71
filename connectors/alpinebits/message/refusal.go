package message

import (
	"errors"
	"fmt"
	"strings"

	"ostler.example/hotel"
)

// Refusal is why a message is not taken, with the code that says so.
type Refusal struct {
	Code, Why string
	Asks      string // the status by which all of a kind is asked for besides; "": nothing is
}

// Error implements error.
func (r Refusal) Error() string { return r.Why }

func refuse(code, format string, args ...any) error {
	return Refusal{Code: code, Why: fmt.Sprintf(format, args...)}
}

// RefusalOf is what an error of reading a message says: what is no XML of the kind that
// it should be makes no sense either.
func RefusalOf(err error) Refusal {
	if r, ok := errors.AsType[Refusal](err); ok {
		return Refusal{Code: r.Code, Why: err.Error(), Asks: r.Asks}
	}
	return Refusal{Code: CodeInvalid, Why: err.Error()}
}

// What a number of guests and a span may be.
const (
	maxOccupancy = 99
	maxDays      = 3650
)

// spanOf reads nights of which both ends are meant.
func spanOf(start, end string) (hotel.Span, error) {
	from, err := hotel.ParseDate(start)
	to, worse := hotel.ParseDate(end)
	if err != nil || worse != nil || to < from || to-from > maxDays {
		return hotel.Span{}, refuse(CodeDates, "%q to %q are no nights in a row", start, end)
	}
	return hotel.Span{From: from, To: to}, nil
}

// trimmed leaves out decimals that say nothing: 299.000 has two of them.
func trimmed(number string) string {
	if whole, part, cut := strings.Cut(number, "."); cut {
		return strings.TrimSuffix(whole+"."+strings.TrimRight(part, "0"), ".")
	}
	return number
}

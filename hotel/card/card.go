// Package card finds payment card numbers in text and puts them out of sight. It
// knows nothing of payments: no number is read, kept or passed on.
package card

// Mask returns text with every run of digits that can be a payment card's number
// put out of sight but for its last four: 13 to 19 digits that pass the check
// digit of ISO/IEC 7812-1, with at most two separators between two of them. A
// number is never stored, so a false alarm costs a reference its middle, and a
// miss would cost much more.
//
// What is left of one number may, with what follows, be another: so it looks
// again around every number that it found. The time is in proportion to the text.
func Mask(text []byte) []byte {
	out := append([]byte(nil), text...)
	for look := []span{{0, len(out)}}; len(look) > 0; {
		here := look[len(look)-1]
		look = look[:len(look)-1]
		// All numbers are found before one is masked, so that numbers that overlap
		// are all seen.
		var found [][]int
		for i := here.from; i < here.to; i++ {
			if at := numberAt(out, i); at != nil {
				found = append(found, at)
			}
		}
		for _, at := range found {
			for _, i := range at[:len(at)-visible] {
				out[i] = '*'
			}
			look = append(look, span{max(0, at[0]-reach), min(len(out), at[len(at)-1]+1)})
		}
	}
	return out
}

// In reports whether text holds what can be a payment card's number.
func In(text string) bool {
	b := []byte(text)
	for i := range b {
		if numberAt(b, i) != nil {
			return true
		}
	}
	return false
}

// span is a half-open range of bytes at which a number may begin.
type span struct{ from, to int }

const (
	shortest = 13 // digits
	longest  = 19
	between  = 2                              // separators that may stand between two digits
	visible  = 4                              // digits that stay
	reach    = longest * (1 + between*widest) // bytes that a number may cover
	widest   = 2                              // bytes of a separator
)

// numberAt lists where the digits of the card number stand that begins at i, nil
// when none does. Digits that touch it on either side belong to another number.
func numberAt(b []byte, i int) []int {
	if !digit(b[i]) || i > 0 && digit(b[i-1]) {
		return nil
	}
	var few [longest]int
	at := digitsFrom(b, i, few[:0])
	for n := len(at); n >= shortest; n-- {
		end := at[n-1]
		if end+1 < len(b) && digit(b[end+1]) {
			continue
		}
		if luhn(b, at[:n]) {
			return append([]int(nil), at[:n]...)
		}
	}
	return nil
}

// digitsFrom appends where the digits stand that begin at i, as many as a card
// can have.
func digitsFrom(b []byte, i int, at []int) []int {
	for len(at) < longest {
		at = append(at, i)
		i++
		skipped := 0
		for i < len(b) && !digit(b[i]) {
			n := separator(b[i:])
			if n == 0 || skipped == between {
				return at
			}
			i += n
			skipped++
		}
		if i >= len(b) {
			return at
		}
	}
	return at
}

// separator returns how many bytes the separator at the start of b has, 0 when
// there is none: what people and forms put between the groups of a number.
func separator(b []byte) int {
	switch b[0] {
	case ' ', '-', '.', '_', '\t', '\n', '\r':
		return 1
	case 0xc2: // a no-break space in UTF-8
		if len(b) > 1 && b[1] == 0xa0 {
			return 2
		}
	}
	return 0
}

func luhn(b []byte, at []int) bool {
	sum := 0
	for k := range at {
		d := int(b[at[len(at)-1-k]] - '0')
		if k%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

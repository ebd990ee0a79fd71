package inbound

// maskCards returns raw with every run of digits that can be a payment card's
// number put out of sight but for its last four: 13 to 19 digits, single spaces
// or hyphens between them allowed, that pass the check digit of ISO/IEC 7812-1.
// A number is never stored, so a false alarm costs a reference its middle, and
// a miss would cost much more.
//
// What is left of one number may, with what follows, be another: so it looks
// until there is none.
func maskCards(raw []byte) []byte {
	out := append([]byte(nil), raw...)
	for maskOnce(out) {
	}
	return out
}

// maskOnce masks every number that begins where a group of digits does, and
// reports whether there was one. Numbers that overlap are all found.
func maskOnce(b []byte) bool {
	var hide []int
	for i := range b {
		if !digit(b[i]) || i > 0 && digit(b[i-1]) {
			continue
		}
		at := runOf(b, i)
		if n := cardLength(b, at); n > 0 {
			hide = append(hide, at[:n-4]...)
		}
	}
	for _, i := range hide {
		b[i] = '*'
	}
	return len(hide) > 0
}

const (
	shortestCard = 13
	longestCard  = 19
)

// runOf lists where the digits stand that begin at i, one separator between two
// of them allowed, as many as a card can have.
func runOf(b []byte, i int) []int {
	var at []int
	for j := i; j < len(b) && len(at) < longestCard; j++ {
		switch {
		case digit(b[j]):
			at = append(at, j)
		case (b[j] == ' ' || b[j] == '-') && j+1 < len(b) && digit(b[j+1]):
		default:
			return at
		}
	}
	return at
}

// cardLength returns how many of the digits are a card number, 0 when they are
// none. Digits that touch the run on either side belong to another number.
func cardLength(b []byte, at []int) int {
	for n := min(longestCard, len(at)); n >= shortestCard; n-- {
		end := at[n-1]
		if end+1 < len(b) && digit(b[end+1]) {
			continue
		}
		if luhn(b, at[:n]) {
			return n
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

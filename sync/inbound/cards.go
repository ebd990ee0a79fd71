package inbound

// maskCards returns raw with every run of digits that can be a payment card's
// number put out of sight but for its last four: 13 to 19 digits, single spaces
// or hyphens between them allowed, that pass the check digit of ISO/IEC 7812-1.
// A number is never stored, so a false alarm costs a reference its middle, and
// a miss would cost much more.
func maskCards(raw []byte) []byte {
	out := append([]byte(nil), raw...)
	for i := 0; i < len(out); {
		if !digit(out[i]) || i > 0 && digit(out[i-1]) {
			i++
			continue
		}
		at := runOf(out, i)
		if n := cardLength(out, at); n > 0 {
			for _, j := range at[:n-4] {
				out[j] = '*'
			}
			i = at[n-1] + 1
			continue
		}
		i = at[0] + 1
		for i < len(out) && digit(out[i]) {
			i++
		}
	}
	return out
}

const (
	shortestCard = 13
	longestCard  = 19
)

// runOf lists where the digits stand that begin at i, one separator between two
// of them allowed.
func runOf(b []byte, i int) []int {
	var at []int
	for j := i; j < len(b); j++ {
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

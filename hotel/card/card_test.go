package card

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestMask(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"no digits", `{"guest": "Ada"}`, `{"guest": "Ada"}`},
		{"sixteen digits", "4111111111111111", "************1111"},
		{"in a message", `{"card":"5555555555554444","x":1}`, `{"card":"************4444","x":1}`},
		{"with spaces", "4111 1111 1111 1111", "**** **** **** 1111"},
		{"with hyphens", "4111-1111-1111-1111", "****-****-****-1111"},
		{"fifteen digits", "378282246310005", "***********0005"},
		{"fifteen digits as printed", "3782 822463 10005", "**** ****** *0005"},
		{"fourteen digits", "30569309025904", "**********5904"},
		{"thirteen digits", "4222222222222", "*********2222"},
		{"nineteen digits", "6304000000000000000", "***************0000"},
		{"two of them", "4111111111111111,5555555555554444", "************1111,************4444"},
		{"two of them side by side", "4111111111111111 5555555555554444", "************1111 ************4444"},
		{"a wrong check digit", "4111111111111112", "4111111111111112"},
		{"twelve digits", "411111111117", "411111111117"},
		{"twenty digits", "41111111111111111110", "41111111111111111110"},
		{"digits in front belong to it", "94111111111111111", "94111111111111111"},
		{"digits behind belong to it", "41111111111111119", "41111111111111119"},
		{"another number in front", "12 4111111111111111", "12 ************1111"},
		{"a number of its own behind", "4111111111111111 12", "************1111 12"},
		{"a number of three digits behind", "4111 1111 1111 1111 123", "**** **** **** 1111 123"},
		{"two that share a group", "4111 1111 1111 1111 2222 3333 4444", "**** **** **** **** **** **** 4444"},
		{"a rest that is one with what follows", "0000 0001-0000 000713782 822463910005", "0000 ****-**** ********* ********0005"},
		{"letters touch it", "x4111111111111111y", "x************1111y"},
		{"a date and a time", "2026-11-21T09:30:00", "2026-11-21T09:30:00"},
		{"two spaces", "41111111  11111111", "********  ****1111"},
		{"three spaces end it", "41111111   11111111", "41111111   11111111"},
		{"with dots", "4111.1111.1111.1111", "****.****.****.1111"},
		{"with no-break spaces", "4111\u00a01111\u00a01111\u00a01111", "****\u00a0****\u00a0****\u00a01111"},
		{"over two lines", "4111 1111\r\n1111 1111", "**** ****\r\n**** 1111"},
		{"in a reference", "HTL-4111111111111111", "HTL-************1111"},
		{"an escaped hyphen is no separator", `41111111\u002d11111111`, `41111111\u002d11111111`},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := []byte(c.in)
			if got := string(Mask(in)); got != c.want {
				t.Errorf("%q becomes %q, want %q", c.in, got, c.want)
			}
			if string(in) != c.in {
				t.Errorf("the input was changed to %q", in)
			}
		})
	}
}

// cardForm finds everything that looks like a card number, in the plainest way.
var cardForm = regexp.MustCompile(`[0-9](?:(?:[-. _\t\n\r]|\x{a0}){0,2}[0-9]){12,18}`)

var onlyDigits = regexp.MustCompile(`[^0-9]`)

// plainLuhn is the check digit of ISO/IEC 7812-1 by its own words: from the right,
// every second digit is doubled, and the sum of all digits ends in 0.
func plainLuhn(digits string) bool {
	sum := 0
	for i, r := range digits {
		n := int(r - '0')
		if (len(digits)-i)%2 == 0 {
			n *= 2
		}
		sum += n/10 + n%10
	}
	return sum%10 == 0
}

// cards lists the card numbers that stand in b between things that are not
// digits, without their separators.
func cards(b []byte) (found []string) {
	for start := range b {
		if start > 0 && digit(b[start-1]) {
			continue
		}
		for end := start + 1; end <= len(b); end++ {
			if end < len(b) && digit(b[end]) {
				continue
			}
			whole := cardForm.FindString(string(b[start:end]))
			if whole != "" && whole == string(b[start:end]) {
				if digits := onlyDigits.ReplaceAllString(whole, ""); plainLuhn(digits) {
					found = append(found, digits)
				}
			}
		}
	}
	return found
}

func FuzzMask(f *testing.F) {
	for _, s := range []string{
		"", "4111111111111111", "4111 1111-1111 1111 3782 822463 10005", "0000000000000000000000", "1 4111111111111111 1", `{"n":"5555-5555-5555-4444"}`,
		"4222222222222 4222222222222", "- - 4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 300 {
			return // the plain search takes time with the square of it
		}
		out := Mask(in)
		if left := cards(out); len(left) > 0 {
			t.Errorf("%q becomes %q, which still holds %q", in, out, left)
		}
		if len(out) != len(in) {
			t.Fatalf("%q becomes %q, of another length", in, out)
		}
		masked := 0
		for i := range in {
			if in[i] == out[i] {
				continue
			}
			masked++
			if !digit(in[i]) || out[i] != '*' {
				t.Errorf("%q becomes %q: byte %d is no digit out of sight", in, out, i)
			}
		}
		if masked == 0 && !bytes.Equal(in, out) || masked > 0 && masked < shortest-visible {
			t.Errorf("%q becomes %q", in, out)
		}
		if masked > 0 && len(cards(in)) == 0 {
			t.Errorf("%q becomes %q, though it holds no card", in, out)
		}
	})
}

func TestIn(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "4111 1111 1111 1111": true, "room 12": false, "4111 1111 1111 1112": false, "paid with 378282246310005, thanks": true,
	} {
		if got := In(text); got != want {
			t.Errorf("%q holds a card number: %v, want %v", text, got, want)
		}
	}
}

// A text that is nothing but numbers inside numbers takes time in proportion to
// its length: four times the text, not sixteen times the work.
func BenchmarkMaskHostile(b *testing.B) {
	for _, size := range []int{1 << 18, 1 << 20} {
		text := []byte(strings.Repeat("0 ", size/2))
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				Mask(text)
			}
		})
	}
}

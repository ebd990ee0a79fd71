package alpinebits

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// mealCodes are the codes of what is eaten.
var mealCodes = []string{"1", "3", "10", "12", "14"}

// Pairs are codes, each with what goes with it, written as "BAR=14, HB=12".
type Pairs map[string]string

// MarshalText writes the pairs in alphabetical order.
func (p Pairs) MarshalText() ([]byte, error) {
	parts := make([]string, 0, len(p))
	for _, code := range slices.Sorted(maps.Keys(p)) {
		parts = append(parts, code+"="+p[code])
	}
	return []byte(strings.Join(parts, ", ")), nil
}

// UnmarshalText reads what MarshalText writes; "" is no pair.
func (p *Pairs) UnmarshalText(text []byte) error {
	read := Pairs{}
	for part := range strings.SplitSeq(string(text), ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		code, of, said := strings.Cut(part, "=")
		code, of = strings.TrimSpace(code), strings.TrimSpace(of)
		if !said || code == "" || of == "" {
			return errors.New("expected pairs such as A=1, B=2")
		}
		if _, twice := read[code]; twice {
			return fmt.Errorf("%q stands there twice", code)
		}
		read[code] = of
	}
	*p = read
	return nil
}

// to returns what goes with a code: the code itself, unless another is named.
func (p Pairs) to(code string) string {
	if of, named := p[code]; named {
		return of
	}
	return code
}

// from is the inverse of to.
func (p Pairs) from(of string) string {
	for _, code := range slices.Sorted(maps.Keys(p)) {
		if p[code] == of {
			return code
		}
	}
	return of
}

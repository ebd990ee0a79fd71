package alpinebits

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Guests is a number of guests for each category, written as "DZ=2, EZ=1".
type Guests map[string]int

// MarshalText writes the categories in alphabetical order.
func (g Guests) MarshalText() ([]byte, error) {
	parts := make([]string, 0, len(g))
	for _, category := range slices.Sorted(maps.Keys(g)) {
		parts = append(parts, category+"="+strconv.Itoa(g[category]))
	}
	return []byte(strings.Join(parts, ", ")), nil
}

// UnmarshalText reads what MarshalText writes; "" is no category.
func (g *Guests) UnmarshalText(text []byte) error {
	read := Guests{}
	for part := range strings.SplitSeq(string(text), ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		category, number, _ := strings.Cut(part, "=")
		category = strings.TrimSpace(category)
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil {
			return errors.New("expected categories with their guests, such as DZ=2, EZ=1")
		}
		if _, twice := read[category]; twice {
			return fmt.Errorf("the category %q stands there twice", category)
		}
		read[category] = n
	}
	*g = read
	return nil
}

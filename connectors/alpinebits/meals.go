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

// Meals is the code of the meals of each rate plan, written as "BAR=14, HB=12".
type Meals map[string]string

// MarshalText writes the plans in alphabetical order.
func (m Meals) MarshalText() ([]byte, error) {
	parts := make([]string, 0, len(m))
	for _, plan := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, plan+"="+m[plan])
	}
	return []byte(strings.Join(parts, ", ")), nil
}

// UnmarshalText reads what MarshalText writes; "" is no plan.
func (m *Meals) UnmarshalText(text []byte) error {
	read := Meals{}
	for part := range strings.SplitSeq(string(text), ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		plan, code, said := strings.Cut(part, "=")
		plan = strings.TrimSpace(plan)
		if !said {
			return errors.New("expected rate plans with the codes of their meals, such as BAR=14, HB=12")
		}
		if _, twice := read[plan]; twice {
			return fmt.Errorf("the rate plan %q stands there twice", plan)
		}
		read[plan] = strings.TrimSpace(code)
	}
	*m = read
	return nil
}

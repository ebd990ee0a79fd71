package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// ruleValue is what a condition compares with, as decimal texts: a number, or
// the two numbers of between.
type ruleValue []string

// Schema is either form.
func (ruleValue) Schema(huma.Registry) *huma.Schema {
	number := &huma.Schema{Type: huma.TypeNumber}
	return &huma.Schema{
		OneOf:    []*huma.Schema{number, {Type: huma.TypeArray, Items: number, MinItems: new(2), MaxItems: new(2)}},
		Examples: []any{80},
	}
}

// UnmarshalJSON reads either form, digit by digit.
func (v *ruleValue) UnmarshalJSON(b []byte) error {
	var list []json.Number
	if b = bytes.TrimSpace(b); len(b) > 0 && b[0] != '[' {
		list = make([]json.Number, 1)
		if err := json.Unmarshal(b, &list[0]); err != nil {
			return fmt.Errorf("value: %w", err)
		}
	} else if err := json.Unmarshal(b, &list); err != nil {
		return fmt.Errorf("value: %w", err)
	}
	*v = make(ruleValue, len(list))
	for i, n := range list {
		(*v)[i] = n.String()
	}
	return nil
}

// MarshalJSON writes the form that fits.
func (v ruleValue) MarshalJSON() ([]byte, error) {
	if len(v) == 1 {
		return []byte(v[0]), nil
	}
	return []byte("[" + strings.Join(v, ",") + "]"), nil
}

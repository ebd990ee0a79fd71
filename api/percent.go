package api

import (
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"
)

// percent is a number of per cent as decimal text.
type percent string

// Schema is a number.
func (percent) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Minimum: new(0.0), Maximum: new(100.0), Examples: []any{5}}
}

// UnmarshalJSON reads a number digit by digit.
func (p *percent) UnmarshalJSON(b []byte) error {
	var n json.Number
	if err := json.Unmarshal(b, &n); err != nil {
		return fmt.Errorf("per cent: %w", err)
	}
	*p = percent(n)
	return nil
}

// MarshalJSON writes a number.
func (p percent) MarshalJSON() ([]byte, error) { return []byte(p), nil }

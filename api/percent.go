package api

import (
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"
	"github.com/shopspring/decimal"
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

// percentOrText is a number of per cent that may be sent as its text, too.
type percentOrText string

// Schema is a number, or the text of one.
func (percentOrText) Schema(r huma.Registry) *huma.Schema {
	number := percent("").Schema(r)
	text := &huma.Schema{Type: huma.TypeString, Pattern: `^\d{1,3}(\.\d{1,2})?$`, MaxLength: new(6), Description: "The number as text."}
	for _, s := range []*huma.Schema{number, text} {
		s.PrecomputeMessages()
	}
	return &huma.Schema{OneOf: []*huma.Schema{number, text}}
}

// UnmarshalJSON reads a number digit by digit, and its text.
func (p *percentOrText) UnmarshalJSON(b []byte) error { return (*percent)(p).UnmarshalJSON(b) }

// MarshalJSON writes a number, whatever text was once stored for it.
func (p percentOrText) MarshalJSON() ([]byte, error) {
	d, err := decimal.NewFromString(string(p))
	if err != nil {
		return nil, fmt.Errorf("per cent: %w", err)
	}
	return []byte(d.String()), nil
}

// MarshalJSON writes a number.
func (p percent) MarshalJSON() ([]byte, error) { return []byte(p), nil }

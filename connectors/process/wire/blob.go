package wire

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Blob is bytes: a text in a frame where they are one, {"base64":"…"} otherwise.
type Blob []byte

type blob struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON writes the shorter form that is possible.
func (b Blob) MarshalJSON() ([]byte, error) {
	if utf8.Valid(b) {
		return json.Marshal(string(b))
	}
	return json.Marshal(blob{b})
}

// UnmarshalJSON reads either form.
func (b *Blob) UnmarshalJSON(raw []byte) error {
	if bytes.HasPrefix(raw, []byte(`{`)) {
		var v blob
		if err := json.Unmarshal(raw, &v); err != nil {
			return err
		}
		*b = v.Base64
		return nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	*b = Blob(text)
	return nil
}

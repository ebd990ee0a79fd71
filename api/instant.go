package api

import (
	"encoding/json"
	"regexp"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// instant is a timestamp in a body that is both asked and answered: it is read in any
// form of RFC 3339 and written as all are, in UTC with milliseconds.
type instant time.Time

// instantOrNone is nil for an instant that was never.
func instantOrNone(t time.Time) *instant {
	if t.IsZero() {
		return nil
	}
	return (*instant)(&t)
}

// time is zero for nil.
func (i *instant) time() time.Time {
	if i == nil {
		return time.Time{}
	}
	return time.Time(*i).UTC()
}

// MarshalJSON writes the instant.
func (i instant) MarshalJSON() ([]byte, error) { return json.Marshal(stamp(time.Time(i))) }

// UnmarshalJSON reads it.
func (i *instant) UnmarshalJSON(b []byte) error { return (*time.Time)(i).UnmarshalJSON(b) }

// Schema is that of a timestamp.
func (instant) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time"}
}

// timestamp is one, as a whole value of a document that the ledger has written.
var timestamp = regexp.MustCompile(`"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z"`)

// stamped is such a document with its timestamps as all are written.
func stamped(doc json.RawMessage) json.RawMessage {
	return timestamp.ReplaceAllFunc(doc, func(at []byte) []byte {
		var t time.Time
		if json.Unmarshal(at, &t) != nil {
			return at
		}
		return []byte(`"` + stamp(t) + `"`)
	})
}

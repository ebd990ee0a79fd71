package api

import (
	"encoding/json"
	"testing"
)

// The ledger keeps microseconds; what is answered has milliseconds everywhere, also in a
// document that is passed on as it was written.
func TestTimestampsInDocumentsAreWrittenAsAllAre(t *testing.T) {
	for doc, want := range map[string]string{
		`{"since":"2026-11-29T08:00:00.123456Z","n":1}`:                  `{"since":"2026-11-29T08:00:00.123Z","n":1}`,
		`{"a":["2026-11-29T08:00:00Z","2026-11-29T08:00:00.5Z"]}`:        `{"a":["2026-11-29T08:00:00.000Z","2026-11-29T08:00:00.500Z"]}`,
		`{"text":"seen 2026-11-29T08:00:00.123456Z","day":"2026-11-29"}`: `{"text":"seen 2026-11-29T08:00:00.123456Z","day":"2026-11-29"}`,
		`{"at":"2026-13-29T08:00:00.123456Z"}`:                           `{"at":"2026-13-29T08:00:00.123456Z"}`,
	} {
		if got := string(stamped(json.RawMessage(doc))); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

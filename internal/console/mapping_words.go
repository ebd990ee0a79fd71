package console

import (
	"ostler.example/hotel/mapping"
	"ostler.example/internal/desk"
)

// coded are the reasons that are about codes of ours, and under which key these have words.
var coded = map[string]string{"board_same": "meal.", "board_not": "meal.", "beds": "beds."}

// Because is why something is proposed, or what speaks against it.
func (v view) Because(r mapping.Reason) string {
	of := make([]any, len(r.Of))
	for i, text := range r.Of {
		of[i] = text
		if key := coded[r.Code] + text; v.words.has(key) {
			of[i] = v.words.T(key)
		}
	}
	return v.words.T("mapping.because."+r.Code, of...)
}

// Covers is what a mapping leaves out, or leaves to the hotel.
func (p mappingPage) Covers(v view, c desk.Coverage) string {
	if key := "mapping.covers." + c.Code; v.words.has(key) {
		return v.words.T(key, p.names[c.RoomTypeID], p.names[c.RatePlanID])
	}
	return c.Detail
}

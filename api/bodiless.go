package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"

	"ostler.example/hotel"
)

// bodiless refuses what is sent to an operation that takes no body, unless that is
// nothing or an empty object: whoever sends more wants what is not going to be done.
func bodiless(r *http.Request) error {
	sent, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Errorf("read the body: %w", err)
	}
	if len(bytes.TrimSpace(sent)) == 0 {
		return nil
	}
	if malformed, is := errors.AsType[*malformedError](checkJSON(sent)); is {
		return malformed.problem()
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(sent, &members) != nil || members == nil {
		return hotel.Invalid("", "type", "must be left out, or be an empty object: this operation takes no body")
	}
	refusal := hotel.Refuse(codeInvalid, "This operation takes no body.")
	for _, name := range slices.Sorted(maps.Keys(members)) {
		refusal.Items = append(refusal.Items, hotel.RefusedItem{Pointer: "/" + hotel.PointerPart(name), Code: "unknown_field", Detail: "is not known: this operation takes no body"})
	}
	if len(refusal.Items) == 0 {
		return nil
	}
	return refusal
}

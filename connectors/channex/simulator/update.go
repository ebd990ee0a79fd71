package simulator

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// maxBody is what a body must stay below, in bytes.
const maxBody = 10_000_000

// value is one change of an update, as it was sent.
type value map[string]json.RawMessage

// taker reads values: what one sets, or the reason why it is not taken, by field. A
// remark is words about a value of which a part is taken.
type taker interface {
	take(value) (refusal map[string]string, remark string)
	changes() []connectors.Change
}

// updateAvailability takes the counts of room types.
func (s *Simulator) updateAvailability(w http.ResponseWriter, r *http.Request) {
	s.update(w, r, &counts{s: s}, true)
}

// updateRestrictions takes everything else of rate plans.
func (s *Simulator) updateRestrictions(w http.ResponseWriter, r *http.Request) {
	s.update(w, r, &restrictions{s: s, nights: map[planNight]*told{}}, false)
}

// update takes what is right of a body and warns of the rest: each value that was not
// taken is repeated with the reason. Of two values about the same the later one counts.
// Each update is a task of its own, done in the order in which they came, those ahead
// first.
func (s *Simulator) update(w http.ResponseWriter, r *http.Request, by taker, ahead bool) {
	values, ok := body(w, r)
	if !ok {
		return
	}
	fault := s.kit.Faults.OfUpdate()
	var warnings []any
	for i, v := range values {
		refusal, remark := map[string]string{"values": "refused on request"}, ""
		if fault != simkit.Reject && (fault != simkit.Partial || i%2 == 0) {
			refusal, remark = by.take(v)
		}
		if refusal != nil {
			warnings = append(warnings, repeated(v, refusal))
		}
		if remark != "" {
			warnings = append(warnings, remark)
		}
	}
	changes := by.changes()
	switch fault {
	case simkit.Half:
		_, _ = s.kit.Book.Take(changes[:len(changes)/2], simkit.Receipt{})
		panic(http.ErrAbortHandler)
	case simkit.Late:
		s.kit.Faults.Later(func() { _, _ = s.kit.Book.Take(changes, simkit.Receipt{}) })
		panic(http.ErrAbortHandler)
	default:
	}
	err := s.queue.Do(s.kit.Faults.Queues(), ahead, func() error {
		_, err := s.kit.Book.Take(changes, simkit.Receipt{})
		return err
	})
	if err != nil {
		problem(w, http.StatusInternalServerError, "internal_error", err.Error(), nil)
		return
	}
	tasks := []any{}
	if len(changes) > 0 || len(warnings) == 0 {
		tasks = append(tasks, map[string]string{"type": "task", "id": hotel.NewID("task")})
	}
	meta := map[string]any{"message": "Success"}
	if len(warnings) > 0 { // without any the member is not there
		meta["warnings"] = warnings
	}
	reply(w, map[string]any{"data": tasks, "meta": meta})
}

// body reads the values of an update, or answers why it cannot.
func body(w http.ResponseWriter, r *http.Request) ([]value, bool) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody-1))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		problem(w, http.StatusRequestEntityTooLarge, "request_entity_too_large", "Request Entity Too Large", nil)
		return nil, false
	}
	var said struct {
		Values []value `json:"values"`
	}
	if err != nil || json.Unmarshal(raw, &said) != nil {
		problem(w, http.StatusBadRequest, "bad_request", "Bad Request", []string{"the body cannot be read"})
		return nil, false
	}
	if len(said.Values) == 0 {
		problem(w, http.StatusUnprocessableEntity, "validation_error", "Validation Error", map[string][]string{"values": {"can't be blank"}})
		return nil, false
	}
	return said.Values, true
}

// repeated is the warning about a value.
func repeated(v value, refusal map[string]string) any {
	texts := map[string][]string{}
	for field, text := range refusal {
		texts[field] = []string{text}
	}
	out := map[string]any{"warning": texts}
	for field, raw := range v {
		out[field] = raw
	}
	return out
}

package simulator

import (
	"net/http"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
)

// take shows the values of a sound message, unless a fault is planted, and answers.
func (s *Simulator) take(root string, changes []connectors.Change) any {
	fault := s.kit.Faults.OfUpdate()
	if fault == simkit.Reject || fault == simkit.Partial { // no answer names a part of a message
		return refused(root, "refused on request")
	}
	if fault == simkit.Half {
		_, _ = s.kit.Book.Take(changes[:len(changes)/2], simkit.Receipt{})
		panic(http.ErrAbortHandler)
	}
	if fault == simkit.Late {
		s.kit.Faults.Later(func() { _, _ = s.kit.Book.Take(changes, simkit.Receipt{}) })
		panic(http.ErrAbortHandler)
	}
	if _, err := s.kit.Book.Take(changes, simkit.Receipt{}); err != nil {
		return failure(root, "448", err.Error())
	}
	return success(root, nil)
}

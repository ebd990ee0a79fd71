package simulator

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// taken are the actions that each preset takes; the others take none.
var taken = map[string][]string{
	push: {"confirm", "decline", "cancel", "shorten", "no-show"},
	pull: {"cancel", "shorten", "no-show"}, hub: {"cancel", "shorten", "no-show"},
	lean: {"cancel", "shorten", "no-show"}, total: {"cancel", "shorten", "no-show"}, slow: {"cancel", "shorten", "no-show"},
	relay: {"cancel", "shorten", "no-show"}, plans: {"cancel", "shorten", "no-show"}, strict: {"cancel", "shorten", "no-show"},
}

type actionRequest struct {
	CheckIn  hotel.Date `json:"check_in"`
	CheckOut hotel.Date `json:"check_out"`
	Reason   string     `json:"reason"`
	WaiveFee bool       `json:"waive_fee"`
}

type actionReply struct {
	Reference string `json:"reference"`
	Action    string `json:"action"`
	Done      bool   `json:"done"`
	Reason    string `json:"reason,omitempty"`
}

// act does with a booking what the hotel asks for. What it will not do is answered
// with the reason and changes nothing.
func (s *Simulator) act(w http.ResponseWriter, r *http.Request) {
	var q actionRequest
	action := r.PathValue("action")
	if !s.mine(w, r) || !understood(w, r, &q) {
		return
	}
	if !slices.Contains(taken[s.o.Preset], action) {
		problem(w, http.StatusNotFound, "there is no such action")
		return
	}
	said := actionReply{Reference: r.PathValue("reference"), Action: action}
	fault := s.kit.Faults.OfAction()
	if fault == simkit.Reject {
		said.Reason = "refused on request"
		reply(w, said)
		return
	}
	said.Done = true
	receipt := simkit.Receipt{}
	if s.o.Preset == push {
		if receipt.ID = r.Header.Get("Idempotency-Key"); receipt.ID == "" {
			problem(w, http.StatusBadRequest, "Idempotency-Key is missing")
			return
		}
	}
	receipt.Answer, _ = json.Marshal(said) // text alone: nothing that can fail
	do := func() ([]byte, error) {
		return s.kit.Book.Act(kinds[action], said.Reference, hotel.Stay{CheckIn: q.CheckIn, CheckOut: q.CheckOut}, receipt)
	}
	if fault == simkit.Late {
		s.kit.Faults.Later(func() { _, _ = do() })
		panic(http.ErrAbortHandler)
	}
	answer, err := do()
	switch {
	case errors.Is(err, simkit.ErrNoBooking), errors.Is(err, simkit.ErrNotSellable):
		said.Done, said.Reason = false, err.Error()
		reply(w, said)
	case err != nil:
		problem(w, http.StatusInternalServerError, err.Error())
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer) // who has gone needs no answer
	}
}

// kinds are the actions by their names in an address.
var kinds = map[string]hotel.ActionKind{
	"confirm": hotel.ActionConfirm, "decline": hotel.ActionDecline, "cancel": hotel.ActionCancel,
	"shorten": hotel.ActionShorten, "no-show": hotel.ActionNoShow,
}

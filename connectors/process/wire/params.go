package wire

import (
	"encoding/json"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// The parameters and results of the calls.
type (
	// EncodeParams are changes to pack; the result is EncodeResult.
	EncodeParams struct {
		Changes []Entry `json:"changes"`
	}

	// EncodeResult is what came of packing.
	EncodeResult struct {
		Calls   []Call    `json:"calls"`
		Refused []Refused `json:"refused,omitempty"`
	}

	// Call is one call, packed.
	Call struct {
		Operation string  `json:"operation"`
		Keys      []Entry `json:"keys"`
		Body      Blob    `json:"body"`
	}

	// Refused are changes that cannot be said.
	Refused struct {
		Changes []Entry `json:"changes"`
		Reason  string  `json:"reason"`
	}

	// SendParams are a call to make: with entries where Ostler packed it, with keys
	// and body where the program did. The result is an Answer.
	SendParams struct {
		Operation string          `json:"operation"`
		ID        string          `json:"id"`
		Version   int64           `json:"version"`
		Entries   json.RawMessage `json:"entries,omitempty"`
		Keys      []Entry         `json:"keys,omitempty"`
		Body      Blob            `json:"body,omitempty"`
	}

	// Answer is [connectors.Answer].
	Answer struct {
		Rest    string    `json:"rest"`
		Keys    []Verdict `json:"keys,omitempty"`
		Ref     string    `json:"ref,omitempty"`
		Excerpt string    `json:"excerpt,omitempty"`
	}

	// Verdict is the outcome of some keys.
	Verdict struct {
		Entry
		Outcome string `json:"outcome"`
		Words   string `json:"words,omitempty"`
	}

	// ReadParams ask what a room shows, From and To included; the result is Shown.
	ReadParams struct {
		Room string     `json:"room,omitempty"` // "": all of them
		From hotel.Date `json:"from"`
		To   hotel.Date `json:"to"`
	}

	// Shown is what a room shows.
	Shown struct {
		Shown []Entry `json:"shown"`
	}

	// ListParams ask for the bookings with a night from From up to, not including, To.
	ListParams struct {
		From hotel.Date `json:"from"`
		To   hotel.Date `json:"to"`
	}

	// PollParams ask for what came since; the result, also of a failure, is Polled.
	PollParams struct {
		Cursor string `json:"cursor"`
	}

	// Polled says from where to go on.
	Polled struct {
		Next string `json:"next"`
	}

	// Catalog is what can be mapped.
	Catalog struct {
		Products []Product `json:"products"`
	}

	// Product is one room and rate of the far side.
	Product struct {
		Room     string `json:"room"`
		RoomName string `json:"room_name,omitempty"`
		Rate     string `json:"rate,omitempty"`
		RateName string `json:"rate_name,omitempty"`

		Adults   int            `json:"adults,omitempty"` // at most
		Board    string         `json:"board,omitempty"`
		Currency hotel.Currency `json:"currency,omitempty"`
	}

	// RereadParams are the bytes that were kept of a message; the result is ReadAgain.
	RereadParams struct {
		Raw Blob `json:"raw"`
	}

	// ReadAgain is what they say.
	ReadAgain struct {
		Message *Message `json:"message"`
	}

	// Action is [connectors.Action], the parameters of act; the result is Acted.
	Action struct {
		ID      string      `json:"id"`
		Kind    string      `json:"kind"`
		Ref     string      `json:"ref"`
		RoomRef string      `json:"room_ref,omitempty"`
		Stay    *hotel.Stay `json:"stay,omitempty"`
		Refused string      `json:"decline_reason,omitempty"`
		Waived  bool        `json:"waived,omitempty"`
	}

	// Acted is what became of an action.
	Acted struct {
		Outcome string `json:"outcome"`
		Words   string `json:"words,omitempty"`
	}

	// ReceiveParams are a call of the far side to us, to bring something (receive) or to
	// read what is published (publish); the result is Response.
	ReceiveParams struct {
		Method string              `json:"method"`
		Path   string              `json:"path"`
		Query  string              `json:"query,omitempty"`
		Header map[string][]string `json:"header"`
		Body   Blob                `json:"body"`
	}

	// Visited is when the far side last read what is published.
	Visited struct {
		Visits []Visit `json:"visits"`
	}

	// Visit is [hotel.Published].
	Visit struct {
		Name   string    `json:"name"`
		ReadAt time.Time `json:"read_at,omitzero"` // left out: never
	}

	// Response is what to answer a call to us.
	Response struct {
		Status int                 `json:"status"`
		Header map[string][]string `json:"header,omitempty"`
		Body   Blob                `json:"body,omitempty"`
	}
)

// FromAction writes an action.
func FromAction(a connectors.Action) Action {
	out := Action{ID: a.ID, Kind: string(a.Kind), Ref: a.Ref, RoomRef: a.RoomRef, Refused: string(a.Refused), Waived: a.Waived}
	if a.Stay != (hotel.Stay{}) {
		out.Stay = &a.Stay
	}
	return out
}

// Read returns the action as the seam knows it.
func (a Action) Read() connectors.Action {
	out := connectors.Action{
		ID: a.ID, Kind: hotel.ActionKind(a.Kind), Ref: a.Ref, RoomRef: a.RoomRef, Refused: hotel.DeclineReason(a.Refused), Waived: a.Waived,
	}
	if a.Stay != nil {
		out.Stay = *a.Stay
	}
	return out
}

// FromVerdict writes the outcome of an action.
func FromVerdict(v connectors.Verdict) Acted { return Acted{outcomeWord(v.Outcome), v.Words} }

// Read returns the outcome as the seam knows it; an unknown word is unknown.
func (a Acted) Read() connectors.Verdict {
	return connectors.Verdict{Outcome: outcome(a.Outcome), Words: a.Words}
}

var outcomes = []string{"unknown", "applied", "rejected"}

// FromAnswer writes an answer; keys is the call's, whose order its verdicts take.
func FromAnswer(a connectors.Answer, keys []connectors.Key) Answer {
	out := Answer{Rest: outcomeWord(a.Rest), Ref: a.Ref, Excerpt: a.Excerpt}
	named := make(map[connectors.Key]bool, len(keys))
	add := func(k connectors.Key, v connectors.Verdict) {
		last := len(out.Keys) - 1
		word := outcomeWord(v.Outcome)
		if last >= 0 && out.Keys[last].Words == v.Words && out.Keys[last].Outcome == word {
			if e := &out.Keys[last].Entry; e.same(k) && e.To+1 == k.Night {
				e.To = k.Night
				return
			}
		}
		out.Keys = append(out.Keys, Verdict{Entry: entryOf(k), Outcome: word, Words: v.Words})
	}
	for _, k := range keys {
		if v, ok := a.Keys[k]; ok && !named[k] {
			named[k] = true
			add(k, v)
		}
	}
	for k, v := range a.Keys {
		if !named[k] {
			add(k, v) // of something that was not in the call
		}
	}
	return out
}

// same reports whether an entry is of a key but for the nights.
func (e Entry) same(k connectors.Key) bool {
	at := entryOf(k)
	at.From, at.To = e.From, e.To
	e.Offer = nil
	return at == e
}

func outcomeWord(o connectors.Outcome) string {
	if int(o) < len(outcomes) {
		return outcomes[o]
	}
	return outcomes[0]
}

// Read returns the answer as the seam knows it; an unknown word is unknown.
func (a Answer) Read() (connectors.Answer, error) {
	out := connectors.Answer{Rest: outcome(a.Rest), Keys: map[connectors.Key]connectors.Verdict{}, Ref: a.Ref, Excerpt: a.Excerpt}
	for _, v := range a.Keys {
		keys, err := KeysOf([]Entry{v.Entry})
		if err != nil {
			return connectors.Answer{}, err
		}
		for _, k := range keys {
			out.Keys[k] = connectors.Verdict{Outcome: outcome(v.Outcome), Words: v.Words}
		}
	}
	return out, nil
}

func outcome(word string) connectors.Outcome {
	for i, o := range outcomes {
		if o == word {
			return connectors.Outcome(i)
		}
	}
	return connectors.Unknown
}

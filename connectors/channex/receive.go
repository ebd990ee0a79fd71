package channex

import (
	"crypto/subtle"
	"encoding/json"
	"io"
	"net/http"
	"slices"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// secretHeader carries what a webhook is known by. Channex signs nothing; the header
// is one that the hotel has it send.
const secretHeader = "X-Channex-Webhook-Secret"

// maxWebhook bounds a webhook, in bytes.
const maxWebhook = 1 << 20

// webhook is a call of Channex. Nothing that it says of a booking is believed: it may
// come late, twice or out of order.
type webhook struct {
	Event    string          `json:"event"`
	Property text            `json:"property_id"`
	Payload  lenient[notice] `json:"payload"`
}

// fetches are the events after which there is something to fetch.
var fetches = []string{"booking", "booking_new", "booking_modification", "booking_cancellation", unacknowledged}

// Handler implements [connectors.Receiver]. Only that a call is genuine counts, and
// whether it is about a booking: then its sink is given a hint.
func (c hinted) Handler(sink connectors.Sink) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			respond(w, http.StatusMethodNotAllowed, "post a webhook")
			return
		}
		if subtle.ConstantTimeCompare([]byte(r.Header.Get(secretHeader)), []byte(c.cfg.WebhookSecret)) != 1 {
			respond(w, http.StatusUnauthorized, "the header "+secretHeader+" is not the one that was agreed upon")
			return
		}
		raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxWebhook))
		if err != nil {
			respond(w, http.StatusRequestEntityTooLarge, "the webhook cannot be read to its end")
			return
		}
		var said webhook
		if err := json.Unmarshal(raw, &said); err != nil {
			respond(w, http.StatusBadRequest, "the webhook cannot be read")
			return
		}
		if said.Property != "" && string(said.Property) != c.cfg.Property {
			respond(w, http.StatusUnprocessableEntity, "the webhook is about another property")
			return
		}
		if err := c.watch(r.Context(), said); err != nil {
			c.log.Warn("what Channex reports cannot be kept", zap.String("event", said.Event), zap.Error(err))
			respond(w, http.StatusServiceUnavailable, "it cannot be kept now, send it again")
			return
		}
		if said.Event == unacknowledged { // the feed may not have it any more
			if err := c.shelf.Put(r.Context(), noticed, []byte(hotel.NewID("ntc"))); err != nil {
				c.log.Warn("a notice of Channex cannot be kept", zap.Error(err))
				respond(w, http.StatusServiceUnavailable, "it cannot be kept now, send it again")
				return
			}
		}
		if slices.Contains(fetches, said.Event) {
			sink.Hint()
		}
		respond(w, http.StatusOK, "received")
	})
}

func respond(w http.ResponseWriter, status int, words string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": words}) // the status is what counts
}

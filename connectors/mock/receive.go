package mock

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"

	"ostler.example/connectors"
)

// signatureHeader carries the HMAC-SHA256 of the body under the secret, in
// hexadecimal. It has no time in it: a message that is played again is one that
// the ledger knows.
const signatureHeader = "Mock-Signature"

// maxMessage bounds a message, in bytes.
const maxMessage = 1 << 20

// Handler implements [connectors.Receiver].
func (c pushed) Handler(sink connectors.Sink) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			respond(w, http.StatusMethodNotAllowed, "post a message")
			return
		}
		raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
		if err != nil {
			respond(w, http.StatusRequestEntityTooLarge, "the message cannot be read to its end")
			return
		}
		if !c.signed(raw, r.Header.Get(signatureHeader)) {
			respond(w, http.StatusUnauthorized, "the signature does not fit the message")
			return
		}
		said, m, err := parseMessage(raw)
		switch {
		case err != nil:
			m = unread(said, raw, err)
		case said.Hotel != c.cfg.Hotel:
			respond(w, http.StatusUnprocessableEntity, "the message is for another hotel")
			return
		}
		if err := sink.Deliver(r.Context(), m); err != nil {
			respond(w, http.StatusServiceUnavailable, "the message could not be kept; send it again")
			return
		}
		respond(w, http.StatusOK, "received")
	})
}

// signed checks the signature in constant time.
func (c *conn) signed(body []byte, signature string) bool {
	given, err := hex.DecodeString(signature)
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, []byte(c.cfg.Secret))
	mac.Write(body)
	return hmac.Equal(given, mac.Sum(nil))
}

func respond(w http.ResponseWriter, status int, words string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": words}) // the status is what counts
}

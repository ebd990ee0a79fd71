package alpinebits

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
)

// What one call to us may cost.
const (
	maxForm = 9 << 20
	maxPart = 8 << 20
)

// Handler implements [connectors.Receiver]: it answers handshakes and takes
// reservations in.
func (c pushed) Handler(sink connectors.Sink) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			complain(w, http.StatusMethodNotAllowed, "messages are posted")
			return
		}
		if !c.known(r) {
			w.Header().Set("WWW-Authenticate", `Basic realm="AlpineBits"`)
			complain(w, http.StatusUnauthorized, "invalid or missing username/password")
			return
		}
		v := message.Version(r.Header.Get(versionHeader))
		if !v.Known() {
			complain(w, http.StatusBadRequest, fmt.Sprintf("%s must be one of %v", versionHeader, message.Versions))
			return
		}
		if r.Header.Get("Content-Encoding") != "" {
			complain(w, http.StatusNotImplemented, "compressed requests are not accepted")
			return
		}
		action, request, err := parts(w, r)
		if err != nil {
			complain(w, http.StatusBadRequest, err.Error())
			return
		}
		switch action {
		case message.Ping.Name:
			c.greet(w, request)
		case message.PushedRequest.Name:
			c.receive(w, r, sink, request)
		default:
			complain(w, http.StatusBadRequest, "unknown or missing action")
		}
	})
}

// known checks user and password, in constant time.
func (c pushed) known(r *http.Request) bool {
	user, password, _ := r.BasicAuth()
	same := func(a, b string) int {
		x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b)) // of one length
		return subtle.ConstantTimeCompare(x[:], y[:])
	}
	return same(user, c.cfg.InboundUser)&same(password, c.cfg.InboundPassword) == 1
}

// parts reads the two parts of a form, either of which may come as a file.
func parts(w http.ResponseWriter, r *http.Request) (action string, request []byte, err error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	form, err := r.MultipartReader()
	if err != nil {
		return "", nil, errors.New("the body is no multipart/form-data")
	}
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return action, request, nil
		}
		if err != nil {
			return "", nil, errors.New("the form cannot be read to its end")
		}
		text, err := text(part)
		if err != nil {
			return "", nil, err
		}
		switch part.FormName() {
		case "action":
			action = string(text)
		case "request":
			request = text
		}
	}
}

func text(part *multipart.Part) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(part, maxPart+1))
	if err != nil || len(text) > maxPart {
		return nil, errors.New("a part of the form cannot be read to its end")
	}
	return text, nil
}

// greet answers a handshake.
func (c pushed) greet(w http.ResponseWriter, request []byte) {
	offered, echoed, err := message.ReadPing(request)
	if err != nil {
		complain(w, http.StatusBadRequest, err.Error())
		return
	}
	var ours message.Agreement
	for _, v := range message.Versions {
		push := message.Supported{Action: message.PushedRequest.Handshake}
		if v == message.V2024 {
			push.Supports = []string{message.PushRoomRates}
		}
		ours.Versions = append(ours.Versions, message.Spoken{Version: v, Actions: []message.Supported{{Action: message.Ping.Handshake}, push}})
	}
	answer(w, message.WritePong(ours.Common(offered), echoed))
}

// receive takes the reservations of one message in, all of them or none.
func (c pushed) receive(w http.ResponseWriter, r *http.Request, sink connectors.Sink, request []byte) {
	all, err := message.ReadPushed(request)
	if err != nil {
		complain(w, http.StatusBadRequest, err.Error())
		return
	}
	var taken []message.UniqueID
	for _, one := range all {
		if c.foreign(one) || !one.ID.Tells() {
			complain(w, http.StatusBadRequest, "a reservation has no number, or is for another hotel")
			return
		}
		taken = append(taken, one.ID)
	}
	if len(taken) == 0 {
		complain(w, http.StatusBadRequest, "there is no reservation in it")
		return
	}
	places, err := c.heard.place(r.Context(), all, c.today())
	for i := 0; i < len(all) && err == nil; i++ {
		err = sink.Deliver(r.Context(), numbered(all[i], places[i]))
	}
	if err == nil {
		err = c.heard.settle(r.Context(), taken, c.today()) // whoever did not hear of it sends the last one again
	}
	if err != nil {
		complain(w, http.StatusServiceUnavailable, "a reservation could not be kept; send it again")
		return
	}
	answer(w, message.WriteReceived(taken))
}

func answer(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	_, _ = w.Write(body) // who has gone needs no answer
}

// complain says in plain text what is wrong, as the standard has it.
func complain(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "ERROR:"+why) // the status is what counts
}

package alpinebits

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"

	"ostler.example/connectors/alpinebits/message"
)

// What one call to us may cost.
const (
	maxForm = 9 << 20
	maxPart = 8 << 20
)

// door is where others call us: as whom, and with which password.
type door struct{ user, password string }

// asked is a call that has come through the door.
type asked struct {
	version message.Version
	request []byte
}

// answers answers one action.
type answers func(w http.ResponseWriter, r *http.Request, q asked)

// lets serves calls: handshakes, by what can be done in each version, and the actions.
func (d door) lets(can func(message.Version) []message.Supported, actions map[string]answers) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			complain(w, http.StatusMethodNotAllowed, "messages are posted")
			return
		}
		if !d.known(r) {
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
		do, known := actions[action]
		switch {
		case action == message.Ping.Name:
			greet(w, request, can)
		case known:
			do(w, r, asked{v, request})
		default:
			complain(w, http.StatusBadRequest, "unknown or missing action")
		}
	})
}

// known checks user and password, in constant time.
func (d door) known(r *http.Request) bool {
	user, password, _ := r.BasicAuth()
	same := func(a, b string) int {
		x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b)) // of one length
		return subtle.ConstantTimeCompare(x[:], y[:])
	}
	return same(user, d.user)&same(password, d.password) == 1
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
func greet(w http.ResponseWriter, request []byte, can func(message.Version) []message.Supported) {
	offered, echoed, err := message.ReadPing(request)
	if err != nil {
		complain(w, http.StatusBadRequest, err.Error())
		return
	}
	var ours message.Agreement
	for _, v := range message.Versions {
		ours.Versions = append(ours.Versions, message.Spoken{Version: v, Actions: append([]message.Supported{{Action: message.Ping.Handshake}}, can(v)...)})
	}
	answer(w, message.WritePong(ours.Common(offered), echoed))
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

package simulator

import (
	"compress/gzip"
	"encoding/xml"
	"io"
	"net/http"
	"slices"
	"strings"
)

// maxForm bounds what is read of one request, in bytes.
const maxForm = 8 << 20

// actions are what can be asked for.
var actions = []string{"OTA_Ping:Handshaking", "OTA_HotelInvCountNotif:FreeRooms", "OTA_HotelRatePlanNotif:RatePlans", inventoryAction, "OTA_Read:GuestRequests", "OTA_NotifReport:GuestRequests"}

const inventoryAction = "OTA_HotelDescriptiveContentNotif:Inventory"

// call is one request that has come through the door.
type call struct {
	version string
	action  string
	request []byte
}

// serve does what all actions have in common. What is wrong before a message is
// understood is said in plain text.
func (s *Simulator) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-AlpineBits-Server-Accept-Encoding", "gzip")
	c, status, why := s.open(r)
	if why != "" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "ERROR:"+why) // the status is what counts
		return
	}
	var reply any
	switch c.action {
	case "OTA_Ping:Handshaking":
		reply = s.handshake(c)
	case "OTA_HotelInvCountNotif:FreeRooms":
		reply = s.freeRooms(c)
	case "OTA_HotelRatePlanNotif:RatePlans":
		reply = s.ratePlans(c)
	case inventoryAction:
		reply = s.inventory(c)
	case "OTA_Read:GuestRequests":
		reply = s.reservations(c)
	case "OTA_NotifReport:GuestRequests":
		reply = s.acknowledge(c)
	}
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	_, _ = io.WriteString(w, xml.Header)
	_ = xml.NewEncoder(w).Encode(s.wishing(reply)) // who has gone needs no answer
}

// open checks who calls and how, and unpacks the request; why is empty when nothing
// is wrong.
func (s *Simulator) open(r *http.Request) (c call, status int, why string) {
	user, password, _ := r.BasicAuth()
	packed := r.Header.Get("Content-Encoding")
	c.version = r.Header.Get("X-AlpineBits-ClientProtocolVersion")
	switch {
	case r.Method != http.MethodPost:
		return c, http.StatusMethodNotAllowed, "messages are posted"
	case user != hotelUser || password != s.o.Secret:
		return c, http.StatusUnauthorized, "invalid or missing username/password"
	case !slices.Contains(s.speaks(), c.version):
		return c, http.StatusBadRequest, "the version is missing or not included in the handshake agreement"
	case r.Header.Get("X-AlpineBits-ClientID") == "":
		return c, http.StatusBadRequest, "X-AlpineBits-ClientID is missing"
	case packed != "" && packed != "gzip":
		return c, http.StatusNotImplemented, "only gzip is unpacked"
	}
	if packed == "gzip" {
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			return c, http.StatusBadRequest, "what should be gzip is none"
		}
		r.Body = struct {
			io.Reader
			io.Closer
		}{z, r.Body}
	}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") || r.ParseMultipartForm(maxForm) != nil {
		return c, http.StatusUnsupportedMediaType, "a request is multipart/form-data"
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }()
	c.action, c.request = r.PostFormValue("action"), []byte(r.PostFormValue("request"))
	switch {
	case !slices.Contains(actions, c.action):
		return c, http.StatusBadRequest, "unknown or missing action"
	case packed != "" && c.action == "OTA_Ping:Handshaking":
		return c, http.StatusBadRequest, "a handshake is never compressed"
	}
	return c, 0, ""
}

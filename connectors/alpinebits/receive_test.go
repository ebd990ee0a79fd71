package alpinebits

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// inbound is a channel that a portal sends its reservations to.
func inbound() pushed {
	cfg := sound()
	cfg.GuestRequests, cfg.InboundUser, cfg.InboundPassword = Push, "portal", testSecret
	return pushed{connect(cfg, connectors.Env{Clock: hotel.SystemClock{}, Shelf: memory{}})}
}

// posted is a request as a portal posts it.
func posted(t testing.TB, action, request string) *http.Request {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{"action": action, "request": request} {
		if err := form.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/", &body)
	r.SetBasicAuth("portal", testSecret)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set(versionHeader, "2022-10")
	return r
}

func TestHandlerShakesHands(t *testing.T) {
	offered := message.Agreement{}
	for _, v := range []message.Version{"2018-10", message.V2022} {
		offered.Versions = append(offered.Versions, message.Spoken{Version: v, Actions: []message.Supported{
			{Action: message.Ping.Handshake}, {Action: message.FreeRooms.Handshake}, {Action: message.PushedRequest.Handshake},
		}})
	}
	w := httptest.NewRecorder()
	inbound().Handler(&kept{}).ServeHTTP(w, posted(t, message.Ping.Name, string(message.WritePing(offered))))
	common, err := message.ReadPong(w.Body.Bytes())
	want := []string{message.Ping.Handshake, message.PushedRequest.Handshake}
	slices.Sort(want)
	if err != nil || len(common.Versions) != 1 || !slices.Equal(common.Versions[0].Features(), want) {
		t.Errorf("what both can do is %+v, %v", common, err)
	}
}

func TestHandlerRefuses(t *testing.T) {
	push := rs("OTA_HotelResNotifRQ", `<HotelReservations>`+reserved+`</HotelReservations>`)
	with := func(spoil func(*http.Request)) *http.Request {
		r := posted(t, message.PushedRequest.Name, push)
		spoil(r)
		return r
	}
	for name, c := range map[string]struct {
		request *http.Request
		status  int
	}{
		"a look":           {with(func(r *http.Request) { r.Method = http.MethodGet }), 405},
		"another user":     {with(func(r *http.Request) { r.SetBasicAuth("hotel", testSecret) }), 401},
		"another password": {with(func(r *http.Request) { r.SetBasicAuth("portal", "guess") }), 401},
		"no version":       {with(func(r *http.Request) { r.Header.Del(versionHeader) }), 400},
		"a version of old": {with(func(r *http.Request) { r.Header.Set(versionHeader, "2018-10") }), 400},
		"a packed request": {with(func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }), 501},
		"no form":          {with(func(r *http.Request) { r.Header.Set("Content-Type", "text/xml") }), 400},
		"half a form":      {with(func(r *http.Request) { r.Body = io.NopCloser(io.LimitReader(r.Body, 300)) }), 400},
		"another action":   {posted(t, "OTA_HotelAvailNotif:FreeRooms", push), 400},
		"a status of old": {with(func(r *http.Request) {
			*r = *posted(t, message.StatusUpdate.Name, push)
			r.Header.Set(versionHeader, "2020-10")
		}), 400},
	} {
		var k kept
		w := httptest.NewRecorder()
		inbound().Handler(&k).ServeHTTP(w, c.request)
		if w.Code != c.status || len(k) > 0 || !strings.HasPrefix(w.Body.String(), "ERROR:") {
			t.Errorf("%s is answered %d %q and %d messages are taken, want %d", name, w.Code, w.Body, len(k), c.status)
		}
	}
	for _, action := range []message.Action{message.PushedRequest, message.StatusUpdate} {
		var k kept
		w := httptest.NewRecorder()
		inbound().Handler(&k).ServeHTTP(w, posted(t, action.Name, push))
		if said, err := message.ReadReply(w.Body.Bytes(), message.Received); err != nil || said.Failed || len(k) != 1 || bytes.Contains(k[0].Raw, []byte("4111")) {
			t.Errorf("a sound message to %s is answered %v, %v and %d are taken", action.Name, said, err, len(k))
		}
	}
}

// TestPortalHearsWhatIsWrong: what is wrong with a message is an error of the standard
// with its code, and plain text in the version that has none. Nothing of it is taken.
func TestPortalHearsWhatIsWrong(t *testing.T) {
	push := rs("OTA_HotelResNotifRQ", `<HotelReservations>`+reserved+`</HotelReservations>`)
	for name, c := range map[string]struct{ request, code string }{
		"no XML":               {"hello", message.CodeInvalid},
		"no reservation":       {rs("OTA_HotelResNotifRQ", `<HotelReservations/>`), message.CodeMissing},
		"another hotel's":      {strings.Replace(push, `"H1"`, `"H2"`, 1), message.CodeHotel},
		"one of no type":       {strings.Replace(push, `Type="14"`, `Type="16"`, 1), message.CodeMissing},
		"one without a number": {strings.Replace(push, `ID="R1"`, "", 1), message.CodeMissing},
	} {
		for _, v := range message.Versions {
			w, taken := pushIn(t, v, c.request)
			if taken > 0 {
				t.Errorf("%s in %s: %d are taken", name, v, taken)
			}
			if v == message.V2020 {
				if w.Code != http.StatusBadRequest || !strings.HasPrefix(w.Body.String(), "ERROR:") {
					t.Errorf("%s in %s is answered %d %s", name, v, w.Code, w.Body)
				}
				continue
			}
			said, err := message.ReadReply(w.Body.Bytes(), message.Received)
			if w.Code != http.StatusOK || err != nil || !said.Failed || said.Notices[0].Code != c.code {
				t.Errorf("%s in %s is answered %d %+v, %v", name, v, w.Code, said, err)
			}
		}
	}
}

// TestRefusedReservationsFitTheSchemas, of the versions that have a place for them.
func TestRefusedReservationsFitTheSchemas(t *testing.T) {
	folder := testkit.Corpus(t, "alpinebits")
	for _, v := range []message.Version{message.V2024, message.V2022} {
		w, _ := pushIn(t, v, "hello")
		testkit.Schema(t, filepath.Join(folder, "schemas", "alpinebits-"+string(v)+".xsd"))(string(v), w.Body.Bytes())
	}
}

// pushIn has a portal push a message in a version, and counts what is taken.
func pushIn(t *testing.T, v message.Version, request string) (w *httptest.ResponseRecorder, taken int) {
	t.Helper()
	var k kept
	w = httptest.NewRecorder()
	r := posted(t, message.PushedRequest.Name, request)
	r.Header.Set(versionHeader, string(v))
	inbound().Handler(&k).ServeHTTP(w, r)
	return w, len(k)
}

func FuzzHandler(f *testing.F) {
	f.Add("--b\r\nContent-Disposition: form-data; name=\"action\"\r\n\r\nOTA_Ping:Handshaking\r\n--b--\r\n")
	f.Add("--b\r\nContent-Disposition: form-data; name=\"action\"\r\n\r\nOTA_HotelResNotif:GuestRequests\r\n--b\r\n" +
		"Content-Disposition: form-data; name=\"request\"; filename=\"request.xml\"\r\n\r\n<a/>\r\n--b--\r\n")
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.SetBasicAuth("portal", testSecret)
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		r.Header.Set(versionHeader, "2024-10")
		w := httptest.NewRecorder()
		inbound().Handler(&kept{}).ServeHTTP(w, r)
		if w.Code != http.StatusOK && !strings.HasPrefix(w.Body.String(), "ERROR:") {
			t.Errorf("%q is answered %d %q", body, w.Code, w.Body)
		}
	})
}

package alpinebits

import (
	"bytes"
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// unspoken are the messages about what is not spoken here, with the actions by which they
// are sent: descriptions that are asked for, and activities.
var unspoken = map[string]string{"OTA_HotelDescriptiveInfo": "OTA_HotelDescriptiveInfo:Inventory", "OTA_HotelPostEventNotif": "OTA_HotelPostEventNotif:EventReports"}

// notSpoken returns the action by which such a message is sent; false: it is spoken here.
func notSpoken(root, name string) (action string, not bool) {
	for of, action := range unspoken {
		if strings.HasPrefix(root, of) {
			return action, true
		}
	}
	of := strings.ToLower(name)
	return "OTA_HotelDescriptiveContentNotif:Info", strings.Contains(of, "notifrq") && strings.Contains(of, "hotelinfo")
}

// asksOf are the actions by which the messages that we answer are sent.
var asksOf = map[string]message.Action{
	"OTA_PingRQ": message.Ping, "OTA_HotelInvCountNotifRQ": message.FreeRooms, "OTA_HotelRatePlanNotifRQ": message.RatePlans,
	"OTA_HotelDescriptiveContentNotifRQ": message.Inventory, "OTA_ReadRQ": message.ReadRequests, "OTA_NotifReportRQ": message.Acknowledge, "OTA_HotelRatePlanRQ": message.BaseRates, "OTA_HotelResNotifRQ": message.PushedRequest,
}

// TestEverySampleIsAccountedFor takes all messages of the standard's test data in the
// versions that are spoken, has those answered that are asked of us, reads the others, and
// counts. What breaks a rule of the standard is refused, and so is what no handshake of
// ours announces: single rooms.
func TestEverySampleIsAccountedFor(t *testing.T) {
	folder := testkit.Corpus(t, "alpinebits")
	manifest, err := os.ReadFile(filepath.Join(folder, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for line := range strings.Lines(string(manifest)) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		v := message.Version(row[1])
		if len(row) < 5 || !v.Known() {
			counts["of a version that is not spoken"]++
			continue
		}
		raw, err := os.ReadFile(filepath.Join(folder, row[0]))
		if err != nil {
			t.Fatal(err)
		}
		counts[sample(t, v, row[0], row[4], raw)]++
	}
	want := map[string]int{
		"answered": 42, "refused": 54, "read": 24, "about what is not spoken": 27, // together 147
		"of a version that is not spoken": 62, // with the line of the names
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("the samples are (-want +got):\n%s", diff)
	}
}

// sample takes one message, and says what it was.
func sample(t *testing.T, v message.Version, name, expected string, raw []byte) string {
	t.Helper()
	root := rootOf(raw)
	if action, not := notSpoken(root, name); not {
		w := tellPMS(t, pmsOf(t), newPretend(), v, action, string(raw))
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "unknown or missing action") {
			t.Errorf("%s is answered %d %s", name, w.Code, w.Body)
		}
		return "about what is not spoken"
	}
	action, asked := asksOf[root]
	if !asked {
		return answered(t, v, name, root, raw)
	}
	refuse := strings.HasPrefix(expected, "reject") || strings.Contains(name, "support_rooms")
	said := answerTo(t, v, action, string(raw))
	if took := strings.Contains(said, "<Success>") && !strings.Contains(said, "<Errors>"); took == refuse {
		t.Errorf("%s, which is to be refused: %t, is answered %s", name, refuse, said)
	}
	for part, why := range map[string]string{
		"rooms-mixed": "mixed", "no-hotelcode-and": "hotel is missing", "support_rooms": "one by one", "no-hotelcode.xml": "no inventory", // which it has neither
	} {
		if strings.Contains(name, part) && !strings.Contains(said, why) {
			t.Errorf("%s is refused for another reason than %s: %s", name, why, said)
		}
	}
	if refuse {
		return "refused"
	}
	return "answered"
}

// answered reads an answer.
func answered(t *testing.T, v message.Version, name, root string, raw []byte) string {
	t.Helper()
	var err error
	switch root {
	case "OTA_PingRS":
		_, err = message.ReadPong(raw)
	case message.Retrieved:
		_, _, err = message.ReadReservations(raw)
	default:
		_, err = message.ReadReply(raw, root)
	}
	if err != nil {
		t.Errorf("%s in %s cannot be read: %v", name, v, err)
	}
	return "read"
}

// answerTo is what we say to somebody who asks.
func answerTo(t *testing.T, v message.Version, action message.Action, request string) string {
	t.Helper()
	if action != message.PushedRequest {
		house := newPretend()
		for _, code := range []string{"DailyRate-HB", "SPECIAL"} {
			house.layout.Plans = append(house.layout.Plans, hotel.RatePlan{Entity: hotel.Entity{ID: code}, Code: code, Currency: "EUR", RoomTypeIDs: []string{"double"}})
			house.cells = append(house.cells, hotel.RateCell{RoomTypeID: "double", RatePlanID: code, Date: hotel.DateOf(2023, 12, 25), Amount: &hotel.Money{Minor: 9900, Currency: "EUR"}})
		}
		pms := pmsOf(t)
		if _, after, named := strings.Cut(request, `HotelCode="`); named {
			pms.cfg.Hotel, _, _ = strings.Cut(after, `"`)
		}
		return tellPMS(t, pms, house, v, action.Name, request).Body.String()
	}
	portal := inbound()
	portal.cfg.Hotel = "123"
	r := posted(t, action.Name, request)
	r.Header.Set(versionHeader, string(v))
	w := httptest.NewRecorder()
	var k kept
	portal.Handler(&k).ServeHTTP(w, r)
	if w.Code != http.StatusOK || len(k) != 1 || bytes.Contains(k[0].Raw, []byte("4444")) {
		t.Errorf("a reservation that is pushed is %+v", k)
	}
	return w.Body.String()
}

func rootOf(raw []byte) string {
	var top struct{ XMLName xml.Name }
	_ = xml.Unmarshal(raw, &top)
	return top.XMLName.Local
}

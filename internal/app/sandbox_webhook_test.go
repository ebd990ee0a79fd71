package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"ostler.example/internal/auth"
	"ostler.example/internal/testkit"
)

// A partner tries its receiver in its sandbox: the test call and what happens there
// reach it, and its acknowledging counts, though its client is known to production alone.
func TestAPartnerHearsOfItsSandbox(t *testing.T) {
	t.Parallel()
	heard := make(chan string, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		heard <- r.Header.Get("webhook-id")
	}))
	defer receiver.Close()
	e := &estate{t: t, dir: testkit.Folder(t)}
	e.webhooks.SandboxAllowCIDRs = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	e.start()
	defer e.stop()
	token := e.token(auth.Sandbox, "")
	made := e.ok(token, "POST", "/webhook-endpoints", fmt.Sprintf(`{"url":%q,"event_types":["reservation.*","guest.*"],"acknowledge_required":true}`, receiver.URL))
	tried := e.ok(token, "POST", "/webhook-endpoints/"+fmt.Sprint(made["id"])+"/test", "")
	if id := <-heard; tried["status"] != "delivered" || id != fmt.Sprint(tried["event_id"]) {
		t.Errorf("the test call is %v, and was heard as %s", tried, id)
	}
	guest := e.ok(token, "POST", "/guests", `{"property_id":"hotel_123","last_name":"Lovelace"}`)
	if event := e.ok(token, "GET", "/events/"+<-heard, ""); event["type"] != "guest.created" || event["environment"] != "sandbox" {
		t.Errorf("of guest %v is heard %v", guest["id"], event)
	}
	room := ids(e.ok(token, "GET", "/room-types?property_id=hotel_123", ""))[0]
	plan := ids(e.ok(token, "GET", "/rate-plans?property_id=hotel_123", ""))[0]
	day := func(n int) string { return time.Now().AddDate(0, 0, n).Format(time.DateOnly) }
	var booked map[string]any
	eventually(t, "the pretend channel sells", func() bool {
		status, answer, _ := e.call(token, "POST", "/sandbox/channel-bookings", fmt.Sprintf(
			`{"action":"create","channel_id":"ch_alpha","room_type_id":%q,"rate_plan_id":%q,"check_in":%q,"check_out":%q}`, room, plan, day(30), day(31)))
		booked = answer
		return status < http.StatusMultipleChoices
	})
	if event := e.ok(token, "GET", "/events/"+<-heard, ""); event["type"] != "reservation.created" && event["type"] != "guest.created" {
		t.Errorf("of booking %v is heard %v", booked, event)
	}
	e.ok(token, "POST", "/sandbox/clock", `{"advance":2400}`)
	eventually(t, "somebody is reminded of the booking", func() bool {
		list := e.ok(token, "GET", "/events?type=reservation.unacknowledged", "")["data"].([]any)
		return len(list) > 0
	})
}

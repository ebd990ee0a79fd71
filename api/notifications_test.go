package api

import (
	"fmt"
	"testing"

	"ostler.example/hotel"
)

func TestNotifications(t *testing.T) {
	h := newHouse(t)
	at := "/v1/properties/hotel_123/notifications"
	first := h.call("GET", at, "").want(t, 200, "")
	if got := string(first.body); got != `{"recipients":[],"digest_time":"07:00","sheet":null}`+"\n" {
		t.Errorf("at first %s", got)
	}
	whole := `{"recipients":[{"name":"Desk","email":"desk@hotel.example","language":"de","events":["booking_new","oversell"],"digest":true,"heartbeat":true},` +
		`{"name":"Pager","url":"https://alerts.example/hook","events":["channel_stale"]}],"digest_time":"06:30","sheet":{"folder":"front"}}`
	set := h.call("PUT", at, whole, "If-Match: "+first.Header.Get("ETag")).want(t, 200, "")
	if got, want := string(h.call("GET", at, "").want(t, 200, "").body), `{"recipients":[{"name":"Desk","email":"desk@hotel.example","language":"de","events":["booking_new","oversell"],"digest":true,"heartbeat":true},`+
		`{"name":"Pager","url":"https://alerts.example/hook","language":"en","events":["channel_stale"]}],"digest_time":"06:30","sheet":{"folder":"front","every_minutes":60,"formats":["html","csv"]}}`+"\n"; got != want {
		t.Errorf("it reads\n%s, want\n%s", got, want)
	}
	h.call("PUT", at, `{}`, "If-Match: "+first.Header.Get("ETag")).want(t, 412, "precondition_failed")
	h.call("GET", at, "", "If-None-Match: "+set.Header.Get("ETag")).want(t, 304, "")
	if got := h.call("GET", "/v1/properties/hotel_123", "").want(t, 200, "").json(t); got["notifications"] != nil {
		t.Error("the property names its recipients")
	}
	for body, want := range map[string]string{
		`{"recipients":[{"name":"x"}]}`: "/recipients/0/email required",
		`{"recipients":[{"name":"x","email":"a@b.example","url":"https://x.example"}]}`: "/recipients/0/email required",
		`{"recipients":[{"name":"x","email":"not an address"}]}`:                        "/recipients/0/email format",
		`{"recipients":[{"name":"x","url":"ftp://x.example"}]}`:                         "/recipients/0/url format",
		`{"recipients":[{"name":"x","url":"https://a:b@x.example"}]}`:                   "/recipients/0/url format",
		`{"recipients":[{"name":"x","email":"a@b.example","language":"tlh"}]}`:          "/recipients/0/language enum",
		`{"recipients":[{"name":"x","email":"a@b.example","events":["rain"]}]}`:         "/recipients/0/events/0 enum",
		`{"digest_time":"25:00"}`:                        "/digest_time pattern",
		`{"sheet":{"folder":"../etc"}}`:                  "/sheet/folder pattern",
		`{"sheet":{"folder":"front","every_minutes":1}}`: "/sheet/every_minutes min",
		`{"sheet":{"folder":"front","formats":["pdf"]}}`: "/sheet/formats/0 enum",
		`{"recipients":[],"sheets":{"folder":"front"}}`:  "/sheets unknown_field",
	} {
		item := h.call("PUT", at, body).want(t, 422, "validation_failed").json(t)["errors"].([]any)[0].(map[string]any)
		if got := fmt.Sprintf("%s %s", item["pointer"], item["code"]); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	h.call("PUT", at, `{"recipients":[{"name":"a","email":"a@b.example"}]}`).want(t, 200, "")
	all := h.call("PUT", at, `{"recipients":[{"name":"a","email":"a@b.example","events":`+text(hotel.NoticeKinds)+`}]}`).want(t, 200, "").json(t)
	if got := all["recipients"].([]any)[0].(map[string]any)["events"].([]any); len(got) != len(hotel.NoticeKinds) {
		t.Errorf("of all there is, one is told of %v", got)
	}
	h.call("PUT", at, `{"recipients":[{"name":"a","email":"a@b.example","events":["oversell","oversell"]}]}`).want(t, 422, "validation_failed")
	h.call("GET", "/v1/properties/none/notifications", "").want(t, 404, "property_not_found")
}

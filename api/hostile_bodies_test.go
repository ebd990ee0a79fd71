package api

import (
	"fmt"
	"strings"
	"testing"
)

// mostAnswered is more than any answer to a bad body has, in bytes.
const mostAnswered = 16 << 10

// Bodies that are meant to hurt are answered with what is wrong with them, in few
// words, and say nothing back of what was sent.
func TestBodiesThatMeanHarm(t *testing.T) {
	h := newHouse(t)
	good := h.booking("2026-12-01", "2026-12-03")
	members := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"qz%d":0,`, i)
		}
		return b.String()
	}
	nested := func(n int, open, shut string) string { return strings.Repeat(open, n) + "0" + strings.Repeat(shut, n) }
	post, update := "POST /v1/reservations", "POST /v1/rates/updates"
	for _, c := range []struct {
		name, to, body string
		status         int
		code           string
	}{
		{"thirty thousand members", post, "{" + members(30_000) + good[1:], 422, "validation_failed"},
		{"a million members", update, "{" + members(1_000_000)[:9<<20] + `0":0}`, 413, "body_too_large"},
		{"so many in a guest", post, strings.Replace(good, `"last_name"`, members(30_000)+`"last_name"`, 1), 422, "validation_failed"},
		{"so many metadata", post, with(good, `"metadata":{`+strings.TrimSuffix(members(30_000), ",")+`}`), 422, "validation_failed"},
		{"a name of a member without end", post, `{"` + strings.Repeat("qz", 400_000) + `":1,` + good[1:], 422, "validation_failed"},
		{"arrays in arrays", post, with(good, `"notes":`+nested(70, "[", "]")), 400, "malformed_json"},
		{"arrays in more arrays", post, with(good, `"notes":`+nested(400_000, "[", "]")), 400, "malformed_json"},
		{"objects in objects", post, with(good, `"guest_requests":`+nested(9_000, `{"a":`, "}")), 400, "malformed_json"},
		{"objects that are unknown", post, with(good, `"qz":`+nested(60, `{"a":`, "}")), 422, "validation_failed"},
		{"a number with a hundred thousand digits", post, strings.Replace(good, `"adults":2`, `"adults":`+strings.Repeat("9", 100_000), 1), 400, "malformed_json"},
		{"a number beyond all numbers", post, strings.Replace(good, `"adults":2`, `"adults":1e999999999`, 1), 400, "malformed_json"},
		{"a number next to nothing", post, strings.Replace(good, `"adults":2`, `"adults":1e-999999999`, 1), 422, "validation_failed"},
		{"a whole number beyond 64 bits", post, strings.Replace(good, `"adults":2`, `"adults":18446744073709551617`, 1), 422, "validation_failed"},
		{"an amount without end", post, with(good, `"expected_total":{"amount":"`+strings.Repeat("9", 400_000)+`","currency":"EUR"}`), 422, "validation_failed"},
		{"a name without end", post, strings.Replace(good, "Lovelace", strings.Repeat("qz", 400_000), 1), 422, "validation_failed"},
		{"an id without end", post, strings.Replace(good, "hotel_123", strings.Repeat("qz", 400_000), 1), 422, "validation_failed"},
		{"bytes that are no UTF-8", post, strings.Replace(good, "Lovelace", "Love\xff\xfelace", 1), 400, "malformed_json"},
		{"a name that is no UTF-8", post, strings.Replace(good, `"adults"`, "\"adu\xc0\xaflts\"", 1), 400, "malformed_json"},
		{"a date of forty digits", post, strings.Replace(good, "2026-12-01", strings.Repeat("2026", 10)+"-12-01", 1), 422, "validation_failed"},
		{"half a pair of UTF-16", post, strings.Replace(good, "hotel_123", `hotel_\ud800`, 1), 404, "property_not_found"},
		{"thirty thousand members of a question", "GET /v1/availability", "{" + members(30_000) + question[1:], 422, "validation_failed"},
		{"a question with a name without end", "GET /v1/availability", `{"` + strings.Repeat("qz", 400_000) + `":1,` + question[1:], 422, "validation_failed"},
		{"objects in objects of a question", "GET /v1/availability", `{"qz":` + nested(70, `{"a":`, "}") + "," + question[1:], 400, "malformed_json"},
		{"a zero byte", post, strings.Replace(good, "hotel_123", `hotel_\u0000`, 1), 404, "property_not_found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			method, path, _ := strings.Cut(c.to, " ")
			got := h.call(method, path, c.body).want(t, c.status, c.code)
			if len(got.body) > mostAnswered {
				t.Errorf("the answer has %d bytes", len(got.body))
			}
			if strings.Contains(string(got.body), "qzqzqzqz") {
				t.Errorf("it says what was sent: %.300s", got.body)
			}
		})
	}
	h.call("POST", "/v1/reservations", good).want(t, 201, "")
}

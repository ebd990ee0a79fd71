package api

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// The two fields in the structured syntax of RFC 9651: a list of one string
// with integer parameters.
var (
	policyForm = regexp.MustCompile(`^"hourly";q=([1-9]\d*);w=([1-9]\d*)$`)
	limitForm  = regexp.MustCompile(`^"hourly";r=(0|[1-9]\d*);t=(0|[1-9]\d*)$`)
)

func wantQuota(t *testing.T, r reply, remaining, after int, reset time.Time) {
	t.Helper()
	policy, state := policyForm.FindStringSubmatch(r.Header.Get("RateLimit-Policy")), limitForm.FindStringSubmatch(r.Header.Get("RateLimit"))
	if policy == nil || state == nil {
		t.Fatalf("RateLimit-Policy %q, RateLimit %q", r.Header.Get("RateLimit-Policy"), r.Header.Get("RateLimit"))
	}
	got := fmt.Sprint(policy[1], policy[2], state[1], state[2],
		r.Header.Get("X-RateLimit-Limit"), r.Header.Get("X-RateLimit-Remaining"), r.Header.Get("X-RateLimit-Reset"))
	text := strconv.Itoa
	want := fmt.Sprint("1000", "3600", text(remaining), text(after), "1000", text(remaining), strconv.FormatInt(ceilUnix(reset), 10))
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRateLimit(t *testing.T) {
	h := newHouse(t)
	reset := h.clock.Now().Add(time.Hour)
	wantQuota(t, h.call("GET", "/v1/rate-limit", "").want(t, 200, ""), 1000, 3600, reset)
	wantQuota(t, h.call("GET", "/v1/properties", "").want(t, 200, ""), 999, 3600, reset)
	h.clock.move(90*time.Second + time.Millisecond)
	wantQuota(t, h.call("GET", "/v1/properties/nothing", "").want(t, 404, "property_not_found"), 998, 3510, reset)
	second := h.tokenOf(h.client)
	for i := range 998 {
		token := []string{h.token, second}[i%2]
		h.call("GET", "/v1/properties", "", "Authorization: Bearer "+token).want(t, 200, "")
	}
	refused := h.call("GET", "/v1/properties", "").want(t, 429, "rate_limit_exceeded")
	wantQuota(t, refused, 0, 3510, reset)
	if got := refused.Header.Get("Retry-After"); got != "3510" {
		t.Errorf("Retry-After %q", got)
	}
	body := refused.json(t)
	if body["type"] != "https://iana.org/assignments/http-problem-types#quota-exceeded" || fmt.Sprint(body["violated-policies"]) != "[hourly]" {
		t.Errorf("body %v", body)
	}
	free := h.call("GET", "/v1/rate-limit", "").want(t, 200, "").json(t)
	if free["remaining"] != 0.0 || free["limit"] != 1000.0 || free["tier"] != "standard" || free["reset"] != stamp(reset) {
		t.Errorf("rate-limit %v", free)
	}
	h.call("GET", "/v1/health", "", "Authorization:").want(t, 200, "")

	if err := h.auth.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.serve(nil)
	h.call("GET", "/v1/properties", "").want(t, 429, "rate_limit_exceeded")

	partner, err := h.auth.CreateClient(t.Context(), tester, hotel.Once{}, auth.Client{
		Environment: auth.Production, Tier: "partner", Scopes: auth.ScopesOf(auth.PropertiesRead), PropertyIDs: []string{"*"},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := h.call("GET", "/v1/properties", "", "Authorization: Bearer "+h.tokenOf(partner.Client)).want(t, 200, "")
	if got.Header.Get("X-RateLimit-Limit") != "5000" {
		t.Errorf("a partner has %s", got.Header.Get("X-RateLimit-Limit"))
	}

	h.clock.move(time.Hour)
	again := h.tokenOf(h.client)
	wantQuota(t, h.call("GET", "/v1/properties", "", "Authorization: Bearer "+again).want(t, 200, ""), 999, 3600, h.clock.Now().Add(time.Hour))
}

func TestRefusedRequestsCount(t *testing.T) {
	h := newHouse(t)
	for i, c := range []struct {
		status int
		call   func() reply
	}{
		{422, func() reply { return h.call("POST", "/v1/reservations", `{}`) }},
		{400, func() reply { return h.call("GET", "/v1/properties?x=1", "") }},
		{415, func() reply { return h.call("POST", "/v1/reservations", `{}`, "Content-Type: text/plain") }},
		{404, func() reply { return h.call("GET", "/v1/reservations/none", "") }},
		{404, func() reply { return h.call("GET", "/v1/nothing", "") }},
		{405, func() reply { return h.call("DELETE", "/v1/properties", "") }},
		{204, func() reply { return h.call("OPTIONS", "/v1/properties", "") }},
	} {
		got := c.call()
		if got.StatusCode != c.status || got.Header.Get("X-RateLimit-Remaining") != strconv.Itoa(999-i) {
			t.Errorf("%d, want %d; %s left, want %d", got.StatusCode, c.status, got.Header.Get("X-RateLimit-Remaining"), 999-i)
		}
	}
}

func TestPublicRoutesAreLimitedByAddress(t *testing.T) {
	h := newHouse(t)
	for range publicRequests {
		h.call("GET", "/v1/", "", "Authorization:").want(t, 200, "")
	}
	got := h.call("GET", "/v1/problems/not_found", "", "Authorization:").want(t, 429, "rate_limit_exceeded")
	if got.Header.Get("Retry-After") == "" || got.Header.Get("RateLimit") != "" || fmt.Sprint(got.json(t)["violated-policies"]) != "[attempts]" {
		t.Errorf("headers %v, body %s", got.Header, got.body)
	}
	h.call("GET", "/v1/health", "", "Authorization:").want(t, 200, "")
	h.call("GET", "/v1/properties", "").want(t, 200, "")
}

// What does not count, does not count by another method either: whoever asks how the hour
// stands loses none of it by a mistake.
func TestWhatIsFreeIsFreeByEveryMethod(t *testing.T) {
	h := newHouse(t)
	reset := h.clock.Now().Add(time.Hour)
	for _, c := range []struct {
		method, path string
		status       int
		code         string
	}{
		{"POST", "/v1/rate-limit", 405, "method_not_allowed"},
		{"OPTIONS", "/v1/rate-limit", 204, ""},
		{"HEAD", "/v1/rate-limit", 200, ""},
		{"GET", "/v1/oauth/token", 405, "method_not_allowed"},
		{"DELETE", "/v1/health", 405, "method_not_allowed"},
	} {
		got := h.call(c.method, c.path, "")
		if c.method != "HEAD" {
			got.want(t, c.status, c.code)
		}
		wantQuota(t, got, 1000, 3600, reset)
	}
	wantQuota(t, h.call("POST", "/v1/properties/hotel_123", "").want(t, 405, "method_not_allowed"), 999, 3600, reset)
}

// Whoever is to wait is told of what there is too little, also by a refusal that many share.
func TestAServerThatIsBusySaysSo(t *testing.T) {
	shared := hotel.Refuse("temporarily_unavailable", "as many sandboxes are in use as may be open at once")
	for range 2 {
		got := refused(shared).complete(&call{url: &url.URL{}})
		if fmt.Sprint(got.members["violated-policies"]) != "[capacity]" || got.header.Get("Retry-After") != "1" || shared.Members != nil {
			t.Errorf("answered %v, the refusal has %v", got, shared.Members)
		}
	}
}

// What a client asks for counts though nobody looks for its route: that the address is no
// clean path, cannot be read or is too long. Without a token it is refused all the same.
func TestWhatComesToNoRouteCounts(t *testing.T) {
	h := newHouse(t)
	reset := h.clock.Now().Add(time.Hour)
	for i, c := range []struct {
		target, code string
		status       int
	}{
		{"/v1//reservations", "not_found", 404},
		{"/v1/./reservations", "not_found", 404},
		{"/v1/reservations?tag=%zz", "invalid_parameter", 400},
		{"/v1/reservations?tag=" + strings.Repeat("a", maxURI), "uri_too_long", 414},
	} {
		got := h.call("GET", c.target, "").want(t, c.status, c.code)
		wantQuota(t, got, 999-i, 3600, reset)
		if got.Header.Get("Ostler-Environment") != "production" {
			t.Errorf("%.40s: answered with %v", c.target, got.Header)
		}
		if got := h.call("GET", c.target, "", "Authorization:").want(t, c.status, c.code); got.Header.Get("RateLimit") != "" {
			t.Errorf("%.40s without a token: %v", c.target, got.Header)
		}
	}
	h.call("GET", "//v1/reservations", "").want(t, 404, "not_found")
	wantQuota(t, h.call("GET", "/v1/rate-limit", "").want(t, 200, ""), 996, 3600, reset)
}

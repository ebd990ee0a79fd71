package main_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// access walks a client's way in and out.
func access(t *testing.T, d *demo) {
	visitor := d.client

	a, err := visitor.oauth("token", "not the secret", url.Values{"grant_type": {"client_credentials"}})
	if err != nil {
		t.Fatal(err)
	}
	if a.status != http.StatusUnauthorized || !strings.Contains(string(a.body), `"invalid_client"`) {
		t.Errorf("a wrong secret: got %d %s", a.status, a.body)
	}

	visitor.token = ""
	if got := knock(t, &visitor); got != "missing_token" {
		t.Errorf("no token: got %s", got)
	}
	if visitor.token, err = visitor.newToken(); err != nil {
		t.Fatal(err)
	}
	left := visitor.remaining(t)
	if after := visitor.remaining(t); after != left-1 {
		t.Errorf("%d calls are left after %d were", after, left)
	}

	if a, err = visitor.oauth("revoke", visitor.secret, url.Values{"token": {visitor.token}}); err != nil || a.status != http.StatusOK {
		t.Fatalf("revoke: %d %s (%v)", a.status, a.body, err)
	}
	if got := knock(t, &visitor); got != "invalid_token" {
		t.Errorf("a revoked token: got %s", got)
	}
}

// knock asks for something and expects to be turned away with a challenge.
func knock(t *testing.T, c *client) (code string) {
	t.Helper()
	header := http.Header{}
	if c.token == "" {
		header["Authorization"] = nil
	}
	a, err := c.do(http.MethodGet, "/room-types?property_id="+property, nil, header)
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.refusal()
	if err != nil || a.status != http.StatusUnauthorized || !strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Bearer ") {
		t.Errorf("got %d, challenge %q: %s (%v)", a.status, a.header.Get("WWW-Authenticate"), a.body, err)
	}
	return p.Code
}

// remaining makes one call and returns how many its headers say are left.
func (c *client) remaining(t *testing.T) int {
	t.Helper()
	a, err := c.do(http.MethodGet, "/room-types?property_id="+property, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.status != http.StatusOK {
		t.Fatalf("got %d %s", a.status, a.body)
	}
	for header, begins := range map[string]string{
		"X-RateLimit-Limit": "1000", "X-RateLimit-Reset": "1", "RateLimit-Policy": `"hourly";q=1000;w=3600`, "RateLimit": `"hourly";r=`,
		"Request-Id": "req_", "Ostler-Environment": "production",
	} {
		if got := a.header.Get(header); !strings.HasPrefix(got, begins) {
			t.Errorf("%s: %q, want %s…", header, got, begins)
		}
	}
	left, err := strconv.Atoi(a.header.Get("X-RateLimit-Remaining"))
	if err != nil {
		t.Fatal(err)
	}
	return left
}

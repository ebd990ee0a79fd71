package api

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// form posts a form without a token. Headers are as in call.
func (h *house) form(path, body string, headers ...string) reply {
	h.t.Helper()
	return h.call("POST", path, body, append([]string{"Authorization:", "Content-Type: " + mediaForm}, headers...)...)
}

func basicOf(id, secret string) string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(id+":"+secret))
}

func TestToken(t *testing.T) {
	h := newHouse(t)
	id, secret := h.client.ID, h.secret
	percent := strings.NewReplacer("_", "%5F", "-", "%2D")
	post := "&client_id=" + url.QueryEscape(id) + "&client_secret=" + url.QueryEscape(secret)
	const grant = "grant_type=client_credentials"
	for _, c := range []struct {
		name, body, authorization string
		status                    int
		err                       string
	}{
		{"Basic, bare", grant, basicOf(id, secret), 200, ""},
		{"Basic, both parts percent-encoded", grant, basicOf(percent.Replace(id), percent.Replace(secret)), 200, ""},
		{"Basic, scheme in lower case", grant, strings.Replace(basicOf(id, secret), "Basic", "basic", 1), 200, ""},
		{"in the form", grant + post, "", 200, ""},
		{"client_id beside Basic", grant + "&client_id=" + id, basicOf(id, secret), 200, ""},
		{"parameters without a value beside Basic", grant + "&client_id=&client_secret=&scope=", basicOf(id, secret), 200, ""},
		{"both ways at once", grant + post, basicOf(id, secret), 400, "invalid_request"},
		{"another client_id beside Basic", grant + "&client_id=other", basicOf(id, secret), 400, "invalid_request"},
		{"wrong secret", grant, basicOf(id, secret+"x"), 401, "invalid_client"},
		{"unknown client", grant, basicOf("cli_live_none", secret), 401, "invalid_client"},
		{"nobody", grant, "", 401, "invalid_client"},
		{"Basic that is no base64", grant, "Authorization: Basic %%%", 401, "invalid_client"},
		{"Basic with a broken escape", grant, basicOf(id, "%zz"), 401, "invalid_client"},
		{"a bearer token", grant, "Authorization: Bearer " + h.token, 401, "invalid_client"},
		{"no grant type", "scope=rates:read", basicOf(id, secret), 400, "invalid_request"},
		{"password grant", "grant_type=password", basicOf(id, secret), 400, "unsupported_grant_type"},
		{"scope beyond the allowance", grant + "&scope=admin:clients", basicOf(id, secret), 400, "invalid_scope"},
		{"scope that does not exist", grant + "&scope=nonsense", basicOf(id, secret), 400, "invalid_scope"},
		{"parameter twice", grant + "&scope=rates:read&scope=rates:write", basicOf(id, secret), 400, "invalid_request"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := h.form("/v1/oauth/token", c.body, strings.SplitAfterN(c.authorization, "\n", 2)...)
			if got.StatusCode != c.status {
				t.Fatalf("%d, want %d: %s", got.StatusCode, c.status, got.body)
			}
			if got.Header.Get("Cache-Control") != "no-store" || got.Header.Get("Pragma") != "no-cache" {
				t.Errorf("headers %v", got.Header)
			}
			if basic := strings.HasPrefix(got.Header.Get("WWW-Authenticate"), "Basic "); basic != (c.status == 401) {
				t.Errorf("WWW-Authenticate %q", got.Header.Get("WWW-Authenticate"))
			}
			body := got.json(t)
			if c.err != "" {
				if body["error"] != c.err {
					t.Errorf("error %v, want %s", body["error"], c.err)
				}
				return
			}
			if body["token_type"] != "Bearer" || body["expires_in"] != 3600.0 || body["scope"] != h.client.Scopes.String() {
				t.Errorf("body %v", body)
			}
			h.call("GET", "/v1/properties", "", "Authorization: Bearer "+body["access_token"].(string)).want(t, 200, "")
		})
	}
	if got := h.call("POST", "/v1/oauth/token", `{}`, "Authorization:"); got.json(t)["error"] != "invalid_request" {
		t.Errorf("JSON: %s", got.body)
	}
	if got := h.form("/v1/oauth/token?client_secret="+secret, grant, basicOf(id, secret)); got.json(t)["error"] != "invalid_request" {
		t.Errorf("secret in the address: %s", got.body)
	}
}

func TestTokenThrottled(t *testing.T) {
	h := newHouse(t)
	var last reply
	for range 11 {
		last = h.form("/v1/oauth/token", "grant_type=client_credentials", basicOf(h.client.ID, "wrong"))
	}
	if last.StatusCode != 429 || last.Header.Get("Retry-After") == "" {
		t.Errorf("after 10 failures: %d %s", last.StatusCode, last.body)
	}
}

func TestRevokeAndIntrospect(t *testing.T) {
	h := newHouse(t)
	mine := basicOf(h.client.ID, h.secret)
	other, otherSecret := h.newClient("other", auth.ScopesOf(auth.RatesRead), "*")
	theirs := basicOf(other.ID, otherSecret)
	look := func(who string) map[string]any {
		t.Helper()
		got := h.form("/v1/oauth/introspect", "token="+h.token, who)
		if got.StatusCode != 200 {
			t.Fatalf("introspect: %d %s", got.StatusCode, got.body)
		}
		return got.json(t)
	}
	now := float64(h.clock.Now().Unix())
	got := look(mine)
	for member, want := range map[string]any{
		"active": true, "client_id": h.client.ID, "token_type": "Bearer", "iat": now, "nbf": now, "exp": now + 3600,
		"iss": "https://hotel.example", "environment": "production", "scope": h.client.Scopes.String(),
	} {
		if got[member] != want {
			t.Errorf("%s: %v, want %v", member, got[member], want)
		}
	}
	nowhere, secret := h.newClient("nowhere", auth.ScopesOf(auth.RatesRead))
	if got := h.form("/v1/oauth/introspect", "token="+h.tokenOf(nowhere), basicOf(nowhere.ID, secret)).json(t); got["active"] != true || got["property_ids"] == nil {
		t.Errorf("of one that is for no property it is told %v", got)
	}
	if got := look(theirs); len(got) != 1 || got["active"] != false {
		t.Errorf("a stranger is told %v", got)
	}
	if got := h.form("/v1/oauth/revoke", "token=unknown", mine); got.StatusCode != 200 {
		t.Errorf("unknown: %d %s", got.StatusCode, got.body)
	}
	if got := h.form("/v1/oauth/revoke", "token="+h.token, theirs); got.StatusCode != 200 {
		t.Errorf("another client: %d", got.StatusCode)
	}
	h.call("GET", "/v1/properties", "").want(t, 200, "")
	if got := h.form("/v1/oauth/revoke", "token="+h.token+"&token_type_hint=access_token", mine); got.StatusCode != 200 {
		t.Fatalf("revoke: %d %s", got.StatusCode, got.body)
	}
	h.call("GET", "/v1/properties", "").want(t, 401, "invalid_token")
	if got := look(mine); got["active"] != false {
		t.Errorf("after it was revoked: %v", got)
	}
}

func TestChallenges(t *testing.T) {
	h := newHouse(t)
	const metadata = `resource_metadata="https://hotel.example/.well-known/oauth-protected-resource/v1"`
	narrow, _ := h.newClient("narrow", auth.ScopesOf(auth.RatesRead), "*")
	sandbox, err := h.auth.CreateClient(t.Context(), tester, hotel.Once{}, auth.Client{Environment: auth.Sandbox, Scopes: auth.ScopesOf(auth.PropertiesRead), PropertyIDs: []string{"*"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, authorization string
		status              int
		code, challenge     string
	}{
		{"nothing", "", 401, "missing_token", `Bearer realm="ostler", ` + metadata},
		{"another scheme", "Basic YTpi", 401, "missing_token", `Bearer realm="ostler", ` + metadata},
		{"unknown token", "Bearer nonsense", 401, "invalid_token", `Bearer realm="ostler", error="invalid_token", ` + metadata},
		{"scope missing", "Bearer " + h.tokenOf(narrow), 403, "insufficient_scope", `Bearer realm="ostler", error="insufficient_scope", scope="properties:read", ` + metadata},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := h.call("GET", "/v1/properties", "", "Authorization: "+c.authorization).want(t, c.status, c.code)
			if challenge := got.Header.Get("WWW-Authenticate"); challenge != c.challenge {
				t.Errorf("got  %s\nwant %s", challenge, c.challenge)
			}
		})
	}
	if got := h.call("GET", "/v1/clients", "", "Authorization: Bearer "+h.tokenOf(sandbox.Client)).want(t, 403, "environment_forbidden"); got.Header.Get("WWW-Authenticate") != "" {
		t.Errorf("no other token of its own would help: %v", got.Header)
	}
	h.call("GET", "/v1/properties", "", "Authorization: bearer "+h.token).want(t, 200, "")
	h.call("GET", "/v1/properties?access_token="+h.token, "").want(t, 400, "invalid_request")
	h.call("GET", "/v1/properties?access_token="+h.token, "", "Authorization:").want(t, 400, "invalid_request")
	h.call("POST", "/v1/properties", "access_token="+h.token, "Authorization:", "Content-Type: "+mediaForm).want(t, 400, "invalid_request")
	h.call("POST", "/v1/properties", "access_token="+h.token, "Content-Type: "+mediaForm).want(t, 415, "unsupported_media_type")
	twice := httptest.NewRequest("GET", "/v1/properties", nil)
	twice.Header["Authorization"] = []string{"Bearer " + h.token, "Bearer " + h.token}
	rec := httptest.NewRecorder()
	h.handler.ServeHTTP(rec, twice)
	reply{rec.Result(), rec.Body.Bytes()}.want(t, 400, "invalid_request")
	h.clock.move(time.Hour)
	h.call("GET", "/v1/properties", "").want(t, 401, "invalid_token")
}

func TestWellKnown(t *testing.T) {
	h := newHouse(t)
	server := h.call("GET", "/.well-known/oauth-authorization-server", "", "Authorization:").want(t, 200, "").json(t)
	if server["issuer"] != "https://hotel.example" || server["token_endpoint"] != "https://hotel.example/v1/oauth/token" {
		t.Errorf("got %v", server)
	}
	res := h.call("GET", "/.well-known/oauth-protected-resource/v1", "", "Authorization:").want(t, 200, "")
	resource := res.json(t)
	if resource["resource"] != "https://hotel.example/v1" || resource["bearer_methods_supported"].([]any)[0] != "header" {
		t.Errorf("got %v", resource)
	}
	for _, scope := range resource["scopes_supported"].([]any) {
		if scope == string(auth.AdminClients) {
			t.Error("the operator's scope is offered")
		}
	}
	if res.Header.Get("Cache-Control") != publicCache {
		t.Errorf("Cache-Control %q", res.Header.Get("Cache-Control"))
	}
	if got := h.call("POST", "/.well-known/oauth-authorization-server", ""); got.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", got.StatusCode)
	}
}

package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/testkit"
)

// TestTheSandboxHasAHostOfItsOwn: where it is configured, clients of production are
// refused at it whatever they ask, and what it says of itself names it. At the host of
// everybody both are served as before.
func TestTheSandboxHasAHostOfItsOwn(t *testing.T) {
	const own = "https://sandbox.hotel.example"
	e := &estate{t: t, dir: testkit.Folder(t), sandboxURL: own}
	e.start()
	t.Cleanup(e.stop)
	production, sandbox := e.token(auth.Production, ""), e.token(auth.Sandbox, "")

	type answer struct {
		status int
		header http.Header
		body   map[string]any
	}
	ask := func(token, method, path, body string, headers ...string) answer {
		t.Helper()
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		e.env.SandboxAPI.ServeHTTP(w, r)
		a := answer{status: w.Code, header: w.Header()}
		if err := json.Unmarshal(w.Body.Bytes(), &a.body); err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, w.Body)
		}
		return a
	}

	for _, path := range []string{"/v1/properties", "/v1/client", "/v1/clients", "/v1/rate-limit"} {
		got := ask(production, http.MethodGet, path, "")
		if got.status != http.StatusForbidden || got.body["code"] != "environment_forbidden" || got.header.Get("Ostler-Environment") != "production" {
			t.Errorf("%s with a token of production: %d %v", path, got.status, got.body)
		}
	}
	house := ask(sandbox, http.MethodGet, "/v1/properties?limit=1", "")
	if house.status != http.StatusOK || !strings.Contains(house.header.Get("Link"), "<"+own+"/v1/properties?") || house.header.Get("Ostler-Environment") != "sandbox" {
		t.Errorf("with one of the sandbox: %d %v", house.status, house.header)
	}
	for _, token := range []string{production, sandbox} {
		if status, _, _ := e.call(token, http.MethodGet, "/client", ""); status != http.StatusOK {
			t.Errorf("at the host of everybody: %d", status)
		}
	}
	const everybodys = "http://hotel.example"
	_, _, there := e.call(sandbox, http.MethodGet, "/properties?limit=1", "")
	if link := there.Get("Link"); !strings.HasPrefix(link, "<"+everybodys+"/v1/properties?") || strings.Contains(link, own) {
		t.Errorf("at the host of everybody the sandbox goes on at %s", link)
	}
	if _, made, at := e.call(sandbox, http.MethodPost, "/guests", `{"property_id":"`+SampleProperty+`","first_name":"Ada","last_name":"Lovelace"}`); !strings.HasPrefix(at.Get("Location"), everybodys+"/v1/guests/") {
		t.Errorf("there a guest is made at %s, %v", at.Get("Location"), made)
	}
	if _, problem, _ := e.call(sandbox, http.MethodGet, "/guests/none", ""); problem["type"] != everybodys+"/v1/problems/not_found" {
		t.Errorf("there nothing is %v", problem)
	}
	if _, reports, _ := e.call(sandbox, http.MethodGet, "/reports", ""); !strings.Contains(fmt.Sprint(reports), everybodys+"/v1/reports/") || strings.Contains(fmt.Sprint(reports), own) {
		t.Errorf("there reports are at %v", reports)
	}
	if got := ask("", http.MethodGet, "/v1/", ""); got.body["environment"] != "sandbox" {
		t.Errorf("it says of itself %v", got.body)
	}
	if got := ask("", http.MethodGet, "/.well-known/oauth-authorization-server", ""); got.body["issuer"] != own || got.body["token_endpoint"] != own+"/v1/oauth/token" {
		t.Errorf("where tokens are had: %v", got.body)
	}
	if got := ask("", http.MethodGet, "/v1/properties", ""); !strings.Contains(got.header.Get("WWW-Authenticate"), own+"/.well-known/oauth-protected-resource/v1") {
		t.Errorf("challenged with %v", got.header)
	}

	for environment, want := range map[auth.Environment]string{auth.Production: "unauthorized_client", auth.Sandbox: ""} {
		c, err := e.env.Auth.CreateClient(t.Context(), tester, hotel.Once{}, auth.Client{Name: "b", Environment: environment, Scopes: auth.AllScopes(), PropertyIDs: []string{"*"}})
		if err != nil {
			t.Fatal(err)
		}
		form := "grant_type=client_credentials&client_id=" + c.ID + "&client_secret=" + c.Secret
		got := ask("", http.MethodPost, "/v1/oauth/token", form, "Content-Type: application/x-www-form-urlencoded")
		if code, _ := got.body["error"].(string); code != want || (got.status == http.StatusOK) != (want == "") {
			t.Errorf("a token for a client of %s: %d %v", environment, got.status, got.body)
		}
	}
}

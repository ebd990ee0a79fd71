package api

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger" //nolint:depguard // which keeps how sandboxes stand
)

// boxes are sandboxes in which there is nobody but one who says that a request has
// reached them.
type boxes struct{ h *house }

const reached = http.StatusTeapot

func (b boxes) Enter(_ context.Context, id string) (http.Handler, func(), error) {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Sandbox", id)
		w.WriteHeader(cmp.Or(b.h.reached, reached))
	}), func() {}, nil
}

func (b boxes) Reset(ctx context.Context, by hotel.By, once hotel.Once, id string) (hotel.Sandbox, bool, error) {
	return b.h.ledger.ResetSandbox(ctx, by, once, id)
}

func (b boxes) Advance(ctx context.Context, by hotel.By, once hotel.Once, id string, d time.Duration) (hotel.Sandbox, bool, error) {
	return b.h.ledger.AdvanceSandbox(ctx, by, once, id, d)
}

func (b boxes) Book(ctx context.Context, by hotel.By, once hotel.Once, id string, a hotel.SandboxBooking) (hotel.SandboxBooked, bool, error) {
	done := func(context.Context) (string, error) { return "X-1", nil }
	_, replayed, err := b.h.ledger.NoteSandbox(ctx, by, once, id, ledger.SandboxBooked, a.ChannelID, done)
	return hotel.SandboxBooked{Reference: "X-1", Status: "confirmed", Stay: a.Stay}, replayed, err
}

func (b boxes) Fail(ctx context.Context, by hotel.By, once hotel.Once, id string, f hotel.SandboxFault) (bool, error) {
	_, replayed, err := b.h.ledger.NoteSandbox(ctx, by, once, id, ledger.SandboxFaulted, f.ChannelID, func(context.Context) (string, error) { return "", nil })
	return replayed, err
}

// sandboxToken returns a token of a client of the sandbox with every scope.
func (h *house) sandboxToken() string {
	h.t.Helper()
	c := must(h.auth.CreateClient(h.t.Context(), tester, hotel.Once{}, auth.Client{
		Name: "sandbox", Environment: auth.Sandbox, Scopes: auth.AllScopes(), PropertyIDs: []string{"*"},
	}))(h.t)
	return h.tokenOf(c.Client)
}

// Of a sandbox the standard tier decides, whatever the client has in production.
func TestTheTierOfASandboxIsStandard(t *testing.T) {
	h := newHouse(t)
	for environment, want := range map[auth.Environment]string{auth.Sandbox: "standard 1000", auth.Production: "partner 5000"} {
		c := must(h.auth.CreateClient(t.Context(), tester, hotel.Once{}, auth.Client{
			Name: "partner", Environment: environment, Tier: "partner", Scopes: auth.AllScopes(), PropertyIDs: []string{"*"},
		}))(t)
		got := h.call("GET", "/v1/rate-limit", "", "Authorization: Bearer "+h.tokenOf(c.Client)).want(t, 200, "").json(t)
		if said := fmt.Sprintf("%v %v", got["tier"], got["limit"]); said != want {
			t.Errorf("in %s it is told %s, want %s", environment, said, want)
		}
	}
}

// Every operation of the document, asked with a token of the sandbox: what is of the
// house is answered by the caller's sandbox and never from this ledger, what is of
// production alone is refused, and the rest is about the caller.
func TestEnvironmentOfEveryOperation(t *testing.T) {
	h := newHouse(t)
	h.serve(auth.Tiers{auth.Standard: 1 << 30})
	token := h.sandboxToken()
	about := map[owner]int{}
	for path, item := range h.handler.(*server).document().Paths {
		for method, op := range operationsOf(item) {
			if len(op.Security) == 0 || strings.HasPrefix(path, "/oauth/") {
				continue
			}
			a := accessOf(op)
			about[a.of]++
			target := prefix + strings.NewReplacer("{id}", "hotel_123", "{sid}", "none").Replace(path)
			got := h.call(method, target, "", "Authorization: Bearer "+token)
			if env := got.Header.Get("Ostler-Environment"); env != "sandbox" {
				t.Errorf("%s %s is answered in %q", method, path, env)
			}
			switch a.of {
			case ofHouse:
				if got.StatusCode != reached || !strings.HasPrefix(got.Header.Get("Sandbox"), "cli_test_") {
					t.Errorf("%s %s does not reach the sandbox: %d %s", method, path, got.StatusCode, got.code())
				}
			case ofProduction:
				got.want(t, 403, "environment_forbidden")
			case ofCaller, ofSandbox:
				if got.StatusCode == reached || got.StatusCode == http.StatusForbidden {
					t.Errorf("%s %s: %d %s", method, path, got.StatusCode, got.code())
				}
			}
		}
	}
	if about[ofHouse] < 50 || about[ofProduction] < 5 || about[ofCaller] < 4 || about[ofSandbox] != 4 {
		t.Errorf("operations by whose they are: %v", about)
	}
	if got := h.call("QUERY", "/v1/availability", question, "Authorization: Bearer "+token); got.StatusCode != reached {
		t.Errorf("QUERY: %d", got.StatusCode)
	}
}

// A client of the sandbox that may administer clients learns nothing of production's
// tokens by it.
func TestSandboxIntrospectsItself(t *testing.T) {
	h := newHouse(t)
	c := must(h.auth.CreateClient(t.Context(), tester, hotel.Once{}, auth.Client{
		Name: "sandbox", Environment: auth.Sandbox, Scopes: auth.AllScopes(), PropertyIDs: []string{"*"},
	}))(t)
	if _, _, known, err := h.auth.Introspect(t.Context(), c.Client, h.token); known || err != nil {
		t.Errorf("known: %v, %v", known, err)
	}
	if _, _, known, err := h.auth.Introspect(t.Context(), c.Client, h.tokenOf(c.Client)); !known || err != nil {
		t.Errorf("its own is known: %v, %v", known, err)
	}
}

// A client may have a number of requests of its own, and none at all.
func TestLimitOfOneClient(t *testing.T) {
	h := newHouse(t)
	c, _ := h.newClient("few", auth.ScopesOf(auth.PropertiesRead), "*")
	token, admin := h.tokenOf(c), h.tokenOf(must2(h.newClient("admin", auth.AllScopes(), "*")))
	as := "Authorization: Bearer " + token
	set := func(limit string) {
		t.Helper()
		h.call("PATCH", "/v1/clients/"+c.ID, `{"hourly_limit":`+limit+`}`, "Authorization: Bearer "+admin).want(t, 200, "")
	}
	set("2")
	h.call("GET", "/v1/properties", "", as).want(t, 200, "")
	if got := h.call("GET", "/v1/properties", "", as).want(t, 200, ""); got.Header.Get("X-RateLimit-Remaining") != "0" {
		t.Errorf("headers: %v", got.Header)
	}
	h.call("GET", "/v1/properties", "", as).want(t, 429, "rate_limit_exceeded")
	set("0")
	if got := h.call("GET", "/v1/properties", "", as).want(t, 200, ""); got.Header.Get("RateLimit") != "" || got.Header.Get("X-RateLimit-Limit") != "" {
		t.Errorf("of no limit it is told %v", got.Header)
	}
	if got := h.call("GET", "/v1/rate-limit", "", as).want(t, 200, ""); !strings.Contains(string(got.body), `"limit":0`) {
		t.Errorf("%s", got.body)
	}
	set("null")
	if got := h.call("GET", "/v1/properties", "", as).want(t, 200, ""); got.Header.Get("X-RateLimit-Limit") != "1000" {
		t.Errorf("headers: %v", got.Header)
	}
	h.call("PATCH", "/v1/clients/"+c.ID, `{"hourly_limit":-1}`, "Authorization: Bearer "+admin).want(t, 422, "validation_failed")
	h.call("PATCH", "/v1/clients/"+c.ID, `{"sandbox_id":"x"}`, "Authorization: Bearer "+admin).want(t, 422, "validation_failed")
}

func must2(c auth.Client, _ string) auth.Client { return c }

// What is refused before anything is read opens no sandbox: a call beyond the hour's,
// and one without the scope. Each call that reaches one counts once.
func TestRefusedCallsOpenNoSandbox(t *testing.T) {
	h := newHouse(t)
	h.serve(auth.Tiers{auth.Standard: 3})
	c := must(h.auth.CreateClient(t.Context(), tester, hotel.Once{}, auth.Client{
		Name: "sandbox", Environment: auth.Sandbox, Scopes: auth.ScopesOf(auth.PropertiesRead), PropertyIDs: []string{"*"},
	}))(t)
	as := "Authorization: Bearer " + h.tokenOf(c.Client)
	for i, want := range []struct {
		path      string
		status    int
		code      string
		remaining string
	}{
		{"/v1/properties", reached, "", "2"},
		{"/v1/guests", 403, "insufficient_scope", "1"},
		{"/v1/properties", reached, "", "0"},
		{"/v1/properties", 429, "rate_limit_exceeded", "0"},
	} {
		got := h.call("GET", want.path, "", as).want(t, want.status, want.code)
		if left, in := got.Header.Get("X-RateLimit-Remaining"), got.Header.Get("Sandbox"); left != want.remaining || (in != "") != (want.status == reached) {
			t.Errorf("call %d: %s left, in sandbox %q", i+1, left, in)
		}
	}
}

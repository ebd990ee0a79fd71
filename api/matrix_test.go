package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"ostler.example/internal/auth"
)

// areas are the parts of the API, by the beginning of their addresses, with the scope
// that reads and the one that writes there; the longest that fits counts. It is written
// apart from what routes ask for, so that one which forgets its scope is noticed.
var areas = map[string]struct{ read, write string }{
	"/": {"public", ""}, "/health": {"public", ""}, "/openapi": {"public", ""}, "/changelog": {"public", ""}, "/problems": {"public", ""},
	"/event-types": {"public", ""}, "/oauth/": {"", "public"},
	"/client": {"any", "any"}, "/rate-limit": {"any", ""}, "/sandbox/": {"", "any"},
	"/clients": {"admin:clients", "admin:clients"}, "/access-requests": {"admin:clients", "admin:clients"},
	"/availability": {"availability:read", ""},
	"/properties":   {"properties:read", "properties:write"}, "/room-types": {"properties:read", "properties:write"}, "/pools": {"properties:read", "properties:write"},
	"/properties/{id}/policies": {"channels:read", "channels:write"},
	"/reservations":             {"reservations:read", "reservations:write"}, "/reservation-groups": {"reservations:read", "reservations:write"},
	"/imports/": {"", "reservations:write"}, "/inventory": {"inventory:read", "inventory:write"}, "/blocks": {"inventory:read", "inventory:write"},
	"/rates": {"rates:read", "rates:write"}, "/restrictions": {"rates:read", "rates:write"}, "/rate-plans": {"rates:read", "rates:write"},
	"/pricing-rules": {"rates:read", "rates:write"}, "/pricing-rules/simulations": {"", "rates:read"}, "/ari-updates": {"inventory:read rates:read", "inventory:write rates:write"},
	"/guests": {"guests:read", "guests:write"}, "/reports": {"reports:read", ""}, "/events": {"events:read", ""},
	"/webhook-": {"webhooks:read", "webhooks:write"}, "/channels": {"channels:read", "channels:write"}, "/connectors": {"channels:read", ""},
	"/sync-runs": {"channels:read", ""}, "/conflicts": {"channels:read", "channels:write"},
}

func TestEveryOperationAsksForTheScopeOfItsArea(t *testing.T) {
	h := newHouse(t)
	for path, item := range h.handler.(*server).document().Paths {
		area := ""
		for start := range areas {
			if strings.HasPrefix(path, start) && len(start) > len(area) {
				area = start
			}
		}
		for method, op := range operationsOf(item) {
			want := areas[area].write
			if method == http.MethodGet {
				want = areas[area].read
			}
			if path == "/access-requests" && method == http.MethodPost {
				want = "public" // whoever asks for access has none yet
			}
			if len(op.Security) > 0 && op.Security[0][claimScheme] != nil {
				want = "any" // of the request's claim token, or of who administers
				if got := op.Security[1][securityScheme]; !slices.Equal(got, []string{areas[area].write}) {
					t.Errorf("%s %s is for a claim token or %v", method, path, got)
				}
			}
			got := "public"
			if len(op.Security) > 0 {
				got = "any"
				if scope := op.Extensions["x-required-scope"]; scope != nil {
					got = strings.Trim(fmt.Sprint(scope), "[]")
				}
			}
			if got != want {
				t.Errorf("%s %s is for %s; in %s it is to be for %q", method, path, got, area, want)
			}
		}
	}
}

// Every operation of the document, asked with each scope alone: it lets through
// those that it names and no other, and nobody without a token.
func TestScopesOfEveryOperation(t *testing.T) {
	h := newHouse(t)
	h.serve(auth.Tiers{auth.Standard: 1 << 30})
	tokens := map[auth.Scope]string{}
	for _, scope := range auth.AllScopes().List() {
		c, _ := h.newClient(string(scope), auth.ScopesOf(scope), "*")
		tokens[scope] = h.tokenOf(c)
	}
	for path, item := range h.handler.(*server).document().Paths {
		for method, op := range operationsOf(item) {
			target := prefix + strings.NewReplacer("{id}", "none", "{sid}", "none", "{code}", "not_found").Replace(path)
			if len(op.Security) == 0 {
				if r := h.call(method, target, "", "Authorization:"); r.code() == "missing_token" {
					t.Errorf("%s %s is public and asks for a token", method, path)
				}
				continue
			}
			h.call(method, target, "", "Authorization:").want(t, 401, "missing_token")
			needed, together := map[auth.Scope]bool{}, false // as one alone is not enough
			for _, s := range op.Security {
				for _, name := range s[securityScheme] {
					needed[auth.Scope(name)] = true
				}
				together = together || len(s[securityScheme]) > 1
			}
			_, byClaim := op.Security[0][claimScheme]
			if said := op.Extensions["x-required-scope"] != nil; said != (len(needed) > 0 && !byClaim) {
				t.Errorf("%s %s does not publish its scope", method, path)
			}
			for scope, token := range tokens {
				if strings.HasPrefix(path, "/sandbox/") {
					h.call(method, target, "", "Authorization: Bearer "+token).want(t, 403, "environment_forbidden")
					continue
				}
				got := h.call(method, target, "", "Authorization: Bearer "+token)
				refused := got.StatusCode == http.StatusForbidden
				if may := needed[scope] && !together || len(needed) == 0; refused == may {
					t.Errorf("%s %s with %s: %d %s", method, path, scope, got.StatusCode, got.code())
				}
			}
		}
	}
	for scope, token := range tokens {
		got := h.call("QUERY", "/v1/availability", question, "Authorization: Bearer "+token)
		if may := scope == auth.AvailabilityRead; (got.StatusCode == 200) != may {
			t.Errorf("QUERY /availability with %s: %d", scope, got.StatusCode)
		}
	}
}

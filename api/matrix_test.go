package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"ostler.example/internal/auth"
)

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
			needed := map[auth.Scope]bool{}
			for _, s := range op.Security {
				for _, name := range s[securityScheme] {
					needed[auth.Scope(name)] = true
				}
			}
			if fmt.Sprint(op.Extensions["x-required-scope"]) == "<nil>" && len(needed) > 0 {
				t.Errorf("%s %s does not publish its scope", method, path)
			}
			for scope, token := range tokens {
				if strings.HasPrefix(path, "/sandbox/") {
					h.call(method, target, "", "Authorization: Bearer "+token).want(t, 403, "environment_forbidden")
					continue
				}
				got := h.call(method, target, "", "Authorization: Bearer "+token)
				refused := got.StatusCode == http.StatusForbidden
				if may := needed[scope] || len(needed) == 0; refused == may {
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

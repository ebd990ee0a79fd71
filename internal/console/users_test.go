package console

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"ostler.example/internal/auth"
)

// Somebody changes the own password: the old one is asked for, and everybody else who is
// signed in as the user is not any more.
func TestPasswordIsChangedByItsUser(t *testing.T) {
	s := newSite(t)
	b, other := s.as(t, "owner"), s.as(t, "owner")
	form := url.Values{"was": {"not that one"}, "password": {"another secret"}, "again": {"another secret"}}
	if r := b.post("/sessions/password", form); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "is another one") || strings.Contains(r.body, "not that one") || strings.Contains(r.body, "another secret") {
		t.Errorf("%d %s", r.status, r.body)
	}
	form.Set("was", secret)
	form.Set("again", "something else")
	if r := b.post("/sessions/password", form); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "not the same") {
		t.Errorf("%d", r.status)
	}
	for _, word := range []string{"short", ""} {
		if r := b.post("/sessions/password", url.Values{"was": {secret}, "password": {word}, "again": {word}}); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "10 to 200") {
			t.Errorf("%q: %d", word, r.status)
		}
	}
	form.Set("again", "another secret")
	if r := b.post("/sessions/password", form); r.path != "/sessions?done=password" || !strings.Contains(r.body, "signed in here alone") {
		t.Fatalf("%d at %s", r.status, r.path)
	}
	if r := other.get(s.path("today")); !strings.HasPrefix(r.path, "/sign-in") {
		t.Errorf("another browser is at %s", r.path)
	}
	if r := s.browser(t).post("/sign-in", url.Values{"name": {"owner"}, "password": {"another secret"}}); r.status != http.StatusOK {
		t.Errorf("%d", r.status)
	}
}

// An owner of every house adds a user, who comes by a link and chooses a password, changes
// its roles, ends its sessions, and disables it.
func TestUsersAreLookedAfter(t *testing.T) {
	s := newSite(t)
	b := s.everywhere(t, auth.RoleOwner)
	house := "role." + s.house.Property.ID
	if r := b.post(s.path("users"), url.Values{"name": {"eve"}}); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, `value="eve"`) {
		t.Errorf("without a role: %d", r.status)
	}
	page := b.post(s.path("users"), url.Values{"name": {"Eve"}, house: {"front_desk"}}).body
	_, rest, made := strings.Cut(page, "/sign-in/link?token=")
	if !made {
		t.Fatalf("no link in %s", page)
	}
	token, _, _ := strings.Cut(rest, "<")
	eve := s.browser(t)
	if r := eve.post("/sign-in/link", url.Values{"token": {token}}); r.path != s.path("today") {
		t.Fatalf("by the link at %s", r.path)
	}
	if r := eve.get("/sessions"); strings.Contains(r.body, `name="was"`) {
		t.Error("asked for a password that there is not")
	}
	if r := eve.post("/sessions/password", url.Values{"password": {"another secret"}, "again": {"another secret"}}); r.path != "/sessions?done=password" {
		t.Errorf("at %s", r.path)
	}
	act := func(act string, more url.Values) string {
		form := url.Values{"name": {"eve"}, "act": {act}}
		maps.Copy(form, more)
		return b.post(s.path("users/change"), form).body
	}
	page = b.get(s.path("users")).body
	shows(t, page, "eve", "Test House: front desk", "1 session", "changed by another owner")
	if strings.Contains(page, "/sign-in/link") {
		t.Error("a link is shown again")
	}
	shows(t, act("roles", url.Values{"role.*": {"read_only"}}), "The roles are changed.", "every house: read only")
	if r := eve.get(s.path("today")); !strings.HasPrefix(r.path, "/sign-in") {
		t.Errorf("with other roles at %s", r.path)
	}
	eve.post("/sign-in", url.Values{"name": {"eve"}, "password": {"another secret"}})
	act("end", nil)
	if r := eve.get(s.path("today")); !strings.HasPrefix(r.path, "/sign-in") {
		t.Errorf("ended, and at %s", r.path)
	}
	shows(t, act("disable", nil), "Nobody signs in as this user", "disabled")
	if r := eve.post("/sign-in", url.Values{"name": {"eve"}, "password": {"another secret"}}); r.status != http.StatusUnauthorized {
		t.Errorf("disabled, and %d", r.status)
	}
	shows(t, act("enable", nil), "may sign in again")
	r := b.post(s.path("users/change"), url.Values{"name": {"eve"}, "act": {"roles"}, "role.*": {"nonsense"}})
	if r.status != http.StatusUnprocessableEntity {
		t.Errorf("a role that there is not: %d", r.status)
	}
	shows(t, r.body, "<details open>", `id="add"`) // the form, with what is wrong
	shows(t, act("link", nil), "/sign-in/link?token=")
	if r := b.post(s.path("users/change"), url.Values{"name": {"Every_owner"}, "act": {"disable"}}); r.status != http.StatusUnprocessableEntity {
		t.Errorf("disabled themselves: %d", r.status)
	}
	if r := b.get(s.path("users")); r.status != http.StatusOK {
		t.Errorf("%d", r.status)
	}
}

// Users are for owners of every house alone.
func TestUsersAreForOwners(t *testing.T) {
	s := newSite(t)
	if _, err := s.users.Add(t.Context(), by, "mixed", secret, map[string]auth.Role{auth.AllProperties: auth.RoleOwner, "h9": auth.RoleOperator}); err != nil {
		t.Fatal(err)
	}
	for _, b := range []*browser{s.as(t, "owner"), s.as(t, "operator"), s.as(t, "mixed"), s.everywhere(t, auth.RoleOperator)} {
		if strings.Contains(b.get(s.path("today")).body, s.path("users")) {
			t.Error("led to users")
		}
		for _, r := range []reply{
			b.get(s.path("users")), b.post(s.path("users"), url.Values{"name": {"x"}, "role.*": {"owner"}}), b.post(s.path("users/change"), url.Values{"name": {"read_only"}, "act": {"disable"}}),
		} {
			if r.status != http.StatusForbidden {
				t.Errorf("%s: %d", r.path, r.status)
			}
		}
	}
	for _, r := range auth.Roles {
		if !wordsIn("en").has("role." + string(r)) {
			t.Errorf("nobody can say %s", r)
		}
	}
}

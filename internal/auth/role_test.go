package auth_test

import (
	"slices"
	"testing"

	"ostler.example/internal/auth"
)

// A role in one house gives nothing in another, and clients are for those alone who
// have their role everywhere.
func TestRolesAreByHouse(t *testing.T) {
	u := auth.User{ID: "usr_1", Roles: map[string]auth.Role{"h1": auth.RoleOwner, "h2": auth.RoleReadOnly}}
	at := func(house string) auth.Scopes {
		who, ok := u.At(house)
		if ok && (!slices.Equal(who.PropertyIDs, []string{house}) || who.User != "usr_1") {
			t.Errorf("at %s: %+v", house, who)
		}
		return who.Scopes
	}
	if s := at("h1"); s != auth.AllScopes()&^auth.ScopesOf(auth.AdminClients) {
		t.Errorf("owner of one: %v", s)
	}
	if s := at("h2"); s != auth.RoleReadOnly.Scopes() {
		t.Errorf("read only: %v", s)
	}
	if _, ok := u.At("h3"); ok {
		t.Error("there is a role where there is none")
	}
	u.Roles = map[string]auth.Role{auth.AllProperties: auth.RoleOwner, "h2": auth.RoleFrontDesk}
	if s := at("h3"); s != auth.AllScopes()&^auth.ScopesOf(auth.AdminClients) {
		t.Errorf("owner of all but one: %v", s)
	}
	if _, ok := u.Everywhere(); ok {
		t.Error("who may less in one house administers clients, which may be granted that one")
	}
	if s := at("h2"); s != auth.RoleFrontDesk.Scopes() {
		t.Errorf("the nearer role counts: %v", s)
	}
	u.Roles = map[string]auth.Role{auth.AllProperties: auth.RoleOwner, "h2": auth.RoleOperator}
	if w, ok := u.Everywhere(); !ok || w.Scopes != auth.RoleOperator.Scopes() || !w.SeesAll() || at("h3") != auth.AllScopes() {
		t.Errorf("owner of all, and operator of one: %v", w)
	}
	for _, r := range auth.Roles {
		if r != auth.RoleOwner && r != auth.RoleFrontDesk && r.Scopes().Has(auth.GuestsRead) {
			t.Errorf("%s sees guests", r)
		}
	}
}

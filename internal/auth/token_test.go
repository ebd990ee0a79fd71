package auth

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"
)

const address = "192.0.2.1"

func issue(t *testing.T, a *Authority, c Client, scopes string) string {
	t.Helper()
	g, err := a.Issue(t.Context(), c, scopes, address)
	if err != nil {
		t.Fatal(err)
	}
	return g.Token
}

func TestCredentialForm(t *testing.T) {
	for _, c := range []struct {
		credential string
		form       string
		prefix     string
	}{
		{newToken(Production), `^ost_live_[0-9A-Za-z]{49}$`, tokenPrefix},
		{newToken(Sandbox), `^ost_test_[0-9A-Za-z]{49}$`, tokenPrefix},
		{newSecret(Production), `^osk_live_[0-9A-Za-z]{49}$`, secretPrefix},
	} {
		if !regexp.MustCompile(c.form).MatchString(c.credential) {
			t.Errorf("%s does not have the form %s", c.credential, c.form)
		}
		if !wellFormed(c.prefix, c.credential) {
			t.Errorf("the checksum of %s is wrong", c.credential)
		}
		mistyped := []byte(c.credential)
		mistyped[20] ^= 1
		if wellFormed(c.prefix, string(mistyped)) {
			t.Errorf("%s passes", mistyped)
		}
	}
	if one, two := newToken(Production), newToken(Production); one == two {
		t.Error("two tokens are equal")
	}
}

func TestAuthenticate(t *testing.T) {
	store, clock := newMemory(), &stopped{now: start()}
	a := newAuthority(t, store, clock)
	c, _ := newTestClient(t, a, Client{Scopes: ScopesOf(RatesRead, RatesWrite), PropertyIDs: []string{"h1"}, Kind: "rms"})
	token := issue(t, a, c, "rates:read")
	for range 3 {
		who, err := a.Authenticate(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		if who.ClientID != c.ID || who.Scopes != ScopesOf(RatesRead) || !who.Sees("h1") || who.Sees("h2") || who.Kind != "rms" || who.Tier != Standard {
			t.Errorf("got %+v", who)
		}
	}
	if store.reads != 1 {
		t.Errorf("the store was asked %d times, want once", store.reads)
	}
	for _, bad := range []string{"", "nonsense", newToken(Production), token + "x", strings.ToUpper(token)} {
		if _, err := a.Authenticate(t.Context(), bad); !errors.Is(err, ErrToken) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if store.reads != 2 {
		t.Errorf("the store was asked about what cannot be a token: %d reads, want 2", store.reads)
	}
	clock.now = clock.now.Add(TokenLifetime - time.Microsecond)
	if _, err := a.Authenticate(t.Context(), token); err != nil {
		t.Errorf("in its last microsecond: %v", err)
	}
	clock.now = clock.now.Add(time.Microsecond)
	if _, err := a.Authenticate(t.Context(), token); !errors.Is(err, ErrToken) {
		t.Errorf("after an hour: %v", err)
	}
	if err := a.purge(t.Context()); err != nil || len(a.known) != 0 {
		t.Errorf("purge: %v, %d known", err, len(a.known))
	}
}

func TestAuthenticateHonoursTheClient(t *testing.T) {
	store, clock := newMemory(), &stopped{now: start()}
	a := newAuthority(t, store, clock)
	c, secret := newTestClient(t, a, Client{Scopes: ScopesOf(RatesRead, RatesWrite)})
	token := issue(t, a, c, "")
	for _, status := range []struct {
		status ClientStatus
		token  error
		client error
	}{{ClientSuspended, ErrSuspended, ErrSuspended}, {ClientRevoked, ErrToken, ErrClient}} {
		c.Status = status.status
		store.clients[c.ID] = c
		b := newAuthority(t, store, clock)
		if _, err := b.Authenticate(t.Context(), token); !errors.Is(err, status.token) {
			t.Errorf("%s: token: %v", status.status, err)
		}
		if _, err := b.CheckClient(t.Context(), c.ID, secret, address); !errors.Is(err, status.client) {
			t.Errorf("%s: client: %v", status.status, err)
		}
	}
	c.Status, c.Scopes = ClientActive, ScopesOf(RatesRead)
	store.clients[c.ID] = c
	who, err := newAuthority(t, store, clock).Authenticate(t.Context(), token)
	if err != nil || who.Scopes != ScopesOf(RatesRead) {
		t.Errorf("an allowance that shrank: %v %v", who.Scopes, err)
	}
}

func TestRevoke(t *testing.T) {
	store := newMemory()
	a := newAuthority(t, store, &stopped{now: start()})
	mine, _ := newTestClient(t, a, Client{Scopes: ScopesOf(RatesRead)})
	other, _ := newTestClient(t, a, Client{Scopes: ScopesOf(RatesRead)})
	token := issue(t, a, mine, "")
	if _, err := a.Authenticate(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	if err := a.Revoke(t.Context(), other, token); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Authenticate(t.Context(), token); err != nil {
		t.Errorf("revoked by a stranger: %v", err)
	}
	if err := a.Revoke(t.Context(), mine, token); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Authenticate(t.Context(), token); !errors.Is(err, ErrToken) {
		t.Errorf("after it was revoked: %v", err)
	}
	if err := a.Revoke(t.Context(), mine, token); err != nil {
		t.Errorf("revoked twice: %v", err)
	}
}

// A token that is read from the store just before it is revoked must not be
// remembered after it.
func TestRevokeDuringLookUp(t *testing.T) {
	store := newMemory()
	a := newAuthority(t, store, &stopped{now: start()})
	c, _ := newTestClient(t, a, Client{Scopes: ScopesOf(RatesRead)})
	token := issue(t, a, c, "")
	store.asked = func() {
		store.asked = nil
		if err := a.Revoke(t.Context(), c, token); err != nil {
			t.Error(err)
		}
	}
	if _, err := a.Authenticate(t.Context(), token); err != nil {
		t.Fatalf("the look-up that came first: %v", err)
	}
	if _, err := a.Authenticate(t.Context(), token); !errors.Is(err, ErrToken) {
		t.Errorf("after it was revoked: %v", err)
	}
}

func TestIntrospect(t *testing.T) {
	a := newAuthority(t, newMemory(), &stopped{now: start()})
	mine, _ := newTestClient(t, a, Client{Scopes: ScopesOf(RatesRead)})
	stranger, _ := newTestClient(t, a, Client{Scopes: ScopesOf(RatesRead)})
	operator, _ := newTestClient(t, a, Client{Scopes: ScopesOf(AdminClients)})
	token := issue(t, a, mine, "")
	for _, c := range []struct {
		name   string
		asks   Client
		active bool
	}{{"its client", mine, true}, {"another client", stranger, false}, {"the operator", operator, true}} {
		got, owner, ok, err := a.Introspect(t.Context(), c.asks, token)
		if err != nil || ok != c.active || (ok && (owner.ID != mine.ID || got.Scopes != mine.Scopes)) {
			t.Errorf("%s: %v %v %v", c.name, owner.ID, ok, err)
		}
	}
}

func TestIssueScopes(t *testing.T) {
	a := newAuthority(t, newMemory(), &stopped{now: start()})
	c, _ := newTestClient(t, a, Client{Scopes: ScopesOf(RatesRead, RatesWrite)})
	for _, s := range []struct {
		asked string
		want  Scopes
		err   error
	}{
		{"", ScopesOf(RatesRead, RatesWrite), nil},
		{"rates:read", ScopesOf(RatesRead), nil},
		{" rates:write  rates:read ", ScopesOf(RatesRead, RatesWrite), nil},
		{"rates:read guests:read", 0, ErrScope},
		{"rates:everything", 0, ErrScope},
	} {
		g, err := a.Issue(t.Context(), c, s.asked, address)
		if g.Scopes != s.want || !errors.Is(err, s.err) {
			t.Errorf("%q: %v %v", s.asked, g.Scopes, err)
		}
	}
}

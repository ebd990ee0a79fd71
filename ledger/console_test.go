package ledger_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// wound is a clock that stands still until it is moved.
type wound struct{ now time.Time }

func (c *wound) Now() time.Time                  { return c.now }
func (c *wound) Until(t time.Time) time.Duration { return t.Sub(c.now) }
func (c *wound) Steady() time.Time               { return c.Now() }

// What follows is package auth's, on the ledger as its store.
var (
	cheap = auth.Cost{Passes: 1, Memory: 64}
	by    = hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: "tester"}}
	desk  = auth.Visitor{Address: "192.0.2.1", Agent: "a browser"}
	owner = map[string]auth.Role{auth.AllProperties: auth.RoleOwner}
)

const secret = "correct horse battery"

func newUsers(t *testing.T) (*auth.Users, *ledger.Ledger, *wound) {
	t.Helper()
	clock := &wound{time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}
	l, err := ledger.Open(t.Context(), ledger.Options{Path: filepath.Join(t.TempDir(), "ledger.db"), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return auth.NewUsers(auth.UsersOptions{Store: l, Clock: clock, Cost: cheap}), l, clock
}

func mustAdd(t *testing.T, u *auth.Users, name string) auth.User {
	t.Helper()
	made, err := u.Add(t.Context(), by, name, secret, owner)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func mustSignIn(t *testing.T, u *auth.Users, name string) string {
	t.Helper()
	token, err := u.SignIn(t.Context(), name, secret, desk)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestUserSignsIn(t *testing.T) {
	u, _, _ := newUsers(t)
	made := mustAdd(t, u, "Ada@house.example")
	if made.Name != "ada@house.example" || strings.Contains(made.Password, secret) || !strings.HasPrefix(made.Password, "$argon2id$v=19$m=64,t=1,p=1$") {
		t.Errorf("made %+v", made)
	}
	token := mustSignIn(t, u, " ADA@house.example ")
	s, who, err := u.Session(t.Context(), token)
	if err != nil || who.ID != made.ID || s.Address != desk.Address || s.Agent != desk.Agent {
		t.Errorf("%+v %+v %v", s, who, err)
	}
	for _, wrong := range []struct{ name, password string }{
		{"ada@house.example", secret + "x"}, {"ada@house.example", ""}, {"bob", secret}, {"ada@house.example", strings.Repeat("x", 1<<16)},
	} {
		if _, err := u.SignIn(t.Context(), wrong.name, wrong.password, desk); !errors.Is(err, auth.ErrPassword) {
			t.Errorf("%.30q: %v", wrong, err)
		}
	}
	if _, _, err := u.Session(t.Context(), token+"x"); !errors.Is(err, auth.ErrSession) {
		t.Errorf("a token that nobody was given: %v", err)
	}
}

func TestUserWithoutPasswordSignsInByLinkAlone(t *testing.T) {
	u, _, clock := newUsers(t)
	if _, err := u.Add(t.Context(), by, "eve", "", owner); err != nil {
		t.Fatal(err)
	}
	for _, password := range []string{"", "the password of nobody"} {
		if _, err := u.SignIn(t.Context(), "eve", password, desk); !errors.Is(err, auth.ErrPassword) {
			t.Errorf("%q: %v", password, err)
		}
	}
	link, err := u.Link(t.Context(), "eve")
	if err != nil {
		t.Fatal(err)
	}
	token, err := u.Redeem(t.Context(), link, desk)
	if err != nil {
		t.Fatal(err)
	}
	if _, who, err := u.Session(t.Context(), token); err != nil || who.Name != "eve" {
		t.Errorf("%+v %v", who, err)
	}
	if _, err := u.Redeem(t.Context(), link, desk); !errors.Is(err, auth.ErrLink) {
		t.Errorf("used twice: %v", err)
	}
	late, err := u.Link(t.Context(), "eve")
	if err != nil {
		t.Fatal(err)
	}
	clock.now = clock.now.Add(auth.LinkLife)
	if _, err := u.Redeem(t.Context(), late, desk); !errors.Is(err, auth.ErrLink) {
		t.Errorf("used after its end: %v", err)
	}
}

func TestAttemptsAreLimited(t *testing.T) {
	u, _, clock := newUsers(t)
	mustAdd(t, u, "ada")
	var throttled *auth.Throttled
	tries := 0
	for ; tries < 100 && throttled == nil; tries++ {
		_, err := u.SignIn(t.Context(), "ada", "wrong password", desk)
		throttled, _ = errors.AsType[*auth.Throttled](err)
	}
	if tries > 10 || throttled == nil || throttled.After <= 0 {
		t.Fatalf("after %d tries: %v", tries, throttled)
	}
	if _, err := u.SignIn(t.Context(), "ada", secret, desk); err == nil {
		t.Error("the right password was tried all the same")
	}
	if _, err := u.SignIn(t.Context(), "ada", secret, auth.Visitor{Address: "192.0.2.2"}); err != nil {
		t.Errorf("from elsewhere: %v", err)
	}
	clock.now = clock.now.Add(throttled.After + time.Second)
	mustSignIn(t, u, "ada")
	for i := range 60 { // one place tries many names, of whom there may be none
		_, err := u.SignIn(t.Context(), "user"+string(rune('a'+i%26))+string(rune('a'+i/26)), "wrong password", auth.Visitor{Address: "192.0.2.3"})
		if throttled, _ = errors.AsType[*auth.Throttled](err); throttled != nil {
			return
		}
	}
	t.Error("one place tried 60 names")
}

func TestSessionsEnd(t *testing.T) {
	u, l, clock := newUsers(t)
	ada := mustAdd(t, u, "ada")
	over := func(name, token string) {
		t.Helper()
		if _, _, err := u.Session(t.Context(), token); !errors.Is(err, auth.ErrSession) {
			t.Errorf("%s: %v", name, err)
		}
	}
	idle, used := mustSignIn(t, u, "ada"), mustSignIn(t, u, "ada")
	made := clock.now
	for clock.now.Before(made.Add(auth.SessionLife)) {
		if _, _, err := u.Session(t.Context(), used); err != nil {
			t.Fatalf("after %s: %v", clock.now.Sub(made), err)
		}
		clock.now = clock.now.Add(auth.SessionIdle - time.Second)
	}
	over("one not used", idle)
	over("one used for too long", used)
	if err := u.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left, err := l.Sessions(t.Context(), ada.ID); err != nil || len(left) != 0 {
		t.Errorf("%v %v", left, err)
	}

	one, other := mustSignIn(t, u, "ada"), mustSignIn(t, u, "ada")
	s, _, err := u.Session(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	if err := u.End(t.Context(), "usr_somebody_else", s.ID); err != nil {
		t.Fatal(err)
	}
	if list, err := u.Sessions(t.Context(), ada.ID); err != nil || len(list) != 2 {
		t.Errorf("%v %v", list, err)
	}
	if err := u.End(t.Context(), ada.ID, s.ID); err != nil {
		t.Fatal(err)
	}
	over("one that was ended", one)
	if _, err := u.Change(t.Context(), by, "ada", auth.UserChange{Password: secret + " 2"}); err != nil {
		t.Fatal(err)
	}
	over("one of before the password", other)
}

func TestUsersAreChecked(t *testing.T) {
	u, _, _ := newUsers(t)
	mustAdd(t, u, "ada")
	for _, c := range []struct {
		name, password string
		roles          map[string]auth.Role
		at             string
	}{
		{"", secret, owner, "/name"},
		{"a b", secret, owner, "/name"},
		{"ada", secret, owner, "/name"},
		{"bob", "short", owner, "/password"},
		{"bob", secret, nil, "/roles"},
		{"bob", secret, map[string]auth.Role{"h1": "king"}, "/roles/h1"},
	} {
		_, err := u.Add(t.Context(), by, c.name, c.password, c.roles)
		r, ok := errors.AsType[*hotel.Refusal](err)
		if !ok || len(r.Items) != 1 || r.Items[0].Pointer != c.at {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if err := u.Remove(t.Context(), by, "ada"); err != nil {
		t.Fatal(err)
	}
	if all, err := u.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%v %v", all, err)
	}
}

// Whoever changes the own password has typed the old one, and is the only one signed in
// afterwards. Guessing at it is limited as signing in is.
func TestOwnPasswordIsChanged(t *testing.T) {
	u, _, _ := newUsers(t)
	ada := mustAdd(t, u, "ada")
	here, elsewhere := mustSignIn(t, u, "ada"), mustSignIn(t, u, "ada")
	if _, err := u.ChangePassword(t.Context(), by, ada, secret, "short", desk); err == nil {
		t.Error("a password of five letters")
	}
	var often *auth.Throttled
	for range 10 {
		if _, err := u.ChangePassword(t.Context(), by, ada, "a guess of it", "another secret", desk); err == nil {
			t.Fatal("the old password was guessed")
		} else if !errors.Is(err, auth.ErrPassword) && !errors.As(err, &often) {
			t.Fatal(err)
		}
	}
	if often == nil {
		t.Error("one may guess for ever")
	}
	from := auth.Visitor{Address: "192.0.2.9"}
	token, err := u.ChangePassword(t.Context(), by, ada, secret, "another secret", from)
	if err != nil {
		t.Fatal(err)
	}
	for _, old := range []string{here, elsewhere} {
		if _, _, err := u.Session(t.Context(), old); !errors.Is(err, auth.ErrSession) {
			t.Errorf("an old session: %v", err)
		}
	}
	if _, who, err := u.Session(t.Context(), token); err != nil || who.ID != ada.ID {
		t.Errorf("%v %v", who, err)
	}
	if _, err := u.SignIn(t.Context(), "ada", secret, from); !errors.Is(err, auth.ErrPassword) {
		t.Errorf("by the old password: %v", err)
	}
	if _, err := u.SignIn(t.Context(), "ada", "another secret", from); err != nil {
		t.Errorf("by the new one: %v", err)
	}
}

// Nobody signs in as a user who is disabled, by password or link, until it is enabled.
func TestDisabledUserSignsInNoMore(t *testing.T) {
	u, _, _ := newUsers(t)
	mustAdd(t, u, "ada")
	token := mustSignIn(t, u, "ada")
	link, err := u.Link(t.Context(), "ada")
	if err != nil {
		t.Fatal(err)
	}
	turn := func(off bool) {
		t.Helper()
		if got, err := u.Change(t.Context(), by, "ada", auth.UserChange{Disabled: &off}); err != nil || got.Disabled != off {
			t.Fatalf("%+v %v", got, err)
		}
	}
	turn(true)
	if _, _, err := u.Session(t.Context(), token); !errors.Is(err, auth.ErrSession) {
		t.Errorf("still signed in: %v", err)
	}
	if _, err := u.SignIn(t.Context(), "ada", secret, desk); !errors.Is(err, auth.ErrPassword) {
		t.Errorf("by password: %v", err)
	}
	if _, err := u.Redeem(t.Context(), link, desk); !errors.Is(err, auth.ErrLink) {
		t.Errorf("by a link from before: %v", err)
	}
	if _, err := u.Link(t.Context(), "ada"); err == nil {
		t.Error("a new link")
	}
	if all, err := u.List(t.Context()); err != nil || !all[0].Disabled {
		t.Errorf("%+v %v", all, err)
	}
	turn(false)
	mustSignIn(t, u, "ada")
}

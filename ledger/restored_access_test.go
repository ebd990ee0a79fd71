package ledger_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// TestNobodyIsLetInByABackup: access tokens, sessions and links of a ledger that was
// restored may have been withdrawn since its backup, and let nobody in; passwords and
// clients are what they were.
func TestNobodyIsLetInByABackup(t *testing.T) {
	ctx, dir, clock := t.Context(), t.TempDir(), &wound{time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}
	open := func(name string) (*ledger.Ledger, *auth.Users) {
		l, err := ledger.Open(ctx, ledger.Options{Path: filepath.Join(dir, name), Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		return l, auth.NewUsers(auth.UsersOptions{Store: l, Clock: clock, Cost: cheap})
	}
	l, u := open("ledger.db")
	mustAdd(t, u, "ada")
	session := mustSignIn(t, u, "ada")
	link, err := u.Link(ctx, "ada")
	if err != nil {
		t.Fatal(err)
	}
	client := auth.Client{
		ID: "cli_live_1", Name: "Front desk", Environment: auth.Production, Kind: "pms", Tier: auth.Standard, Scopes: auth.ScopesOf(auth.RatesRead), Status: auth.ClientActive,
		CreatedAt: clock.now, UpdatedAt: clock.now, Revision: 1,
	}
	if _, _, err := l.CreateClient(ctx, by, hotel.Once{}, client, auth.Hash("secret")); err != nil {
		t.Fatal(err)
	}
	authority := func(l *ledger.Ledger) *auth.Authority {
		a, err := auth.New(ctx, auth.Options{Store: l, Clock: clock, Log: zap.NewNop()})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	grant, err := authority(l).Issue(ctx, client, "", "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	head, err := l.Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := ledger.Copy(ctx, filepath.Join(dir, "ledger.db"), filepath.Join(dir, "copy.db"), func(float64) {}); err != nil {
		t.Fatal(err)
	}
	back, users := open("copy.db")
	if _, _, err := users.Session(ctx, session); err != nil {
		t.Fatalf("the copy has no session: %v", err)
	}
	if err := back.Restored(ctx, by, head); err != nil {
		t.Fatal(err)
	}
	if _, err := authority(back).Authenticate(ctx, grant.Token); !errors.Is(err, auth.ErrToken) {
		t.Errorf("a token of before: %v", err)
	}
	if _, _, err := users.Session(ctx, session); !errors.Is(err, auth.ErrSession) {
		t.Errorf("a session of before: %v", err)
	}
	if _, err := users.Redeem(ctx, link, desk); !errors.Is(err, auth.ErrLink) {
		t.Errorf("a link of before: %v", err)
	}
	mustSignIn(t, users, "ada")
	if _, err := authority(back).Issue(ctx, client, "", "192.0.2.1"); err != nil {
		t.Errorf("a token of now: %v", err)
	}
}

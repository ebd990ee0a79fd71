package ledger

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// openAccess opens the ledger of a folder; close it before opening it again.
func openAccess(t *testing.T, dir string, clock *fixedClock) *Ledger {
	t.Helper()
	return must(Open(t.Context(), Options{Path: filepath.Join(dir, "production.db"), Clock: clock}))(t)
}

func TestAccessSurvives(t *testing.T) {
	ctx, dir := t.Context(), folder(t)
	clock := &fixedClock{now: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)}
	l := openAccess(t, dir, clock)

	client := auth.Client{
		ID: "cli_live_1", Name: "Front desk", Environment: auth.Production, Kind: "pms", Tier: auth.Standard,
		Scopes: auth.ScopesOf(auth.RatesRead, auth.RatesWrite), PropertyIDs: []string{"h1", "h2"}, Status: auth.ClientActive,
		CreatedAt: clock.now, UpdatedAt: clock.now, Revision: 1,
	}
	secret := auth.Hash("secret")
	if _, _, err := l.CreateClient(ctx, tester, hotel.Once{}, client, secret); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.CreateClient(ctx, tester, hotel.Once{}, client, secret); err == nil {
		t.Error("a second client has the id")
	}
	good := auth.Token{
		Hash: auth.Hash("good"), ClientID: client.ID, Scopes: auth.ScopesOf(auth.RatesRead),
		IssuedAt: clock.now, ExpiresAt: clock.now.Add(time.Hour),
	}
	old, revoked := good, good
	old.Hash, old.ExpiresAt = auth.Hash("old"), clock.now.Add(-time.Second)
	revoked.Hash = auth.Hash("revoked")
	for _, k := range []auth.Token{good, old, revoked} {
		if err := l.StoreToken(ctx, k); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.RevokeToken(ctx, revoked.Hash); err != nil {
		t.Fatal(err)
	}
	if err := l.RevokeToken(ctx, revoked.Hash); err != nil {
		t.Errorf("revoked twice: %v", err)
	}
	if err := l.DeleteExpiredTokens(ctx, clock.now); err != nil {
		t.Fatal(err)
	}
	for used := 1; used <= 2; used++ {
		if err := l.SaveRateWindows(ctx, []auth.RateWindow{{ClientID: client.ID, OpenedAt: clock.now, Used: used}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}

	l = openAccess(t, dir, clock)
	defer func() { _ = l.Close() }()
	got, ok, err := l.Client(ctx, client.ID)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if diff := cmp.Diff(client, got); diff != "" {
		t.Error(diff)
	}
	if _, ok, err := l.Client(ctx, "nobody"); ok || err != nil {
		t.Errorf("nobody: %v %v", ok, err)
	}
	if all := must(l.Clients(ctx))(t); len(all) != 1 || all[0].ID != client.ID {
		t.Errorf("clients: %v", all)
	}
	if hashes := must(l.SecretHashes(ctx, client.ID, l.clock.Now()))(t); len(hashes) != 1 || hashes[0] != secret {
		t.Error("the secret is another")
	}
	checkToken(ctx, t, l, good, true)
	checkToken(ctx, t, l, old, false)
	checkToken(ctx, t, l, revoked, false)
	windows := must(l.RateWindows(ctx))(t)
	if diff := cmp.Diff([]auth.RateWindow{{ClientID: client.ID, OpenedAt: clock.now, Used: 2}}, windows); diff != "" {
		t.Error(diff)
	}
	entries := must(l.Entries(ctx, 0, 10))(t)
	if len(entries) != 1 || entries[0].Kind != ClientCreated || entries[0].Subject != client.ID || entries[0].Actor != tester.Actor {
		t.Errorf("journal: %+v", entries)
	}
}

func checkToken(ctx context.Context, t *testing.T, l *Ledger, want auth.Token, there bool) {
	t.Helper()
	got, ok, err := l.Token(ctx, want.Hash)
	if err != nil || ok != there {
		t.Errorf("token: %v %v, want %v", ok, err, there)
		return
	}
	if ok && got != want {
		t.Error(cmp.Diff(want, got))
	}
}

package app

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/zap"

	"ostler.example/internal/auth"
	"ostler.example/internal/config"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// TestFirstClientIsBound: the client that is made with nobody at work is what was asked
// for, its networks included, and networks that are none make no client.
func TestFirstClientIsBound(t *testing.T) {
	c := config.Default()
	c.Data = testkit.Folder(t)
	path := ledgerPath(c.Data)
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	clients := func() []auth.Client {
		t.Helper()
		l, err := ledger.Open(t.Context(), ledger.Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() //nolint:errcheck // it was only read
		list, err := l.Clients(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	clients()
	o := FirstClientOptions{
		Config: c, Operator: "root", Log: zap.NewNop(), Name: "Desk", Environment: "production", Kind: "pms", Tier: "standard",
		Scopes: "properties:read", PropertyIDs: []string{"*"}, Networks: []string{"nowhere"},
	}
	if _, _, err := FirstClient(t.Context(), o); err == nil || len(clients()) != 0 {
		t.Errorf("networks that are none: %v, %d clients", err, len(clients()))
	}
	o.Networks = []string{"192.0.2.0/24"}
	if _, _, err := FirstClient(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if list := clients(); len(list) != 1 || auth.Networks(list[0].IPAllowlist) != "192.0.2.0/24" {
		t.Errorf("%+v", list)
	}
}

package app

import (
	"fmt"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/testkit"
)

// A client of a sandbox hears there that its secret ends, though production keeps the secret:
// once of each warning, also behind restarts, and nobody else's.
func TestAClientOfASandboxHearsOfItsSecret(t *testing.T) {
	t.Parallel()
	e := &estate{t: t, dir: testkit.Folder(t)}
	e.start()
	defer func() { e.stop() }()
	token, other := e.token(auth.Sandbox, ""), e.token(auth.Sandbox, "")
	client := fmt.Sprint(e.ok(token, "GET", "/client", "")["id"])
	secret, _, err := e.env.Ledger.AddSecret(t.Context(), tester, hotel.Once{}, client, [32]byte{1}, time.Now().Add(6*24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.env.Ledger.TendSecrets(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"at once", "behind a restart"} {
		told := e.ok(token, "GET", "/events?type=client.*", "")["data"].([]any)
		if len(told) != 1 {
			t.Fatalf("%s it is told %v", when, told)
		}
		event := told[0].(map[string]any)
		object := event["data"].(map[string]any)["object"].(map[string]any)
		if event["type"] != "client.secret_expiring" || event["environment"] != "sandbox" || object["client_id"] != client || object["secret_id"] != secret.ID {
			t.Errorf("%s it is told %v", when, event)
		}
		if list := e.ok(other, "GET", "/events?type=client.*", "")["data"].([]any); len(list) != 0 {
			t.Errorf("%s somebody else is told %v", when, list)
		}
		e.stop()
		e.start()
	}
}

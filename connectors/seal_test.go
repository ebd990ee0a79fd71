package connectors_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"ostler.example/connectors"
)

// box stands in for a seal: it writes its key, what a text is of and the text backwards.
type box struct {
	key   string
	older *box
}

func backwards(text string) string {
	letters := []byte(text)
	slices.Reverse(letters)
	return string(letters)
}

func (b box) Close(text []byte, of string) []byte {
	return []byte(b.key + "|" + of + "|" + backwards(string(text)))
}

func (b box) Open(sealed []byte, of string) ([]byte, error) {
	back, ours := strings.CutPrefix(string(sealed), b.key+"|"+of+"|")
	switch {
	case ours:
		return []byte(backwards(back)), nil
	case b.older != nil:
		return b.older.Open(sealed, of)
	}
	return nil, errors.New("another key")
}

func (b box) Current(sealed []byte, of string) bool {
	return strings.HasPrefix(string(sealed), b.key+"|"+of+"|")
}

// TestSecretsAreSealed in settings, those that only name one left alone, and read again.
func TestSecretsAreSealed(t *testing.T) {
	d := sound(fresh("sealed"))
	connectors.Register(d)
	driver, _ := connectors.Lookup(d.Name)
	old, other := box{key: "old"}, box{key: "other"}
	renewed := box{key: "new", older: &old}
	seal := func(s connectors.Sealer, was, is string) string {
		t.Helper()
		out, err := driver.Seal(s, json.RawMessage(was), json.RawMessage(is))
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	const plain = `{"address":"a","login":{"password":"hidden","user":"u"},"token":"secret:key1"}`
	sealed := seal(old, "{}", plain)
	if strings.Contains(sealed, "hidden") || !strings.Contains(sealed, `"token":"secret:key1"`) || !strings.Contains(sealed, `"user":"u"`) || !strings.Contains(sealed, `"address":"a"`) {
		t.Fatalf("sealed they are %s", sealed)
	}
	for _, s := range []connectors.Sealer{old, renewed} {
		if opened, err := driver.Unseal(s, json.RawMessage(sealed)); string(opened) != plain || err != nil {
			t.Errorf("opened they are %s, %v", opened, err)
		}
	}
	for _, s := range []connectors.Sealer{nil, other} {
		if opened, err := driver.Unseal(s, json.RawMessage(sealed)); err == nil || !strings.Contains(err.Error(), "login.password: ") {
			t.Errorf("without the key they are %s, %v", opened, err)
		}
	}
	if same := seal(old, sealed, plain); same != sealed {
		t.Errorf("said again, the same secret is %s, was %s", same, sealed)
	}
	if same := seal(old, sealed, sealed); same != sealed {
		t.Errorf("left alone, it is %s, was %s", same, sealed)
	}
	anew := seal(renewed, sealed, sealed)
	if opened, err := driver.Unseal(box{key: "new"}, json.RawMessage(anew)); string(opened) != plain || err != nil {
		t.Errorf("with the newest key alone they are %s, %v", opened, err)
	}
	if kept := seal(other, sealed, sealed); kept != sealed {
		t.Errorf("what no key opens has become %s", kept)
	}
	if text := seal(old, "{}", "[]"); text != "[]" {
		t.Errorf("what are no settings has become %s", text)
	}
	// One that is read in an old backup cannot be put into a channel of one's own.
	for name, was := range map[string]string{"into another channel": "{}", "in place of another": plain} {
		if out, err := driver.Seal(old, json.RawMessage(was), json.RawMessage(sealed)); err == nil || !strings.Contains(err.Error(), "must not begin with") {
			t.Errorf("%s: %s, %v", name, out, err)
		}
	}
	_, password, _ := strings.Cut(sealed, `"password":`)
	password, _, _ = strings.Cut(password, ",")
	moved := strings.Replace(sealed, `"secret:key1"`, password, 1)
	if opened, err := driver.Unseal(old, json.RawMessage(moved)); err == nil {
		t.Errorf("a secret opens in another one's place: %s of %s", opened, moved)
	}
}

type namedSecrets struct {
	Secrets map[string]string `json:"secrets" secret:"true"`
}

func (namedSecrets) Validate() error { return nil }

// TestSecretsByNameAreSealed, those of a map of texts.
func TestSecretsByNameAreSealed(t *testing.T) {
	name := fresh("sealed_map")
	connectors.Register(connectors.Driver[namedSecrets]{
		Name: name, Summary: "a driver for tests", Example: "# secrets = {}",
		Capabilities: func(namedSecrets, connectors.Discovered) connectors.Capabilities {
			return sound(name).Capabilities(settings{}, connectors.Discovered{})
		},
		Account: func(namedSecrets) string { return "a" },
		Place:   func(namedSecrets) string { return "p" },
		Open: func(context.Context, namedSecrets, connectors.Env) (connectors.Connector, error) {
			return nil, errors.New("opened")
		},
	})
	driver, _ := connectors.Lookup(name)
	const plain = `{"secrets":{"a":"hidden one","b":"secret:two","c":""}}`
	sealed, err := driver.Seal(box{key: "k"}, nil, json.RawMessage(plain))
	if err != nil || strings.Contains(string(sealed), "hidden") || !strings.Contains(string(sealed), `"b":"secret:two","c":""`) {
		t.Fatalf("sealed they are %s, %v", sealed, err)
	}
	if opened, err := driver.Unseal(box{key: "k"}, sealed); string(opened) != plain || err != nil {
		t.Errorf("opened they are %s, %v", opened, err)
	}
}

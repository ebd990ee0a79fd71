package connectors_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ostler.example/connectors"
)

func TestSecretsByName(t *testing.T) {
	d := sound(fresh("by_name"))
	var opened settings
	d.Open = func(_ context.Context, s settings, _ connectors.Env) (connectors.Connector, error) {
		opened = s
		return nil, errors.New("opened")
	}
	connectors.Register(d)
	driver, _ := connectors.Lookup(d.Name)
	store := func(name string) (string, error) {
		if strings.HasPrefix(name, "key") {
			return "the value of " + name, nil
		}
		return "", fmt.Errorf("there is no secret %q", name)
	}
	for _, c := range []struct {
		name, settings, token, password string
		source                          func(string) (string, error)
		want                            string // of the mistake
	}{
		{"a secret that stands there itself", `{"address":"a","token":"t"}`, "t", "", nil, ""},
		{"secrets that are named", `{"address":"a","token":"secret:key1","login":{"password":"secret:key2"}}`, "the value of key1", "the value of key2", store, ""},
		{"a name that nobody knows", `{"address":"a","login":{"password":"secret:other"}}`, "", "", store, `login.password: there is no secret "other"`},
		{"a name where there is no source", `{"address":"a","token":"secret:key1"}`, "", "", nil, `token: names the secret "key1", and there is no source of secrets here`},
		{"a setting that would be shown", `{"address":"secret:key1"}`, "", "", store, "address: is not a secret and cannot name one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			opened = settings{}
			s, err := driver.WithSecrets(c.source).Configure(nil, json.RawMessage(c.settings))
			if c.want != "" {
				if err == nil || err.Error() != c.want {
					t.Errorf("got %v, want %s", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			_, _ = s.Open(t.Context(), connectors.Env{}) // it fails as it should
			if opened.Token != c.token || opened.Login.Password != c.password {
				t.Errorf("opened with %q and %q, want %q and %q", opened.Token, opened.Login.Password, c.token, c.password)
			}
			if text := string(s.JSON()) + string(s.Redacted()); strings.Contains(text, "value of") {
				t.Errorf("a secret that is only named is stored or shown: %s", text)
			}
		})
	}
}

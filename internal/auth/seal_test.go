package auth

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestWhatIsSealedIsReadWithItsKeyAlone(t *testing.T) {
	seal, text := NewSeal([32]byte{1}), []byte(NewWebhookSecret())
	if !strings.HasPrefix(string(text), WebhookSecretPrefix) || len(text) != len(WebhookSecretPrefix)+44 {
		t.Fatalf("secret %s", text)
	}
	closed := seal.Close(text, "we_1")
	if bytes.Contains(closed, text[:10]) || bytes.Equal(closed, seal.Close(text, "we_1")) {
		t.Error("the seal shows what is in it")
	}
	if got, err := seal.Open(closed, "we_1"); err != nil || !bytes.Equal(got, text) {
		t.Errorf("opened %s, %v", got, err)
	}
	changed := bytes.Clone(closed)
	changed[len(changed)-1]++
	for name, open := range map[string]func() ([]byte, error){
		"another key":   func() ([]byte, error) { return NewSeal([32]byte{2}).Open(closed, "we_1") },
		"another owner": func() ([]byte, error) { return seal.Open(closed, "we_2") },
		"a changed one": func() ([]byte, error) { return seal.Open(changed, "we_1") },
		"nothing":       func() ([]byte, error) { return seal.Open(nil, "we_1") },
	} {
		if _, err := open(); !errors.Is(err, ErrSeal) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package auth

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
)

// Seal closes up secrets that have to be read again, so that neither the ledger
// nor a backup of it gives them away. The key lies apart from both.
type Seal struct{ aead cipher.AEAD }

// NewSeal returns the seal of a key.
func NewSeal(key [32]byte) *Seal {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic("auth: 32 bytes are a key of AES: " + err.Error())
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic("auth: AES has a block for GCM: " + err.Error())
	}
	return &Seal{aead}
}

// ErrSeal says that something was sealed with another key, or changed since.
var ErrSeal = errors.New("sealed with another key than this installation's, or changed since")

// Close seals a text. What it is of must be said again to open it.
func (s *Seal) Close(text []byte, of string) []byte { return s.aead.Seal(nil, nil, text, []byte(of)) }

// Open returns the text that was sealed, or [ErrSeal].
func (s *Seal) Open(sealed []byte, of string) ([]byte, error) {
	text, err := s.aead.Open(nil, nil, sealed, []byte(of))
	if err != nil {
		return nil, fmt.Errorf("open what is sealed of %s: %w", of, ErrSeal)
	}
	return text, nil
}

// WebhookSecretPrefix is how Standard Webhooks marks secrets.
const WebhookSecretPrefix = "whsec_"

// NewWebhookSecret returns a fresh secret to sign webhooks with.
func NewWebhookSecret() string {
	var key [randomBytes]byte
	_, _ = rand.Read(key[:]) // never fails; the runtime ends the program first
	return WebhookSecretPrefix + base64.StdEncoding.EncodeToString(key[:])
}

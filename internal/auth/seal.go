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
// nor a backup of it gives them away. The keys lie apart from both.
type Seal struct {
	aead    cipher.AEAD
	earlier []cipher.AEAD // which open what they have sealed
}

// NewSeal returns the seal of a key, which opens too what earlier keys have sealed.
func NewSeal(key [32]byte, earlier ...[32]byte) *Seal {
	s := &Seal{aead: newAEAD(key)}
	for _, k := range earlier {
		if k != key {
			s.earlier = append(s.earlier, newAEAD(k))
		}
	}
	return s
}

func newAEAD(key [32]byte) cipher.AEAD {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic("auth: 32 bytes are a key of AES: " + err.Error())
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic("auth: AES has a block for GCM: " + err.Error())
	}
	return aead
}

// ErrSeal says that something was sealed with another key, or changed since.
var ErrSeal = errors.New("sealed with another key than this installation's, or changed since")

// Close seals a text. What it is of must be said again to open it.
func (s *Seal) Close(text []byte, of string) []byte { return s.aead.Seal(nil, nil, text, []byte(of)) }

// Open returns the text that was sealed, or [ErrSeal].
func (s *Seal) Open(sealed []byte, of string) ([]byte, error) {
	for _, key := range append([]cipher.AEAD{s.aead}, s.earlier...) {
		if text, err := key.Open(nil, nil, sealed, []byte(of)); err == nil {
			return text, nil
		}
	}
	return nil, fmt.Errorf("open what is sealed of %s: %w", of, ErrSeal)
}

// Current reports whether something was sealed with the newest key.
func (s *Seal) Current(sealed []byte, of string) bool {
	_, err := s.aead.Open(nil, nil, sealed, []byte(of))
	return err == nil
}

// Earlier returns how many earlier keys there are.
func (s *Seal) Earlier() int { return len(s.earlier) }

// WebhookSecretPrefix is how Standard Webhooks marks secrets.
const WebhookSecretPrefix = "whsec_"

// NewWebhookSecret returns a fresh secret to sign webhooks with.
func NewWebhookSecret() string {
	var key [randomBytes]byte
	_, _ = rand.Read(key[:]) // never fails; the runtime ends the program first
	return WebhookSecretPrefix + base64.StdEncoding.EncodeToString(key[:])
}

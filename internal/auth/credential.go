package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
)

// Credentials are a readable prefix, 32 random bytes in base 62 and a checksum
// of both, so that scanners of source code can find one that leaked, and a
// mistyped one is refused without asking the ledger. Only the hash is stored.
const (
	tokenPrefix  = "ost_"
	secretPrefix = "osk_"

	randomBytes = 32
	randomChars = 43 // 62^43 > 2^256
	tailChars   = 6  // 62^6 > 2^32
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// Hash is what is stored of a credential. A plain SHA-256 suffices because a
// credential is 256 random bits, which nobody can guess.
func Hash(credential string) [32]byte { return sha256.Sum256([]byte(credential)) }

func newToken(e Environment) string  { return newCredential(tokenPrefix + e.prefix() + "_") }
func newSecret(e Environment) string { return newCredential(secretPrefix + e.prefix() + "_") }

func newCredential(prefix string) string {
	var b [randomBytes]byte
	_, _ = rand.Read(b[:]) // never fails; the runtime ends the program first
	body := prefix + encode62(new(big.Int).SetBytes(b[:]), randomChars)
	return body + tail(body)
}

// wellFormed reports whether the text can be a credential of the kind whose
// prefix is given: its checksum is right.
func wellFormed(prefix, text string) bool {
	if !strings.HasPrefix(text, prefix) || len(text) != len(prefix)+len("live_")+randomChars+tailChars {
		return false
	}
	cut := len(text) - tailChars
	return tail(text[:cut]) == text[cut:]
}

func tail(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	return encode62(new(big.Int).SetUint64(uint64(sum)), tailChars)
}

func encode62(n *big.Int, width int) string {
	digits := make([]byte, width)
	base, rest := big.NewInt(62), new(big.Int)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, rest)
		digits[i] = base62[rest.Int64()]
	}
	return string(digits)
}

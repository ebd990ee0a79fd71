package auth

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Cost is what the hash of a password takes to work out, by argon2id with one
// thread. Stored hashes name their own, so that it can be raised.
type Cost struct {
	Passes uint32
	Memory uint32 // KiB
}

// DefaultCost takes some tens of milliseconds.
var DefaultCost = Cost{Passes: 2, Memory: 19 << 10}

const passwordHash = 32 // bytes

var base = base64.RawStdEncoding

// hash returns the hash of a password with a salt of its own, in the usual form:
// $argon2id$v=19$m=19456,t=2,p=1$SALT$HASH.
func (c Cost) hash(password string) string {
	salt := make([]byte, 16)
	rand.Read(salt) // it never fails
	sum := argon2.IDKey([]byte(password), salt, c.Passes, c.Memory, 1, passwordHash)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=1$%s$%s", argon2.Version, c.Memory, c.Passes, base.EncodeToString(salt), base.EncodeToString(sum))
}

// samePassword reports whether a hash is of the password. One that cannot be read is
// of none.
func samePassword(hash, password string) bool {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false
	}
	var c Cost
	var version, threads int
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &c.Memory, &c.Passes, &threads); err != nil || version != argon2.Version || threads != 1 {
		return false
	}
	salt, err := base.DecodeString(parts[4])
	if err != nil {
		return false
	}
	sum, err := base.DecodeString(parts[5])
	if err != nil || len(sum) != passwordHash {
		return false
	}
	return subtle.ConstantTimeCompare(sum, argon2.IDKey([]byte(password), salt, c.Passes, c.Memory, 1, passwordHash)) == 1
}

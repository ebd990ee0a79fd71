package hotel

import (
	"encoding/base32"
	"regexp"

	"github.com/google/uuid"
)

var crockford = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

// NewID returns a fresh id: the prefix, an underscore and a UUIDv7 (RFC 9562)
// as 26 characters of Crockford's base32, so that ids of one prefix sort by the
// time they were made.
func NewID(prefix string) string {
	u := uuid.Must(uuid.NewV7())
	// 128 bits fill 25.6 characters; two zero bits in front keep the order.
	var padded [17]byte
	for i, b := range u {
		padded[i] |= b >> 2
		padded[i+1] |= b << 6
	}
	return prefix + "_" + crockford.EncodeToString(padded[:])[:26]
}

var idForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// ValidID reports whether s may be an id: at most 64 letters, digits, dots,
// underscores and hyphens, beginning with a letter or digit.
func ValidID(s string) bool { return idForm.MatchString(s) }

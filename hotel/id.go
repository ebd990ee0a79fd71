package hotel

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"regexp"
	"sync/atomic"
)

var crockford = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

// NewID returns a fresh id: the prefix, an underscore and a UUIDv7 (RFC 9562)
// as 26 characters of Crockford's base32, so that ids of one prefix sort by the
// time they were made. A clock that is set back by more than a second breaks that
// order.
func NewID(prefix string) string {
	var u [16]byte
	at := nextInstant()
	binary.BigEndian.PutUint64(u[:], at>>12<<16|7<<12|at&0xfff)
	_, _ = rand.Read(u[8:]) // never fails: the program would end
	u[8] = u[8]&0x3f | 0x80
	// 128 bits fill 25.6 characters; two zero bits in front keep the order.
	var padded [17]byte
	for i, b := range u {
		padded[i] |= b >> 2
		padded[i+1] |= b << 6
	}
	var text [28]byte
	crockford.Encode(text[:], padded[:])
	return prefix + "_" + string(text[:26])
}

// newest is the instant of the last id, in parts of which a millisecond has 4,096.
var newest atomic.Uint64

// nextInstant returns the present instant, or one shortly behind that of the last
// id.
func nextInstant() uint64 {
	const second = 1000 << 12
	for {
		now, last := SystemClock{}.Now(), newest.Load()
		next := uint64(now.UnixMilli())<<12 | uint64(now.Nanosecond()%1e6)*4096/1e6
		if next <= last && last-next < second {
			next = last + 1
		}
		if newest.CompareAndSwap(last, next) {
			return next
		}
	}
}

var idForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// ValidID reports whether s may be an id: at most 64 letters, digits, dots,
// underscores and hyphens, beginning with a letter or digit.
func ValidID(s string) bool { return idForm.MatchString(s) }

package hotel_test

import (
	"encoding/base32"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"ostler.example/hotel"
)

func TestNewID(t *testing.T) {
	ids := make([]string, 1000)
	for i := range ids {
		ids[i] = hotel.NewID("res")
		if !hotel.ValidID(ids[i]) {
			t.Fatalf("id %q is not valid", ids[i])
		}
	}
	if !slices.IsSorted(ids) {
		t.Error("ids do not sort by the time they were made")
	}
	if len(slices.Compact(ids)) != 1000 {
		t.Error("an id was made twice")
	}
}

// The 26 characters are the UUID's 128 bits as one number, most significant
// character first.
func TestNewIDIsAUUID(t *testing.T) {
	id := hotel.NewID("res")
	text, ok := strings.CutPrefix(id, "res_")
	if !ok || len(text) != 26 {
		t.Fatalf("id = %q, want res_ and 26 characters", id)
	}
	// 32 characters are 20 bytes, of which the UUID is the last 16.
	crockford := base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
	b, err := crockford.DecodeString("000000" + text)
	if err != nil {
		t.Fatal(err)
	}
	u, err := uuid.FromBytes(b[4:])
	if err != nil {
		t.Fatal(err)
	}
	if u.Version() != 7 || u.Variant() != uuid.RFC4122 {
		t.Errorf("%s has version %d of variant %s", u, u.Version(), u.Variant())
	}
}

func TestValidID(t *testing.T) {
	tests := []struct {
		name string
		id   string
		want bool
	}{
		{"as the operator may choose", "hotel_123", true},
		{"every sign", "A.b-c_9", true},
		{"one character", "7", true},
		{"the longest", strings.Repeat("a", 64), true},
		{"too long", strings.Repeat("a", 65), false},
		{"nothing", "", false},
		{"begins with a sign", "_123", false},
		{"a space", "hotel 123", false},
		{"a slash", "hotel/123", false},
		{"a line break at the end", "hotel_123\n", false},
		{"a letter from elsewhere", "hôtel", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := hotel.ValidID(test.id); got != test.want {
				t.Errorf("valid = %t, want %t", got, test.want)
			}
		})
	}
}

package auth

import (
	"fmt"
	"strings"
)

// Scope is one permission that a client holds and a token carries.
type Scope string

// The scopes. Write does not imply read.
const (
	AvailabilityRead     Scope = "availability:read"
	PropertiesRead       Scope = "properties:read"
	PropertiesWrite      Scope = "properties:write"
	ReservationsRead     Scope = "reservations:read"
	ReservationsWrite    Scope = "reservations:write"
	ReservationsOverride Scope = "reservations:override"
	InventoryRead        Scope = "inventory:read"
	InventoryWrite       Scope = "inventory:write"
	RatesRead            Scope = "rates:read"
	RatesWrite           Scope = "rates:write"
	GuestsRead           Scope = "guests:read"
	GuestsWrite          Scope = "guests:write"
	ReportsRead          Scope = "reports:read"
	WebhooksRead         Scope = "webhooks:read"
	WebhooksWrite        Scope = "webhooks:write"
	EventsRead           Scope = "events:read"
	ChannelsRead         Scope = "channels:read"
	ChannelsWrite        Scope = "channels:write"
	AdminClients         Scope = "admin:clients"
)

// all lists the scopes in the order in which they are written; the position of
// a scope is its bit in [Scopes].
var all = [...]Scope{
	AvailabilityRead,
	PropertiesRead, PropertiesWrite,
	ReservationsRead, ReservationsWrite, ReservationsOverride,
	InventoryRead, InventoryWrite,
	RatesRead, RatesWrite,
	GuestsRead, GuestsWrite,
	ReportsRead,
	WebhooksRead, WebhooksWrite,
	EventsRead,
	ChannelsRead, ChannelsWrite,
	AdminClients,
}

// Scopes is a set of scopes. The zero value is empty.
type Scopes uint32

// ScopesOf returns the set of the given scopes. A scope that does not exist
// cannot be in a set and panics: the names in the program are the constants.
func ScopesOf(scopes ...Scope) Scopes {
	var set Scopes
	for _, s := range scopes {
		b, ok := bit(s)
		if !ok {
			panic("auth: no scope " + string(s))
		}
		set |= b
	}
	return set
}

// AllScopes is every scope there is, the operator's included.
func AllScopes() Scopes { return ScopesOf(all[:]...) }

// ParseScopes reads scopes separated by spaces, the form of OAuth. The empty
// text is the empty set; a name that is no scope is an error.
func ParseScopes(text string) (Scopes, error) {
	var set Scopes
	for name := range strings.FieldsSeq(text) {
		b, ok := bit(Scope(name))
		if !ok {
			return 0, fmt.Errorf("%q is not a scope", name)
		}
		set |= b
	}
	return set, nil
}

// Has reports whether the scope is in the set.
func (s Scopes) Has(scope Scope) bool {
	b, ok := bit(scope)
	return ok && s&b != 0
}

// Within reports whether every scope of s is also in o.
func (s Scopes) Within(o Scopes) bool { return s&^o == 0 }

// List returns the scopes in their usual order.
func (s Scopes) List() []Scope {
	var list []Scope
	for i, scope := range all {
		if s&(1<<i) != 0 {
			list = append(list, scope)
		}
	}
	return list
}

// String returns the scopes separated by spaces, as [ParseScopes] reads them.
func (s Scopes) String() string {
	var b strings.Builder
	for i, scope := range s.List() {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(string(scope))
	}
	return b.String()
}

// MarshalText writes the scopes as [ParseScopes] reads them.
func (s Scopes) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (s *Scopes) UnmarshalText(b []byte) (err error) {
	*s, err = ParseScopes(string(b))
	return err
}

func bit(scope Scope) (Scopes, bool) {
	for i, s := range all {
		if s == scope {
			return 1 << i, true
		}
	}
	return 0, false
}

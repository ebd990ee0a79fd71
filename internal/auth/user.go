package auth

import (
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
)

// User is a person who signs in to the console.
type User struct {
	ID        string          // begins with usr_
	Name      string          // to sign in by; lower case
	Roles     map[string]Role // by property; that of [AllProperties] where a property has none
	Password  string          // its hash, see [Cost]; "" for one who cannot sign in by password
	Disabled  bool            // nobody signs in as the user
	CreatedAt time.Time
	UpdatedAt time.Time
}

// UserKind is the kind of a caller who is a user of the console.
const UserKind = "user"

// At returns the user as a caller in one property; ok is false where the user has
// no role. Clients are nobody's but the whole installation's, so that only a role in
// every property may administer them.
func (u User) At(propertyID string) (w Who, ok bool) {
	role, ok := u.Roles[propertyID]
	if !ok {
		role, ok = u.Roles[AllProperties]
	}
	if !ok {
		return Who{}, false
	}
	w = Who{
		ClientID: "user:" + u.ID, Environment: Production, Kind: UserKind, Tier: Standard,
		Scopes: role.Scopes(), PropertyIDs: []string{propertyID}, User: u.ID,
	}
	if _, everywhere := u.Everywhere(); !everywhere {
		w.Scopes &^= ScopesOf(AdminClients)
	}
	return w, true
}

// Everywhere returns the user as a caller in every property, as whom clients are
// administered; ok is false for a user who may not, be it in a single property: a client
// may be granted that one.
func (u User) Everywhere() (w Who, ok bool) {
	w = Who{
		ClientID: "user:" + u.ID, Environment: Production, Kind: UserKind, Tier: Standard,
		Scopes: u.Roles[AllProperties].Scopes(), PropertyIDs: []string{AllProperties}, User: u.ID,
	}
	for _, role := range u.Roles {
		w.Scopes &= role.Scopes()
	}
	return w, w.Scopes.Has(AdminClients)
}

// Owns reports whether the user is an owner in every house, and of nothing else: whoever
// looks after the users of the console.
func (u User) Owns() bool {
	for _, role := range u.Roles {
		if role != RoleOwner {
			return false
		}
	}
	return u.Roles[AllProperties] == RoleOwner
}

// Lobby returns the user as a caller who only looks up which houses there are: those
// in which the user has a role.
func (u User) Lobby() Who {
	w := Who{ClientID: "user:" + u.ID, Environment: Production, Kind: UserKind, Tier: Standard, Scopes: ScopesOf(PropertiesRead), User: u.ID}
	for id := range u.Roles {
		w.PropertyIDs = append(w.PropertyIDs, id)
	}
	slices.Sort(w.PropertyIDs)
	return w
}

// maxName bounds a name, in bytes.
const maxName = 60

// minPassword and maxPassword bound a password, in bytes.
const (
	minPassword = 10
	maxPassword = 200
)

// check refuses what a user cannot be.
func (u User) check() error {
	if u.Name == "" || len(u.Name) > maxName || strings.ToLower(u.Name) != u.Name || strings.ContainsAny(u.Name, " \t\r\n/?#%") {
		return hotel.Invalid("/name", "pattern", "has 1 to 60 lower case letters, digits or signs, such as an e-mail address, and no spaces")
	}
	if len(u.Roles) == 0 {
		return hotel.Invalid("/roles", "required", "a user has a role in at least one property, or with %q in every one", AllProperties)
	}
	for property, role := range u.Roles {
		if !role.Known() {
			return hotel.Invalid("/roles/"+property, "enum", "expected one of %q", Roles)
		}
	}
	return nil
}

func checkPassword(password string) error {
	if len(password) < minPassword || len(password) > maxPassword {
		return hotel.Invalid("/password", "length", "has %d to %d characters", minPassword, maxPassword)
	}
	return nil
}

// Session is somebody's being signed in.
type Session struct {
	ID        string   // begins with ses_
	Hash      [32]byte // of its token
	UserID    string
	CreatedAt time.Time
	SeenAt    time.Time // exact to a minute
	Address   string    // of whoever signed in
	Agent     string    // its browser, as that names itself
}

// How long a session lasts: without being used, and at most.
const (
	SessionIdle = 12 * time.Hour
	SessionLife = 14 * 24 * time.Hour
)

// over reports whether a session has ended by an instant.
func (s Session) over(at time.Time) bool {
	return !at.Before(s.SeenAt.Add(SessionIdle)) || !at.Before(s.CreatedAt.Add(SessionLife))
}

// Link lets its bearer sign in once, without a password.
type Link struct {
	Hash      [32]byte
	UserID    string
	ExpiresAt time.Time // the first instant at which it is no longer good
}

// LinkLife is how long a link to sign in by is good.
const LinkLife = 24 * time.Hour

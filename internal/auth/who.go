package auth

import (
	"net/netip"
	"slices"
)

// Environment is one of the two worlds that a client lives in. Its credentials
// decide it and nothing can change it.
type Environment string

// Production is the real house, Sandbox a world of simulators.
const (
	Production Environment = "production"
	Sandbox    Environment = "sandbox"
)

// AllProperties is the property grant that stands for every property.
const AllProperties = "*"

// Who is the caller of one request, as its token tells.
type Who struct {
	ClientID      string
	Environment   Environment
	SandboxID     string // which sandbox it lives in; "" in production
	Kind          string // see [Kinds]
	ChannelID     string // of kind ota: the channel that it stands for
	Tier          string // see [Tiers]
	HourlyLimit   *int   // requests an hour in place of the tier's, 0 for no limit; nil: the tier's
	Scopes        Scopes
	PropertyIDs   []string       // grants; [AllProperties] for every one
	Networks      []netip.Prefix // that it may call from; none: anywhere
	AccessRequest string         // the one that it may look after, and nothing else; "" for a client
	Operator      string         // the user name of a person at the machine; "" for a client
	User          string         // the id of a user of the console; "" for a client
}

// Operator is a person at the machine itself, known by its user name: it may do
// everything, everywhere, and is no client.
func Operator(user string) Who {
	return Who{
		ClientID: "operator:" + user, Environment: Production, Kind: "operator", Tier: Standard,
		Scopes: AllScopes(), PropertyIDs: []string{AllProperties}, Operator: user,
	}
}

// Sees reports whether the caller was granted the property.
func (w Who) Sees(propertyID string) bool {
	return slices.Contains(w.PropertyIDs, propertyID) || slices.Contains(w.PropertyIDs, AllProperties)
}

// Administers reports whether a client is among those that the caller may see and
// change, if it administers clients at all: one that is granted no property that the
// caller is not. Sandboxes are none of any house, but the whole installation's.
func (w Who) Administers(c Client) bool {
	if w.SeesAll() {
		return true
	}
	foreign := func(id string) bool { return !w.Sees(id) }
	return c.Environment != Sandbox && !slices.ContainsFunc(c.PropertyIDs, foreign)
}

// AdministersRequest reports whether an access request is among those that the caller may
// see and decide, if it administers clients at all: one that is about, and was granted,
// no property that the caller is not. What it is granted in its sandbox names properties
// of the sandbox, and says nothing of this house.
func (w Who) AdministersRequest(r AccessRequest) bool {
	about := r.PropertyIDs
	if r.Production != nil {
		about = slices.Concat(about, r.Production.PropertyIDs)
	}
	return w.SeesAll() || !slices.ContainsFunc(about, func(id string) bool { return !w.Sees(id) })
}

// SeesAll reports whether the caller was granted every property.
func (w Who) SeesAll() bool { return slices.Contains(w.PropertyIDs, AllProperties) }

package auth

import (
	"net/netip"
	"time"

	"ostler.example/hotel"
)

// Client is a program that may call, with what it may do.
type Client struct {
	ID          string // begins with cli_live_ or cli_test_
	Name        string
	Environment Environment
	Kind        string // one of [Kinds]
	SandboxID   string // of a client of the sandbox: which one it lives in
	ChannelID   string // of kind ota: the channel that it stands for
	Tier        string
	HourlyLimit *int // requests an hour in place of the tier's, 0 for no limit; nil: the tier's
	Scopes      Scopes
	PropertyIDs []string
	IPAllowlist []netip.Prefix // the networks that it may call from; none: anywhere
	Status      ClientStatus
	CreatedAt   time.Time
	UpdatedAt   time.Time
	Revision    int64
}

// ClientStatus says whether a client may call.
type ClientStatus string

// An active client may call; a suspended one is told so; a revoked one is
// answered like a stranger.
const (
	ClientActive    ClientStatus = "active"
	ClientSuspended ClientStatus = "suspended"
	ClientRevoked   ClientStatus = "revoked"
)

// Standard is the tier of a client that has no other.
const Standard = "standard"

// Tiers is how many requests an hour each tier may make.
type Tiers map[string]int

// DefaultTiers are the tiers of an installation that does not set its own.
func DefaultTiers() Tiers {
	return Tiers{Standard: 1000, "partner": 5000, "partner_plus": 20000}
}

// who is the client as a caller with the given token scopes.
func (c Client) who(token Scopes) Who {
	return Who{
		ClientID:    c.ID,
		Environment: c.Environment,
		SandboxID:   c.SandboxID,
		Kind:        c.Kind,
		ChannelID:   c.ChannelID,
		Tier:        c.Tier,
		HourlyLimit: c.HourlyLimit,
		Scopes:      token & c.Scopes, // an allowance that shrinks takes effect on tokens already given
		PropertyIDs: c.PropertyIDs,
		Networks:    c.IPAllowlist,
	}
}

// Who is the client as a caller with all that it may do.
func (c Client) Who() Who { return c.who(c.Scopes) }

// prefix is how ids and credentials of the environment are marked.
func (e Environment) prefix() string {
	if e == Sandbox {
		return "test"
	}
	return "live"
}

// newClientID makes the id of a client of the environment.
func newClientID(e Environment) string { return hotel.NewID("cli_" + e.prefix()) }

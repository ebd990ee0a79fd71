package auth

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
)

// Kinds are what a client may be. One of kind ota stands for an external
// channel and is bound to that.
var Kinds = []string{KindOTA, "pms", "rms", "crm", "bi", KindEnterprise}

// OTAScopes are those that a client of kind ota may have at most: with others it
// could read or change what is not its channel's.
func OTAScopes() Scopes {
	return ScopesOf(
		AvailabilityRead, ReservationsRead, ReservationsWrite, InventoryRead, RatesRead, GuestsRead, ReportsRead, ChannelsRead, EventsRead, WebhooksRead, WebhooksWrite,
	)
}

// MaxSecrets is how many secrets of a client are valid at a time: the old one
// and the new one, while they are changed over.
const MaxSecrets = 2

// Secret is what is known of a secret: never itself.
type Secret struct {
	ID        string
	CreatedAt time.Time
	ExpiresAt time.Time // the first instant at which it is no longer good; zero: never
}

// NewClient is a client that was just made. Secret is shown this once; it is ""
// when the request had its effect before.
type NewClient struct {
	Client
	Secret   string
	Replayed bool
}

// CreateClient stores a new client with a first secret. An empty id is filled in; an
// empty tier is [Standard], an empty status active.
func (a *Authority) CreateClient(ctx context.Context, by hotel.By, once hotel.Once, c Client) (NewClient, error) {
	if c.Environment != Production && c.Environment != Sandbox {
		return NewClient{}, hotel.Invalid("/environment", "enum", "%q is not an environment; use production or sandbox", c.Environment)
	}
	if c.Tier == "" {
		c.Tier = Standard
	}
	if c.Kind == "" {
		c.Kind = KindEnterprise
	}
	if c.ID == "" {
		c.ID = newClientID(c.Environment)
	}
	if c.Environment == Sandbox && c.SandboxID == "" {
		c.SandboxID = c.ID
	}
	if !hotel.ValidID(c.ID) {
		return NewClient{}, hotel.Invalid("/id", "format", "%q is not an id", c.ID)
	}
	if err := a.CheckClientBody(c); err != nil {
		return NewClient{}, err
	}
	if err := c.checkLimit(nil); err != nil {
		return NewClient{}, err
	}
	now := a.clock.Now()
	if c.CreatedAt, c.UpdatedAt, c.Revision = now, now, 1; c.Status == "" {
		c.Status = ClientActive
	}
	secret := newSecret(c.Environment)
	made, replayed, err := a.store.CreateClient(ctx, by, once, c, Hash(secret))
	if err != nil {
		return NewClient{}, fmt.Errorf("create client %s: %w", c.ID, err)
	}
	if replayed {
		secret = ""
	}
	return NewClient{made, secret, replayed}, nil
}

// CheckClientBody refuses a client that could never call, or could call for more
// than it stands for.
func (a *Authority) CheckClientBody(c Client) error {
	var items []hotel.RefusedItem
	wrong := func(at, code, format string, args ...any) {
		items = append(items, hotel.Wrong(at, code, format, args...))
	}
	if !slices.Contains(Kinds, c.Kind) {
		wrong("/kind", "enum", "expected one of %v", Kinds)
	}
	if _, ok := (*a.tiers.Load())[c.Tier]; !ok {
		wrong("/tier", "enum", "there is no tier %q in [rate_limits.tiers] of the configuration", c.Tier)
	}
	for i, id := range c.PropertyIDs {
		if id != AllProperties && !hotel.ValidID(id) {
			wrong(fmt.Sprintf("/property_ids/%d", i), "format", "%q is not an id", id)
		}
	}
	if c.HourlyLimit != nil && *c.HourlyLimit < 0 {
		wrong("/hourly_limit", "min", "expected 0, for no limit, or more")
	}
	switch sandbox := c.Environment == Sandbox; {
	case sandbox && !hotel.ValidID(c.SandboxID):
		wrong("/sandbox_id", "format", "%q is not an id", c.SandboxID)
	case !sandbox && c.SandboxID != "":
		wrong("/sandbox_id", "enum", "only a client of the sandbox lives in one")
	}
	switch ota := c.Kind == KindOTA; {
	case ota && c.ChannelID == "":
		wrong("/channel_id", "required", "a client of kind ota stands for one channel: name it")
	case !ota && c.ChannelID != "":
		wrong("/channel_id", "enum", "only a client of kind ota stands for a channel")
	case ota && !c.Scopes.Within(OTAScopes()):
		wrong("/scopes", "enum", "a client of kind ota has at most: %s", OTAScopes())
	}
	if len(items) == 0 {
		return nil
	}
	return hotel.InvalidItems(items)
}

// checkLimit refuses to give a client of the sandbox a limit of its own, which would not
// count. One that has it from before can be changed in everything else, revoked above all.
func (c Client) checkLimit(was *int) error {
	if c.Environment != Sandbox || c.HourlyLimit == nil || was != nil && *was == *c.HourlyLimit {
		return nil
	}
	return hotel.Invalid("/hourly_limit", "enum", "a client of the sandbox has the number of the tier %q", Standard)
}

// KindOTA is the kind of a client that stands for an external channel,
// KindEnterprise that of one that says nothing else.
const (
	KindOTA        = "ota"
	KindEnterprise = "enterprise"
)

// Clients lists all clients by id.
func (a *Authority) Clients(ctx context.Context) ([]Client, error) { return a.store.Clients(ctx) }

// Client returns one client; ok is false when there is none of that id.
func (a *Authority) Client(ctx context.Context, id string) (c Client, ok bool, err error) {
	return a.store.Client(ctx, id)
}

// ChangeClient lets edit change a client. It holds for tokens already given out
// at once. A client that is revoked has none any more, and stays so.
func (a *Authority) ChangeClient(
	ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, edit func(*Client) error,
) (c Client, replayed bool, err error) {
	defer a.forget(id)
	c, replayed, err = a.store.ChangeClient(context.WithoutCancel(ctx), by, once, id, ifRevision, func(c *Client) error {
		was, limit := c.Status, c.HourlyLimit
		if err := edit(c); err != nil {
			return err
		}
		if err := c.checkLimit(limit); err != nil {
			return err
		}
		if was == ClientRevoked && c.Status != ClientRevoked {
			r := hotel.Refuse("invalid_transition", "a revoked client stays revoked: make another")
			r.Members = map[string]any{"from": was, "to": c.Status, "allowed": []ClientStatus{}}
			return r
		}
		return a.CheckClientBody(*c)
	})
	if err != nil {
		return Client{}, replayed, err
	}
	return c, replayed, nil
}

// Secrets lists a client's valid secrets, the oldest first.
func (a *Authority) Secrets(ctx context.Context, id string) ([]Secret, error) {
	return a.store.Secrets(ctx, id)
}

// AddSecret gives a client a further secret, which is shown this once and good for so
// long, or with 0 for good. text is "" when the request had its effect before.
func (a *Authority) AddSecret(ctx context.Context, by hotel.By, once hotel.Once, c Client, good time.Duration) (s Secret, text string, replayed bool, err error) {
	text = newSecret(c.Environment)
	var expires time.Time
	if good > 0 {
		expires = a.clock.Now().Add(good)
	}
	s, replayed, err = a.store.AddSecret(ctx, by, once, c.ID, Hash(text), expires)
	if err != nil {
		return Secret{}, "", replayed, err
	}
	if replayed {
		text = ""
	}
	return s, text, replayed, nil
}

// DropSecret ends one of a client's secrets. Tokens that it got stay good.
func (a *Authority) DropSecret(ctx context.Context, by hotel.By, id, secret string) error {
	return a.store.DropSecret(ctx, by, id, secret)
}

// RevokeTokens ends all tokens of a client of that revision at once; 0 is any.
func (a *Authority) RevokeTokens(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (replayed bool, err error) {
	defer a.forget(id)
	return a.store.RevokeTokens(context.WithoutCancel(ctx), by, once, id, ifRevision)
}

// forget drops what is known of a client's tokens, so that they are read again. Who
// changes a client calls it whatever came of it, and does not give up with the
// request: what was committed must be obeyed at once.
func (a *Authority) forget(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.generation++
	for hash, t := range a.known {
		if t.who.ClientID == id {
			delete(a.known, hash)
		}
	}
}

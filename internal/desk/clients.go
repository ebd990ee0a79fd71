package desk

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Clients is what the desk needs of whoever keeps clients.
type Clients interface {
	CheckClientBody(c auth.Client) error
	Clients(ctx context.Context) ([]auth.Client, error)
	Client(ctx context.Context, id string) (c auth.Client, ok bool, err error)
	CreateClient(ctx context.Context, by hotel.By, once hotel.Once, c auth.Client) (auth.NewClient, error)
	ChangeClient(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, edit func(*auth.Client) error) (c auth.Client, replayed bool, err error)
	Secrets(ctx context.Context, id string) ([]auth.Secret, error)
	AddSecret(ctx context.Context, by hotel.By, once hotel.Once, c auth.Client, good time.Duration) (s auth.Secret, text string, replayed bool, err error)
	DropSecret(ctx context.Context, by hotel.By, id, secret string) error
	RevokeTokens(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (replayed bool, err error)

	// Answers returns how requests of a client, or for "" of all clients of production,
	// were answered on some days.
	Answers(ctx context.Context, clientID string, days hotel.Span) ([]auth.Answers, error)

	// Quota tells how the hour of a caller stands, and counts nothing.
	Quota(w auth.Who) auth.Quota

	// Tiers are how many requests an hour each tier may make.
	Tiers() auth.Tiers
}

// ClientView is a client with its secrets, which are known by their ids alone.
type ClientView struct {
	auth.Client
	Secrets []auth.Secret
}

// Clients lists the clients that the caller administers.
func (d *Desk) Clients(ctx context.Context, c Caller) ([]ClientView, error) {
	if err := c.need(auth.AdminClients); err != nil {
		return nil, err
	}
	all, err := d.clients.Clients(ctx)
	if err != nil {
		return nil, err
	}
	var views []ClientView
	for _, one := range all {
		if !c.Administers(one) {
			continue
		}
		view, err := d.clientView(ctx, one)
		if err != nil {
			return nil, err
		}
		views = append(views, view)
	}
	return views, nil
}

// Client returns one client.
func (d *Desk) Client(ctx context.Context, c Caller, id string) (ClientView, error) {
	return d.administered(ctx, c, id)
}

// administered returns a client that the caller administers. Another one reads as one
// that does not exist.
func (d *Desk) administered(ctx context.Context, c Caller, id string) (ClientView, error) {
	if err := c.need(auth.AdminClients); err != nil {
		return ClientView{}, err
	}
	view, err := d.client(ctx, id)
	if err == nil && !c.Administers(view.Client) {
		return ClientView{}, nothing()
	}
	return view, err
}

// Self returns the caller as a client. A person at the machine is none.
func (d *Desk) Self(ctx context.Context, c Caller) (ClientView, error) {
	return d.client(ctx, c.ClientID)
}

func (d *Desk) client(ctx context.Context, id string) (ClientView, error) {
	one, ok, err := d.clients.Client(ctx, id)
	if err != nil {
		return ClientView{}, err
	}
	if !ok {
		return ClientView{}, nothing()
	}
	return d.clientView(ctx, one)
}

func (d *Desk) clientView(ctx context.Context, c auth.Client) (ClientView, error) {
	secrets, err := d.clients.Secrets(ctx, c.ID)
	return ClientView{c, secrets}, err
}

// CreateClient makes a client. Its secret is shown this once.
func (d *Desk) CreateClient(ctx context.Context, c Caller, n auth.Client) (made auth.NewClient, err error) {
	if err := c.need(auth.AdminClients); err != nil {
		return auth.NewClient{}, err
	}
	if err := c.mayGrant(n.Scopes); err != nil {
		return auth.NewClient{}, err
	}
	if err := d.granting(ctx, c, n); err != nil {
		return auth.NewClient{}, err
	}
	made, err = d.clients.CreateClient(ctx, c.by(), c.Once, n)
	return made, said(err)
}

// mayGrant refuses to give away scopes that the caller does not have itself.
func (c Caller) mayGrant(scopes auth.Scopes) error {
	if scopes.Within(c.Scopes) {
		return nil
	}
	return hotel.Invalid("/scopes", "enum", "you grant what you have yourself, which has not: %s", scopes&^c.Scopes)
}

// granting refuses to give away what is not there, or not the caller's to give:
// properties, and a channel of a property that the client is not granted. It names
// nothing that the caller has not named itself.
//
// A client of the sandbox is granted what is in there, which is none of this house, and
// not any one house's to give.
func (d *Desk) granting(ctx context.Context, c Caller, n auth.Client) error {
	if n.Environment == auth.Sandbox {
		if !c.SeesAll() {
			return hotel.Invalid("/environment", "enum", "a client of the sandbox is made by who is granted every property")
		}
		return nil
	}
	all, err := d.granted(ctx, c)
	if err != nil {
		return err
	}
	for i, id := range n.PropertyIDs {
		known := id == auth.AllProperties && c.SeesAll() || slices.ContainsFunc(all, func(p hotel.Property) bool { return p.ID == id })
		if !known {
			return hotel.Invalid(fmt.Sprintf("/property_ids/%d", i), "enum", "there is no such property")
		}
	}
	if n.ChannelID == "" {
		return nil
	}
	ch, err := d.ledger.Channel(ctx, n.ChannelID)
	if err != nil || !c.Sees(ch.PropertyID) || !c.seesChannel(ch.ID) {
		return hotel.Invalid("/channel_id", "enum", "there is no such channel")
	}
	if n.Kind == auth.KindOTA && !slices.Equal(n.PropertyIDs, []string{ch.PropertyID}) {
		return hotel.Invalid("/property_ids", "enum", "the client stands for a channel: grant it the property of that channel alone")
	}
	return nil
}

// ClientChange is what is to be different about a client; nil: as it is.
type ClientChange struct {
	Name, Kind, SandboxID, ChannelID, Tier *string
	HourlyLimit                            **int
	Scopes                                 *auth.Scopes
	PropertyIDs                            *[]string
	IPAllowlist                            *[]netip.Prefix
	Status                                 *auth.ClientStatus
	IfRevision                             int64
}

// ChangeClient makes a client different; its tokens at once.
func (d *Desk) ChangeClient(ctx context.Context, c Caller, id string, ch ClientChange) (view ClientView, replayed bool, err error) {
	now, err := d.administered(ctx, c, id)
	if err != nil {
		return ClientView{}, false, err
	}
	next, given := now.Client, auth.Scopes(0)
	if ch.over(&next); ch.Scopes != nil {
		given = next.Scopes &^ now.Scopes
	}
	if ch.grants() {
		given = next.Scopes // what it could do elsewhere it can do here
	}
	if err := c.mayGrant(given); err != nil {
		return ClientView{}, false, err
	}
	if ch.grants() {
		if err := d.granting(ctx, c, next); err != nil {
			return ClientView{}, false, err
		}
	}
	changed, replayed, err := d.clients.ChangeClient(ctx, c.by(), c.Once, id, ch.IfRevision, func(now *auth.Client) error {
		ch.over(now)
		return nil
	})
	if err != nil {
		return ClientView{}, replayed, said(err)
	}
	view, err = d.clientView(ctx, changed)
	return view, replayed, err
}

// grants reports whether the change is about what the client may see.
func (ch ClientChange) grants() bool {
	return ch.Kind != nil || ch.ChannelID != nil || ch.PropertyIDs != nil
}

func (ch ClientChange) over(c *auth.Client) {
	for _, f := range []struct{ to, from *string }{{&c.Name, ch.Name}, {&c.Kind, ch.Kind}, {&c.SandboxID, ch.SandboxID}, {&c.ChannelID, ch.ChannelID}, {&c.Tier, ch.Tier}} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	if ch.HourlyLimit != nil {
		c.HourlyLimit = *ch.HourlyLimit
	}
	if ch.Scopes != nil {
		c.Scopes = *ch.Scopes
	}
	if ch.PropertyIDs != nil {
		c.PropertyIDs = *ch.PropertyIDs
	}
	if ch.IPAllowlist != nil {
		c.IPAllowlist = *ch.IPAllowlist
	}
	if ch.Status != nil {
		c.Status = *ch.Status
	}
}

// AddSecret gives a client a further secret, good for so long, or with 0 for good;
// text is shown this once. A caller may do it for itself, and for a client that can do
// nothing that it cannot: whoever has the secret is that client.
func (d *Desk) AddSecret(ctx context.Context, c Caller, id string, good time.Duration) (s auth.Secret, text string, replayed bool, err error) {
	one, err := d.ownClient(ctx, c, id)
	if err != nil {
		return auth.Secret{}, "", false, err
	}
	for _, scope := range one.Scopes.List() {
		if err := c.need(scope); err != nil && one.ID != c.ClientID {
			return auth.Secret{}, "", false, err
		}
	}
	s, text, replayed, err = d.clients.AddSecret(ctx, c.by(), c.Once, one, good)
	return s, text, replayed, said(err)
}

// Secret returns one of a client's valid secrets, which is known by its id alone. A caller
// may look at its own.
func (d *Desk) Secret(ctx context.Context, c Caller, id, secret string) (auth.Secret, error) {
	if _, err := d.ownClient(ctx, c, id); err != nil {
		return auth.Secret{}, err
	}
	all, err := d.clients.Secrets(ctx, id)
	if err != nil {
		return auth.Secret{}, err
	}
	i := slices.IndexFunc(all, func(s auth.Secret) bool { return s.ID == secret })
	if i < 0 {
		return auth.Secret{}, nothing()
	}
	return all[i], nil
}

// DropSecret ends one of a client's secrets. A caller may do it for itself.
func (d *Desk) DropSecret(ctx context.Context, c Caller, id, secret string) error {
	if _, err := d.ownClient(ctx, c, id); err != nil {
		return err
	}
	return said(d.clients.DropSecret(ctx, c.by(), id, secret))
}

// ownClient returns a client that the caller is or may administer.
func (d *Desk) ownClient(ctx context.Context, c Caller, id string) (auth.Client, error) {
	if id == c.ClientID {
		own, err := d.Self(ctx, c)
		return own.Client, err
	}
	one, err := d.administered(ctx, c, id)
	return one.Client, err
}

// RevokeTokens ends all tokens of a client at once.
func (d *Desk) RevokeTokens(ctx context.Context, c Caller, id string, ifRevision int64) (view ClientView, replayed bool, err error) {
	if _, err := d.administered(ctx, c, id); err != nil {
		return ClientView{}, false, err
	}
	if replayed, err = d.clients.RevokeTokens(ctx, c.by(), c.Once, id, ifRevision); err != nil {
		return ClientView{}, replayed, said(err)
	}
	view, err = d.client(ctx, id)
	return view, replayed, err
}

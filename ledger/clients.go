package ledger

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger/internal/ledgerdb"
)

// The journal's words for clients. Tokens and rate windows are no facts of the
// house and leave no entry.
const (
	ClientCreated       Kind = "client.created"
	ClientUpdated       Kind = "client.updated"
	ClientTokensRevoked Kind = "client.tokens_revoked"
)

// clientBody is what the journal keeps of a client.
type clientBody struct {
	Name        string            `json:"name"`
	Environment auth.Environment  `json:"environment"`
	Kind        string            `json:"kind"`
	SandboxID   string            `json:"sandbox_id,omitempty"`
	ChannelID   string            `json:"channel_id,omitempty"`
	Tier        string            `json:"tier"`
	HourlyLimit *int              `json:"hourly_limit,omitempty"`
	Scopes      string            `json:"scopes"`
	PropertyIDs []string          `json:"property_ids"`
	IPAllowlist []netip.Prefix    `json:"ip_allowlist,omitempty"`
	Status      auth.ClientStatus `json:"status"`
}

func bodyOfClient(c auth.Client) clientBody {
	return clientBody{c.Name, c.Environment, c.Kind, c.SandboxID, c.ChannelID, c.Tier, c.HourlyLimit, c.Scopes.String(), c.PropertyIDs, c.IPAllowlist, c.Status}
}

// CreateClient stores a new client with its first secret.
func (l *Ledger) CreateClient(ctx context.Context, by hotel.By, once hotel.Once, c auth.Client, secret [32]byte) (auth.Client, bool, error) {
	return l.onClient(ctx, by, once, func(t *tx) (string, error) {
		return c.ID, t.newClient(c, secret)
	})
}

// newClient stores a new client with its first secret.
func (t *tx) newClient(c auth.Client, secret [32]byte) error {
	if err := t.bound(c); err != nil {
		return err
	}
	err := t.q.InsertClient(t.ctx, ledgerdb.InsertClientParams{
		ID: c.ID, Name: c.Name, Environment: string(c.Environment), Kind: c.Kind, SandboxID: textOrNil(c.SandboxID),
		ChannelID: textOrNil(c.ChannelID), Tier: c.Tier, HourlyLimit: numberOrNil(c.HourlyLimit), Scopes: c.Scopes.String(), PropertyIds: strings.Join(c.PropertyIDs, " "), IpAllowlist: auth.Networks(c.IPAllowlist), Status: string(c.Status),
		CreatedAt: c.CreatedAt.UnixMicro(), UpdatedAt: c.UpdatedAt.UnixMicro(), Revision: c.Revision,
	})
	if err != nil {
		return fmt.Errorf("store client %s: %w", c.ID, err)
	}
	err = t.q.InsertClientSecret(t.ctx, ledgerdb.InsertClientSecretParams{ID: hotel.NewID("sec"), ClientID: c.ID, Hash: secret[:], CreatedAt: t.micros()})
	if err != nil {
		return fmt.Errorf("store the secret of client %s: %w", c.ID, err)
	}
	_, err = t.append(entry{kind: ClientCreated, subject: c.ID, body: bodyOfClient(c)})
	return err
}

// ChangeClient lets edit change a client. A client that is revoked loses its
// tokens.
func (l *Ledger) ChangeClient(
	ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, edit func(*auth.Client) error,
) (auth.Client, bool, error) {
	return l.onClient(ctx, by, once, func(t *tx) (string, error) {
		c, err := t.client(id)
		if err != nil {
			return "", err
		}
		if err := expectClient(c, ifRevision); err != nil {
			return "", err
		}
		if err := edit(&c); err != nil {
			return "", err
		}
		return id, t.putClient(c)
	})
}

// expectClient refuses a client that has another revision; 0 is any.
func expectClient(c auth.Client, ifRevision int64) error {
	if ifRevision == 0 || ifRevision == c.Revision {
		return nil
	}
	r := hotel.Refuse("precondition_failed", "the client has been changed meanwhile")
	r.Members = map[string]any{"revision": c.Revision}
	return r
}

// putClient stores a client as it is now. One that is revoked loses its tokens.
func (t *tx) putClient(c auth.Client) error {
	if err := t.bound(c); err != nil {
		return err
	}
	err := t.q.UpdateClient(t.ctx, ledgerdb.UpdateClientParams{
		Name: c.Name, Kind: c.Kind, SandboxID: textOrNil(c.SandboxID), ChannelID: textOrNil(c.ChannelID), Tier: c.Tier,
		HourlyLimit: numberOrNil(c.HourlyLimit), Scopes: c.Scopes.String(),
		PropertyIds: strings.Join(c.PropertyIDs, " "), IpAllowlist: auth.Networks(c.IPAllowlist), Status: string(c.Status), UpdatedAt: t.micros(), ID: c.ID,
	})
	if err != nil {
		return fmt.Errorf("store client %s: %w", c.ID, err)
	}
	if c.Status == auth.ClientRevoked {
		if err := t.q.DeleteTokensOf(t.ctx, c.ID); err != nil {
			return fmt.Errorf("revoke tokens of client %s: %w", c.ID, err)
		}
	}
	_, err = t.append(entry{kind: ClientUpdated, subject: c.ID, body: bodyOfClient(c)})
	return err
}

// bound refuses a client that stands for a channel which is not there. Those of a
// sandbox are in another ledger.
func (t *tx) bound(c auth.Client) error {
	if c.ChannelID == "" || c.Environment == auth.Sandbox {
		return nil
	}
	if _, err := t.q.GetChannel(t.ctx, c.ChannelID); err != nil {
		return hotel.Invalid("/channel_id", "enum", "there is no such channel")
	}
	return nil
}

func (t *tx) client(id string) (auth.Client, error) {
	row, err := t.q.GetClient(t.ctx, id)
	if err != nil {
		return auth.Client{}, notFound(err)
	}
	return clientOf(row)
}

// onClient does something about a client once for a request's key. f returns
// the client's id.
func (l *Ledger) onClient(ctx context.Context, by hotel.By, once hotel.Once, f func(t *tx) (string, error)) (auth.Client, bool, error) {
	return storeUnderKey(ctx, l, by, once, f, (*tx).client)
}

// RevokeTokens removes all tokens of a client of that revision; 0 is any.
func (l *Ledger) RevokeTokens(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (bool, error) {
	_, replayed, err := l.onClient(ctx, by, once, func(t *tx) (string, error) {
		c, err := t.client(id)
		if err != nil {
			return "", err
		}
		if err := expectClient(c, ifRevision); err != nil {
			return "", err
		}
		if err := t.q.DeleteTokensOf(t.ctx, id); err != nil {
			return "", fmt.Errorf("revoke tokens of client %s: %w", id, err)
		}
		_, err = t.append(entry{kind: ClientTokensRevoked, subject: id, body: map[string]any{}})
		return id, err
	})
	return replayed, err
}

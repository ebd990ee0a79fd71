package ledger

import (
	"context"
	"fmt"
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
	ClientSecretAdded   Kind = "client.secret_added"
	ClientSecretDropped Kind = "client.secret_dropped"
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
	Status      auth.ClientStatus `json:"status"`
}

func bodyOfClient(c auth.Client) clientBody {
	return clientBody{c.Name, c.Environment, c.Kind, c.SandboxID, c.ChannelID, c.Tier, c.HourlyLimit, c.Scopes.String(), c.PropertyIDs, c.Status}
}

// CreateClient stores a new client with its first secret.
func (l *Ledger) CreateClient(ctx context.Context, by hotel.By, once hotel.Once, c auth.Client, secret [32]byte) (auth.Client, bool, error) {
	return l.onClient(ctx, by, once, "", func(t *tx) (string, error) {
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
		ChannelID: textOrNil(c.ChannelID), Tier: c.Tier, HourlyLimit: numberOrNil(c.HourlyLimit), Scopes: c.Scopes.String(), PropertyIds: strings.Join(c.PropertyIDs, " "), Status: string(c.Status),
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
	return l.onClient(ctx, by, once, id, func(t *tx) (string, error) {
		c, err := t.client(id)
		if err != nil {
			return "", err
		}
		if ifRevision != 0 && ifRevision != c.Revision {
			r := hotel.Refuse("precondition_failed", "the client has been changed meanwhile")
			r.Members = map[string]any{"revision": c.Revision}
			return "", r
		}
		if err := edit(&c); err != nil {
			return "", err
		}
		return id, t.putClient(c)
	})
}

// putClient stores a client as it is now. One that is revoked loses its tokens.
func (t *tx) putClient(c auth.Client) error {
	if err := t.bound(c); err != nil {
		return err
	}
	err := t.q.UpdateClient(t.ctx, ledgerdb.UpdateClientParams{
		Name: c.Name, Kind: c.Kind, SandboxID: textOrNil(c.SandboxID), ChannelID: textOrNil(c.ChannelID), Tier: c.Tier,
		HourlyLimit: numberOrNil(c.HourlyLimit), Scopes: c.Scopes.String(),
		PropertyIds: strings.Join(c.PropertyIDs, " "), Status: string(c.Status), UpdatedAt: t.micros(), ID: c.ID,
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
func (l *Ledger) onClient(
	ctx context.Context, by hotel.By, once hotel.Once, id string, f func(t *tx) (string, error),
) (auth.Client, bool, error) {
	var c auth.Client // no named results: see CreateReservation
	var replayed bool
	err := l.write(ctx, urgent, by, func(t *tx) error {
		kept, done, err := t.begin(once)
		if replayed = t.replayed; err != nil {
			return err
		}
		at := id
		if done && at == "" {
			at = kept
		}
		if !done {
			if at, err = f(t); err != nil {
				return err
			}
			if err := t.keep(at); err != nil {
				return err
			}
		}
		c, err = t.client(at)
		return err
	})
	if err != nil {
		return auth.Client{}, replayed, err
	}
	return c, replayed, nil
}

// Secrets lists a client's valid secrets, the oldest first.
func (l *Ledger) Secrets(ctx context.Context, id string) ([]auth.Secret, error) {
	rows, err := l.read.ListClientSecrets(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read secrets of client %s: %w", id, err)
	}
	secrets := make([]auth.Secret, len(rows))
	for i, r := range rows {
		secrets[i] = auth.Secret{ID: r.ID, CreatedAt: instant(r.CreatedAt)}
	}
	return secrets, nil
}

// AddSecret gives a client a further secret. Beyond [auth.MaxSecrets] it is
// refused as resource_in_use: drop one first.
func (l *Ledger) AddSecret(ctx context.Context, by hotel.By, once hotel.Once, id string, hash [32]byte) (auth.Secret, bool, error) {
	var s auth.Secret // no named results: see CreateReservation
	var replayed bool
	err := l.write(ctx, urgent, by, func(t *tx) error {
		kept, done, err := t.begin(once)
		if replayed = t.replayed; err != nil {
			return err
		}
		if _, err := t.client(id); err != nil {
			return err
		}
		rows, err := t.q.ListClientSecrets(t.ctx, id)
		if err != nil {
			return fmt.Errorf("read secrets of client %s: %w", id, err)
		}
		for _, r := range rows {
			if done && r.ID == kept {
				s = auth.Secret{ID: r.ID, CreatedAt: instant(r.CreatedAt)}
			}
		}
		if done {
			return nil
		}
		if len(rows) >= auth.MaxSecrets {
			return hotel.Refuse("resource_in_use", "the client has %d secrets, and no more are valid at a time: drop one first", len(rows))
		}
		s = auth.Secret{ID: hotel.NewID("sec"), CreatedAt: t.now}
		err = t.q.InsertClientSecret(t.ctx, ledgerdb.InsertClientSecretParams{ID: s.ID, ClientID: id, Hash: hash[:], CreatedAt: t.micros()})
		if err != nil {
			return fmt.Errorf("store a secret of client %s: %w", id, err)
		}
		if _, err := t.append(entry{kind: ClientSecretAdded, subject: id, body: map[string]any{"secret_id": s.ID}}); err != nil {
			return err
		}
		return t.keep(s.ID)
	})
	if err != nil {
		return auth.Secret{}, replayed, err
	}
	return s, replayed, nil
}

// DropSecret ends one of a client's secrets. The last one cannot be dropped:
// suspend the client.
func (l *Ledger) DropSecret(ctx context.Context, by hotel.By, id, secret string) error {
	return l.write(ctx, urgent, by, func(t *tx) error {
		rows, err := t.q.ListClientSecrets(t.ctx, id)
		if err != nil {
			return fmt.Errorf("read secrets of client %s: %w", id, err)
		}
		found := false
		for _, r := range rows {
			found = found || r.ID == secret
		}
		switch {
		case !found:
			return ErrNotFound
		case len(rows) == 1:
			return hotel.Refuse("resource_in_use", "it is the client's only secret: add another first, or suspend the client")
		}
		if err := t.q.DeleteClientSecret(t.ctx, secret); err != nil {
			return fmt.Errorf("drop a secret of client %s: %w", id, err)
		}
		_, err = t.append(entry{kind: ClientSecretDropped, subject: id, body: map[string]any{"secret_id": secret}})
		return err
	})
}

// RevokeTokens removes all tokens of a client.
func (l *Ledger) RevokeTokens(ctx context.Context, by hotel.By, once hotel.Once, id string) (bool, error) {
	_, replayed, err := l.onClient(ctx, by, once, id, func(t *tx) (string, error) {
		if _, err := t.client(id); err != nil {
			return "", err
		}
		if err := t.q.DeleteTokensOf(t.ctx, id); err != nil {
			return "", fmt.Errorf("revoke tokens of client %s: %w", id, err)
		}
		_, err := t.append(entry{kind: ClientTokensRevoked, subject: id, body: map[string]any{}})
		return id, err
	})
	return replayed, err
}

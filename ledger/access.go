package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger/internal/ledgerdb"
)

var _ auth.Store = (*Ledger)(nil)

// Client returns the client of that id; ok is false when there is none.
func (l *Ledger) Client(ctx context.Context, id string) (c auth.Client, ok bool, err error) {
	row, err := l.read.GetClient(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return auth.Client{}, false, nil
	}
	if err != nil {
		return auth.Client{}, false, fmt.Errorf("read client %s: %w", id, err)
	}
	c, err = clientOf(row)
	return c, err == nil, err
}

// Clients returns all clients by id.
func (l *Ledger) Clients(ctx context.Context) ([]auth.Client, error) {
	rows, err := l.read.ListClients(ctx)
	if err != nil {
		return nil, fmt.Errorf("read clients: %w", err)
	}
	clients := make([]auth.Client, len(rows))
	for i, row := range rows {
		if clients[i], err = clientOf(row); err != nil {
			return nil, err
		}
	}
	return clients, nil
}

func clientOf(r ledgerdb.Client) (auth.Client, error) {
	scopes, err := auth.ParseScopes(r.Scopes)
	if err != nil {
		return auth.Client{}, fmt.Errorf("read client %s: %w", r.ID, err)
	}
	networks, err := auth.ParseNetworks(strings.Fields(r.IpAllowlist))
	if err != nil {
		return auth.Client{}, fmt.Errorf("read client %s: %w", r.ID, err)
	}
	return auth.Client{
		ID: r.ID, Name: r.Name, Environment: auth.Environment(r.Environment), Kind: r.Kind, SandboxID: orEmpty(r.SandboxID),
		ChannelID: orEmpty(r.ChannelID), Tier: r.Tier, HourlyLimit: numberOf(r.HourlyLimit), Scopes: scopes, PropertyIDs: strings.Fields(r.PropertyIds), IPAllowlist: networks, Status: auth.ClientStatus(r.Status),
		CreatedAt: instant(r.CreatedAt), UpdatedAt: instant(r.UpdatedAt), Revision: r.Revision,
	}, nil
}

// SecretHashes returns the hashes of the client's secrets that are valid at an instant.
func (l *Ledger) SecretHashes(ctx context.Context, clientID string, at time.Time) ([][32]byte, error) {
	rows, err := l.read.ClientSecretHashes(ctx, ledgerdb.ClientSecretHashesParams{ClientID: clientID, At: at.UnixMicro()})
	if err != nil {
		return nil, fmt.Errorf("read secrets of client %s: %w", clientID, err)
	}
	hashes := make([][32]byte, len(rows))
	for i, row := range rows {
		hashes[i] = [32]byte(row)
	}
	return hashes, nil
}

// StoreToken stores a token that was given out.
func (l *Ledger) StoreToken(ctx context.Context, k auth.Token) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.InsertToken(t.ctx, ledgerdb.InsertTokenParams{
			Hash: k.Hash[:], ClientID: k.ClientID, Scopes: k.Scopes.String(),
			IssuedAt: k.IssuedAt.UnixMicro(), ExpiresAt: k.ExpiresAt.UnixMicro(),
		})
	})
}

// Token returns the token of that hash, expired or not; ok is false when there
// is none.
func (l *Ledger) Token(ctx context.Context, hash [32]byte) (k auth.Token, ok bool, err error) {
	row, err := l.read.GetToken(ctx, hash[:])
	if errors.Is(err, sql.ErrNoRows) {
		return auth.Token{}, false, nil
	}
	if err != nil {
		return auth.Token{}, false, fmt.Errorf("read a token: %w", err)
	}
	scopes, err := auth.ParseScopes(row.Scopes)
	if err != nil {
		return auth.Token{}, false, fmt.Errorf("read a token of client %s: %w", row.ClientID, err)
	}
	return auth.Token{
		Hash: hash, ClientID: row.ClientID, Scopes: scopes,
		IssuedAt: instant(row.IssuedAt), ExpiresAt: instant(row.ExpiresAt),
	}, true, nil
}

// RevokeToken removes the token. One that is not there is no error.
func (l *Ledger) RevokeToken(ctx context.Context, hash [32]byte) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.DeleteToken(t.ctx, hash[:])
	})
}

// DeleteExpiredTokens removes the tokens that expired before the instant.
func (l *Ledger) DeleteExpiredTokens(ctx context.Context, before time.Time) error {
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.DeleteTokensExpiredBefore(t.ctx, before.UnixMicro())
	})
}

// RateWindows returns the stored rate windows by client.
func (l *Ledger) RateWindows(ctx context.Context) ([]auth.RateWindow, error) {
	rows, err := l.read.ListRateWindows(ctx)
	if err != nil {
		return nil, fmt.Errorf("read rate windows: %w", err)
	}
	windows := make([]auth.RateWindow, len(rows))
	for i, r := range rows {
		windows[i] = auth.RateWindow{ClientID: r.ClientID, OpenedAt: instant(r.OpenedAt), Used: int(r.Used)}
	}
	return windows, nil
}

// SaveRateWindows stores the given windows over those of the same clients.
func (l *Ledger) SaveRateWindows(ctx context.Context, windows []auth.RateWindow) error {
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		for _, w := range windows {
			err := t.q.UpsertRateWindow(t.ctx, ledgerdb.UpsertRateWindowParams{
				ClientID: w.ClientID, OpenedAt: w.OpenedAt.UnixMicro(), Used: int64(w.Used),
			})
			if err != nil {
				return fmt.Errorf("store the rate window of client %s: %w", w.ClientID, err)
			}
		}
		return nil
	})
}

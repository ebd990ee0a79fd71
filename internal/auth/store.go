package auth

import (
	"context"
	"time"

	"ostler.example/hotel"
)

// Store keeps clients, secrets, tokens and rate windows. The ledger of the
// production environment is the one store of both environments.
type Store interface {
	Clientele
	RequestStore
	AnswerStore

	// Client returns the client; ok is false when there is none of that id.
	Client(ctx context.Context, id string) (c Client, ok bool, err error)
	// Clients returns all clients by id.
	Clients(ctx context.Context) ([]Client, error)
	// SecretHashes returns the hashes of the client's secrets that are valid at an
	// instant.
	SecretHashes(ctx context.Context, clientID string, at time.Time) ([][32]byte, error)
	// TendSecrets removes secrets that have ended, and tells the clients of those that
	// end soon.
	TendSecrets(ctx context.Context) error

	// StoreToken stores a token that was given out.
	StoreToken(ctx context.Context, t Token) error
	// Token returns the token of that hash, expired or not; ok is false when
	// there is none.
	Token(ctx context.Context, hash [32]byte) (t Token, ok bool, err error)
	// RevokeToken removes the token. One that is not there is no error.
	RevokeToken(ctx context.Context, hash [32]byte) error
	// DeleteExpiredTokens removes the tokens that expired before the instant.
	DeleteExpiredTokens(ctx context.Context, before time.Time) error

	// RateWindows returns the stored rate windows.
	RateWindows(ctx context.Context) ([]RateWindow, error)
	// SaveRateWindows stores the given windows over those of the same clients.
	SaveRateWindows(ctx context.Context, windows []RateWindow) error
}

// Clientele is the part of a store that administers clients. Whatever is done is
// done once for a request's key; replayed tells that it was done before.
type Clientele interface {
	// CreateClient stores a new client with its first secret.
	CreateClient(ctx context.Context, by hotel.By, once hotel.Once, c Client, secret [32]byte) (made Client, replayed bool, err error)
	// ChangeClient stores what edit makes of a client; ifRevision refuses as
	// precondition_failed when the revision is another, 0 for any.
	ChangeClient(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, edit func(*Client) error) (changed Client, replayed bool, err error)
	// Secrets lists a client's valid secrets, the oldest first.
	Secrets(ctx context.Context, id string) ([]Secret, error)
	// AddSecret stores a further secret, of which [MaxSecrets] are valid at a time; it
	// ends at an instant, or with a zero time never.
	AddSecret(ctx context.Context, by hotel.By, once hotel.Once, id string, hash [32]byte, expires time.Time) (s Secret, replayed bool, err error)
	// DropSecret ends a secret.
	DropSecret(ctx context.Context, by hotel.By, id, secret string) error
	// RevokeTokens removes all tokens of a client; refused as precondition_failed when
	// its revision is another, 0 for any.
	RevokeTokens(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (replayed bool, err error)
}

// Token is what is stored of an access token: its hash, never itself.
type Token struct {
	Hash      [32]byte
	ClientID  string
	Scopes    Scopes
	IssuedAt  time.Time
	ExpiresAt time.Time // the first instant at which it is no longer good
}

// RateWindow is one client's hour: when its first request opened it and how
// many requests it has counted.
type RateWindow struct {
	ClientID string
	OpenedAt time.Time
	Used     int
}

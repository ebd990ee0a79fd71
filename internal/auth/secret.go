package auth

import (
	"context"
	"crypto/subtle"
	"fmt"
)

// CheckClient returns the client that the id and the secret belong to. Whether
// the id is unknown, the secret wrong or the client revoked is not told apart:
// all are [ErrClient]. Whoever fails too often from one address is [Throttled].
func (a *Authority) CheckClient(ctx context.Context, id, secret, address string) (Client, error) {
	now := a.clock.Now()
	key := id + " " + address
	if err := a.failures.Check(key, now); err != nil {
		return Client{}, err
	}
	c, ok, err := a.store.Client(ctx, id)
	if err != nil {
		return Client{}, fmt.Errorf("read client: %w", err)
	}
	if !ok {
		if err := a.unknown.Take(address, now); err != nil {
			return Client{}, err
		}
		return Client{}, ErrClient
	}
	hashes, err := a.store.SecretHashes(ctx, id, now)
	if err != nil {
		return Client{}, fmt.Errorf("read secrets of client %s: %w", id, err)
	}
	given, match := Hash(secret), 0
	for _, h := range hashes { // all of them, so that the time tells nothing
		match |= subtle.ConstantTimeCompare(given[:], h[:])
	}
	if match == 0 || c.Status == ClientRevoked {
		if err := a.failures.Take(key, now); err != nil {
			return Client{}, err
		}
		return Client{}, ErrClient
	}
	if c.Status == ClientSuspended {
		return Client{}, ErrSuspended
	}
	return c, nil
}

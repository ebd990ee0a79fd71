package auth

import (
	"context"
	"fmt"
)

// Grant is a token that was just given out. Token itself exists here and with
// the client, nowhere else.
type Grant struct {
	Token  string
	Scopes Scopes
}

// Issue gives the client a token with the scopes that it asks for, separated by
// spaces; with all that it may have when it asks for none. Asking for more is
// [ErrScope], asking too often from one address [Throttled].
func (a *Authority) Issue(ctx context.Context, c Client, asked, address string) (Grant, error) {
	now := a.clock.Now()
	if err := a.minting.Take(c.ID+" "+address, now); err != nil {
		return Grant{}, err
	}
	scopes, err := ParseScopes(asked)
	if err != nil || !scopes.Within(c.Scopes) {
		return Grant{}, ErrScope
	}
	if scopes == 0 {
		scopes = c.Scopes
	}
	g := Grant{Token: newToken(c.Environment), Scopes: scopes}
	err = a.store.StoreToken(ctx, Token{
		Hash:      Hash(g.Token),
		ClientID:  c.ID,
		Scopes:    scopes,
		IssuedAt:  now,
		ExpiresAt: now.Add(TokenLifetime),
	})
	if err != nil {
		return Grant{}, fmt.Errorf("store a token of client %s: %w", c.ID, err)
	}
	return g, nil
}

// Authenticate returns the caller that the token belongs to. A token that is
// unknown, expired or revoked is [ErrToken]; that of a suspended client
// [ErrSuspended]. After the first time the answer comes from memory.
func (a *Authority) Authenticate(ctx context.Context, token string) (Who, error) {
	hash, now := Hash(token), a.clock.Now()
	a.mu.RLock()
	known, ok := a.known[hash]
	generation := a.generation
	a.mu.RUnlock()
	if !ok {
		if !wellFormed(tokenPrefix, token) {
			return Who{}, ErrToken
		}
		var err error
		if known, ok, err = a.read(ctx, hash); err != nil {
			return Who{}, err
		}
		if !ok {
			return Who{}, ErrToken
		}
		a.remember(hash, known, generation)
	}
	switch {
	case !now.Before(known.expires):
		return Who{}, ErrToken
	case known.suspended:
		return Who{}, ErrSuspended
	}
	return known.who, nil
}

// read asks the store for the token and its client.
func (a *Authority) read(ctx context.Context, hash [32]byte) (knownToken, bool, error) {
	t, ok, err := a.store.Token(ctx, hash)
	if err != nil {
		return knownToken{}, false, fmt.Errorf("read a token: %w", err)
	}
	if !ok {
		return knownToken{}, false, nil
	}
	c, ok, err := a.store.Client(ctx, t.ClientID)
	if err != nil {
		return knownToken{}, false, fmt.Errorf("read client %s: %w", t.ClientID, err)
	}
	if !ok || c.Status == ClientRevoked {
		return knownToken{}, false, nil
	}
	return knownToken{who: c.who(t.Scopes), suspended: c.Status == ClientSuspended, expires: t.ExpiresAt}, true, nil
}

// remember keeps what was read, unless something was revoked since generation
// was looked up: the token may have been read just before it was removed.
func (a *Authority) remember(hash [32]byte, known knownToken, generation uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.generation == generation {
		a.known[hash] = known
	}
}

// Revoke ends a token of the client at once. A token that is unknown or
// belongs to another client stays as it is, and nobody is told.
func (a *Authority) Revoke(ctx context.Context, c Client, token string) error {
	hash := Hash(token)
	t, ok, err := a.store.Token(ctx, hash)
	if err != nil {
		return fmt.Errorf("read a token: %w", err)
	}
	if !ok || t.ClientID != c.ID {
		return nil
	}
	defer func() { // whatever became of it: what is not known is read again
		a.mu.Lock()
		defer a.mu.Unlock()
		a.generation++
		delete(a.known, hash)
	}()
	if err := a.store.RevokeToken(context.WithoutCancel(ctx), hash); err != nil {
		return fmt.Errorf("revoke a token of client %s: %w", c.ID, err)
	}
	return nil
}

// Introspect tells the client about a token of its own, or of any client when
// it may administer clients, which none of the sandbox may. ok is false for every other token, and for one
// that is no longer good.
func (a *Authority) Introspect(ctx context.Context, c Client, token string) (t Token, owner Client, ok bool, err error) {
	t, ok, err = a.store.Token(ctx, Hash(token))
	if err != nil {
		return Token{}, Client{}, false, fmt.Errorf("read a token: %w", err)
	}
	if !ok || (t.ClientID != c.ID && (!c.Scopes.Has(AdminClients) || c.Environment != Production)) || !a.clock.Now().Before(t.ExpiresAt) {
		return Token{}, Client{}, false, nil
	}
	owner, ok, err = a.store.Client(ctx, t.ClientID)
	if err != nil {
		return Token{}, Client{}, false, fmt.Errorf("read client %s: %w", t.ClientID, err)
	}
	if !ok || owner.Status != ClientActive {
		return Token{}, Client{}, false, nil
	}
	t.Scopes &= owner.Scopes
	return t, owner, true, nil
}

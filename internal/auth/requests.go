package auth

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
)

// ClaimPrefix begins what whoever asked for access proves itself with.
const ClaimPrefix = "osc_"

// RequestStore is the part of a store that keeps access requests.
type RequestStore interface {
	// CreateRequest stores a new access request, whose maker is known by the hash.
	CreateRequest(ctx context.Context, by hotel.By, once hotel.Once, r AccessRequest, claim [32]byte) (made AccessRequest, replayed bool, err error)
	// ChangeRequest stores what edit makes of an access request, whose journal entry
	// says that step was taken. Where nothing comes of it any more, its clients are
	// revoked.
	ChangeRequest(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, step RequestStep, edit func(*AccessRequest) error) (changed AccessRequest, replayed bool, err error)
	// ClaimRequest makes a client of the terms that wait, with its first secret; client
	// tells what it is to be.
	ClaimRequest(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, secret func(Environment) [32]byte, client func(AccessRequest, Terms, Environment) (Client, error)) (made Client, replayed bool, err error)
	// Request returns an access request; ok is false when there is none of that id.
	Request(ctx context.Context, id string) (r AccessRequest, ok bool, err error)
	// Requests lists all of them, the newest first.
	Requests(ctx context.Context) ([]AccessRequest, error)
	// RequestOf returns the id of the access request of that claim; ok is false when
	// there is none.
	RequestOf(ctx context.Context, claim [32]byte) (id string, ok bool, err error)

	// SaveTraffic adds to what is counted of clients' calls.
	SaveTraffic(ctx context.Context, tallies []Tally) error
	// Traffic returns what is counted of a client's calls.
	Traffic(ctx context.Context, clientID string) ([]Tally, error)
	// ForgetTraffic drops what is counted of days before one.
	ForgetTraffic(ctx context.Context, before time.Time) error
}

// trafficKept is for how long calls in the sandbox count as tests.
const trafficKept = 180 * 24 * time.Hour

// RequestAccess stores an access request. claim is shown this once, and is "" when the
// request had its effect before.
func (a *Authority) RequestAccess(ctx context.Context, by hotel.By, once hotel.Once, r AccessRequest) (made AccessRequest, claim string, replayed bool, err error) {
	now := a.clock.Now()
	r.ID, r.Status, r.CreatedAt, r.UpdatedAt, r.Revision = hotel.NewID("acr"), RequestSubmitted, now, now, 1
	claim = newCredential(ClaimPrefix)
	made, replayed, err = a.store.CreateRequest(ctx, by, once, r, Hash(claim))
	if err != nil || replayed {
		claim = ""
	}
	return made, claim, replayed, err
}

// Claimant returns who the claim token belongs to: somebody who may look after one
// access request and do nothing else. A token that is unknown is [ErrToken].
func (a *Authority) Claimant(ctx context.Context, claim string) (Who, error) {
	id, ok, err := a.store.RequestOf(ctx, Hash(claim))
	if err != nil {
		return Who{}, fmt.Errorf("read a claim: %w", err)
	}
	if !ok {
		return Who{}, ErrToken
	}
	return Who{ClientID: id, Environment: Production, Kind: "applicant", Tier: Standard, AccessRequest: id}, nil
}

// Request returns one access request; ok is false when there is none of that id.
func (a *Authority) Request(ctx context.Context, id string) (r AccessRequest, ok bool, err error) {
	return a.store.Request(ctx, id)
}

// Requests lists all access requests, the newest first.
func (a *Authority) Requests(ctx context.Context) ([]AccessRequest, error) {
	return a.store.Requests(ctx)
}

// StepRequest takes an access request a step further; edit says what else changes, and
// may refuse.
func (a *Authority) StepRequest(
	ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, step RequestStep, edit func(*AccessRequest) error,
) (AccessRequest, bool, error) {
	r, replayed, err := a.store.ChangeRequest(ctx, by, once, id, ifRevision, step, func(r *AccessRequest) error {
		if err := r.Step(step); err != nil {
			return err
		}
		return edit(r)
	})
	if err != nil {
		return AccessRequest{}, replayed, err
	}
	for _, terms := range []*Terms{r.Sandbox, r.Production} {
		if r.Status.Ended() && terms != nil {
			a.forget(terms.ClientID)
		}
	}
	return r, replayed, nil
}

// ClaimRequest makes the client whose credentials wait, once. Its secret is shown this
// once.
func (a *Authority) ClaimRequest(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (NewClient, error) {
	var text string
	secret := func(e Environment) [32]byte {
		text = newSecret(e)
		return Hash(text)
	}
	c, replayed, err := a.store.ClaimRequest(ctx, by, once, id, ifRevision, secret, func(r AccessRequest, t Terms, e Environment) (Client, error) {
		now := a.clock.Now()
		c := Client{
			ID: newClientID(e), Name: r.Organisation, Environment: e, Kind: r.ClientKind(), ChannelID: t.ChannelID, Tier: t.Tier,
			Scopes: t.Scopes, PropertyIDs: t.PropertyIDs, Status: ClientActive, CreatedAt: now, UpdatedAt: now, Revision: 1,
		}
		if c.Tier == "" {
			c.Tier = Standard
		}
		if e == Sandbox {
			c.SandboxID = c.ID
		}
		return c, a.CheckClientBody(c)
	})
	if err != nil || replayed {
		text = ""
	}
	return NewClient{c, text, replayed}, err
}

// Certification says how the client of a request's sandbox credentials stands with its
// tests.
func (a *Authority) Certification(ctx context.Context, r AccessRequest) ([]Check, error) {
	if r.Sandbox == nil {
		return Certify(r.Scopes, nil, r.Waived), nil
	}
	if err := a.Flush(ctx); err != nil {
		return nil, err
	}
	var calls []Tally
	if id := r.Sandbox.ClientID; id != "" {
		var err error
		if calls, err = a.store.Traffic(ctx, id); err != nil {
			return nil, err
		}
	}
	return Certify(r.Sandbox.Scopes, calls, r.Waived), nil
}

// KnownCheck reports whether there is a check of that name.
func KnownCheck(name string) bool { return slices.Contains(Checks(), name) }

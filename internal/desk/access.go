package desk

import (
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Requests is what the desk needs of whoever keeps access requests.
type Requests interface {
	RequestAccess(ctx context.Context, by hotel.By, once hotel.Once, r auth.AccessRequest) (made auth.AccessRequest, claim string, replayed bool, err error)
	Request(ctx context.Context, id string) (r auth.AccessRequest, ok bool, err error)
	Requests(ctx context.Context) ([]auth.AccessRequest, error)
	StepRequest(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, step auth.RequestStep, edit func(*auth.AccessRequest) error) (auth.AccessRequest, bool, error)
	ClaimRequest(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (auth.NewClient, error)
	Certification(ctx context.Context, r auth.AccessRequest) ([]auth.Check, error)
}

// RequestAccess stores what somebody asks who is no client yet. claim proves later that
// it was them, and is shown this once.
func (d *Desk) RequestAccess(ctx context.Context, c Caller, r auth.AccessRequest) (made auth.AccessRequest, claim string, replayed bool, err error) {
	if r.Scopes.Has(auth.AdminClients) {
		return r, "", false, hotel.Invalid("/scopes", "enum", "%s is the operator's own", auth.AdminClients)
	}
	if r.ClientKind() == auth.KindOTA && !r.Scopes.Within(auth.OTAScopes()) {
		return r, "", false, hotel.Invalid("/scopes", "enum", "a client of kind ota has at most: %s", auth.OTAScopes())
	}
	if !hotel.ValidMailbox(r.ContactEmail) {
		return r, "", false, hotel.Invalid("/contact_email", "format", "expected an address such as ada@example.com")
	}
	if r.WebhookURL != "" {
		if err := d.post.CheckAddress(r.WebhookURL); err != nil {
			return r, "", false, hotel.Invalid("/webhook_url", "format", "%s", err)
		}
	}
	made, claim, replayed, err = d.requests.RequestAccess(ctx, c.by(), c.Once, r)
	return made, claim, replayed, said(err)
}

// AccessRequest returns an access request to whoever made it, or administers clients of
// what it is about. Another one reads as one that does not exist.
func (d *Desk) AccessRequest(ctx context.Context, c Caller, id string) (auth.AccessRequest, error) {
	if c.AccessRequest != id {
		if c.AccessRequest != "" {
			return auth.AccessRequest{}, nothing()
		}
		if err := c.need(auth.AdminClients); err != nil {
			return auth.AccessRequest{}, err
		}
	}
	r, ok, err := d.requests.Request(ctx, id)
	if err == nil && (!ok || !c.looksAfter(r)) {
		return auth.AccessRequest{}, nothing()
	}
	return r, err
}

// looksAfter reports whether the caller made the request, or may decide it.
func (c Caller) looksAfter(r auth.AccessRequest) bool {
	return c.AccessRequest == r.ID || c.AdministersRequest(r)
}

// accessInPlace returns an access request to whoever made it, or may act in its place:
// whoever has the secret of a client is that client, and its tests are its own word.
func (d *Desk) accessInPlace(ctx context.Context, c Caller, id string) (auth.AccessRequest, error) {
	r, err := d.AccessRequest(ctx, c, id)
	if err != nil || c.AccessRequest == id {
		return r, err
	}
	for _, terms := range []*auth.Terms{r.Sandbox, r.Production} {
		if terms == nil {
			continue
		}
		for _, scope := range terms.Scopes.List() {
			if err := c.need(scope); err != nil {
				return r, err
			}
		}
	}
	return r, nil
}

// inSandboxes refuses whoever was not granted every property: sandboxes are none of any
// one house.
func (c Caller) inSandboxes() error {
	if c.SeesAll() {
		return nil
	}
	return hotel.Refuse("insufficient_scope", "credentials of the sandbox are given out by a client that was granted every property")
}

// AccessRequests lists those that the caller may decide, the newest first.
func (d *Desk) AccessRequests(ctx context.Context, c Caller) ([]auth.AccessRequest, error) {
	if err := c.need(auth.AdminClients); err != nil {
		return nil, err
	}
	all, err := d.requests.Requests(ctx)
	return slices.DeleteFunc(all, func(r auth.AccessRequest) bool { return !c.looksAfter(r) }), err
}

// Certification says how the client of an access request stands with its tests.
func (d *Desk) Certification(ctx context.Context, c Caller, id string) ([]auth.Check, error) {
	r, err := d.AccessRequest(ctx, c, id)
	if err != nil {
		return nil, err
	}
	return d.requests.Certification(ctx, r)
}

// ClaimAccess hands out the credentials that wait, once. ifRevision refuses it at another
// revision of the request; 0 is any.
func (d *Desk) ClaimAccess(ctx context.Context, c Caller, id string, ifRevision int64) (auth.NewClient, error) {
	r, err := d.accessInPlace(ctx, c, id)
	if err != nil {
		return auth.NewClient{}, err
	}
	if c.AccessRequest != id {
		if terms, e := r.Claimable(); terms != nil && e == auth.Sandbox {
			if err := c.inSandboxes(); err != nil {
				return auth.NewClient{}, err
			}
		}
		if ifRevision == 0 {
			ifRevision = r.Revision // what was looked at here is what is handed out
		}
	}
	made, err := d.requests.ClaimRequest(ctx, c.by(), c.Once, id, ifRevision)
	return made, said(err)
}

// SubmitCertification says that the tests are done. While checks are pending it is
// refused, naming them.
func (d *Desk) SubmitCertification(ctx context.Context, c Caller, id string, ifRevision int64) (auth.AccessRequest, bool, error) {
	r, err := d.accessInPlace(ctx, c, id)
	if err != nil {
		return auth.AccessRequest{}, false, err
	}
	checks, err := d.requests.Certification(ctx, r)
	if err != nil {
		return auth.AccessRequest{}, false, err
	}
	return d.stepAccess(ctx, c, id, ifRevision, auth.SubmitCertification, func(r *auth.AccessRequest) error {
		missing := auth.Missing(checks)
		if len(missing) == 0 {
			return nil
		}
		refusal := hotel.Refuse("invalid_transition", "checks that are pending: %d; missing names them", len(missing))
		refusal.Members = map[string]any{
			"from": auth.RequestSandboxIssued, "to": auth.RequestCertification, "allowed": []auth.RequestStep{auth.WithdrawRequest}, "missing": missing,
		}
		return refusal
	})
}

// WithdrawAccess ends a request by whoever made it.
func (d *Desk) WithdrawAccess(ctx context.Context, c Caller, id string, ifRevision int64) (auth.AccessRequest, bool, error) {
	if _, err := d.accessInPlace(ctx, c, id); err != nil {
		return auth.AccessRequest{}, false, err
	}
	return d.stepAccess(ctx, c, id, ifRevision, auth.WithdrawRequest, func(*auth.AccessRequest) error { return nil })
}

// AccessDecision is what an operator says to a request. What is nil is as it was asked,
// or as it is in the sandbox.
type AccessDecision struct {
	Scopes      *auth.Scopes
	PropertyIDs []string
	Tier        string
	ChannelID   string
	Message     string
	Check       string // to be waived
	IfRevision  int64
}

// DecideAccess takes a request a step further for whoever administers clients.
func (d *Desk) DecideAccess(ctx context.Context, c Caller, id string, step auth.RequestStep, q AccessDecision) (auth.AccessRequest, bool, error) {
	if err := c.need(auth.AdminClients); err != nil {
		return auth.AccessRequest{}, false, err
	}
	if _, err := d.AccessRequest(ctx, c, id); err != nil {
		return auth.AccessRequest{}, false, err
	}
	if step == auth.ApproveSandbox {
		if err := c.inSandboxes(); err != nil {
			return auth.AccessRequest{}, false, err
		}
	}
	return d.stepAccess(ctx, c, id, q.IfRevision, step, func(r *auth.AccessRequest) error {
		r.Message = q.Message
		switch step {
		case auth.ApproveSandbox:
			return d.grantSandbox(c, r, q)
		case auth.ApproveProduction:
			return d.grantProduction(ctx, c, r, q)
		case auth.WaiveCheck:
			if !auth.KnownCheck(q.Check) {
				return hotel.Invalid("/check", "enum", "expected one of %v", auth.Checks())
			}
			if !slices.Contains(r.Waived, q.Check) {
				r.Waived = append(r.Waived, q.Check)
			}
		default:
		}
		return nil
	})
}

func (d *Desk) stepAccess(
	ctx context.Context, c Caller, id string, ifRevision int64, step auth.RequestStep, edit func(*auth.AccessRequest) error,
) (auth.AccessRequest, bool, error) {
	r, replayed, err := d.requests.StepRequest(ctx, c.by(), c.Once, id, ifRevision, step, func(r *auth.AccessRequest) error {
		if !c.looksAfter(*r) {
			return nothing() // it was granted more meanwhile
		}
		return edit(r)
	})
	return r, replayed, said(err)
}

// grantSandbox says what the client gets in the sandbox. One that stands for a channel
// stands there for the first of the pretend ones.
func (d *Desk) grantSandbox(c Caller, r *auth.AccessRequest, q AccessDecision) error {
	terms := auth.Terms{Scopes: r.Scopes, PropertyIDs: []string{auth.AllProperties}}
	if q.Scopes != nil {
		terms.Scopes = *q.Scopes
	}
	if q.PropertyIDs != nil {
		terms.PropertyIDs = q.PropertyIDs
	}
	if r.ClientKind() == auth.KindOTA {
		terms.PropertyIDs, terms.ChannelID = []string{SandboxProperty}, SandboxChannel
	}
	if err := d.grantable(r, terms); err != nil {
		return err
	}
	if err := c.mayGrant(terms.Scopes); err != nil {
		return err
	}
	r.Sandbox = &terms
	return nil
}

// What a sandbox has, by its ids.
const (
	SandboxProperty = "hotel_123"
	SandboxChannel  = "ch_alpha"
)

func (d *Desk) grantProduction(ctx context.Context, c Caller, r *auth.AccessRequest, q AccessDecision) error {
	terms := auth.Terms{Scopes: r.Sandbox.Scopes, PropertyIDs: r.PropertyIDs, Tier: q.Tier, ChannelID: q.ChannelID}
	if q.Scopes != nil {
		terms.Scopes = *q.Scopes
	}
	if q.PropertyIDs != nil {
		terms.PropertyIDs = q.PropertyIDs
	}
	if err := d.grantable(r, terms); err != nil {
		return err
	}
	if err := c.mayGrant(terms.Scopes); err != nil {
		return err
	}
	err := d.granting(ctx, c, auth.Client{Environment: auth.Production, Kind: r.ClientKind(), ChannelID: terms.ChannelID, PropertyIDs: terms.PropertyIDs})
	if err != nil {
		return err
	}
	r.Production = &terms
	return nil
}

// grantable refuses terms of which no client could be made.
func (d *Desk) grantable(r *auth.AccessRequest, t auth.Terms) error {
	if t.Scopes.Has(auth.AdminClients) {
		return hotel.Invalid("/scopes", "enum", "%s is never granted through an access request", auth.AdminClients)
	}
	if t.Tier == "" {
		t.Tier = auth.Standard
	}
	return d.clients.CheckClientBody(auth.Client{
		Name: r.Organisation, Environment: auth.Production, Kind: r.ClientKind(), ChannelID: t.ChannelID, Tier: t.Tier, Scopes: t.Scopes, PropertyIDs: t.PropertyIDs,
	})
}

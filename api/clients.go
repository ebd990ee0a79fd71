package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

type clientBody struct {
	EntityBody
	Name        string       `json:"name"`
	Environment string       `json:"environment" enum:"production,sandbox"`
	Kind        string       `json:"kind" enum:"ota,pms,rms,crm,bi,enterprise"`
	SandboxID   *string      `json:"sandbox_id" doc:"Of environment sandbox: the one that it lives in, alone or with the clients that have the same."`
	ChannelID   *string      `json:"channel_id" doc:"Of kind ota: the channel that it stands for, which is all that it sees."`
	Tier        string       `json:"tier"`
	HourlyLimit *int         `json:"hourly_limit" doc:"Requests an hour in place of its tier's, 0 for no limit; null for those of its tier."`
	Scopes      []auth.Scope `json:"scopes"`
	PropertyIDs []string     `json:"property_ids" doc:"* is every one."`
	IPAllowlist []string     `json:"ip_allowlist" doc:"The networks that it may call from; none: anywhere."`
	Status      string       `json:"status" enum:"active,suspended,revoked"`
	Secrets     []secretBody `json:"secrets" doc:"The valid ones, by their ids."`
}

type secretBody struct {
	ID        string  `json:"id"`
	CreatedAt string  `json:"created_at" format:"date-time"`
	UpdatedAt string  `json:"updated_at" format:"date-time" doc:"As created_at: a secret never changes."`
	Revision  int64   `json:"revision" doc:"1, likewise."`
	ExpiresAt *string `json:"expires_at" format:"date-time" doc:"From then on it is not taken any more; null: it does not end."`
}

// What is embedded has a public name: else its members are not described there.
type (
	// ClientBody is a client.
	ClientBody = clientBody
	// SecretBody is a secret, which is not told again.
	SecretBody = secretBody
)

// newClientBody is a client with its secret, which is shown once.
type newClientBody struct {
	ClientBody
	ClientSecret string `json:"client_secret,omitempty" doc:"Shown this once: not to a request that is repeated."`
}

type newSecretBody struct {
	SecretBody
	ClientSecret string `json:"client_secret,omitempty" doc:"Shown this once: not to a request that is repeated."`
}

func clientOf(v desk.ClientView) clientBody {
	b := clientBody{
		EntityBody: entityOf(hotel.Entity{ID: v.ID, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt, Revision: v.Revision}),
		Name:       v.Name, Environment: string(v.Environment), Kind: v.Kind, SandboxID: orNull(v.SandboxID), ChannelID: orNull(v.ChannelID),
		Tier: v.Tier, HourlyLimit: v.HourlyLimit,
		Scopes: some(v.Scopes.List()), PropertyIDs: some(v.PropertyIDs), IPAllowlist: strings.Fields(auth.Networks(v.IPAllowlist)), Status: string(v.Status), Secrets: []secretBody{},
	}
	for _, s := range v.Secrets {
		b.Secrets = append(b.Secrets, secretOf(s))
	}
	return b
}

type clientInput struct {
	Name        string       `json:"name" minLength:"1" maxLength:"200"`
	Environment string       `json:"environment" enum:"production,sandbox"`
	Kind        string       `json:"kind,omitempty" enum:"ota,pms,rms,crm,bi,enterprise" default:"enterprise"`
	SandboxID   string       `json:"sandbox_id,omitempty" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" doc:"Of environment sandbox: the one that it lives in. One of its own if it is left out."`
	ChannelID   string       `json:"channel_id,omitempty"`
	Tier        string       `json:"tier,omitempty"`
	HourlyLimit *int         `json:"hourly_limit,omitempty" minimum:"0" maximum:"100000000" doc:"Requests an hour in place of the tier's, 0 for no limit."`
	Scopes      []auth.Scope `json:"scopes,omitempty" doc:"None if it is left out."`
	PropertyIDs propertyIDs  `json:"property_ids,omitempty" doc:"None if it is left out; * is every one, as a word or in the list."`
	IPAllowlist []string     `json:"ip_allowlist,omitempty" maxItems:"50" doc:"Networks such as 192.0.2.0/24, or addresses, from which alone it may call."`
	Status      string       `json:"status,omitempty" enum:"active,suspended" default:"active"`
}

type clientPatch struct {
	Name        optional[string]       `json:"name,omitzero" minLength:"1" maxLength:"200"`
	Kind        optional[string]       `json:"kind,omitzero" enum:"ota,pms,rms,crm,bi,enterprise"`
	SandboxID   optional[string]       `json:"sandbox_id,omitzero" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"`
	ChannelID   optional[string]       `json:"channel_id,omitzero"`
	Tier        optional[string]       `json:"tier,omitzero"`
	HourlyLimit optional[int]          `json:"hourly_limit,omitzero" minimum:"0" maximum:"100000000" doc:"0 for no limit, null for that of the tier."`
	Scopes      optional[[]auth.Scope] `json:"scopes,omitzero"`
	PropertyIDs optional[propertyIDs]  `json:"property_ids,omitzero" doc:"* is every one, as a word or in the list."`
	IPAllowlist optional[[]string]     `json:"ip_allowlist,omitzero" maxItems:"50" doc:"Networks or addresses; none, or null, for anywhere."`
	Status      optional[string]       `json:"status,omitzero" enum:"active,suspended,revoked" doc:"Acts on tokens at once; revoked is for good."`
}

func readScopes(list []auth.Scope) (auth.Scopes, error) {
	var set auth.Scopes
	for i, name := range list {
		one, err := auth.ParseScopes(string(name))
		if err != nil || one == 0 {
			return 0, hotel.Invalid("/scopes/"+itoa(int64(i)), "enum", "there is no such scope")
		}
		set |= one
	}
	return set, nil
}

func (p clientPatch) read() (desk.ClientChange, error) {
	err := keep(member{"name", p.Name.Null}, member{"kind", p.Kind.Null}, member{"sandbox_id", p.SandboxID.Null}, member{"status", p.Status.Null})
	if err != nil {
		return desk.ClientChange{}, err
	}
	c := desk.ClientChange{
		Name: p.Name.pointer(), Kind: p.Kind.pointer(), SandboxID: p.SandboxID.pointer(), ChannelID: p.ChannelID.orZero(), Tier: p.Tier.pointer(), PropertyIDs: (*[]string)(p.PropertyIDs.orZero()),
	}
	if p.Tier.Null {
		c.Tier = new(auth.Standard)
	}
	if p.HourlyLimit.Set {
		limit := p.HourlyLimit.pointer()
		c.HourlyLimit = &limit
	}
	if status := p.Status.pointer(); status != nil {
		s := auth.ClientStatus(*status)
		c.Status = &s
	}
	if p.IPAllowlist.Set {
		networks, err := auth.ParseNetworks(p.IPAllowlist.Value)
		if err != nil {
			return c, err
		}
		c.IPAllowlist = &networks
	}
	if p.Scopes.Set {
		scopes, err := readScopes(p.Scopes.Value)
		if err != nil {
			return c, err
		}
		c.Scopes = &scopes
	}
	return c, nil
}

// administers is the access of whoever decides who may call.
var administers = needs(auth.AdminClients).about(ofProduction)

func (s *server) registerClients() {
	list := huma.Operation{
		OperationID: "list-clients", Method: http.MethodGet, Path: "/clients",
		Summary: "The clients of this installation", Tags: []string{tagClients},
	}
	register(s, list, administers, func(ctx context.Context, in *struct{ Paging }) (*listOf[clientBody], error) {
		all, err := s.desk.Clients(ctx, callerOf(ctx))
		if err != nil {
			return nil, err
		}
		return pageOf(ctx, s, in.Paging, all, func(c desk.ClientView) position { return position{id: c.ID} }, clientOf)
	})
	get := huma.Operation{
		OperationID: "get-client", Method: http.MethodGet, Path: "/clients/{id}", Summary: "One client", Tags: []string{tagClients},
	}
	register(s, get, administers, func(ctx context.Context, in *byID) (*resource[clientBody], error) {
		v, err := s.desk.Client(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return resourceOf(in.IfNoneMatch, v.Revision, clientOf(v)), nil
	})
	create := huma.Operation{
		OperationID: "create-client", Method: http.MethodPost, Path: "/clients",
		Summary: "Make a client", Tags: []string{tagClients}, DefaultStatus: http.StatusCreated,
	}
	register(s, create, administers, func(ctx context.Context, in *struct{ Body clientInput }) (*created[newClientBody], error) {
		b := in.Body
		scopes, err := readScopes(b.Scopes)
		if err != nil {
			return nil, err
		}
		networks, err := auth.ParseNetworks(b.IPAllowlist)
		if err != nil {
			return nil, err
		}
		made, err := s.desk.CreateClient(ctx, callerOf(ctx), auth.Client{
			Name: b.Name, Environment: auth.Environment(b.Environment), Kind: b.Kind, SandboxID: b.SandboxID, ChannelID: b.ChannelID, Tier: b.Tier,
			HourlyLimit: b.HourlyLimit, Scopes: scopes, PropertyIDs: b.PropertyIDs, IPAllowlist: networks, Status: auth.ClientStatus(b.Status),
		})
		replay(ctx, made.Replayed)
		if err != nil {
			return nil, err
		}
		v, err := s.desk.Client(ctx, callerOf(ctx), made.ID)
		if err != nil {
			return nil, err
		}
		shown := clientOf(v)
		return &created[newClientBody]{
			Location: baseOf(ctx) + "/clients/" + v.ID, ETag: shownTag(v.Revision, shown), Cache: "no-store", Body: newClientBody{shown, made.Secret},
		}, nil
	})
	s.registerClientChange()
	s.registerSecrets()
	s.registerSelf()
}

func (s *server) registerClientChange() {
	type input struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the client has another ETag."`
		Body    clientPatch
	}
	op := huma.Operation{
		OperationID: "update-client", Method: http.MethodPatch, Path: "/clients/{id}",
		Summary: "Change a client", Tags: []string{tagClients},
		Description: "A merge patch. It holds for tokens already given out at once: fewer scopes, another tier, suspended, revoked.",
	}
	register(s, op, administers, func(ctx context.Context, in *input) (*resource[clientBody], error) {
		change, err := in.Body.read()
		if err != nil {
			return nil, err
		}
		if change.IfRevision, err = s.ifMatch(in.IfMatch); err != nil {
			return nil, err
		}
		v, replayed, err := s.desk.ChangeClient(ctx, callerOf(ctx), in.ID, change)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return resourceOf("", v.Revision, clientOf(v)), nil
	})
	content := s.api.OpenAPI().Paths[op.Path].Patch.RequestBody.Content
	content[mediaMergePatch] = content[mediaJSON]
	revoke := huma.Operation{
		OperationID: "revoke-client-tokens", Method: http.MethodPost, Path: "/clients/{id}/revoke-tokens",
		Summary: "End all tokens of a client", Tags: []string{tagClients}, DefaultStatus: http.StatusOK,
		Description: "At once. The client may ask for others.",
	}
	register(s, revoke, administers, func(ctx context.Context, in *struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the client has another ETag."`
	},
	) (*resource[clientBody], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		v, replayed, err := s.desk.RevokeTokens(ctx, callerOf(ctx), in.ID, revision)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return resourceOf("", v.Revision, clientOf(v)), nil
	})
}

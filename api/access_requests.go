package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

type accessInput struct {
	Organisation string       `json:"organisation" minLength:"1" maxLength:"200"`
	ContactName  string       `json:"contact_name" minLength:"1" maxLength:"200"`
	ContactEmail string       `json:"contact_email" minLength:"3" maxLength:"254"`
	Kind         string       `json:"kind" enum:"technology_partner,ota,enterprise_hotel"`
	UseCase      string       `json:"use_case" minLength:"30" maxLength:"4000"`
	Preset       string       `json:"preset,omitempty" enum:"ota,pms,rms,crm,bi,enterprise" doc:"The scopes that programs of this sort usually need; scopes may be left out with it."`
	Scopes       []auth.Scope `json:"scopes,omitempty" maxItems:"40"`
	PropertyIDs  propertyIDs  `json:"property_ids,omitempty" doc:"A list of the ids of properties, or all, as a word or in the list; all if it is left out."`
	PerHour      int          `json:"expected_requests_per_hour,omitempty" minimum:"0" maximum:"100000000"`
	WebhookURL   string       `json:"webhook_url,omitempty" maxLength:"2000" doc:"Where webhooks would go: an address as POST /webhook-endpoints takes it."`
}

func (i accessInput) read() (auth.AccessRequest, error) {
	r := auth.AccessRequest{
		Organisation: i.Organisation, ContactName: i.ContactName, ContactEmail: i.ContactEmail, Kind: i.Kind, Preset: i.Preset, UseCase: i.UseCase,
		PropertyIDs: []string{}, PerHour: i.PerHour, WebhookURL: i.WebhookURL,
	}
	if i.Kind == auth.KindOTA && r.Preset == "" && len(i.Scopes) == 0 {
		r.Preset = auth.KindOTA
	}
	if r.Preset == auth.KindOTA && i.Kind != auth.KindOTA {
		return r, hotel.Invalid("/preset", "enum", "the preset ota is for requests of kind ota")
	}
	var err error
	if r.Scopes, err = readScopes(i.Scopes); err != nil {
		return r, err
	}
	if r.Scopes |= auth.Presets()[r.Preset]; r.Scopes == 0 {
		return r, hotel.Invalid("/scopes", "required", "name the scopes that are needed, or a preset")
	}
	for n, id := range i.PropertyIDs {
		switch {
		case id == everyProperty || id == auth.AllProperties:
			r.PropertyIDs = []string{auth.AllProperties}
			return r, nil
		case !hotel.ValidID(id):
			return r, hotel.Invalid("/property_ids/"+itoa(int64(n)), "format", "expected the id of a property, or all")
		}
		r.PropertyIDs = append(r.PropertyIDs, id)
	}
	if len(r.PropertyIDs) == 0 {
		r.PropertyIDs = []string{auth.AllProperties}
	}
	return r, nil
}

type termsBody struct {
	Scopes      []auth.Scope `json:"scopes"`
	PropertyIDs []string     `json:"property_ids"`
	Tier        string       `json:"tier,omitempty"`
	ChannelID   string       `json:"channel_id,omitempty"`
	ClientID    *string      `json:"client_id" doc:"null until the credentials are claimed."`
}

type accessBody struct {
	EntityBody
	Status       string       `json:"status" enum:"submitted,sandbox_issued,certification_submitted,production_issued,rejected,withdrawn,revoked"`
	Organisation string       `json:"organisation"`
	ContactName  string       `json:"contact_name"`
	ContactEmail string       `json:"contact_email"`
	Kind         string       `json:"kind" enum:"technology_partner,ota,enterprise_hotel"`
	UseCase      string       `json:"use_case"`
	Preset       *string      `json:"preset"`
	Scopes       []auth.Scope `json:"scopes" doc:"As they were asked for."`
	PropertyIDs  []string     `json:"property_ids" doc:"As they were asked for; * is every one."`
	PerHour      int          `json:"expected_requests_per_hour"`
	WebhookURL   *string      `json:"webhook_url"`
	Sandbox      *termsBody   `json:"sandbox" doc:"What is granted in the sandbox; null before."`
	Production   *termsBody   `json:"production" doc:"What is granted in production; null before."`
	Waived       []string     `json:"waived" doc:"Checks that the operator does without."`
	Message      string       `json:"message" doc:"The operator's last word."`
}

// AccessBody is an access request. What is embedded has a public name: else its
// members are not described.
type AccessBody = accessBody

type newAccessBody struct {
	AccessBody
	ClaimToken string `json:"claim_token,omitempty" doc:"Proves later that it was you: send it as a Bearer token. Shown this once."`
}

func termsOf(t *auth.Terms) *termsBody {
	if t == nil {
		return nil
	}
	return &termsBody{some(t.Scopes.List()), some(t.PropertyIDs), t.Tier, t.ChannelID, orNull(t.ClientID)}
}

func accessOfRequest(ctx context.Context, r auth.AccessRequest) accessBody {
	shows(ctx, r.ID)
	return accessBody{
		EntityBody: entityOf(hotel.Entity{ID: r.ID, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, Revision: r.Revision}),
		Status:     string(r.Status), Organisation: r.Organisation, ContactName: r.ContactName, ContactEmail: r.ContactEmail, Kind: r.Kind,
		UseCase: r.UseCase, Preset: orNull(r.Preset), Scopes: some(r.Scopes.List()), PropertyIDs: some(r.PropertyIDs), PerHour: r.PerHour,
		WebhookURL: orNull(r.WebhookURL), Sandbox: termsOf(r.Sandbox), Production: termsOf(r.Production), Waived: some(r.Waived), Message: r.Message,
	}
}

func accessResource(ctx context.Context, ifNoneMatch string, r auth.AccessRequest) *resource[accessBody] {
	return resourceOf(ifNoneMatch, r.Revision, accessOfRequest(ctx, r))
}

// registerAccessRequests serves how a partner gets credentials: it asks, tests in the
// sandbox, and shows that it has.
func (s *server) registerAccessRequests() {
	ask := huma.Operation{
		OperationID: "create-access-request", Method: http.MethodPost, Path: "/access-requests", Summary: "Ask for access",
		Tags: []string{tagAccess}, DefaultStatus: http.StatusCreated,
		Description: "Public, ten a minute from an address. Keep the claim token: it shows the state and hands out the credentials.",
	}
	register(s, ask, access{public: true, applicants: true}, func(ctx context.Context, in *struct{ Body accessInput }) (*created[newAccessBody], error) {
		r, err := in.Body.read()
		if err != nil {
			return nil, err
		}
		made, claim, replayed, err := s.desk.RequestAccess(ctx, callerOf(ctx), r)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		shown := accessOfRequest(ctx, made)
		return &created[newAccessBody]{
			Location: baseOf(ctx) + "/access-requests/" + made.ID, ETag: shownTag(made.Revision, shown), Cache: "no-store", Body: newAccessBody{shown, claim},
		}, nil
	})
	list := huma.Operation{
		OperationID: "list-access-requests", Method: http.MethodGet, Path: "/access-requests", Summary: "Who asks for access", Tags: []string{tagAccess},
		Description: "Whoever is shown a request, with the name and address in it, is written down.",
	}
	register(s, list, administers, func(ctx context.Context, in *struct {
		Paging
		Status []string `query:"status" enum:"submitted,sandbox_issued,certification_submitted,production_issued,rejected,withdrawn,revoked"`
	},
	) (*listOf[accessBody], error) {
		all, err := s.desk.AccessRequests(ctx, callerOf(ctx))
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(r auth.AccessRequest) bool {
			return len(in.Status) > 0 && !slices.Contains(in.Status, string(r.Status))
		})
		return pageOf(ctx, s, in.Paging, all, func(r auth.AccessRequest) position { return position{id: r.ID} }, func(r auth.AccessRequest) accessBody {
			return accessOfRequest(ctx, r)
		})
	})
	s.registerClaims()
	s.registerAccessDecisions()
}

// byApplicant is the access of whoever made the request, with its claim token, or
// administers clients.
var byApplicant = access{scopes: administers.scopes, of: ofProduction, applicants: true}

type checkBody struct {
	Check  string `json:"check"`
	Status string `json:"status" enum:"pending,passed,waived"`
}

type certificationBody struct {
	Checks []checkBody `json:"checks"`
	Ready  bool        `json:"ready" doc:"Nothing is pending."`
}

type stepInput struct {
	ID      string `path:"id"`
	IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the request has another ETag."`
}

func (s *server) registerClaims() {
	get := huma.Operation{
		OperationID: "get-access-request", Method: http.MethodGet, Path: "/access-requests/{id}", Summary: "How far a request is", Tags: []string{tagAccess},
	}
	register(s, get, byApplicant, func(ctx context.Context, in *byID) (*resource[accessBody], error) {
		r, err := s.desk.AccessRequest(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return accessResource(ctx, in.IfNoneMatch, r), nil
	})
	certification := huma.Operation{
		OperationID: "get-certification", Method: http.MethodGet, Path: "/access-requests/{id}/certification",
		Summary: "How the tests stand", Tags: []string{tagAccess}, Description: "Computed from what the client has called in the sandbox.",
	}
	register(s, certification, byApplicant, func(ctx context.Context, in *byID) (*resource[certificationBody], error) {
		checks, err := s.desk.Certification(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		b := certificationBody{Checks: []checkBody{}, Ready: len(auth.Missing(checks)) == 0}
		for _, c := range checks {
			b.Checks = append(b.Checks, checkBody{c.Name, string(c.Status)})
		}
		return unnumbered(in.IfNoneMatch, b), nil
	})
	claim := huma.Operation{
		OperationID: "claim-credentials", Method: http.MethodPost, Path: "/access-requests/{id}/claim", Summary: "Take the credentials",
		Tags: []string{tagAccess}, DefaultStatus: http.StatusOK, Description: "Those of the sandbox once they are issued, later those of production; each once.",
	}
	register(s, claim, byApplicant, func(ctx context.Context, in *stepInput) (*answer[credentialsBody], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		made, err := s.desk.ClaimAccess(ctx, callerOf(ctx), in.ID, revision)
		replay(ctx, made.Replayed)
		if err != nil {
			return nil, err
		}
		return &answer[credentialsBody]{credentialsBody{string(made.Environment), made.ID, made.Secret, some(made.Scopes.List())}}, nil
	})
	submit := huma.Operation{
		OperationID: "submit-certification", Method: http.MethodPost, Path: "/access-requests/{id}/submit-certification",
		Summary: "Say that the tests are done", Tags: []string{tagAccess}, DefaultStatus: http.StatusOK,
		Description: "While checks are pending it is refused as invalid_transition; missing names them.",
	}
	s.registerStep(submit, byApplicant, s.desk.SubmitCertification)
	withdraw := huma.Operation{
		OperationID: "withdraw-access-request", Method: http.MethodPost, Path: "/access-requests/{id}/withdraw",
		Summary: "Ask no longer", Tags: []string{tagAccess}, DefaultStatus: http.StatusOK, Description: "Credentials that were issued end with it.",
	}
	s.registerStep(withdraw, byApplicant, s.desk.WithdrawAccess)
}

type credentialsBody struct {
	Environment  string       `json:"environment" enum:"production,sandbox"`
	ClientID     string       `json:"client_id"`
	ClientSecret string       `json:"client_secret,omitempty" doc:"Shown this once: not to a request that is repeated."`
	Scopes       []auth.Scope `json:"scopes"`
}

// registerStep serves a step that needs no body.
func (s *server) registerStep(op huma.Operation, a access, take func(context.Context, desk.Caller, string, int64) (auth.AccessRequest, bool, error)) {
	register(s, op, a, func(ctx context.Context, in *stepInput) (*resource[accessBody], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		r, replayed, err := take(ctx, callerOf(ctx), in.ID, revision)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return accessResource(ctx, "", r), nil
	})
}

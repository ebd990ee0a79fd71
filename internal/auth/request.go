package auth

import (
	"slices"
	"time"

	"ostler.example/hotel"
)

// AccessRequest is what somebody asks who wants to use the API, and how far that is:
// sandbox credentials first, production credentials after tests.
type AccessRequest struct {
	ID        string        `json:"-"`
	Status    RequestStatus `json:"-"`
	CreatedAt time.Time     `json:"-"`
	UpdatedAt time.Time     `json:"-"`
	Revision  int64         `json:"-"`

	Organisation string   `json:"organisation"`
	ContactName  string   `json:"contact_name"`
	ContactEmail string   `json:"contact_email"`
	Kind         string   `json:"kind"` // technology_partner, ota or enterprise_hotel
	Preset       string   `json:"preset,omitempty"`
	UseCase      string   `json:"use_case"`
	Scopes       Scopes   `json:"scopes"`
	PropertyIDs  []string `json:"property_ids"` // [AllProperties] for every one
	PerHour      int      `json:"expected_requests_per_hour,omitempty"`
	WebhookURL   string   `json:"webhook_url,omitempty"`

	Sandbox    *Terms   `json:"sandbox,omitempty"`    // granted there; nil before
	Production *Terms   `json:"production,omitempty"` // likewise
	Waived     []string `json:"waived,omitempty"`     // checks that the operator does without
	Message    string   `json:"message,omitempty"`    // the operator's last word
}

// Terms are what a client gets, which is made when its credentials are claimed.
type Terms struct {
	Scopes      Scopes   `json:"scopes"`
	PropertyIDs []string `json:"property_ids"`
	Tier        string   `json:"tier,omitempty"`
	ChannelID   string   `json:"channel_id,omitempty"`
	ClientID    string   `json:"client_id,omitempty"` // "" until the credentials are claimed
}

// ClientKind is what the clients of the request are.
func (r AccessRequest) ClientKind() string {
	switch {
	case r.Kind == "ota":
		return KindOTA
	case r.Preset != "":
		return r.Preset
	}
	return KindEnterprise
}

// RequestStatus is how far an access request is.
type RequestStatus string

// The states of an access request.
const (
	RequestSubmitted        RequestStatus = "submitted"
	RequestSandboxIssued    RequestStatus = "sandbox_issued"
	RequestCertification    RequestStatus = "certification_submitted"
	RequestProductionIssued RequestStatus = "production_issued"
	RequestRejected         RequestStatus = "rejected"
	RequestWithdrawn        RequestStatus = "withdrawn"
	RequestRevoked          RequestStatus = "revoked"
)

// RequestStatuses are all of them.
var RequestStatuses = []RequestStatus{
	RequestSubmitted, RequestSandboxIssued, RequestCertification, RequestProductionIssued, RequestRejected, RequestWithdrawn, RequestRevoked,
}

// RequestStep is what can be done to an access request.
type RequestStep string

// The steps. A waiver changes no status.
const (
	ApproveSandbox      RequestStep = "approve-sandbox"
	SubmitCertification RequestStep = "submit-certification"
	RequestChanges      RequestStep = "request-changes"
	ApproveProduction   RequestStep = "approve-production"
	RejectRequest       RequestStep = "reject"
	WithdrawRequest     RequestStep = "withdraw"
	RevokeRequest       RequestStep = "revoke"
	WaiveCheck          RequestStep = "waive"
)

// requestSteps says from where each step goes where; nothing else can be done.
var requestSteps = map[RequestStep]map[RequestStatus]RequestStatus{
	ApproveSandbox:      {RequestSubmitted: RequestSandboxIssued},
	SubmitCertification: {RequestSandboxIssued: RequestCertification},
	RequestChanges:      {RequestCertification: RequestSandboxIssued},
	ApproveProduction:   {RequestCertification: RequestProductionIssued},
	RejectRequest:       open(RequestRejected),
	WithdrawRequest:     open(RequestWithdrawn),
	RevokeRequest:       {RequestProductionIssued: RequestRevoked},
	WaiveCheck:          {RequestSandboxIssued: RequestSandboxIssued, RequestCertification: RequestCertification},
}

// open is a step that everything may take that is not decided.
func open(to RequestStatus) map[RequestStatus]RequestStatus {
	return map[RequestStatus]RequestStatus{RequestSubmitted: to, RequestSandboxIssued: to, RequestCertification: to}
}

// Step takes the request a step further, or says from where that step could be taken.
func (r *AccessRequest) Step(step RequestStep) error {
	to, may := requestSteps[step][r.Status]
	if !may {
		var allowed []RequestStep
		for s, from := range requestSteps {
			if _, may := from[r.Status]; may {
				allowed = append(allowed, s)
			}
		}
		slices.Sort(allowed)
		refusal := hotel.Refuse("invalid_transition", "an access request that is %s cannot take the step %s", r.Status, step)
		refusal.Members = map[string]any{"from": r.Status, "to": step, "allowed": append([]RequestStep{}, allowed...)}
		return refusal
	}
	r.Status = to
	return nil
}

// Claimable returns the terms under which credentials wait to be claimed, and of which
// environment; nil when none do.
func (r *AccessRequest) Claimable() (*Terms, Environment) {
	switch r.Status {
	case RequestSandboxIssued, RequestCertification:
		if r.Sandbox.ClientID == "" {
			return r.Sandbox, Sandbox
		}
	case RequestProductionIssued:
		if r.Production.ClientID == "" {
			return r.Production, Production
		}
	default:
	}
	return nil, ""
}

// Ended reports whether nothing comes of the request any more: its clients are revoked.
func (s RequestStatus) Ended() bool {
	return s == RequestRejected || s == RequestWithdrawn || s == RequestRevoked
}

package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

type sandboxDecision struct {
	Scopes      []auth.Scope `json:"scopes,omitempty" maxItems:"40" doc:"As they were asked for, if it is left out."`
	Message     string       `json:"message,omitempty" maxLength:"2000"`
	PropertyIDs propertyIDs  `json:"property_ids,omitempty" doc:"Of those in the sandbox; every one, if it is left out. A client of kind ota has that of its channel."`
}

func (d sandboxDecision) read() (desk.AccessDecision, error) {
	q := desk.AccessDecision{Message: d.Message, PropertyIDs: d.PropertyIDs}
	if d.Scopes == nil {
		return q, nil
	}
	scopes, err := readScopes(d.Scopes)
	q.Scopes = &scopes
	return q, err
}

type productionDecision struct {
	Scopes      []auth.Scope `json:"scopes,omitempty" maxItems:"40" doc:"As they were asked for, if it is left out."`
	Message     string       `json:"message,omitempty" maxLength:"2000"`
	Tier        string       `json:"tier,omitempty" doc:"Standard, if it is left out."`
	PropertyIDs propertyIDs  `json:"property_ids,omitempty" doc:"As they were asked for, if it is left out; * is every one, as a word or in the list."`
	ChannelID   string       `json:"channel_id,omitempty" doc:"Of kind ota: the channel that the client stands for."`
}

func (d productionDecision) read() (desk.AccessDecision, error) {
	q, err := sandboxDecision{d.Scopes, d.Message, d.PropertyIDs}.read()
	q.Tier, q.ChannelID = d.Tier, d.ChannelID
	return q, err
}

type messageDecision struct {
	Message string `json:"message,omitempty" maxLength:"2000" doc:"What the other side is told."`
}

func (d messageDecision) read() (desk.AccessDecision, error) { //nolint:unparam // as others may be wrong
	return desk.AccessDecision{Message: d.Message}, nil
}

type waiverDecision struct {
	Message string `json:"message,omitempty" maxLength:"2000" doc:"What the other side is told."`
	Check   string `json:"check"`
}

func (d waiverDecision) read() (desk.AccessDecision, error) { //nolint:unparam // as others may be wrong
	return desk.AccessDecision{Message: d.Message, Check: d.Check}, nil
}

// registerAccessDecisions serves what the operator says to requests.
func (s *server) registerAccessDecisions() {
	decide[sandboxDecision](s, auth.ApproveSandbox, "Issue sandbox credentials", "They wait to be claimed.")
	decide[productionDecision](s, auth.ApproveProduction, "Issue production credentials", "They wait to be claimed.")
	decide[messageDecision](s, auth.RequestChanges, "Ask for further tests", "The request is back where sandbox credentials were issued.")
	decide[messageDecision](s, auth.RejectRequest, "Turn a request down", "Credentials that were issued end with it.")
	decide[messageDecision](s, auth.RevokeRequest, "Take access back", "The clients of the request are revoked, with all their tokens.")
	decide[waiverDecision](s, auth.WaiveCheck, "Do without a check", "")
}

// decision is the body of one.
type decision interface {
	read() (desk.AccessDecision, error)
}

func decide[D decision](s *server, step auth.RequestStep, summary, description string) {
	op := huma.Operation{
		OperationID: string(step) + "-access-request", Method: http.MethodPost, Path: "/access-requests/{id}/" + string(step),
		Summary: summary, Description: description, Tags: []string{tagAccess}, DefaultStatus: http.StatusOK,
	}
	register(s, op, administers, func(ctx context.Context, in *byBody[D]) (*resource[accessBody], error) {
		var q desk.AccessDecision
		var err error
		if in.Body != nil {
			if q, err = (*in.Body).read(); err != nil {
				return nil, err
			}
		}
		if q.IfRevision, err = s.ifMatch(in.IfMatch); err != nil {
			return nil, err
		}
		r, replayed, err := s.desk.DecideAccess(ctx, callerOf(ctx), in.ID, step, q)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return accessResource(ctx, "", r), nil
	})
}

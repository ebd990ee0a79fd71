package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

type policiesBody struct {
	Drift     map[string]string        `json:"drift" doc:"By field: who is right when a channel shows something else than it was told. What is absent is inherited."`
	Effective map[string]appliedPolicy `json:"effective" doc:"What applies to each field, and who said so."`
}

type policiesInput struct {
	Drift map[string]string `json:"drift,omitempty" doc:"By field, such as amount: ours, theirs or ask. What is absent is inherited."`
}

func policiesOf(p desk.Policies, level string) policiesBody {
	b := policiesBody{Drift: map[string]string{}, Effective: map[string]appliedPolicy{}}
	channel, property := p.Own, p.Inherited
	if level == "property" {
		channel, property = hotel.Policies{}, p.Own
	}
	for f, v := range p.Own.Drift {
		b.Drift[string(f)] = string(v)
	}
	for _, f := range hotel.Fields {
		_, applied := hotel.DriftOf(f, channel, property)
		b.Effective[applied.Field] = appliedPolicy(applied)
	}
	return b
}

func (b policiesInput) read() (hotel.Policies, error) {
	p := hotel.Policies{Drift: map[hotel.Field]hotel.DriftPolicy{}}
	for f, v := range b.Drift {
		p.Drift[hotel.Field(f)] = hotel.DriftPolicy(v)
	}
	return p, p.Check()
}

func (s *server) registerPolicies() {
	s.policiesAt("/channels/{id}/policies", "channel", s.desk.ChannelPolicies, s.desk.SetChannelPolicies)
	s.policiesAt("/properties/{id}/policies", "property", s.desk.PropertyPolicies, s.desk.SetPropertyPolicies)
}

// policiesAt registers what reads and replaces the policies of a channel or a
// property.
func (s *server) policiesAt(
	path, level string,
	read func(ctx context.Context, c desk.Caller, id string) (desk.Policies, error),
	write func(ctx context.Context, c desk.Caller, id string, ifRevision int64, p hotel.Policies) (desk.Policies, error),
) {
	get := huma.Operation{
		OperationID: "get-" + level + "-policies", Method: http.MethodGet, Path: path,
		Summary: "How the program decides for a " + level, Tags: []string{tagChannels},
		Description: "The ETag is that of the " + level + ".",
	}
	register(s, get, needs(auth.ChannelsRead), func(ctx context.Context, in *byID) (*resource[policiesBody], error) {
		p, err := read(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return resourceOf(in.IfNoneMatch, p.Revision, policiesOf(p, level)), nil
	})
	put := huma.Operation{
		OperationID: "put-" + level + "-policies", Method: http.MethodPut, Path: path,
		Summary: "Decide how the program decides for a " + level, Tags: []string{tagChannels},
		Description: "Replaces all of its own policies.",
	}
	register(s, put, needs(auth.ChannelsWrite), func(ctx context.Context, in *struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when it has another ETag."`
		Body    policiesInput
	},
	) (*resource[policiesBody], error) {
		p, err := in.Body.read()
		if err != nil {
			return nil, err
		}
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		set, err := write(ctx, callerOf(ctx), in.ID, revision, p)
		if err != nil {
			return nil, err
		}
		return resourceOf("", set.Revision, policiesOf(set, level)), nil
	})
}

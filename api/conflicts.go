package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type conflictBody struct {
	EntityBody
	PropertyID string              `json:"property_id"`
	ChannelID  *string             `json:"channel_id"`
	Kind       string              `json:"kind" doc:"See docs/conflicts.md. There will be others."`
	Status     string              `json:"status" enum:"open,resolved"`
	Severity   string              `json:"severity" enum:"info,warning,critical"`
	Subject    conflictSubject     `json:"subject"`
	Facts      json.RawMessage     `json:"facts" doc:"What was seen, side by side. A client of kind ota is told what of it is its channel's own."`
	Options    []conflictOption    `json:"options"`
	Policy     *appliedPolicy      `json:"policy_applied" doc:"Why it was decided, or why it asks."`
	DecidedBy  *string             `json:"decided_by" doc:"policy; itself, when what it was about went away; or who did: a client by its id, people by their name. null while it is open."`
	DecidedAt  *string             `json:"decided_at" format:"date-time"`
	Resolution *conflictResolution `json:"resolution" doc:"over as its option: what it was about has gone away."`
	Deadline   *string             `json:"deadline" format:"date-time" doc:"When on_deadline is taken; null: it waits."`
	OnDeadline *string             `json:"on_deadline"`
}

type conflictSubject struct {
	Type       string  `json:"type" enum:"cell,reservation,channel,group,block"`
	ID         *string `json:"id"`
	RoomTypeID *string `json:"room_type_id"`
	RatePlanID *string `json:"rate_plan_id"`
	RemoteRoom *string `json:"remote_room_id" doc:"The channel's code of the room, where it sells the room type, or the product, under several, about each of which one is asked; null otherwise."`
	RemoteRate *string `json:"remote_rate_id" doc:"Likewise of the rate; null where the channel keeps one count for the room."`
	Date       *string `json:"date" format:"date" doc:"The first of its nights."`
}

type conflictOption struct {
	Option    string         `json:"option"`
	Label     string         `json:"label"`
	Effect    string         `json:"effect"`
	Arguments map[string]any `json:"arguments" doc:"JSON schema of the arguments that go with it."`
	Needs     []string       `json:"needs_scope" doc:"Scopes that whoever takes it needs beside channels:write, because it writes what has a route of its own."`
}

type appliedPolicy struct {
	Level string `json:"level" enum:"channel,property,default"`
	Field string `json:"field"`
	Value string `json:"value"`
}

type conflictResolution struct {
	Option    string          `json:"option"`
	Arguments json.RawMessage `json:"arguments,omitempty" doc:"Those that it was taken with."`
	Note      *string         `json:"note"`
}

func conflictOf(c hotel.Conflict) conflictBody {
	b := conflictBody{
		EntityBody: entityOf(c.Entity), PropertyID: c.PropertyID, ChannelID: orNull(c.ChannelID), Kind: string(c.Kind), Status: string(c.Status),
		Severity: string(c.Severity), Facts: stamped(c.Facts), Options: []conflictOption{}, DecidedBy: orNull(c.Decider()), OnDeadline: orNull(c.OnDeadline),
		Subject: conflictSubject{
			Type: c.Subject.Type, ID: orNull(c.Subject.ID), RoomTypeID: orNull(c.Subject.RoomTypeID), RatePlanID: orNull(c.Subject.RatePlanID),
			RemoteRoom: orNull(c.Subject.RemoteRoom), RemoteRate: orNull(c.Subject.RemoteRate),
		},
	}
	if c.Subject.Date != 0 {
		b.Subject.Date = new(c.Subject.Date.String())
	}
	for _, o := range hotel.ConflictOptions(c.Kind) {
		b.Options = append(b.Options, conflictOption{o.Option, o.Label, o.Effect, schemaOfArguments(o.Arguments), append([]string{}, c.Needs(o)...)})
	}
	if c.Applied != nil {
		a := appliedPolicy(*c.Applied)
		b.Policy = &a
	}
	if c.Resolution != nil {
		b.Resolution = &conflictResolution{c.Resolution.Option, c.Resolution.Arguments, orNull(c.Resolution.Note)}
	}
	for at, into := range map[*time.Time]**string{c.DecidedAt: &b.DecidedAt, c.Deadline: &b.Deadline} {
		if at != nil {
			*into = new(stamp(*at))
		}
	}
	return b
}

// conflictsIn are the filters of the list. They narrow it together.
type conflictsIn struct {
	Paging
	OfProperties
	ChannelID []string             `query:"channel_id" doc:"One of several."`
	Kind      []conflictKindFilter `query:"kind" doc:"One of several."`
	Status    []string             `query:"status" enum:"open,resolved"`
	Severity  []string             `query:"severity" enum:"info,warning,critical" doc:"One of several."`
	Since     string               `query:"since" format:"date-time" doc:"Raised, changed or settled at this instant or later."`
}

func (s *server) registerConflicts() {
	list := huma.Operation{
		OperationID: "list-conflicts", Method: http.MethodGet, Path: "/conflicts",
		Summary: "What somebody has to decide, and what was decided", Tags: []string{tagChannels},
		Description: "The newest first. What a policy has decided is here too, resolved, with the policy.",
	}
	register(s, list, needs(auth.ChannelsRead), s.listConflicts)
	get := huma.Operation{
		OperationID: "get-conflict", Method: http.MethodGet, Path: "/conflicts/{id}",
		Summary: "One conflict", Tags: []string{tagChannels},
	}
	register(s, get, needs(auth.ChannelsRead), func(ctx context.Context, in *byID) (*resource[conflictBody], error) {
		c, err := s.desk.Conflict(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return resourceOf(in.IfNoneMatch, c.Revision, conflictOf(c)), nil
	})
	type decision struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the conflict has another ETag."`
		Body    conflictDecision
	}
	resolve := huma.Operation{
		OperationID: "resolve-conflict", Method: http.MethodPost, Path: "/conflicts/{id}/resolve",
		Summary: "Settle a conflict", Tags: []string{tagChannels}, DefaultStatus: http.StatusOK,
		Description: "Takes one of its options, with all that this brings about; needs_scope of the option says which scopes that needs. An option that was taken already is taken once.",
	}
	register(s, resolve, needs(auth.ChannelsWrite), func(ctx context.Context, in *decision) (*resource[conflictBody], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		c, replayed, err := s.desk.ResolveConflict(ctx, callerOf(ctx), in.ID, hotel.ConflictDecision{
			Option: in.Body.Option, Arguments: in.Body.Arguments, Note: in.Body.Note, IfRevision: revision,
		})
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return resourceOf("", c.Revision, conflictOf(c)), nil
	})
}

type conflictDecision struct {
	Option    string          `json:"option" maxLength:"64" doc:"One of the conflict's options."`
	Arguments json.RawMessage `json:"arguments,omitempty" doc:"As the schema of the option has them."`
	Note      string          `json:"note,omitempty" maxLength:"2000" doc:"Why, for whoever reads it later. It is kept with the conflict and not journalled."`
}

func (s *server) listConflicts(ctx context.Context, in *conflictsIn) (*listOf[conflictBody], error) {
	from, err := s.readCursor(callOf(ctx).url, in.Cursor)
	if err != nil {
		return nil, err
	}
	f := hotel.ConflictFilter{
		ChannelIDs: in.ChannelID, Kinds: several[hotel.ConflictKind](in.Kind), Statuses: several[hotel.ConflictStatus](in.Status),
		Severities: several[hotel.Severity](in.Severity), Limit: in.Limit + 1,
	}
	if in.Since != "" {
		f.Since, _ = time.Parse(time.RFC3339Nano, in.Since) // its form was checked
	}
	if from != nil {
		f.After = from.id
	}
	all, err := s.desk.Conflicts(ctx, callerOf(ctx), in.PropertyID, f)
	if err != nil {
		return nil, inParameters(err)
	}
	var last *position
	if len(all) > in.Limit {
		all = all[:in.Limit]
		last = &position{id: all[in.Limit-1].ID}
	}
	bodies := make([]conflictBody, len(all))
	for i, c := range all {
		bodies[i] = conflictOf(c)
	}
	return page(ctx, s, bodies, last), nil
}

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
	ConflictPolicies
	Absent    map[string]string        `json:"absent" doc:"By field that a channel cannot carry: kept_at_channel or close. What is absent here is inherited."`
	RateRank  []string                 `json:"rate_rank,omitempty" enum:"api,pms,channel" doc:"Of a property: whose price counts where several have said one, the first of them."`
	Drift     map[string]string        `json:"drift" doc:"By field: who is right when a channel shows something else than it was told. What is absent is inherited."`
	Effective map[string]appliedPolicy `json:"effective" doc:"What applies to each field, and who said so."`
}

type policiesInput struct {
	ConflictPolicies
	Absent   map[string]optional[string] `json:"absent,omitempty" doc:"By field that a channel cannot carry, such as min_stay_through: kept_at_channel (the hotel keeps it there by itself; it is listed) or close (nights that need it are closed). What is absent, or null, is inherited. Of a channel it is the member absent of the channel, too."`
	RateRank []string                    `json:"rate_rank,omitempty" maxItems:"3" enum:"api,pms,channel" doc:"Of a property alone: whose price of a night counts where several have said one: api, pms and channel, the first of them before the others; what somebody of the house says ranks with the first. Absent: in this order. To change it needs rates:write. It counts from the next price on that is written."`
	Drift    map[string]optional[string] `json:"drift,omitempty" doc:"By field, such as amount: ours, theirs or ask. What is absent, or null, is inherited."`
}

// ConflictPolicies are the policies about conflicts, each of a kind under its name.
type ConflictPolicies struct {
	Oversell   string                    `json:"oversell,omitempty" enum:"accept,move,ask" doc:"The option that is taken without asking, or ask."`
	Unmapped   string                    `json:"unmapped_booking,omitempty" enum:"keep_unassigned,ask"`
	Duplicate  string                    `json:"duplicate_suspect,omitempty" enum:"distinct,ask"`
	BlockDue   string                    `json:"block_due,omitempty" enum:"release,keep,ask"`
	Overstay   string                    `json:"overstay,omitempty" enum:"check_out,ask"`
	Allotment  string                    `json:"allotment,omitempty" enum:"accept,ours,ask"`
	Stale      string                    `json:"stale_revision,omitempty" enum:"ignore,apply,ask" doc:"Without it, what is older for certain is ignored, and what has no place in the order is asked about."`
	Shrink     string                    `json:"group_shrink,omitempty" enum:"cancel_missing,keep_all,ask"`
	OnDeadline map[string]deadlinePolicy `json:"on_deadline,omitempty" doc:"By kind of conflict: which option is taken when nobody has decided in time."`

	Staleness *stalenessPolicy `json:"staleness,omitempty" doc:"What is done about a channel that cannot be told how many rooms are left. Taken over whole; absent: inherited."`

	Unreachable string `json:"guarded_unreachable,omitempty" enum:"hold,accept_risk" doc:"What is done where a channel cannot be reached and nobody knows what it may sell of guarded rooms: hold (the default) deals nothing of them, accept_risk deals them to the others and shows the nights as exposed. With hold a channel that comes to read what it is told is waited for until it has had the time to read that it is closed."`
	Unsafe      string `json:"guarded_unsafe,omitempty" enum:"hold,accept_risk" doc:"What is done with a channel whose guard_level is below one_way: hold (the default) keeps it closed on guarded nights, accept_risk grants it rooms and shows the nights as exposed."`

	BlastRadius *blastRadiusPolicy `json:"blast_radius,omitempty" doc:"How far one change may go before it waits for somebody. Absent: inherited."`

	PriceMismatch     *percent `json:"price_mismatch_pct,omitempty" doc:"From how many percent on a booking whose price is not what the channel was told is urgent; 5 unless you say otherwise."`
	OverbookedWarning *int     `json:"overbooked_warning_days,omitempty" minimum:"0" maximum:"365" doc:"How many days before the night a planned overbooking is urgent; 2 unless you say otherwise."`
}

type blastRadiusPolicy struct {
	Cells int `json:"cells" minimum:"0" maximum:"1000000" doc:"Nights of rooms or products of a channel that one change raises, opens or reprices; 5000 unless you say otherwise, 0 never asks."`
}

type deadlinePolicy struct {
	After  int    `json:"after" doc:"Minutes." minimum:"1" maximum:"86400"`
	Option string `json:"option" maxLength:"64"`
}

type stalenessPolicy struct {
	AfterMinutes int      `json:"after_minutes" minimum:"1" maximum:"1440" doc:"How long it has not known of a change of its rooms."`
	FreeAtMost   int      `json:"free_at_most" minimum:"0" maximum:"9999" doc:"Rooms of a type that are left, on nights that it may still sell."`
	Then         []string `json:"then" enum:"other_route,close_out,call" nullable:"false" maxItems:"3" uniqueItems:"true" doc:"What is done: the first that can be. call opens a conflict of the kind exposed, close_out closes the nights at every channel at once, other_route at the channel itself until it has confirmed its counts, where closes_apart of its capabilities is true. Empty: nothing."`
}

func (s *stalenessPolicy) read() *hotel.StalenessPolicy {
	if s == nil {
		return nil
	}
	p := &hotel.StalenessPolicy{AfterMinutes: s.AfterMinutes, FreeAtMost: s.FreeAtMost, Then: make([]hotel.StaleStep, len(s.Then))}
	for i, step := range s.Then {
		p.Then[i] = hotel.StaleStep(step)
	}
	return p
}

func stalenessOf(p *hotel.StalenessPolicy) *stalenessPolicy {
	if p == nil {
		return nil
	}
	s := &stalenessPolicy{AfterMinutes: p.AfterMinutes, FreeAtMost: p.FreeAtMost, Then: make([]string, len(p.Then))}
	for i, step := range p.Then {
		s.Then[i] = string(step)
	}
	return s
}

// kinds are the members that are options of a kind.
func (b *ConflictPolicies) kinds() map[hotel.ConflictKind]*string {
	return map[hotel.ConflictKind]*string{
		hotel.ConflictOversell: &b.Oversell, hotel.ConflictUnmapped: &b.Unmapped, hotel.ConflictBlockDue: &b.BlockDue, hotel.ConflictOverstay: &b.Overstay,
		hotel.ConflictDuplicate: &b.Duplicate, hotel.ConflictAllotment: &b.Allotment,
		hotel.ConflictStale: &b.Stale, hotel.ConflictGroupShrink: &b.Shrink,
	}
}

func (b *ConflictPolicies) read(p *hotel.Policies) {
	if b.PriceMismatch != nil {
		p.PriceMismatch = string(*b.PriceMismatch)
	}
	p.GuardedUnreachable, p.GuardedUnsafe = hotel.RiskPolicy(b.Unreachable), hotel.RiskPolicy(b.Unsafe)
	p.OverbookedWarning, p.Staleness, p.BlastRadius = b.OverbookedWarning, b.Staleness.read(), (*hotel.BlastRadiusPolicy)(b.BlastRadius)
	for k, v := range b.kinds() {
		if *v != "" {
			if p.Conflicts == nil {
				p.Conflicts = map[hotel.ConflictKind]string{}
			}
			p.Conflicts[k] = *v
		}
	}
	for k, d := range b.OnDeadline {
		if p.OnDeadline == nil {
			p.OnDeadline = map[hotel.ConflictKind]hotel.DeadlinePolicy{}
		}
		p.OnDeadline[hotel.ConflictKind(k)] = hotel.DeadlinePolicy(d)
	}
}

func (b *ConflictPolicies) write(p hotel.Policies) {
	if p.PriceMismatch != "" {
		b.PriceMismatch = new(percent(p.PriceMismatch))
	}
	b.Unreachable, b.Unsafe = string(p.GuardedUnreachable), string(p.GuardedUnsafe)
	b.OverbookedWarning, b.Staleness, b.BlastRadius = p.OverbookedWarning, stalenessOf(p.Staleness), (*blastRadiusPolicy)(p.BlastRadius)
	for k, v := range b.kinds() {
		*v = p.Conflicts[k]
	}
	for k, d := range p.OnDeadline {
		if b.OnDeadline == nil {
			b.OnDeadline = map[string]deadlinePolicy{}
		}
		b.OnDeadline[string(k)] = deadlinePolicy(d)
	}
}

func policiesOf(p desk.Policies, level string) policiesBody {
	b := policiesBody{Absent: map[string]string{}, Drift: map[string]string{}, Effective: map[string]appliedPolicy{}}
	channel, property := p.Own, p.Inherited
	if level == "property" {
		channel, property = hotel.Policies{}, p.Own
	}
	for f, v := range p.Own.Drift {
		b.Drift[string(f)] = string(v)
	}
	for f, v := range p.Own.Absent {
		b.Absent[string(f)] = string(v)
	}
	b.write(p.Own)
	for _, source := range p.Own.RateRank {
		b.RateRank = append(b.RateRank, string(source))
	}
	if level == "property" {
		b.Effective[p.RateRank.Field] = appliedPolicy(p.RateRank)
	}
	for _, k := range hotel.DecidableKinds() {
		_, applied := hotel.OptionOf(k, channel, property)
		b.Effective[applied.Field] = appliedPolicy(applied)
	}
	for _, f := range hotel.Fields {
		_, applied := hotel.DriftOf(f, channel, property)
		b.Effective[applied.Field] = appliedPolicy(applied)
		if hotel.MayLack(f) {
			_, applied = hotel.AbsentFieldOf(f, channel, property)
			b.Effective[applied.Field] = appliedPolicy(applied)
		}
	}
	for _, of := range []func(channel, property hotel.Policies) (hotel.RiskPolicy, hotel.Applied){hotel.UnreachableOf, hotel.UnsafeOf} {
		_, applied := of(channel, property)
		b.Effective[applied.Field] = appliedPolicy(applied)
	}
	_, staleness := hotel.StalenessOf(channel, property)
	_, radius := hotel.BlastRadiusOf(channel, property)
	for _, applied := range append(
		hotel.DeadlinesOf(channel, property), staleness, radius, hotel.PriceToleranceOf(channel, property), hotel.OverbookedWarningOf(channel, property),
	) {
		b.Effective[applied.Field] = appliedPolicy(applied)
	}
	return b
}

func (b policiesInput) read() (hotel.Policies, error) {
	p := hotel.Policies{Drift: map[hotel.Field]hotel.DriftPolicy{}}
	for f, v := range given(b.Drift) {
		p.Drift[hotel.Field(f)] = hotel.DriftPolicy(v)
	}
	b.ConflictPolicies.read(&p)
	for _, source := range b.RateRank {
		p.RateRank = append(p.RateRank, hotel.RateSource(source))
	}
	var err error
	p.Absent, err = readAbsent(given(b.Absent))
	return p, err
}

// given leaves out what is null.
func given(members map[string]optional[string]) map[string]string {
	var out map[string]string
	for name, v := range members {
		if v.Null {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[name] = v.Value
	}
	return out
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
		Description: "The ETag has the revision of the " + level + ", which If-Match is compared with, and covers all that is shown.",
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

package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// ruleInput is a rule that somebody makes.
type ruleInput struct {
	PropertyID string `json:"property_id"`
	RuleFields
}

// RuleFields are what a rule is made of.
type RuleFields struct {
	Name       string          `json:"name" minLength:"1" maxLength:"200"`
	Enabled    *bool           `json:"enabled,omitempty" doc:"True when it is left out."`
	Priority   int             `json:"priority" minimum:"1" maximum:"1000"`
	Stop       bool            `json:"stop,omitempty"`
	Scope      ruleScope       `json:"scope,omitzero"`
	Conditions []ruleCondition `json:"conditions,omitempty" maxItems:"10"`
	Action     ruleAction      `json:"action"`
	Rounding   *string         `json:"rounding,omitempty" enum:"none,nearest_1,nearest_5,end_9,end_99"`
	Floor      *money          `json:"floor,omitempty"`
	Ceiling    *money          `json:"ceiling,omitempty"`

	HysteresisPct *percent `json:"hysteresis_pct,omitempty" doc:"A condition that was met stays met until its figure is beyond its value by more than so many per cent of that value; days_to_arrival apart, which never comes back."`
	MaxChanges    *int     `json:"max_changes_per_day,omitempty" minimum:"1" maximum:"1000" doc:"How often on one business date the rule may begin or cease to act on the prices of a room type for a night. What it holds back follows on the next one."`
}

// rulePatch is a merge patch: what is left out stays, null clears, a list
// replaces the list.
type rulePatch struct {
	Name       optional[string]          `json:"name,omitzero" minLength:"1" maxLength:"200"`
	Enabled    optional[bool]            `json:"enabled,omitzero"`
	Priority   optional[int]             `json:"priority,omitzero" minimum:"1" maximum:"1000"`
	Stop       optional[bool]            `json:"stop,omitzero"`
	Scope      optional[scopePatch]      `json:"scope,omitzero"`
	Conditions optional[[]ruleCondition] `json:"conditions,omitzero" maxItems:"10"`
	Action     optional[actionPatch]     `json:"action,omitzero"`
	Rounding   optional[string]          `json:"rounding,omitzero" enum:"none,nearest_1,nearest_5,end_9,end_99"`
	Floor      optional[money]           `json:"floor,omitzero"`
	Ceiling    optional[money]           `json:"ceiling,omitzero"`

	HysteresisPct optional[percent] `json:"hysteresis_pct,omitzero"`
	MaxChanges    optional[int]     `json:"max_changes_per_day,omitzero" minimum:"1" maximum:"1000"`
}

type scopePatch struct {
	RatePlanIDs optional[[]string]   `json:"rate_plan_ids,omitzero" maxItems:"200"`
	RoomTypeIDs optional[[]string]   `json:"room_type_ids,omitzero" maxItems:"200"`
	DateFrom    optional[hotel.Date] `json:"date_from,omitzero" format:"date"`
	DateTo      optional[hotel.Date] `json:"date_to,omitzero" format:"date"`
	DaysOfWeek  optional[[]string]   `json:"days_of_week,omitzero" maxItems:"7"`
}

type actionPatch struct {
	Kind  optional[string] `json:"kind,omitzero" enum:"percent,amount,set"`
	Value optional[string] `json:"value,omitzero"`
}

func (s *server) registerPricingRuleWrites() {
	create := huma.Operation{
		OperationID: "create-pricing-rule", Method: http.MethodPost, Path: "/pricing-rules",
		Summary: "Make a pricing rule", Tags: []string{tagInventory}, DefaultStatus: http.StatusCreated,
		Description: "Rules write no price: they are a step between what was typed and what is sold, and act from now on wherever their conditions hold.",
	}
	register(s, create, needs(auth.RatesWrite), func(ctx context.Context, in *struct{ Body ruleInput }) (*created[ruleBody], error) {
		r, err := in.Body.read(in.Body.PropertyID, "")
		if err != nil {
			return nil, err
		}
		made, replayed, err := s.desk.CreatePricingRule(ctx, callerOf(ctx), r)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return madeAt(ctx, "/pricing-rules/"+made.ID, made.Revision, ruleOf(made)), nil
	})

	type changeIn struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the rule is at another revision."`
		Body    rulePatch
	}
	change := huma.Operation{
		OperationID: "update-pricing-rule", Method: http.MethodPatch, Path: "/pricing-rules/{id}",
		Summary: "Change a pricing rule", Tags: []string{tagInventory},
		Description: "A merge patch, sent as application/merge-patch+json or application/json.",
	}
	register(s, change, needs(auth.RatesWrite), func(ctx context.Context, in *changeIn) (*resource[ruleBody], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		r, replayed, err := s.desk.ChangePricingRule(ctx, callerOf(ctx), in.ID, hotel.Change[hotel.PricingRule]{IfRevision: revision, Apply: in.Body.apply})
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return resourceOf("", r.Revision, ruleOf(r)), nil
	})
	content := s.api.OpenAPI().Paths[change.Path].Patch.RequestBody.Content
	content[mediaMergePatch] = content[mediaJSON]

	type deleteIn struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the rule is at another revision."`
	}
	remove := huma.Operation{
		OperationID: "delete-pricing-rule", Method: http.MethodDelete, Path: "/pricing-rules/{id}",
		Summary: "Delete a pricing rule", Tags: []string{tagInventory}, DefaultStatus: http.StatusNoContent,
	}
	register(s, remove, needs(auth.RatesWrite), func(ctx context.Context, in *deleteIn) (*struct{}, error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		return nil, s.desk.DeletePricingRule(ctx, callerOf(ctx), in.ID, revision)
	})
}

// read returns the rule for a property; at is the pointer of its members.
func (b *RuleFields) read(property, at string) (hotel.PricingRule, error) {
	r := hotel.PricingRule{
		PropertyID: property, Name: b.Name, Enabled: b.Enabled == nil || *b.Enabled, Priority: b.Priority, Stop: b.Stop,
		Scope: hotel.RuleScope{
			RatePlanIDs: b.Scope.RatePlanIDs, RoomTypeIDs: b.Scope.RoomTypeIDs, DateFrom: b.Scope.DateFrom, DateTo: b.Scope.DateTo,
			Weekdays: b.Scope.DaysOfWeek,
		},
		Conditions: readConditions(b.Conditions), Action: hotel.RuleAction{Kind: b.Action.Kind, Value: b.Action.Value},
	}
	if b.Rounding != nil {
		r.Rounding = hotel.Rounding(*b.Rounding)
	}
	if b.HysteresisPct != nil {
		r.HysteresisPct = string(*b.HysteresisPct)
	}
	if b.MaxChanges != nil {
		r.MaxChanges = *b.MaxChanges
	}
	var err error
	if r.Floor, err = readMoney(b.Floor, at+"/floor"); err != nil {
		return r, err
	}
	r.Ceiling, err = readMoney(b.Ceiling, at+"/ceiling")
	return r, err
}

func readConditions(list []ruleCondition) []hotel.RuleCondition {
	var out []hotel.RuleCondition
	for _, c := range list {
		out = append(out, hotel.RuleCondition{Metric: hotel.RuleMetric(c.Metric), Op: c.Op, Value: c.Value})
	}
	return out
}

// apply lays the patch over a rule.
func (p *rulePatch) apply(r *hotel.PricingRule) error {
	for _, m := range []struct {
		name string
		null bool
	}{{"/name", p.Name.Null}, {"/priority", p.Priority.Null}, {"/action", p.Action.Null}} {
		if m.null {
			return hotel.Invalid(m.name, "required", "cannot be cleared")
		}
	}
	r.Name = p.Name.Or(r.Name, "")
	r.Enabled = p.Enabled.Or(r.Enabled, true)
	r.Priority = p.Priority.Or(r.Priority, 0)
	r.Stop = p.Stop.Or(r.Stop, false)
	p.Scope.Value.apply(&r.Scope, p.Scope.Null)
	if p.Conditions.Set {
		r.Conditions = readConditions(p.Conditions.Value)
	}
	r.Action.Kind = p.Action.Value.Kind.Or(r.Action.Kind, "")
	r.Action.Value = p.Action.Value.Value.Or(r.Action.Value, "")
	r.Rounding = hotel.Rounding(p.Rounding.Or(string(r.Rounding), ""))
	r.HysteresisPct = string(p.HysteresisPct.Or(percent(r.HysteresisPct), ""))
	r.MaxChanges = p.MaxChanges.Or(r.MaxChanges, 0)
	floor, err := readAmount(p.Floor, "/floor")
	if err != nil {
		return err
	}
	ceiling, err := readAmount(p.Ceiling, "/ceiling")
	r.Floor, r.Ceiling = floor.Over(r.Floor), ceiling.Over(r.Ceiling)
	return err
}

func (p *scopePatch) apply(s *hotel.RuleScope, cleared bool) {
	if cleared {
		*s = hotel.RuleScope{}
	}
	s.RatePlanIDs = p.RatePlanIDs.Or(s.RatePlanIDs, nil)
	s.RoomTypeIDs = p.RoomTypeIDs.Or(s.RoomTypeIDs, nil)
	s.Weekdays = p.DaysOfWeek.Or(s.Weekdays, nil)
	s.DateFrom, s.DateTo = p.DateFrom.Over(s.DateFrom), p.DateTo.Over(s.DateTo)
}

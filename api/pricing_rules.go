package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type ruleBody struct {
	EntityBody
	PropertyID string          `json:"property_id"`
	Name       string          `json:"name"`
	Enabled    bool            `json:"enabled"`
	Priority   int             `json:"priority" doc:"Low runs first."`
	Stop       bool            `json:"stop" doc:"No later rule runs where this one did."`
	Scope      ruleScope       `json:"scope"`
	Conditions []ruleCondition `json:"conditions" doc:"All of them must be met."`
	Action     ruleAction      `json:"action"`
	Rounding   *string         `json:"rounding" enum:"none,nearest_1,nearest_5,end_9,end_99" doc:"Applied once, at the end of everything; null leaves that to others."`
	Floor      *money          `json:"floor" doc:"The rule lowers no price below it."`
	Ceiling    *money          `json:"ceiling" doc:"The rule raises no price above it."`

	HysteresisPct *percent `json:"hysteresis_pct" nullable:"true" doc:"Null: the rule acts exactly where its conditions are met."`
	MaxChanges    *int     `json:"max_changes_per_day" doc:"Null: no limit."`
}

type ruleScope struct {
	RatePlanIDs []string    `json:"rate_plan_ids,omitempty" maxItems:"200" doc:"Left out: every plan that is not derived; those below them follow."`
	RoomTypeIDs []string    `json:"room_type_ids,omitempty" maxItems:"200"`
	DateFrom    *hotel.Date `json:"date_from,omitempty" format:"date" doc:"Inclusive."`
	DateTo      *hotel.Date `json:"date_to,omitempty" format:"date" doc:"Inclusive."`
	DaysOfWeek  []string    `json:"days_of_week,omitempty" maxItems:"7" enum:"mon,tue,wed,thu,fri,sat,sun"`
}

type ruleCondition struct {
	Metric string    `json:"metric" enum:"occupancy_pct,room_type_occupancy_pct,rooms_left,days_to_arrival,pickup_7d" doc:"occupancy_pct and pickup_7d are of the house, the others of the room type; the pickup is rooms taken less rooms given back on seven days."`
	Op     string    `json:"op" enum:"lt,lte,gt,gte,eq,between"`
	Value  ruleValue `json:"value"`
}

type ruleAction struct {
	Kind  string `json:"kind" enum:"percent,amount,set" doc:"A set price is that of the base occupancy; other prices keep their distance from it."`
	Value string `json:"value" example:"-10"`
}

func ruleOf(r hotel.PricingRule) ruleBody {
	b := ruleBody{
		EntityBody: entityOf(r.Entity), PropertyID: r.PropertyID, Name: r.Name, Enabled: r.Enabled, Priority: r.Priority, Stop: r.Stop,
		Scope: ruleScope{
			RatePlanIDs: r.Scope.RatePlanIDs, RoomTypeIDs: r.Scope.RoomTypeIDs, DateFrom: r.Scope.DateFrom, DateTo: r.Scope.DateTo,
			DaysOfWeek: r.Scope.Weekdays,
		},
		Conditions: []ruleCondition{}, Action: ruleAction{r.Action.Kind, r.Action.Value},
		Rounding: orNull(string(r.Rounding)), Floor: moneyOrNone(r.Floor), Ceiling: moneyOrNone(r.Ceiling),
	}
	if r.HysteresisPct != "" {
		b.HysteresisPct = new(percent(r.HysteresisPct))
	}
	if r.MaxChanges != 0 {
		b.MaxChanges = &r.MaxChanges
	}
	for _, c := range r.Conditions {
		b.Conditions = append(b.Conditions, ruleCondition{string(c.Metric), c.Op, c.Value})
	}
	return b
}

func (s *server) registerPricingRules() {
	list := huma.Operation{
		OperationID: "list-pricing-rules", Method: http.MethodGet, Path: "/pricing-rules",
		Summary: "Rules that change prices, in the order in which they run", Tags: []string{tagInventory},
	}
	register(s, list, needs(auth.RatesRead), func(ctx context.Context, in *ofProperties) (*listOf[ruleBody], error) {
		all, err := s.desk.PricingRules(ctx, callerOf(ctx), in.PropertyID...)
		if err != nil {
			return nil, inParameters(err)
		}
		at := func(r hotel.PricingRule) position { return position{int64(r.Priority), r.ID} }
		return pageOf(ctx, s, in.Paging, all, at, ruleOf)
	})
	get := huma.Operation{
		OperationID: "get-pricing-rule", Method: http.MethodGet, Path: "/pricing-rules/{id}",
		Summary: "One pricing rule", Tags: []string{tagInventory},
	}
	register(s, get, needs(auth.RatesRead), func(ctx context.Context, in *byID) (*resource[ruleBody], error) {
		r, err := s.desk.PricingRule(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return resourceOf(in.IfNoneMatch, r.Revision, ruleOf(r)), nil
	})
	s.registerPricingRuleWrites()
	s.registerPriceSimulation()
}

package api

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// simulationInput says what is to be tried.
type simulationInput struct {
	PropertyID string        `json:"property_id"`
	DateFrom   hotel.Date    `json:"date_from" format:"date" doc:"Inclusive."`
	DateTo     hotel.Date    `json:"date_to" format:"date" doc:"Inclusive; at most 400 days and 20,000 prices."`
	Rules      *[]RuleFields `json:"rules,omitempty" maxItems:"200" doc:"In place of the stored ones. Left out: the stored ones against none."`
}

type simulatedBody struct {
	Data    []simulatedPrice `json:"data" doc:"Every price of the span, ordered by room type, plan, then night."`
	Changed int              `json:"cells_changed"`
}

type simulatedPrice struct {
	RoomTypeID     string   `json:"room_type_id"`
	RatePlanID     string   `json:"rate_plan_id"`
	Date           string   `json:"date" format:"date"`
	Before         money    `json:"before" doc:"For the base occupancy."`
	After          money    `json:"after"`
	AppliedRuleIDs []string `json:"applied_rule_ids" doc:"Rules of the request are named by their place in it, from 0."`
}

func (s *server) registerPriceSimulation() {
	simulate := huma.Operation{
		OperationID: "simulate-pricing-rules", Method: http.MethodPost, Path: "/pricing-rules/simulations",
		Summary: "What rules would make of the prices", Tags: []string{tagInventory}, DefaultStatus: http.StatusOK,
		Description: "Computed from the house as it stands; nothing is stored.",
	}
	register(s, simulate, needs(auth.RatesRead), func(ctx context.Context, in *struct{ Body simulationInput }) (*answer[simulatedBody], error) {
		rules, err := in.Body.rules()
		if err != nil {
			return nil, err
		}
		span := hotel.Span{From: in.Body.DateFrom, To: in.Body.DateTo}
		cells, err := s.desk.SimulatePrices(ctx, callerOf(ctx), in.Body.PropertyID, span, rules)
		if err != nil {
			return nil, err
		}
		out := &answer[simulatedBody]{Body: simulatedBody{Data: make([]simulatedPrice, len(cells))}}
		for i, c := range cells {
			out.Body.Data[i] = simulatedPrice{c.RoomTypeID, c.RatePlanID, c.Date.String(), moneyOf(c.Before), moneyOf(c.After), some(c.Rules)}
			if c.Before != c.After {
				out.Body.Changed++
			}
		}
		return out, nil
	})
}

// rules is nil when the request has none of its own.
func (in *simulationInput) rules() (*[]hotel.PricingRule, error) {
	if in.Rules == nil {
		return nil, nil
	}
	list := make([]hotel.PricingRule, len(*in.Rules))
	for i, r := range *in.Rules {
		var err error
		if list[i], err = r.read(in.PropertyID, "/rules/"+strconv.Itoa(i)); err != nil {
			return nil, err
		}
	}
	return &list, nil
}

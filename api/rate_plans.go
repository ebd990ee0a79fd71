package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type ratePlanBody struct {
	EntityBody
	PropertyID   string          `json:"property_id"`
	Code         string          `json:"code"`
	Name         string          `json:"name"`
	RoomTypeIDs  []string        `json:"room_type_ids"`
	Currency     string          `json:"currency" example:"EUR"`
	PricingModel string          `json:"pricing_model" enum:"per_room,per_occupancy"`
	MealPlan     string          `json:"meal_plan" example:"breakfast"`
	TaxMode      string          `json:"tax_mode" enum:"inclusive,exclusive"`
	DerivedFrom  *derivationBody `json:"derived_from,omitempty" doc:"Left out when the plan has prices of its own."`
	Defaults     RestrictionBody `json:"default_restrictions" doc:"What counts where no night says otherwise."`
	Audience     string          `json:"audience" enum:"public,restricted"`
	SoldBy       []string        `json:"sold_by" doc:"Ids of the channels and clients that sell it."`
	Position     int             `json:"position"`
	Status       string          `json:"status" enum:"active,archived"`
}

type derivationBody struct {
	RatePlanID string `json:"rate_plan_id"`
	Kind       string `json:"kind" enum:"percent,amount"`
	Value      string `json:"value" example:"-10"`
	Rounding   string `json:"rounding,omitempty" enum:"none,nearest_1,nearest_5,end_9,end_99"`
}

func ratePlanOf(p hotel.RatePlan) ratePlanBody {
	b := ratePlanBody{
		EntityBody: entityOf(p.Entity), PropertyID: p.PropertyID, Code: p.Code, Name: p.Name,
		RoomTypeIDs: some(p.RoomTypeIDs), Currency: string(p.Currency), PricingModel: string(p.Pricing),
		MealPlan: p.MealPlan, TaxMode: string(p.TaxMode), Defaults: restrictionOf(p.Restrictions),
		Audience: string(p.Audience), SoldBy: some(p.SoldBy), Position: p.Position, Status: string(p.Status),
	}
	if d := p.DerivedFrom; d != nil {
		b.DerivedFrom = &derivationBody{RatePlanID: d.RatePlanID, Kind: string(d.Kind), Value: d.Value, Rounding: string(d.Rounding)}
	}
	return b
}

func (s *server) registerRatePlans() {
	list := huma.Operation{
		OperationID: "list-rate-plans", Method: http.MethodGet, Path: "/rate-plans",
		Summary: "Rate plans", Tags: []string{tagStructure},
	}
	register(s, list, needs(auth.RatesRead), func(ctx context.Context, in *ofProperty) (*listOf[ratePlanBody], error) {
		all, err := s.desk.RatePlans(ctx, callerOf(ctx), in.PropertyID)
		if err != nil {
			return nil, err
		}
		at := func(p hotel.RatePlan) position { return position{int64(p.Position), p.ID} }
		return pageOf(ctx, s, in.Paging, all, at, ratePlanOf)
	})
	get := huma.Operation{
		OperationID: "get-rate-plan", Method: http.MethodGet, Path: "/rate-plans/{id}",
		Summary: "One rate plan", Tags: []string{tagStructure},
	}
	register(s, get, needs(auth.RatesRead), func(ctx context.Context, in *byID) (*resource[ratePlanBody], error) {
		p, err := s.desk.RatePlan(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return resourceOf(in.IfNoneMatch, p.Revision, ratePlanOf(p)), nil
	})
}

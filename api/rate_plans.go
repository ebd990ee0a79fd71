package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

func (s *server) registerRatePlans() {
	list := huma.Operation{
		OperationID: "list-rate-plans", Method: http.MethodGet, Path: "/rate-plans",
		Summary: "Rate plans", Tags: []string{tagStructure},
	}
	register(s, list, needs(auth.RatesRead), func(ctx context.Context, in *structureQuery) (*listOf[ratePlanBody], error) {
		all, err := s.desk.RatePlans(ctx, callerOf(ctx), in.PropertyID...)
		if err != nil {
			return nil, err
		}
		all = withStatus(all, in.Status, func(p hotel.RatePlan) hotel.Status { return p.Status })
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
	create := huma.Operation{
		OperationID: "create-rate-plan", Method: http.MethodPost, Path: "/rate-plans",
		Summary: "Make a rate plan", Tags: []string{tagStructure}, DefaultStatus: http.StatusCreated,
		Description: "A new plan is restricted until somebody opens it, and is sold on nights that have a price.",
	}
	register(s, create, needs(auth.RatesWrite), func(ctx context.Context, in *struct{ Body written[ratePlanBody] }) (*created[ratePlanBody], error) {
		p, err := read[hotel.RatePlan](in.Body, "property_id")
		if err != nil {
			return nil, err
		}
		p, replayed, err := s.desk.CreateRatePlan(ctx, callerOf(ctx), p)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return madeAt(ctx, "/rate-plans/"+p.ID, p.Revision, ratePlanOf(p)), nil
	})
	registerChanges(s, kindOfResource[hotel.RatePlan, ratePlanBody]{
		name: "rate plan", path: "/rate-plans", scope: auth.RatesWrite,
		show: func(_ context.Context, p hotel.RatePlan) (*resource[ratePlanBody], error) {
			return resourceOf("", p.Revision, ratePlanOf(p)), nil
		},
		change: s.desk.ChangeRatePlan, archive: s.desk.ArchiveRatePlan,
		archived: "A plan that another is derived from or a channel is mapped to stays. What was booked by it stays booked.",
	})
}

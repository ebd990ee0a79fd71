package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// RestrictionBody is what one level says; null says nothing.
type RestrictionBody struct {
	Closed            *bool `json:"closed" required:"false"`
	ClosedToArrival   *bool `json:"closed_to_arrival" required:"false"`
	ClosedToDeparture *bool `json:"closed_to_departure" required:"false"`
	MinStayArrival    *int  `json:"min_stay_arrival" required:"false"`
	MinStayThrough    *int  `json:"min_stay_through" required:"false"`
	MaxStayArrival    *int  `json:"max_stay_arrival" required:"false"`
	MaxStayThrough    *int  `json:"max_stay_through" required:"false"`
	MinAdvanceDays    *int  `json:"min_advance_days" required:"false"`
	MaxAdvanceDays    *int  `json:"max_advance_days" required:"false"`
}

func restrictionOf(r hotel.Restriction) RestrictionBody {
	return RestrictionBody{
		Closed: r.Closed, ClosedToArrival: r.ClosedToArrival, ClosedToDeparture: r.ClosedToDeparture,
		MinStayArrival: r.MinStayArrival, MinStayThrough: r.MinStayThrough,
		MaxStayArrival: r.MaxStayArrival, MaxStayThrough: r.MaxStayThrough,
		MinAdvanceDays: r.MinAdvance, MaxAdvanceDays: r.MaxAdvance,
	}
}

type restrictionCellBody struct {
	RoomTypeID string `json:"room_type_id"`
	RatePlanID string `json:"rate_plan_id"`
	CellDates
	RestrictionBody
	Own       RestrictionBody  `json:"own" doc:"What was typed for the product itself; the members beside it hold for it from every level."`
	Base      *RestrictionBody `json:"base,omitempty" doc:"With include=base: what would hold without what the plan takes over from the one that it is derived from."`
	Channel   *RestrictionBody `json:"channel,omitempty" doc:"With channel_id: what that channel is to show, as far as it can be told it; absent where the product is not mapped there, or the channel is not told anything yet."`
	Version   int64            `json:"version"`
	Source    *string          `json:"source" doc:"Who wrote it last: api, user (somebody of the house), pms or channel:ch_…; undo where a bulk update was taken back."`
	UpdatedAt *string          `json:"updated_at" format:"date-time"`
}

// rulesOf is what holds for a night.
func rulesOf(r hotel.Rules) RestrictionBody {
	limit := func(n int) *int {
		if n == 0 {
			return nil
		}
		return &n
	}
	return RestrictionBody{
		Closed: &r.Closed.Closed, ClosedToArrival: &r.Closed.Arrival, ClosedToDeparture: &r.Closed.Departure,
		MinStayArrival: limit(r.Lengths.MinStayArrival), MinStayThrough: limit(r.Lengths.MinStayThrough),
		MaxStayArrival: limit(r.Lengths.MaxStayArrival), MaxStayThrough: limit(r.Lengths.MaxStayThrough),
		MinAdvanceDays: limit(r.Lengths.MinAdvance), MaxAdvanceDays: limit(r.Lengths.MaxAdvance),
	}
}

func restrictionCellOf(c hotel.RestrictionCell) restrictionCellBody {
	b := restrictionCellBody{
		RoomTypeID: c.RoomTypeID, RatePlanID: c.RatePlanID, CellDates: nightOf(c.Date), RestrictionBody: rulesOf(hotel.Rules{Closed: c.Closed, Lengths: c.Lengths}),
		Own: restrictionOf(c.Own), Version: c.Version, Source: orNull(c.Source), UpdatedAt: stampOrNull(c.UpdatedAt),
	}
	if c.Told != nil {
		b.Channel = new(rulesOf(*c.Told))
	}
	return b
}

// restrictionsIn are the parameters of the list of restrictions.
type restrictionsIn struct {
	CellsIn
	RatePlanID []string `query:"rate_plan_id" doc:"One of several."`
	ChannelID  string   `query:"channel_id" doc:"Show beside each cell what this channel is to show."`
	Include    []string `query:"include" enum:"base"`
}

type restrictionEntry struct {
	RoomTypeID string `json:"room_type_id,omitempty" doc:"The whole property when it is left out."`
	RatePlanID string `json:"rate_plan_id,omitempty" doc:"Every plan of the room type when it is left out."`
	EntryDates
	Values restrictionValues `json:"values"`
}

type restrictionValues struct {
	Closed            optional[bool] `json:"closed,omitzero"`
	ClosedToArrival   optional[bool] `json:"closed_to_arrival,omitzero"`
	ClosedToDeparture optional[bool] `json:"closed_to_departure,omitzero"`
	MinStayArrival    optional[int]  `json:"min_stay_arrival,omitzero"`
	MinStayThrough    optional[int]  `json:"min_stay_through,omitzero"`
	MaxStayArrival    optional[int]  `json:"max_stay_arrival,omitzero"`
	MaxStayThrough    optional[int]  `json:"max_stay_through,omitzero"`
	MinAdvanceDays    optional[int]  `json:"min_advance_days,omitzero"`
	MaxAdvanceDays    optional[int]  `json:"max_advance_days,omitzero"`
}

func (s *server) registerRestrictions() {
	list := huma.Operation{
		OperationID: "list-restrictions", Method: http.MethodGet, Path: "/restrictions",
		Summary: "Restrictions by product and night", Tags: []string{tagInventory},
	}
	register(s, list, needs(auth.RatesRead), func(ctx context.Context, in *restrictionsIn) (*listOf[restrictionCellBody], error) {
		q := in.query()
		q.RatePlanIDs, q.ChannelID = in.RatePlanID, in.ChannelID
		withBase := slices.Contains(in.Include, "base")
		cells, err := s.desk.Restrictions(ctx, callerOf(ctx), q)
		if err != nil {
			return nil, inParameters(err)
		}
		at := func(c hotel.RestrictionCell) position {
			return position{int64(c.Date), c.RoomTypeID + "/" + c.RatePlanID}
		}
		return cellPage(ctx, s, in.CellPaging, cells, at, func(c hotel.RestrictionCell) restrictionCellBody {
			b := restrictionCellOf(c)
			if withBase {
				b.Base = new(rulesOf(c.Base))
			}
			return b
		})
	})
	update := huma.Operation{
		OperationID: "update-restrictions", Method: http.MethodPost, Path: "/restrictions/updates",
		Summary: "Change restrictions in bulk", Description: updateText, Tags: []string{tagInventory}, DefaultStatus: http.StatusOK,
		Metadata: map[string]any{cellKey: reflect.TypeFor[restrictionCellBody]()},
	}
	register(s, update, bulk(auth.RatesWrite), func(ctx context.Context, in *updateIn[restrictionEntry]) (*updated, error) {
		upd, replayed, err := s.desk.UpdateRestrictions(ctx, callerOf(ctx), updateOf(in.Body, readRestriction))
		return s.updated(ctx, upd, replayed, err)
	})
}

func readRestriction(e restrictionEntry) hotel.RestrictionEntry {
	var faults unread
	dates := e.read(e.Values == restrictionValues{}, &faults)
	v := e.Values
	return hotel.RestrictionEntry{
		Unread:     faults,
		RoomTypeID: e.RoomTypeID, RatePlanID: e.RatePlanID, Dates: dates, ExpectedVersion: e.ExpectedVersion.pointer(),
		Closed: v.Closed.Optional, ClosedToArrival: v.ClosedToArrival.Optional, ClosedToDeparture: v.ClosedToDeparture.Optional,
		MinStayArrival: v.MinStayArrival.Optional, MinStayThrough: v.MinStayThrough.Optional,
		MaxStayArrival: v.MaxStayArrival.Optional, MaxStayThrough: v.MaxStayThrough.Optional,
		MinAdvance: v.MinAdvanceDays.Optional, MaxAdvance: v.MaxAdvanceDays.Optional,
	}
}

package api

import (
	"cmp"
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/hotel/mapping"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

type mappingBody struct {
	RoomTypeID   string `json:"room_type_id" minLength:"1"`
	RatePlanID   string `json:"rate_plan_id" minLength:"1"`
	RemoteRoomID string `json:"remote_room_id" minLength:"1" maxLength:"200"`
	RemoteRateID string `json:"remote_rate_id" maxLength:"200"`
	Occupancy    *int   `json:"occupancy,omitempty" minimum:"1" maximum:"20" doc:"How many guests the price told under this code is for; absent: those of the room type's base occupancy. A channel that takes a price for each number of guests is told those as well."`
}

type mappingsInput struct {
	Mappings   []mappingBody `json:"mappings" maxItems:"2000"`
	PlanID     string        `json:"plan_id,omitempty" doc:"Of the same mappings with dry_run; required where the channel is live and is told anything of them."`
	Accept     []hotel.Raise `json:"accept_raises,omitempty" maxItems:"20000" doc:"Exactly the raises of the plan."`
	AcceptedBy string        `json:"accepted_by,omitempty" maxLength:"200" doc:"Who answers for them."`
}

type mappingsBody struct {
	Mappings []mappingBody          `json:"mappings"`
	Coverage []coverageBody         `json:"coverage" doc:"What is worth a look."`
	Fields   map[string]carriedBody `json:"fields" doc:"How each restriction and number reaches this channel."`
	Plan     *channelPlanBody       `json:"plan,omitempty" doc:"With dry_run, of a channel that is live: what it would be told of these mappings."`
}

type carriedBody struct {
	Carriage string  `json:"carriage" enum:"exact,coarser,absent"`
	Min      *int    `json:"min,omitempty"`
	Max      *int    `json:"max,omitempty"`
	Policy   *string `json:"policy,omitempty" enum:"kept_at_channel,close" doc:"Of a field that is absent: the hotel keeps it there itself, or the nights that need it are closed."`
	Lost     *int    `json:"legal_stays_lost,omitempty" doc:"Of a field that is not told itself: how many stays of the next 365 nights, of at least up to 14 nights each, the house allows and the channel turns away because other fields are tightened in its place."`
}

type coverageBody struct {
	Code       string  `json:"code" enum:"product_not_mapped,plan_not_sold_here,stay_amount_left_out,room_not_mapped,plan_not_mapped"`
	RoomTypeID *string `json:"room_type_id" doc:"Null where it is about a rate plan in every room."`
	RatePlanID *string `json:"rate_plan_id" doc:"Null where it is about a room type at every price."`
	Detail     string  `json:"detail"`
}

type remoteProductBody struct {
	RemoteRoomID string  `json:"remote_room_id"`
	RoomName     string  `json:"room_name"`
	RemoteRateID *string `json:"remote_rate_id" doc:"Null for a room without rates of its own."`
	RateName     string  `json:"rate_name"`

	Adults   *int    `json:"max_adults" doc:"That the room takes there; null: it does not say."`
	Board    *string `json:"meal_plan" enum:"room_only,breakfast,half_board,full_board,all_inclusive" doc:"That the rate comes with there; null: it does not say."`
	Currency *string `json:"currency" doc:"Of the rate's prices there; null: it does not say."`

	Mapped   *productBody  `json:"mapped" doc:"What of ours is sold as it; null: nothing."`
	Proposal *proposalBody `json:"proposal" doc:"What of ours it may be, by its name; null where it is mapped, or like nothing. It is mapped by put-mappings alone."`

	Doubts []string `json:"doubts" doc:"What speaks against what is mapped or proposed, for people: parties that do not fit, another board, another currency."`
}

type productBody struct {
	RoomTypeID string `json:"room_type_id"`
	RatePlanID string `json:"rate_plan_id"`
}

type proposalBody struct {
	RoomTypeID string   `json:"room_type_id"`
	RatePlanID string   `json:"rate_plan_id"`
	Confidence string   `json:"confidence" enum:"high,medium,low" doc:"high: the same name or code, and nothing near it; medium: most of the name; low: a guess."`
	Reasons    []string `json:"reasons" doc:"For people."`
}

func remoteProductOf(o desk.Offered) remoteProductBody {
	b := remoteProductBody{RemoteRoomID: o.Room, RoomName: o.RoomName, RemoteRateID: orNull(o.Rate), RateName: o.RateName, Doubts: some(mapping.Sentences(o.Doubts))}
	b.Adults, b.Board, b.Currency = positive(max(o.Adults, 0)), orNull(o.Board), orNull(string(o.Currency))
	if m := o.Mapped; m != nil {
		b.Mapped = &productBody{m.RoomTypeID, m.RatePlanID}
	}
	if p := o.Proposal; p != nil {
		b.Proposal = &proposalBody{p.RoomTypeID, p.RatePlanID, string(p.Confidence), some(mapping.Sentences(p.Reasons))}
	}
	return b
}

func mappingsOf(m desk.Mappings) mappingsBody {
	b := mappingsBody{Mappings: []mappingBody{}, Coverage: []coverageBody{}, Fields: map[string]carriedBody{}}
	for _, x := range m.Mappings {
		b.Mappings = append(b.Mappings, mappingBody{x.RoomTypeID, x.RatePlanID, x.RemoteRoom, x.RemoteRate, positive(x.Guests)})
	}
	for _, w := range m.Coverage {
		b.Coverage = append(b.Coverage, coverageBody{w.Code, orNull(w.RoomTypeID), orNull(w.RatePlanID), w.Detail})
	}
	for f, c := range m.Fields {
		carried := carriedBody{Carriage: c.As.String(), Min: positive(c.Min), Max: positive(c.Max)}
		if c.As == hotel.Absent {
			policy := string(cmp.Or(m.Absent[f], hotel.KeptAtChannel))
			carried.Policy = &policy
		}
		if n, counted := m.Cost[f]; counted || c.As == hotel.Coarser {
			carried.Lost = &n
		}
		b.Fields[string(f)] = carried
	}
	if m.Plan != nil {
		plan := planOf(*m.Plan, false)
		b.Plan = &plan
	}
	return b
}

func (s *server) registerMappings() {
	get := huma.Operation{
		OperationID: "get-mappings", Method: http.MethodGet, Path: "/channels/{id}/mappings",
		Summary: "What a channel sells under which codes", Tags: []string{tagChannels},
	}
	register(s, get, needs(auth.ChannelsRead), func(ctx context.Context, in *byID) (*resource[mappingsBody], error) {
		m, err := s.desk.Mappings(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return resourceOf(in.IfNoneMatch, m.Revision, mappingsOf(m)), nil
	})
	type input struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the channel has another ETag."`
		DryRun  bool   `query:"dry_run" doc:"Tell what it would be like, and store nothing."`
		Body    mappingsInput
	}
	put := huma.Operation{
		OperationID: "put-mappings", Method: http.MethodPut, Path: "/channels/{id}/mappings",
		Summary: "Say what a channel sells under which codes", Tags: []string{tagChannels},
		Description: "Replaces all of them. A code that is left out and was told something is closed. One remote room is one room type, and a remote product one of ours; a room type may have several remote rooms. " +
			"A channel that is live goes by a plan, as going live does: dry_run answers with what it would be told of these mappings, and the plan_id is sent with them. raises_need_confirmation lists the nights on which it would show more rooms than it does now, unless exactly these are accepted; plan_outdated: it would be told something else by now. What tells it nothing needs no plan, nor does a channel that is not live.",
	}
	access := needs(auth.ChannelsWrite)
	access.maxBody = bulkBody
	register(s, put, access, func(ctx context.Context, in *input) (*resource[mappingsBody], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		b := in.Body
		to := hotel.Remap{
			Mappings: make([]hotel.Mapping, len(b.Mappings)),
			Approval: hotel.Approval{IfRevision: revision, PlanID: b.PlanID, Accept: b.Accept, AcceptedBy: b.AcceptedBy},
		}
		for i, m := range b.Mappings {
			to.Mappings[i] = hotel.Mapping{RoomTypeID: m.RoomTypeID, RatePlanID: m.RatePlanID, RemoteRoom: m.RemoteRoomID, RemoteRate: m.RemoteRateID}
			if m.Occupancy != nil {
				to.Mappings[i].Guests = *m.Occupancy
			}
		}
		put := s.desk.PutMappings
		if in.DryRun {
			put = s.desk.TryMappings
		}
		m, err := put(ctx, callerOf(ctx), in.ID, to)
		if err != nil {
			return nil, err
		}
		return resourceOf("", m.Revision, mappingsOf(m)), nil
	})
	products := huma.Operation{
		OperationID: "list-remote-products", Method: http.MethodGet, Path: "/channels/{id}/remote-products",
		Summary: "What the far side offers for mapping", Tags: []string{tagChannels},
		Description: "Asks the far side now, and proposes what of ours each may be; not_implemented where its connector cannot.",
		Errors:      []int{http.StatusNotImplemented, http.StatusBadGateway, http.StatusGatewayTimeout},
	}
	register(s, products, needs(auth.ChannelsRead), func(ctx context.Context, in *struct {
		ID string `path:"id"`
	},
	) (*listOf[remoteProductBody], error) {
		all, err := s.desk.RemoteProducts(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		bodies := make([]remoteProductBody, len(all))
		for i, p := range all {
			bodies[i] = remoteProductOf(p)
		}
		return page(ctx, s, bodies, nil), nil
	})
}

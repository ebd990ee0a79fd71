package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type reachedBody struct {
	TookSeconds float64  `json:"took_seconds"`
	Version     *string  `json:"version" doc:"What the handshake found out."`
	Features    []string `json:"features"`
	Doubts      []string `json:"doubts" doc:"What of the far side's own settings speaks against those of the channel or of the house, for people."`
	Products    *int     `json:"remote_products" doc:"How many rooms and rates it offers for mapping; null: it cannot be asked."`
}

type pauseInput struct {
	Mode string `json:"mode,omitempty" enum:"close_then_pause,freeze" default:"close_then_pause" doc:"Close it and keep it closed, or leave what it shows as it is."`
}

type disconnectInput struct {
	Force bool `json:"force,omitempty" doc:"Also when it may still show rooms."`
}

// byBody is a request about one channel, with a body that may be left out.
type byBody[B any] struct {
	ID      string `path:"id"`
	IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the channel has another ETag."`
	Body    *B
}

func (s *server) registerChannelLife() {
	test := huma.Operation{
		OperationID: "test-channel", Method: http.MethodPost, Path: "/channels/{id}/test",
		Summary: "Ask a channel's far side whether it is there", Tags: []string{tagChannels}, DefaultStatus: http.StatusOK,
		Description: "Opens the connector, performs its handshake and asks for something that changes nothing. A draft that was reached is in testing from then on: its bookings are received.",
		Errors:      []int{http.StatusBadGateway, http.StatusGatewayTimeout},
	}
	register(s, test, needs(auth.ChannelsWrite), func(ctx context.Context, in *struct {
		ID string `path:"id"`
	},
	) (*answer[reachedBody], error) {
		r, err := s.desk.TestChannel(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		b := reachedBody{TookSeconds: r.Took.Seconds(), Version: orNull(r.Version), Features: some(r.Features), Doubts: some(r.Doubts)}
		if r.Products >= 0 {
			b.Products = &r.Products
		}
		return &answer[reachedBody]{b}, nil
	})
	pause := huma.Operation{
		OperationID: "pause-channel", Method: http.MethodPost, Path: "/channels/{id}/pause",
		Summary: "Stop a channel's sales", Tags: []string{tagChannels}, DefaultStatus: http.StatusOK,
		Description: "rooms_at_risk is what it may still sell until it has taken the closing. Its bookings are received as before.",
	}
	register(s, pause, needs(auth.ChannelsWrite), func(ctx context.Context, in *byBody[pauseInput]) (*resource[channelBody], error) {
		freeze := in.Body != nil && in.Body.Mode == "freeze"
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		v, replayed, err := s.desk.Pause(ctx, callerOf(ctx), in.ID, revision, freeze)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return channelResource("", v), nil
	})
	disconnect := huma.Operation{
		OperationID: "disconnect-channel", Method: http.MethodPost, Path: "/channels/{id}/disconnect",
		Summary: "End a channel", Tags: []string{tagChannels}, DefaultStatus: http.StatusOK,
		Description: "It is closed first; closing_unacknowledged until it has said that it is, and until a list of its bookings has shown which of the guarded rooms that it was dealt it has sold. Nothing goes either way afterwards. A test brings it back into testing.",
	}
	register(s, disconnect, needs(auth.ChannelsWrite), func(ctx context.Context, in *byBody[disconnectInput]) (*resource[channelBody], error) {
		force := in.Body != nil && in.Body.Force
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		v, replayed, err := s.desk.Disconnect(ctx, callerOf(ctx), in.ID, revision, force)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return channelResource("", v), nil
	})
	s.registerActivation()
}

type activationInput struct {
	Mode       string            `json:"mode" enum:"live,shadow" doc:"Shadow needs no plan: it is told nothing."`
	PlanID     string            `json:"plan_id,omitempty" doc:"Of GET /channels/{id}/plan; required to go live."`
	Accept     []hotel.Raise     `json:"accept_raises,omitempty" maxItems:"20000" doc:"Exactly the raises of the plan."`
	Unchecked  []hotel.Unchecked `json:"accept_unchecked,omitempty" maxItems:"3" enum:"bookings,acknowledged_bookings,shown" doc:"Exactly what the plan lists as unchecked: bookings of these are stored already, or there are none; nobody has lowered what it shows since it was last read."`
	AcceptedBy string            `json:"accepted_by,omitempty" maxLength:"200" doc:"Who answers for them."`
}

func (s *server) registerActivation() {
	type input struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the channel has another ETag."`
		Body    activationInput
	}
	op := huma.Operation{
		OperationID: "activate-channel", Method: http.MethodPost, Path: "/channels/{id}/activate",
		Summary: "Set a channel live by its plan", Tags: []string{tagChannels}, DefaultStatus: http.StatusOK,
		Description: "raises_need_confirmation lists the nights on which it would show more rooms than it does now, unless exactly these are accepted; unchecked_need_confirmation what it may have sold and cannot be asked for, likewise; plan_outdated: it would be told something else by now.",
	}
	access := needs(auth.ChannelsWrite)
	access.maxBody = bulkBody
	register(s, op, access, func(ctx context.Context, in *input) (*resource[channelBody], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		b := in.Body
		if b.Mode == "shadow" {
			v, replayed, err := s.desk.Shadow(ctx, callerOf(ctx), in.ID, revision)
			replay(ctx, replayed)
			if err != nil {
				return nil, err
			}
			return channelResource("", v), nil
		}
		v, replayed, err := s.desk.Activate(ctx, callerOf(ctx), in.ID, hotel.Approval{IfRevision: revision, PlanID: b.PlanID, Accept: b.Accept, Unchecked: b.Unchecked, AcceptedBy: b.AcceptedBy})
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return channelResource("", v), nil
	})
}

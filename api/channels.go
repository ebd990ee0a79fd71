package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type channelBody struct {
	EntityBody
	PropertyID     string      `json:"property_id"`
	Connector      string      `json:"connector"`
	Name           string      `json:"name"`
	Status         string      `json:"status" enum:"testing,active,paused"`
	Markup         *markupBody `json:"markup,omitempty"`
	DerivedThrough int64       `json:"derived_through" doc:"What it is to show is computed up to this journal sequence."`
	SyncedThrough  int64       `json:"synced_through" doc:"Nothing at or before this journal sequence is unacknowledged."`
	LagCells       int         `json:"lag_cells" doc:"Cells that it is still to be told."`
	UnknownCells   int         `json:"unknown_cells" doc:"Cells whose last call has no known outcome."`
	RejectedCells  int         `json:"rejected_cells" doc:"Cells that it refused."`
	HeldCells      int         `json:"held_cells" doc:"Prices that its price guard keeps from being sent."`
	LastPushOkAt   *string     `json:"last_push_ok_at" format:"date-time"`
	LastPullOkAt   *string     `json:"last_pull_ok_at" format:"date-time"`
}

type markupBody struct {
	Kind  string `json:"kind" enum:"percent,amount"`
	Value string `json:"value" example:"12.5"`
}

// channelOf leaves the settings out: they hold secrets.
func channelOf(c hotel.ChannelState) channelBody {
	b := channelBody{
		EntityBody: entityOf(c.Entity), PropertyID: c.PropertyID, Connector: c.Connector, Name: c.Name, Status: string(c.Status),
		DerivedThrough: c.DerivedThrough, SyncedThrough: c.SyncedThrough,
		LagCells: c.Lag, UnknownCells: c.Unknown, RejectedCells: c.Rejected, HeldCells: c.Held,
		LastPushOkAt: stampOrNull(c.LastPushAt), LastPullOkAt: stampOrNull(c.LastPullAt),
	}
	if c.Markup != nil {
		b.Markup = &markupBody{Kind: string(c.Markup.Kind), Value: c.Markup.Value}
	}
	return b
}

func (s *server) registerChannels() {
	list := huma.Operation{
		OperationID: "list-channels", Method: http.MethodGet, Path: "/channels",
		Summary: "Channels and how far each is", Tags: []string{tagChannels},
	}
	register(s, list, needs(auth.ChannelsRead), func(ctx context.Context, in *ofProperty) (*listOf[channelBody], error) {
		all, err := s.desk.Channels(ctx, callerOf(ctx), in.PropertyID)
		if err != nil {
			return nil, err
		}
		return pageOf(ctx, s, in.Paging, all, func(c hotel.ChannelState) position { return position{id: c.ID} }, channelOf)
	})
	get := huma.Operation{
		OperationID: "get-channel", Method: http.MethodGet, Path: "/channels/{id}",
		Summary: "One channel and how far it is", Tags: []string{tagChannels},
		Description: "How far it is moves without a new revision, so the answer has no ETag.",
	}
	register(s, get, needs(auth.ChannelsRead), func(ctx context.Context, in *struct {
		ID string `path:"id"`
	},
	) (*answer[channelBody], error) {
		c, err := s.desk.Channel(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return &answer[channelBody]{channelOf(c)}, nil
	})
}

package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type channelPlanBody struct {
	PlanID           string             `json:"plan_id"`
	ChannelID        string             `json:"channel_id"`
	AtSequence       int64              `json:"at_sequence"`
	CallsTotal       int                `json:"calls_total"`
	CellsTotal       int                `json:"cells_total"`
	EstimatedSeconds float64            `json:"estimated_seconds" doc:"As the channel's published limits allow."`
	Operations       []plannedCallsBody `json:"operations"`
	RefusedCells     int                `json:"refused_cells" doc:"Cells that the channel cannot be told."`
	Raises           []hotel.Raise      `json:"raises" doc:"Nights on which it would show more rooms than it does now; after our own pause, than before."`
}

type plannedCallsBody struct {
	Operation string `json:"operation"`
	Calls     int    `json:"calls"`
	Cells     int    `json:"cells"`
}

func (s *server) registerChannelPlan() {
	op := huma.Operation{
		OperationID: "plan-channel", Method: http.MethodGet, Path: "/channels/{id}/plan",
		Summary: "What a channel would be told were it live now", Tags: []string{tagChannels},
		Description: "Nothing is stored by asking. Where it is not known what a channel shows, every open night is listed with from null.",
	}
	register(s, op, needs(auth.ChannelsRead), func(ctx context.Context, in *struct {
		ID string `path:"id"`
	},
	) (*answer[channelPlanBody], error) {
		p, err := s.desk.ChannelPlan(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		b := channelPlanBody{
			PlanID: p.ID, ChannelID: p.ChannelID, AtSequence: p.Sequence, EstimatedSeconds: p.Seconds, RefusedCells: p.Refused,
			Operations: []plannedCallsBody{}, Raises: some(p.Raises),
		}
		for _, c := range p.Calls {
			b.CallsTotal += c.Calls
			b.CellsTotal += c.Cells
			b.Operations = append(b.Operations, plannedCallsBody(c))
		}
		return &answer[channelPlanBody]{b}, nil
	})
}

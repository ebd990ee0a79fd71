package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type connectorBody struct {
	Name           string           `json:"name" example:"mock"`
	Summary        string           `json:"summary"`
	HasSimulator   bool             `json:"has_simulator" doc:"It can be tried without the real far side."`
	Capabilities   capabilitiesBody `json:"capabilities" doc:"As far as the default settings tell."`
	SettingsSchema json.RawMessage  `json:"settings_schema" doc:"JSON Schema of a channel's settings."`
}

func connectorOf(c hotel.Connector) connectorBody {
	return connectorBody{
		Name: c.Name, Summary: c.Summary, HasSimulator: c.Simulator, Capabilities: capabilitiesOf(c.Abilities), SettingsSchema: c.Settings,
	}
}

func (s *server) registerConnectors() {
	list := huma.Operation{
		OperationID: "list-connectors", Method: http.MethodGet, Path: "/connectors",
		Summary: "The connectors of this program", Tags: []string{tagChannels},
	}
	register(s, list, needs(auth.ChannelsRead), func(ctx context.Context, in *struct{ Paging }) (*listOf[connectorBody], error) {
		all, err := s.desk.Connectors(callerOf(ctx))
		if err != nil {
			return nil, err
		}
		return pageOf(ctx, s, in.Paging, all, func(c hotel.Connector) position { return position{id: c.Name} }, connectorOf)
	})
}

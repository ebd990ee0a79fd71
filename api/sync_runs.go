package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type syncRunBody struct {
	ID           string        `json:"id"`
	ChannelID    string        `json:"channel_id"`
	Kind         string        `json:"kind" enum:"ari_full,ari_delta,reservations,read_back"`
	Status       string        `json:"status" enum:"running,completed,partial,failed"`
	StartedAt    string        `json:"started_at" format:"date-time"`
	EndedAt      *string       `json:"ended_at" format:"date-time"`
	SequenceFrom int64         `json:"sequence_from" doc:"Where the journal stood when it was asked for; a channel that has everything up to there is done."`
	SequenceTo   *int64        `json:"sequence_to" doc:"Where it stood at the end."`
	Calls        int           `json:"calls"`
	Cells        syncCellsBody `json:"cells" doc:"What the calls carried, counted at the end of the run."`
	LastError    *string       `json:"last_error"`
}

type syncInput struct {
	Kind string `json:"kind" enum:"ari_full,ari_delta,reservations,read_back" doc:"Everything again, what is still to be told, the bookings that it has for us, or what it shows."`
}

type syncCellsBody struct {
	Planned      int `json:"planned"`
	Acknowledged int `json:"acknowledged"`
	Unknown      int `json:"unknown"`
	Rejected     int `json:"rejected"`
}

func syncRunOf(r hotel.SyncRun) syncRunBody {
	b := syncRunBody{
		ID: r.ID, ChannelID: r.ChannelID, Kind: string(r.Kind), Status: string(r.Status), StartedAt: stamp(r.StartedAt), EndedAt: stampOrNull(r.EndedAt),
		SequenceFrom: r.SequenceFrom, Calls: r.Calls, Cells: syncCellsBody(r.Cells), LastError: orNull(r.LastError),
	}
	if r.SequenceTo > 0 {
		b.SequenceTo = &r.SequenceTo
	}
	return b
}

func (s *server) registerSyncRuns() {
	type input struct {
		ID   string `path:"id"`
		Body syncInput
	}
	start := huma.Operation{
		OperationID: "sync-channel", Method: http.MethodPost, Path: "/channels/{id}/sync",
		Summary: "Bring a channel up to date", Tags: []string{tagChannels}, DefaultStatus: http.StatusAccepted,
		Description: "What changes is told by itself; this is for hands.",
	}
	register(s, start, needs(auth.ChannelsWrite), func(ctx context.Context, in *input) (*created[syncRunBody], error) {
		run, replayed, err := s.desk.SyncChannel(ctx, callerOf(ctx), in.ID, hotel.SyncKind(in.Body.Kind))
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return &created[syncRunBody]{Location: s.base() + "/sync-runs/" + run.ID, Cache: "no-store", Body: syncRunOf(run)}, nil
	})
	get := huma.Operation{
		OperationID: "get-sync-run", Method: http.MethodGet, Path: "/sync-runs/{id}",
		Summary: "One run and how it went", Tags: []string{tagChannels},
	}
	register(s, get, needs(auth.ChannelsRead), func(ctx context.Context, in *struct {
		ID string `path:"id"`
	},
	) (*answer[syncRunBody], error) {
		run, err := s.desk.SyncRun(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return &answer[syncRunBody]{syncRunOf(run)}, nil
	})
	list := huma.Operation{
		OperationID: "list-sync-runs", Method: http.MethodGet, Path: "/sync-runs",
		Summary: "The newest runs of a channel", Tags: []string{tagChannels},
	}
	register(s, list, needs(auth.ChannelsRead), func(ctx context.Context, in *struct {
		ChannelID string `query:"channel_id" required:"true"`
		Limit     int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
	},
	) (*listOf[syncRunBody], error) {
		runs, err := s.desk.SyncRuns(ctx, callerOf(ctx), in.ChannelID, in.Limit)
		if err != nil {
			return nil, err
		}
		bodies := make([]syncRunBody, len(runs))
		for i, r := range runs {
			bodies[i] = syncRunOf(r)
		}
		return page(ctx, s, bodies, nil), nil
	})
}

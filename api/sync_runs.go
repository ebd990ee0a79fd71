package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type syncRunBody struct {
	ID           string        `json:"id"`
	ChannelID    string        `json:"channel_id"`
	Kind         string        `json:"kind" enum:"ari_full,ari_delta,reservations,read_back"`
	Status       string        `json:"status" enum:"queued,running,completed,partial,failed" doc:"Queued until the channel was called since."`
	StartedAt    string        `json:"started_at" format:"date-time"`
	EndedAt      *string       `json:"ended_at" format:"date-time"`
	DateFrom     *string       `json:"date_from" format:"date" doc:"The first night that it is about; null: it is about all of them."`
	DateTo       *string       `json:"date_to" format:"date" doc:"The last one."`
	SequenceFrom int64         `json:"sequence_from" doc:"Where the journal stood when it was asked for; a channel that has everything up to there is done."`
	SequenceTo   *int64        `json:"sequence_to" doc:"Where it stood at the end."`
	Calls        int           `json:"calls"`
	Cells        syncCellsBody `json:"cells" doc:"What the calls to the channel carried from the beginning of the run on."`
	LastError    *string       `json:"last_error"`
	CreatedAt    string        `json:"created_at" format:"date-time" doc:"As started_at."`
	UpdatedAt    string        `json:"updated_at" format:"date-time"`
	Revision     int64         `json:"revision" doc:"Rises with the status; what the calls come to moves without it."`
}

type syncInput struct {
	Kind     string `json:"kind" enum:"ari_full,ari_delta,reservations,read_back" doc:"Everything again, what is still to be told, the bookings that it has for us, or what it shows."`
	DateFrom string `json:"date_from,omitempty" format:"date" doc:"Of these nights alone, both ends included. Bookings of some nights are listed, acknowledged ones too, where the channel can be asked so."`
	DateTo   string `json:"date_to,omitempty" format:"date"`
}

type syncCellsBody struct {
	Planned      int `json:"planned"`
	Sent         int `json:"sent" doc:"Of calls that left."`
	Acknowledged int `json:"acknowledged"`
	Unknown      int `json:"unknown"`
	Rejected     int `json:"rejected"`
}

func syncRunOf(r hotel.SyncRun) syncRunBody {
	b := syncRunBody{
		ID: r.ID, ChannelID: r.ChannelID, Kind: string(r.Kind), Status: string(r.Status), StartedAt: stamp(r.StartedAt), EndedAt: stampOrNull(r.EndedAt),
		SequenceFrom: r.SequenceFrom, Calls: r.Calls, Cells: syncCellsBody(r.Cells), LastError: orNull(r.LastError),
		CreatedAt: stamp(r.StartedAt), UpdatedAt: stamp(r.UpdatedAt), Revision: r.Revision,
	}
	if of := r.Nights; of != (hotel.Span{}) {
		b.DateFrom, b.DateTo = new(of.From.String()), new(of.To.String())
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
		Description: "What changes is told by itself; this is for hands. Counters of guarded pools are never told again: they are settled by their accounts.",
		Errors:      []int{http.StatusNotImplemented},
	}
	register(s, start, needs(auth.ChannelsWrite), func(ctx context.Context, in *input) (*created[syncRunBody], error) {
		order, err := in.Body.read()
		if err != nil {
			return nil, err
		}
		run, replayed, err := s.desk.SyncChannel(ctx, callerOf(ctx), in.ID, order)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return &created[syncRunBody]{Location: baseOf(ctx) + "/sync-runs/" + run.ID, Cache: "no-store", Body: syncRunOf(run)}, nil
	})
	get := huma.Operation{
		OperationID: "get-sync-run", Method: http.MethodGet, Path: "/sync-runs/{id}",
		Summary: "One run and how it went", Tags: []string{tagChannels},
	}
	register(s, get, needs(auth.ChannelsRead), func(ctx context.Context, in *byID) (*resource[syncRunBody], error) {
		run, err := s.desk.SyncRun(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		shown := syncRunOf(run)
		return taggedAs(in.IfNoneMatch, shownTag(run.Revision, shown), shown), nil
	})
	list := huma.Operation{
		OperationID: "list-sync-runs", Method: http.MethodGet, Path: "/sync-runs",
		Summary: "Runs of channels", Tags: []string{tagChannels},
		Description: "The newest first.",
	}
	register(s, list, needs(auth.ChannelsRead), s.listSyncRuns)
}

// syncRunsIn are the filters of the list. They narrow it together.
type syncRunsIn struct {
	Paging
	ChannelID []string `query:"channel_id" doc:"One of several; every channel when it is left out."`
	Kind      []string `query:"kind" enum:"ari_full,ari_delta,reservations,read_back" doc:"One of several."`
	Status    []string `query:"status" enum:"queued,running,completed,partial,failed" doc:"One of several."`
	Since     string   `query:"since" format:"date-time" doc:"Begun at this instant or later."`
}

func (s *server) listSyncRuns(ctx context.Context, in *syncRunsIn) (*listOf[syncRunBody], error) {
	from, err := s.readCursor(callOf(ctx).url, in.Cursor)
	if err != nil {
		return nil, err
	}
	f := hotel.SyncRunFilter{Kinds: several[hotel.SyncKind](in.Kind), Statuses: several[hotel.SyncStatus](in.Status), Limit: in.Limit + 1}
	if in.Since != "" {
		f.Since, _ = time.Parse(time.RFC3339Nano, in.Since) // its form was checked
	}
	if from != nil {
		f.After = from.id
	}
	all, err := s.desk.SyncRuns(ctx, callerOf(ctx), in.ChannelID, f)
	if err != nil {
		return nil, err
	}
	var last *position
	if len(all) > in.Limit {
		all = all[:in.Limit]
		last = &position{id: all[in.Limit-1].ID}
	}
	bodies := make([]syncRunBody, len(all))
	for i, r := range all {
		bodies[i] = syncRunOf(r)
	}
	return page(ctx, s, bodies, last), nil
}

// read reads which nights a run is about: none named, or both ends.
func (b syncInput) read() (hotel.SyncOrder, error) {
	order := hotel.SyncOrder{Kind: hotel.SyncKind(b.Kind)}
	switch {
	case b.DateFrom == "" && b.DateTo == "":
		return order, nil
	case b.DateFrom == "":
		return order, hotel.Invalid("/date_from", "required", "name both ends, or none for every night")
	case b.DateTo == "":
		return order, hotel.Invalid("/date_to", "required", "name both ends, or none for every night")
	}
	order.Nights.From, _ = hotel.ParseDate(b.DateFrom) // validated by their format
	order.Nights.To, _ = hotel.ParseDate(b.DateTo)
	if days := order.Nights.Days(); days < 1 || days > hotel.MaxSyncNights {
		return order, hotel.Invalid("/date_to", "date_order", "the span must have 1 to %d nights, it has %d", hotel.MaxSyncNights, days)
	}
	return order, nil
}

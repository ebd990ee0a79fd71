package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// revisionBody is how a reservation stood after one of its changes.
type revisionBody struct {
	Revision int64           `json:"revision"`
	At       string          `json:"at" format:"date-time"`
	Event    string          `json:"event" example:"reservation.updated"`
	Actor    actorBody       `json:"actor"`
	Origin   string          `json:"origin" enum:"api,channel,console,operator,clock" doc:"By which way the change came in."`
	Sequence int64           `json:"sequence" doc:"The change's position in the journal."`
	Changes  []changeBody    `json:"changes" doc:"What is different from the revision before."`
	Snapshot reservationBody `json:"snapshot"`

	Ignored bool            `json:"ignored" doc:"A message of the channel that was older than what was known: it made no revision, and the one named stood on."`
	Message *ignoredMessage `json:"message,omitempty" doc:"Of one that was ignored: what it was."`
}

// ignoredMessage is what a channel said in vain.
type ignoredMessage struct {
	Event      string  `json:"event" enum:"booked,modified,cancelled"`
	Revision   *string `json:"channel_revision" doc:"The channel's own; null where it numbers none."`
	ModifiedAt *string `json:"channel_modified_at" format:"date-time"`
}

// messageIgnored is the event of a message that changed nothing.
const messageIgnored = "message.ignored"

type actorBody struct {
	Kind string `json:"kind"`
	ID   string `json:"id,omitempty"`
}

type changeBody struct {
	Field string `json:"field" example:"guest.phone"`
	From  any    `json:"from"`
	To    any    `json:"to"`
}

func (s *server) registerRevisions() {
	type input struct {
		ID string `path:"id"`
		Paging
	}
	op := huma.Operation{
		OperationID: "list-reservation-revisions", Method: http.MethodGet, Path: "/reservations/{id}/revisions",
		Summary: "How a reservation came to be what it is", Tags: []string{tagReservations},
		Description: "The oldest revision first, each with what was different from the one before. Between them stand the messages of its channel that were ignored. They are kept as long as the reservation, whatever ledger.keep_journal says.",
	}
	register(s, op, needs(auth.ReservationsRead), func(ctx context.Context, in *input) (*listOf[revisionBody], error) {
		list, err := s.revisions(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		at := func(b revisionBody) position { return position{key: b.Sequence, id: b.At} }
		return pageOf(ctx, s, in.Paging, list, at, func(b revisionBody) revisionBody { return b })
	})
}

// revisions lists the revisions of a reservation as the caller may see them.
func (s *server) revisions(ctx context.Context, id string) ([]revisionBody, error) {
	c := callerOf(ctx)
	list, err := s.desk.Revisions(ctx, c, id)
	if err != nil {
		return nil, err
	}
	out := make([]revisionBody, len(list))
	var before map[string]any
	for i, r := range list {
		snapshot, err := s.reservationOf(ctx, r.Reservation, c.Scopes)
		if err != nil {
			return nil, err
		}
		now, err := members(snapshot)
		if err != nil {
			return nil, err
		}
		out[i] = revisionBody{
			Revision: r.Revision, At: stamp(r.UpdatedAt), Event: r.Event, Actor: actorBody{string(r.Actor.Kind), r.Actor.ID},
			Origin: originOf(r.Actor), Sequence: r.Sequence, Changes: []changeBody{}, Snapshot: snapshot,
		}
		if before != nil {
			out[i].Changes = changes(before, now)
		}
		before = now
	}
	return s.withIgnored(ctx, out, list)
}

// withIgnored puts between the revisions the messages of the channel that made none.
func (s *server) withIgnored(ctx context.Context, out []revisionBody, list []hotel.ReservationRevision) ([]revisionBody, error) {
	if len(list) == 0 {
		return out, nil
	}
	messages, err := s.desk.Ignored(ctx, list[len(list)-1].Reservation)
	if err != nil {
		return nil, err
	}
	for _, m := range messages {
		stood := -1
		for i, r := range list {
			if r.Sequence <= m.Sequence {
				stood = i
			}
		}
		if stood < 0 || list[stood].Sequence >= m.First {
			continue // it made this revision, or is of before the reservation
		}
		b := out[stood]
		b.At, b.Event, b.Actor = stamp(m.At), messageIgnored, actorBody{string(hotel.ActorChannel), list[stood].Source.ChannelID}
		b.Origin, b.Sequence, b.Changes, b.Ignored = "channel", m.Sequence, []changeBody{}, true
		b.Message = &ignoredMessage{m.Event, orNull(m.Revision), stampOrNull(m.ModifiedAt)}
		out = append(out, b)
	}
	slices.SortStableFunc(out, func(a, b revisionBody) int {
		return cmp.Or(cmp.Compare(a.Sequence, b.Sequence), cmp.Compare(a.At, b.At))
	})
	return out, nil
}

func originOf(a hotel.Actor) string {
	switch a.Kind {
	case hotel.ActorChannel:
		return "channel"
	case hotel.ActorOperator:
		return "operator"
	case hotel.ActorSystem:
		return "clock"
	case hotel.ActorUser:
		return "console"
	case hotel.ActorClient:
	}
	return "api"
}

// members lists what a reservation shows, objects inside objects by dotted names.
// What follows from the revision itself, or from today's date, is left out.
func members(b reservationBody) (map[string]any, error) {
	text, err := json.Marshal(b)
	if err != nil {
		return nil, fmt.Errorf("show revision: %w", err)
	}
	var nested map[string]any
	if err := json.Unmarshal(text, &nested); err != nil {
		return nil, fmt.Errorf("show revision: %w", err)
	}
	for _, name := range []string{"revision", "updated_at", "stay_phase"} {
		delete(nested, name)
	}
	flat := map[string]any{}
	flatten(flat, "", nested)
	return flat, nil
}

func flatten(to map[string]any, prefix string, from map[string]any) {
	for name, v := range from {
		object, ok := v.(map[string]any)
		if _, amount := object["amount"]; ok && !amount {
			flatten(to, prefix+name+".", object)
			continue
		}
		to[prefix+name] = v
	}
}

// changes lists what is different, by field. A member that is not there is null.
func changes(before, now map[string]any) []changeBody {
	fields := maps.Clone(before)
	maps.Copy(fields, now)
	out := []changeBody{}
	for _, f := range slices.Sorted(maps.Keys(fields)) {
		if !reflect.DeepEqual(before[f], now[f]) {
			out = append(out, changeBody{f, before[f], now[f]})
		}
	}
	return out
}

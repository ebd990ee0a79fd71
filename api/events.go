package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

type eventBody struct {
	ID          string    `json:"id"`
	Type        string    `json:"type" example:"reservation.created"`
	Timestamp   string    `json:"timestamp" format:"date-time"`
	APIVersion  string    `json:"api_version" example:"v1"`
	Environment string    `json:"environment" example:"production"`
	PropertyID  *string   `json:"property_id" doc:"Null where it is about the client itself, such as a secret that ends."`
	Sequence    int64     `json:"sequence" doc:"Its place in the journal; strictly increasing, with gaps for what this client does not receive."`
	Actor       actorBody `json:"actor"`
	Data        eventData `json:"data"`
}

type eventData struct {
	Object    any            `json:"object" doc:"What it is about, as it stands now and as this client may see it."`
	Previous  map[string]any `json:"previous,omitempty" doc:"Of reservation.updated: what its change has changed, by field, as it was before."`
	Truncated bool           `json:"truncated,omitempty" doc:"Only ids are told; the rest is too long for a call."`
	Assumed   bool           `json:"assumed,omitempty" doc:"Of reservation.checked_in and reservation.checked_out: the day roll has taken it for granted, nobody saw the guest."`
}

type eventsBody struct {
	Data      []eventBody `json:"data"`
	NextAfter int64       `json:"next_after" doc:"Send it as after to go on."`
	CaughtUp  bool        `json:"caught_up" doc:"Nothing was there behind next_after."`
}

// longestWait is how long a request may wait for an event.
const longestWait = 30 * time.Second

func (s *server) registerEvents() {
	list := huma.Operation{
		OperationID: "list-events", Method: http.MethodGet, Path: "/events",
		Summary: "What happened, in order", Tags: []string{tagEvents},
		Description: "A cursor over the journal: go on behind next_after. Objects are told as they stand now. " +
			"With the header Prefer: wait=20 the answer comes with the first event, or without one after 20 seconds; at most 30. " +
			"Events of a type need the scope that reads what they are about.",
	}
	register(s, list, needs(auth.EventsRead), func(ctx context.Context, in *struct {
		After string            `query:"after" pattern:"^\\d{1,18}$" doc:"A sequence; without it the feed begins at the start of its window."`
		Type  []eventTypeFilter `query:"type" doc:"Types with commas between them; reservation.* is a whole group."`
		OfProperties
		Since  string `query:"since" format:"date-time" doc:"Where to begin, in place of after; within the window of the feed."`
		Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
		Prefer string `header:"Prefer" doc:"wait=SECONDS waits for the first event."`
	},
	) (*eventsAnswer, error) {
		q := desk.EventQuery{PropertyIDs: in.PropertyID, Limit: in.Limit, Wait: wait(in.Prefer)}
		for _, t := range in.Type {
			q.Types = append(q.Types, string(t))
		}
		if in.After != "" && in.Since != "" {
			return nil, &problem{Code: "ambiguous_parameters", Detail: "Name where to begin by one of after and since.", Errors: []item{
				{Parameter: "since", Code: "ambiguous_parameters", Detail: "is named beside after"},
			}}
		}
		if in.After != "" {
			after, err := strconv.ParseInt(in.After, 10, 64)
			if err != nil {
				return nil, err
			}
			q.After = &after
		}
		if in.Since != "" {
			since, err := time.Parse(time.RFC3339, in.Since)
			if err != nil {
				return nil, inParameters(hotel.Invalid("/since", "format", "must be a timestamp of RFC 3339"))
			}
			q.Since = since
		}
		if began := s.clock.Now(); q.Wait > 0 {
			defer func() { callOf(ctx).waited = s.clock.Now().Sub(began) }()
		}
		page, err := s.desk.Events(ctx, callerOf(ctx), q, s.stopping)
		if err != nil {
			return nil, err
		}
		out := &eventsAnswer{Body: eventsBody{Data: []eventBody{}, NextAfter: page.Next, CaughtUp: page.CaughtUp}}
		if q.Wait > 0 {
			out.Applied = "wait=" + strconv.Itoa(int(q.Wait.Seconds()))
		}
		for _, e := range page.Events {
			b, err := s.eventBody(ctx, e)
			if err != nil {
				return nil, err
			}
			out.Body.Data = append(out.Body.Data, b)
		}
		return out, nil
	})
	get := huma.Operation{
		OperationID: "get-event", Method: http.MethodGet, Path: "/events/{id}",
		Summary: "One event", Tags: []string{tagEvents},
	}
	register(s, get, needs(auth.EventsRead), func(ctx context.Context, in *byID) (*resource[eventBody], error) {
		e, err := s.desk.Event(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		b, err := s.eventBody(ctx, e)
		if err != nil {
			return nil, err
		}
		return unnumbered(in.IfNoneMatch, b), nil
	})
	s.registerEventTypes()
}

type eventsAnswer struct {
	Applied string `header:"Preference-Applied"`
	Body    eventsBody
}

// wait reads the preference of RFC 7240 for a long poll, in whole seconds.
func wait(prefer string) time.Duration {
	for part := range strings.SplitSeq(prefer, ",") {
		part, _, _ = strings.Cut(part, ";")
		seconds, is := strings.CutPrefix(strings.ToLower(strings.TrimSpace(part)), "wait=")
		if n, err := strconv.Atoi(seconds); is && err == nil && n > 0 {
			return min(time.Duration(min(n, 3600))*time.Second, longestWait)
		}
	}
	return 0
}

// eventBody tells of an event what the caller may read. Of what is there no more,
// or not for the caller, only the id is told.
func (s *server) eventBody(ctx context.Context, e desk.Event) (eventBody, error) {
	object, err := s.eventObject(ctx, e)
	if r, ok := errors.AsType[*hotel.Refusal](err); ok && r.Code != "temporarily_unavailable" {
		object, err = map[string]string{"id": e.Subject}, nil
	}
	data := eventData{Object: object, Assumed: assumed(e)}
	if err == nil && e.Kind == "reservation.updated" {
		data.Previous, err = s.previous(ctx, e)
	}
	return eventBody{
		ID: e.ID, Type: string(e.Kind), Timestamp: stamp(e.At), APIVersion: "v1", Environment: string(s.environment),
		PropertyID: orNull(e.PropertyID), Sequence: e.Sequence, Actor: actorBody{string(e.Actor.Kind), e.Actor.ID}, Data: data,
	}, err
}

// assumed reports whether a step of a reservation was taken for granted by the day roll.
func assumed(e desk.Event) bool {
	var fact struct {
		Reservation struct{ Arrived, Departed *hotel.Passage }
	}
	step := &fact.Reservation.Arrived
	switch string(e.Kind) {
	case "reservation.checked_out":
		step = &fact.Reservation.Departed
	case "reservation.checked_in":
	default:
		return false
	}
	return json.Unmarshal(e.Body, &fact) == nil && *step != nil && (*step).Assumed
}

// previous tells what a change of a reservation has changed, as it was before it;
// nothing to whom the reservation is not shown.
func (s *server) previous(ctx context.Context, e desk.Event) (map[string]any, error) {
	revisions, err := s.revisions(ctx, e.Subject)
	if _, refused := errors.AsType[*hotel.Refusal](err); refused {
		return nil, nil
	}
	was := map[string]any{}
	for _, r := range revisions {
		if r.Sequence != e.Sequence {
			continue
		}
		for _, c := range r.Changes {
			was[c.Field] = c.From
		}
	}
	return was, err
}

func (s *server) eventObject(ctx context.Context, e desk.Event) (any, error) {
	switch desk.EventGroup(string(e.Kind)) {
	case "reservation":
		c := callerOf(ctx)
		r, err := s.desk.Reservation(ctx, c, e.Subject)
		if err != nil {
			return nil, err
		}
		return s.reservationOf(ctx, r, c.Scopes)
	case "block":
		b, err := s.desk.Block(ctx, callerOf(ctx), e.Subject)
		return blockOf(b), err
	case "guest":
		return guestEvent(e)
	case "inventory", "rates", "restrictions":
		return houseEvent(e)
	case "channel":
		return s.channelEvent(ctx, e)
	case "sync":
		return s.syncEvent(ctx, e)
	case "ari_update":
		u, err := s.desk.AriUpdate(ctx, callerOf(ctx), e.Subject)
		u.Results = nil // up to a thousand: who wants them asks for the update
		return ariUpdateOf(u), err
	case "client":
		return secretEnding(e)
	case "webhook_endpoint":
		v, err := s.desk.WebhookEndpoint(ctx, callerOf(ctx), e.Subject)
		return webhookOf(v), err
	}
	return s.structureEvent(ctx, e)
}

// secretEvent is a secret of the reader's own that ends soon.
type secretEvent struct {
	ClientID  string `json:"client_id"`
	SecretID  string `json:"secret_id"`
	ExpiresAt string `json:"expires_at" format:"date-time"`
}

func secretEnding(e desk.Event) (any, error) {
	var fact struct {
		ClientID  string    `json:"client_id"`
		SecretID  string    `json:"secret_id"`
		ExpiresAt time.Time `json:"expires_at"`
	}
	err := json.Unmarshal(e.Body, &fact)
	return secretEvent{fact.ClientID, fact.SecretID, stamp(fact.ExpiresAt)}, err
}

// thinGuest says that a guest changed, and nothing about who it is: that is read
// at the guest's own address, which is written down.
type thinGuest struct {
	ID         string   `json:"id"`
	Changed    []string `json:"changed"`
	MergedInto *string  `json:"merged_into,omitempty"`
}

func guestEvent(e desk.Event) (any, error) {
	var fact struct {
		Fields     []string `json:"fields"`
		MergedInto string   `json:"merged_into"`
	}
	err := json.Unmarshal(e.Body, &fact)
	return thinGuest{e.Subject, some(fact.Fields), orNull(fact.MergedInto)}, err
}

// houseRanges are the nights of a house value that changed.
type houseRanges struct {
	RoomTypeID string       `json:"room_type_id"`
	RatePlanID string       `json:"rate_plan_id,omitempty"`
	Ranges     []houseRange `json:"ranges"`
	Cause      int64        `json:"cause,omitempty"`
}

type houseRange struct {
	DateFrom  string `json:"date_from"`
	DateTo    string `json:"date_to"`
	Available *int64 `json:"available,omitempty"`
}

// overbookedEvent is a night on which a booking found no room.
type overbookedEvent struct {
	RoomTypeID    string `json:"room_type_id"`
	PoolID        string `json:"pool_id" doc:"The first of the pools of which a room of the type takes a unit."`
	Date          string `json:"date" format:"date"`
	Sold          int    `json:"sold" doc:"Units of these pools that guests and blocks have."`
	Total         int    `json:"total" doc:"Units that there are."`
	ReservationID string `json:"reservation_id"`
}

// circuitEvent is a channel that is left alone for a while, or no more.
type circuitEvent struct {
	ChannelID string   `json:"channel_id"`
	Failures  int      `json:"failures" doc:"Calls in a row."`
	Cause     *string  `json:"cause,omitempty"`
	RetryAt   *instant `json:"retry_at,omitempty"`
}

// houseEvent tells of a house value what the journal says, which is what it was
// then. Of prices it says where they changed: what a plan costs is for who sells it.
func houseEvent(e desk.Event) (any, error) {
	if string(e.Kind) == "inventory.overbooked" {
		var b overbookedEvent
		err := json.Unmarshal(e.Body, &b)
		return b, err
	}
	var b struct {
		RoomTypeID string `json:"room_type_id"`
		RatePlanID string `json:"rate_plan_id"`
		Cause      int64  `json:"cause"`
		Ranges     []hotel.Run[json.RawMessage]
	}
	if err := json.Unmarshal(e.Body, &b); err != nil {
		return nil, err
	}
	out := houseRanges{b.RoomTypeID, b.RatePlanID, []houseRange{}, b.Cause}
	for _, r := range b.Ranges {
		next := houseRange{DateFrom: r.From.String(), DateTo: r.To.String()}
		if string(e.Kind) == "inventory.updated" {
			if err := json.Unmarshal(r.Value, &next.Available); err != nil {
				return nil, err
			}
		}
		out.Ranges = append(out.Ranges, next)
	}
	return out, nil
}

func (s *server) channelEvent(ctx context.Context, e desk.Event) (any, error) {
	if strings.HasPrefix(string(e.Kind), "channel.circuit_") {
		var body circuitEvent
		err := json.Unmarshal(e.Body, &body)
		return body, err
	}
	c, err := s.desk.Channel(ctx, callerOf(ctx), e.Subject)
	return channelOf(c), err
}

// driftEvent says what a read-back found, in numbers.
type driftEvent struct {
	ChannelID string       `json:"channel_id"`
	Cells     int          `json:"cells"`
	Verdicts  []driftFound `json:"verdicts"`
}

type driftFound struct {
	RoomTypeID string `json:"room_type_id"`
	RatePlanID string `json:"rate_plan_id,omitempty"`
	Group      string `json:"group" doc:"Which fields: availability, closures, lengths or prices."`
	Verdict    string `json:"verdict"`
	Cells      int    `json:"cells"`
}

func (s *server) syncEvent(ctx context.Context, e desk.Event) (any, error) {
	if string(e.Kind) != "sync.drift_found" {
		c, err := s.desk.Conflict(ctx, callerOf(ctx), e.Subject)
		return conflictOf(c), err
	}
	var body struct{ Cells []driftFound }
	out := driftEvent{ChannelID: e.Subject}
	err := json.Unmarshal(e.Body, &body)
	for _, d := range body.Cells {
		out.Cells += d.Cells
	}
	out.Verdicts = some(body.Cells)
	return out, err
}

func (s *server) structureEvent(ctx context.Context, e desk.Event) (any, error) {
	c := callerOf(ctx)
	switch desk.EventGroup(string(e.Kind)) {
	case "property":
		p, err := s.desk.Property(ctx, c, e.Subject)
		if err != nil {
			return nil, err
		}
		return s.propertyBody(p), nil
	case "pool":
		p, err := s.desk.Pool(ctx, c, e.Subject)
		if err != nil {
			return nil, err
		}
		return s.poolBody(ctx, p)
	case "room_type":
		r, err := s.desk.RoomType(ctx, c, e.Subject)
		return roomTypeOf(r), err
	case "pricing_rule":
		r, err := s.desk.PricingRule(ctx, c, e.Subject)
		return ruleOf(r), err
	default:
		p, err := s.desk.RatePlan(ctx, c, e.Subject)
		return ratePlanOf(p), err
	}
}

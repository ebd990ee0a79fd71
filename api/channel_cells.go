package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

type sightBody struct {
	RoomTypeID   string  `json:"room_type_id"`
	RatePlanID   *string `json:"rate_plan_id" doc:"Null where the channel carries stock alone."`
	RemoteRoomID string  `json:"remote_room_id" doc:"The channel's code."`
	RemoteRateID *string `json:"remote_rate_id"`
	CellDates
	Dot      string                    `json:"dot" enum:"equal,on_its_way,differs,cannot" doc:"The cell in a word: it shows what it should, is about to, does not, or cannot."`
	Exposure *int                      `json:"exposure" doc:"Rooms that may still be sold there: in a shared pool the most that it may show, in a guarded pool what it was granted less what it has sold. Null when nobody knows."`
	Guarded  bool                      `json:"guarded" doc:"Rooms of the night are granted to the channel before they are shown there."`
	Retired  bool                      `json:"retired" doc:"Nothing is sold under the code any more: it is kept closed."`
	Kept     []string                  `json:"kept_at_channel" doc:"What the house says of the night and the channel cannot be told: the hotel keeps it there itself."`
	Clamped  []string                  `json:"clamped" doc:"What it is told only by tightening something else."`
	Groups   map[string]groupSightBody `json:"groups" doc:"By field group: availability, closures, lengths and one price for each number of guests, such as price:2; price:0 is the price of the room beside those."`
}

type groupSightBody struct {
	Desired      *shownBody `json:"desired" doc:"What we want shown there."`
	Sent         *shownBody `json:"sent" doc:"What was last sent."`
	Acknowledged *shownBody `json:"acknowledged" doc:"What the channel last confirmed."`
	ReadBack     *shownBody `json:"read_back" doc:"What it showed when it was last asked."`
	State        string     `json:"state" enum:"in_flight,unknown,rejected,held,drifted,pending,in_sync" doc:"The first of these that applies."`
	Code         *string    `json:"reason_code"`
	Reason       *string    `json:"reason" doc:"Why, in a sentence."`
}

// shownBody is a value with where it comes from. Of the fields those of the group
// are there that the channel is told.
type shownBody struct {
	OfferBody
	At         *string `json:"at" format:"date-time"`
	Sequence   *int64  `json:"sequence" doc:"The journal entry that the value stands for: of what is desired the newest one behind it, of what was sent or acknowledged where the journal stood when it was sent."`
	DeliveryID *string `json:"delivery_id,omitempty" doc:"The call that carried it."`
}

// OfferBody is what a channel shows of one field group.
type OfferBody struct {
	Available      *int   `json:"available,omitempty"`
	InAll          *int   `json:"in_all,omitempty" doc:"What was sent, where the channel is told the most that it sells in all: what it had sold is in it, and available is what was left."`
	Closed         *bool  `json:"closed,omitempty"`
	NoArrival      *bool  `json:"closed_to_arrival,omitempty"`
	NoDeparture    *bool  `json:"closed_to_departure,omitempty"`
	MinStayArrival *int   `json:"min_stay_arrival,omitempty" doc:"Of this and what follows 0 is no limit."`
	MinStayThrough *int   `json:"min_stay_through,omitempty"`
	MaxStayArrival *int   `json:"max_stay_arrival,omitempty"`
	MaxStayThrough *int   `json:"max_stay_through,omitempty"`
	MinAdvance     *int   `json:"min_advance_days,omitempty"`
	MaxAdvance     *int   `json:"max_advance_days,omitempty"`
	Amount         *money `json:"amount,omitempty"`
}

// offerOf shows the fields of a group that a channel is told.
func offerOf(g hotel.Group, o hotel.Offer, told []hotel.Field) OfferBody {
	var b OfferBody
	switch g {
	case hotel.Availability:
		b.Available = &o.Available
	case hotel.Price:
		b.Amount = moneyOrNone(&o.Amount)
	case hotel.Closures:
		b.Closed = tell(told, hotel.FieldClosed, o.Closed.Closed)
		b.NoArrival = tell(told, hotel.FieldClosedToArrival, o.Closed.Arrival)
		b.NoDeparture = tell(told, hotel.FieldClosedToDeparture, o.Closed.Departure)
	case hotel.Lengths:
		b.MinStayArrival = tell(told, hotel.FieldMinStayArrival, o.Lengths.MinStayArrival)
		b.MinStayThrough = tell(told, hotel.FieldMinStayThrough, o.Lengths.MinStayThrough)
		b.MaxStayArrival = tell(told, hotel.FieldMaxStayArrival, o.Lengths.MaxStayArrival)
		b.MaxStayThrough = tell(told, hotel.FieldMaxStayThrough, o.Lengths.MaxStayThrough)
		b.MinAdvance = tell(told, hotel.FieldMinAdvance, o.Lengths.MinAdvance)
		b.MaxAdvance = tell(told, hotel.FieldMaxAdvance, o.Lengths.MaxAdvance)
	}
	return b
}

func tell[V any](told []hotel.Field, f hotel.Field, v V) *V {
	if !slices.Contains(told, f) {
		return nil
	}
	return &v
}

func sightOf(s hotel.Sight, told []hotel.Field) sightBody {
	b := sightBody{
		RoomTypeID: s.RoomTypeID, RatePlanID: orNull(s.RatePlanID), RemoteRoomID: s.RemoteRoom, RemoteRateID: orNull(s.RemoteRate),
		CellDates: nightOf(s.Night), Dot: string(s.Dot()), Exposure: s.Exposure, Guarded: s.Guarded, Retired: s.Retired,
		Kept: fieldNames(s.KeptAtChannel), Clamped: fieldNames(s.Clamped), Groups: groupsOf(s.Groups, told),
	}
	return b
}

// groupsOf shows field groups by their names.
func groupsOf(groups []hotel.GroupSight, told []hotel.Field) map[string]groupSightBody {
	b := make(map[string]groupSightBody, len(groups))
	for _, g := range groups {
		shown := func(f *hotel.ShownFact) *shownBody {
			if f == nil {
				return nil
			}
			b := &shownBody{OfferBody: offerOf(g.Group, f.Value, told), At: stampOrNull(f.At), DeliveryID: orNull(f.DeliveryID)}
			b.InAll = f.InAll
			if f.Sequence > 0 {
				b.Sequence = &f.Sequence
			}
			return b
		}
		b[groupName(g.Group, g.Occupancy)] = groupSightBody{
			shown(g.Desired), shown(g.Sent), shown(g.Acknowledged), shown(g.ReadBack), string(g.State), orNull(g.Code), orNull(g.Reason),
		}
	}
	return b
}

func fieldNames(fields []hotel.Field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = string(f)
	}
	return names
}

// groupName names a group, a price with the number of guests that it is for.
func groupName(g hotel.Group, guests int) string {
	if g == hotel.Price {
		return g.String() + ":" + strconv.Itoa(guests)
	}
	return g.String()
}

// sightsPage is a page of what a channel sees.
type sightsPage struct {
	Link string `header:"Link" doc:"Addresses of the next and the first page (RFC 8288)."`
	Body sightsList
}

type sightsList struct {
	ListBody[sightBody]
	Sequence int64 `json:"at_sequence" doc:"Where the journal stood."`
}

func (s *server) registerChannelCells() {
	type input struct {
		ID string `path:"id"`
		CellPaging
		DateFrom   string   `query:"date_from" required:"true" format:"date" doc:"Inclusive."`
		DateTo     string   `query:"date_to" required:"true" format:"date" doc:"Inclusive; at most 400 days."`
		RoomTypeID []string `query:"room_type_id" doc:"One of several."`
		RatePlanID []string `query:"rate_plan_id" doc:"One of several."`
		State      []string `query:"state" enum:"in_flight,unknown,rejected,held,drifted,pending,in_sync" doc:"Only nights of which some group stands so; several with commas."`
		Group      string   `query:"group" enum:"availability,closures,lengths,price" doc:"With state: only this group has to."`
	}
	op := huma.Operation{
		OperationID: "list-channel-cells", Method: http.MethodGet, Path: "/channels/{id}/cells",
		Summary: "What a channel sees, night by night", Tags: []string{tagChannels},
		Description: "Four facts for each night and field group, never made into one: what we want shown, what was last sent, what the channel acknowledged, what it showed when it was asked. A fact that never was is null.",
	}
	register(s, op, needs(auth.ChannelsRead), func(ctx context.Context, in *input) (*sightsPage, error) {
		q := desk.SightQuery{SightQuery: hotel.SightQuery{ChannelID: in.ID, RoomTypeIDs: in.RoomTypeID, RatePlanIDs: in.RatePlanID, AtLeast: in.Limit + 1}}
		q.Span.From, _ = hotel.ParseDate(in.DateFrom) // validated by their format
		q.Span.To, _ = hotel.ParseDate(in.DateTo)
		for _, state := range in.State {
			q.States = append(q.States, hotel.SightState(state))
		}
		for _, g := range []hotel.Group{hotel.Availability, hotel.Closures, hotel.Lengths, hotel.Price} {
			if g.String() == in.Group {
				q.Group = g
			}
		}
		from, err := s.readCursor(callOf(ctx).url, in.Cursor)
		if err != nil {
			return nil, err
		}
		if from != nil {
			q.After = placeAt(*from)
		}
		seen, err := s.desk.Sights(ctx, callerOf(ctx), q)
		if err != nil {
			return nil, inParameters(err)
		}
		entries, last := foldCells(in.CellPaging, seen.Cells, positionOfSight, func(c hotel.Sight) sightBody { return sightOf(c, seen.Told) })
		if last == nil && seen.More {
			end := positionOfSight(seen.Cells[len(seen.Cells)-1])
			last = &end
		}
		list := page(ctx, s, entries, last)
		return &sightsPage{list.Link, sightsList{list.Body, seen.Sequence}}, nil
	})
}

// positionOfSight is where a night stands in the list.
func positionOfSight(c hotel.Sight) position {
	id, _ := json.Marshal([]string{c.RoomTypeID, c.RatePlanID, c.RemoteRoom, c.RemoteRate}) // strings always can be
	return position{int64(c.Night), string(id)}
}

func placeAt(p position) *hotel.SightPlace {
	var of [4]string
	_ = json.Unmarshal([]byte(p.id), &of) // it is our own
	return &hotel.SightPlace{RoomTypeID: of[0], RatePlanID: of[1], RemoteRoom: of[2], RemoteRate: of[3], Night: hotel.Date(p.key)}
}

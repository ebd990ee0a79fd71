package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type explanationBody struct {
	ChannelID    string                    `json:"channel_id"`
	RoomTypeID   string                    `json:"room_type_id"`
	RatePlanID   *string                   `json:"rate_plan_id"`
	RemoteRoomID string                    `json:"remote_room_id"`
	RemoteRateID *string                   `json:"remote_rate_id"`
	Date         string                    `json:"date" format:"date"`
	AsOf         string                    `json:"as_of" format:"date-time"`
	Sequence     int64                     `json:"at_sequence" doc:"Where the journal stood."`
	Derivation   []explainedBody           `json:"derivation"`
	Deliveries   []deliveryBody            `json:"deliveries" doc:"The calls that carried the night, newest first; at most 20 for each field group."`
	Groups       map[string]groupSightBody `json:"groups" doc:"As in GET /channels/{id}/cells; of a past point what calls say."`
	States       map[string]string         `json:"states"`
	ReadBack     map[string]shownBody      `json:"read_back" nullable:"true" doc:"What it showed when it was last asked, by field group; null where it never was, and of a past point."`
	Conflicts    []string                  `json:"conflicts" doc:"The conflicts about the night that are open, or were then, by id."`
}

type explainedBody struct {
	Number string     `json:"number" doc:"A field: available, amount, closed and so on."`
	Guests *int       `json:"guests,omitempty" doc:"Of an amount: for how many; 0 for the room beside those."`
	Mapped *int       `json:"mapped_occupancy,omitempty" doc:"Of the amount of a code that is mapped at an occupancy: that number of guests, for whom it is instead of for the base occupancy."`
	Steps  []stepBody `json:"steps"`
	Result any        `json:"result" doc:"The value of the last step: what the channel is to show. A whole number, true or false, or of an amount a decimal text."`
}

type stepBody struct {
	Step     string     `json:"step"`
	Value    any        `json:"value" doc:"After the step."`
	Change   *int       `json:"change,omitempty" doc:"Of available: what the step has added."`
	By       *actedBody `json:"by,omitempty" doc:"What acted: of rooms who takes them, reservations by id alone; of anything else in words."`
	Reason   *string    `json:"reason,omitempty" doc:"Of available: why, in words."`
	Sequence *int64     `json:"sequence,omitempty" doc:"The journal entry that set it."`

	PoolID     *string `json:"pool_id,omitempty" doc:"Of stock, where the room type draws on one pool."`
	Kept       *int    `json:"kept,omitempty" doc:"Of keep_back."`
	Limit      *int    `json:"limit,omitempty" doc:"Of the limits and of capability_clamp; absent where there is none. Of total_limit what the channel is told, its own sales included."`
	HouseFree  *int    `json:"house_free,omitempty" doc:"Of house_limit: rooms that it leaves."`
	Counted    *int    `json:"counted,omitempty" doc:"Of total_limit: rooms sold there that are in the limit."`
	RuleID     *string `json:"rule_id,omitempty"`
	Origin     *string `json:"origin,omitempty" doc:"Of rate_base: how the price came to be typed."`
	FromPlanID *string `json:"from_rate_plan_id,omitempty" doc:"Of derivation."`
	Kind       *string `json:"kind,omitempty" doc:"Of derivation and markup: percent or amount."`
	Basis      *string `json:"basis,omitempty" doc:"Of tax_basis."`
	Mode       *string `json:"mode,omitempty" doc:"Of rounding."`

	Policy     *sharePolicyBody `json:"policy,omitempty" doc:"Of protection_share: how the pool is protected, where there is one."`
	Account    *int             `json:"account,omitempty" doc:"Of protection_share on a guarded night: rooms that were granted to the channel."`
	SoldHere   *int             `json:"sold_here,omitempty" doc:"How many of them it has sold."`
	Undealt    *int             `json:"undealt,omitempty" doc:"Rooms of the type that are granted to nobody."`
	ReasonCode *string          `json:"reason_code,omitempty" enum:"account_unknown,share_not_kept" doc:"Why they are not there: nobody knows what it has sold, and it is kept closed; or the past is asked for, of which shares are not kept, and it was shown less than this, or the same."`
}

type sharePolicyBody struct {
	Kind string `json:"kind" enum:"shared,guarded,guarded_last"`
}

// actedBody is what acted in a step: who takes rooms, or words.
type actedBody struct {
	takers []takenBody
	words  string
}

// Schema is either form.
func (actedBody) Schema(r huma.Registry) *huma.Schema {
	takers := r.Schema(reflect.TypeFor[takenBody](), true, "TakenBody")
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeArray, Items: takers}}, Examples: []any{"+5 percent"}}
}

// MarshalJSON writes the form that there is.
func (b actedBody) MarshalJSON() ([]byte, error) {
	if len(b.takers) > 0 {
		return json.Marshal(b.takers)
	}
	return json.Marshal(b.words)
}

type takenBody struct {
	ReservationID *string `json:"reservation_id,omitempty"`
	BlockID       *string `json:"block_id,omitempty"`
	ChannelID     *string `json:"channel_id,omitempty"`
	RoomTypeID    string  `json:"room_type_id"`
	Units         int     `json:"units" doc:"Rooms of that type."`
	Sequence      *int64  `json:"sequence,omitempty"`
}

type deliveryBody struct {
	DeliveryID string      `json:"delivery_id"`
	Attempt    int         `json:"attempt" doc:"The how many-th call in a row with this value."`
	Group      string      `json:"group"`
	Value      OfferBody   `json:"value"`
	Operation  string      `json:"operation"`
	SentAt     string      `json:"sent_at" format:"date-time"`
	AnsweredAt *string     `json:"answered_at" format:"date-time"`
	Outcome    string      `json:"outcome" enum:"open,applied,rejected,unknown,not_sent,partial"`
	Reason     *string     `json:"reason,omitempty" doc:"Why it did not go well."`
	Answer     *answerBody `json:"answer"`
}

type answerBody struct {
	Status    *int    `json:"http_status" doc:"Of the last HTTP answer that the call had; null where the channel does not speak HTTP."`
	Reference *string `json:"reference" doc:"The channel's own."`
	Excerpt   string  `json:"excerpt" doc:"Of its words, without secrets and guest data."`
}

func explanationOf(x hotel.Explanation) explanationBody {
	b := explanationBody{
		ChannelID: x.ChannelID, RoomTypeID: x.RoomTypeID, RatePlanID: orNull(x.RatePlanID), RemoteRoomID: x.RemoteRoom, RemoteRateID: orNull(x.RemoteRate),
		Date: x.Night.String(), AsOf: stamp(x.At), Sequence: x.Sequence, Derivation: []explainedBody{}, Deliveries: []deliveryBody{},
		Groups: groupsOf(x.Groups, x.Told), States: map[string]string{}, Conflicts: some(x.Conflicts),
	}
	for name, g := range b.Groups {
		b.States[name] = g.State
		if g.ReadBack != nil {
			if b.ReadBack == nil {
				b.ReadBack = map[string]shownBody{}
			}
			b.ReadBack[name] = *g.ReadBack
		}
	}
	for _, n := range x.Numbers {
		e := explainedBody{Number: string(n.Field), Result: valueOf(n.Field, n.Result())}
		if n.Group == hotel.Price {
			e.Guests, e.Mapped = &n.Occupancy, positive(n.Mapped)
		}
		for _, s := range n.Steps {
			e.Steps = append(e.Steps, stepOf(n.Field, s))
		}
		b.Derivation = append(b.Derivation, e)
	}
	for _, c := range x.Calls {
		d := deliveryBody{
			DeliveryID: c.DeliveryID, Attempt: c.Attempt, Group: groupName(c.Group, c.Occupancy), Value: offerOf(c.Group, c.Value, x.Told), Operation: c.Operation,
			SentAt: stamp(c.SentAt), AnsweredAt: stampOrNull(c.AnsweredAt), Outcome: c.Outcome, Reason: orNull(c.Words),
		}
		d.Value.InAll = c.InAll
		if c.HTTPStatus != 0 || c.Reference != "" || c.Excerpt != "" {
			d.Answer = &answerBody{positive(c.HTTPStatus), orNull(c.Reference), c.Excerpt}
		}
		b.Deliveries = append(b.Deliveries, d)
	}
	return b
}

func stepOf(f hotel.Field, s hotel.Step) stepBody {
	b := stepBody{Step: s.Name, Value: valueOf(f, s)}
	if s.Sequence > 0 {
		b.Sequence = &s.Sequence
	}
	if s.Share != nil {
		b.share(*s.Share)
	}
	if f == hotel.FieldAvailable {
		b.rooms(s)
	} else {
		b.amount(s)
	}
	return b
}

// rooms adds what acted in a step of rooms.
func (b *stepBody) rooms(s hotel.Step) {
	b.Change, b.Reason = &s.Change, orNull(s.By)
	var takers []takenBody
	for _, t := range s.Taken {
		taken := takenBody{orNull(t.ReservationID), orNull(t.BlockID), orNull(t.ChannelID), t.RoomTypeID, t.Rooms, nil}
		if t.Sequence > 0 {
			taken.Sequence = &t.Sequence
		}
		takers = append(takers, taken)
	}
	if len(takers) > 0 {
		b.By = &actedBody{takers: takers}
	}
	switch a := s.Acted; s.Name {
	case "stock":
		b.PoolID = orNull(a.ID)
	case "keep_back":
		b.Kept = a.Limit
	case "protection_share":
		if a.Kind != "" {
			b.Policy = &sharePolicyBody{a.Kind}
		}
	default:
		b.Limit, b.HouseFree, b.Counted = a.Limit, a.Left, a.Counted
	}
}

// amount adds what acted in a step of anything else.
func (b *stepBody) amount(s hotel.Step) {
	switch by := orNull(s.By); s.Name {
	case "rate_base":
		b.Origin = by
		return
	case "tax_basis":
		b.Basis = by
		return
	case "rounding":
		b.Mode = by
		return
	case "rule":
		b.RuleID = orNull(s.Acted.ID)
	case "derivation":
		b.FromPlanID = orNull(s.Acted.ID)
	}
	if b.Kind = orNull(s.Acted.Kind); s.By != "" {
		b.By = &actedBody{words: s.By}
	}
}

func (b *stepBody) share(s hotel.Share) {
	switch {
	case s.NotKept:
		b.ReasonCode = new("share_not_kept")
		return
	case s.Unknown:
		b.ReasonCode = new("account_unknown")
	default:
		b.Account = &s.Account
	}
	b.SoldHere, b.Undealt = &s.Sold, &s.Undealt
}

// valueOf is the value after a step of a field.
func valueOf(f hotel.Field, s hotel.Step) any {
	switch {
	case f == hotel.FieldAvailable:
		return s.Count
	case f == hotel.FieldAmount:
		return s.Text
	case json.Valid([]byte(s.Text)):
		return json.RawMessage(s.Text)
	}
	return nil
}

func (s *server) registerExplanation() {
	type input struct {
		ID           string `path:"id"`
		RoomTypeID   string `query:"room_type_id" required:"true"`
		RatePlanID   string `query:"rate_plan_id" doc:"Required unless the channel carries stock alone."`
		RemoteRoomID string `query:"remote_room_id" doc:"Where the room type has several at the channel; the first otherwise."`
		RemoteRateID string `query:"remote_rate_id" doc:"Where the product has several there, as for numbers of guests; the first otherwise."`
		Date         string `query:"date" required:"true" format:"date"`
		AsOf         string `query:"as_of" format:"date-time" doc:"Answers as it was at this instant, worked out from the journal."`
		AsOfEntry    int64  `query:"as_of_sequence" minimum:"1" doc:"Answers as it was behind this entry of the journal; instead of as_of."`
	}
	op := huma.Operation{
		OperationID: "explain-channel", Method: http.MethodGet, Path: "/channels/{id}/explain",
		Summary: "Why a channel is shown what it is shown", Tags: []string{tagChannels},
		Description: "Every number of the night step by step, by the functions that work out what is sent; the calls that carried it and the channel's answers; now, or at any point that the journal still holds (as_of_expired otherwise). The channel's settings and abilities are those of now. A client of kind ota is told the last step of each number alone.",
	}
	register(s, op, needs(auth.ChannelsRead), func(ctx context.Context, in *input) (*answer[explanationBody], error) {
		of := hotel.ExplainQuery{
			ChannelID: in.ID, RoomTypeID: in.RoomTypeID, RatePlanID: in.RatePlanID, RemoteRoom: in.RemoteRoomID, RemoteRate: in.RemoteRateID, AsOf: hotel.AsOf{Sequence: in.AsOfEntry},
		}
		of.Night, _ = hotel.ParseDate(in.Date)            // validated by its format
		of.AsOf.At, _ = time.Parse(time.RFC3339, in.AsOf) // likewise; zero without one
		x, err := s.desk.Explain(ctx, callerOf(ctx), of)
		if err != nil {
			return nil, inParameters(err)
		}
		return &answer[explanationBody]{explanationOf(x)}, nil
	})
}

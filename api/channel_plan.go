package api

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"slices"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type channelPlanBody struct {
	PlanID           string             `json:"plan_id" doc:"A hash over everything that would be told."`
	ChannelID        string             `json:"channel_id"`
	Kind             string             `json:"kind" enum:"live,delta,full,mapping"`
	AtSequence       int64              `json:"at_sequence"`
	CallsTotal       int                `json:"calls_total"`
	CellsTotal       int                `json:"cells_total"`
	EstimatedSeconds float64            `json:"estimated_seconds" doc:"Until the last call may leave, as the limits stand."`
	Buckets          []bucketBody       `json:"buckets"`
	Operations       []plannedCallsBody `json:"operations"`
	Calls            []plannedCallBody  `json:"calls" doc:"Closing and lowering first, then raising, then prices and other restrictions."`
	RefusedCells     int                `json:"refused_cells" doc:"Cells that the channel cannot be told."`
	Raises           []hotel.Raise      `json:"raises" doc:"Nights on which it would show more rooms than it does now; after our own pause, than before."`
	Unchecked        []hotel.Unchecked  `json:"unchecked" enum:"bookings,acknowledged_bookings,shown" doc:"To go live: what it may have sold, or shows, and cannot be asked for."`
	Held             []heldCellsBody    `json:"held" doc:"What differs and is not sent, by reason."`
}

type plannedCallsBody struct {
	Operation string `json:"operation"`
	Calls     int    `json:"calls"`
	Cells     int    `json:"cells"`
}

type plannedCallBody struct {
	Order              int     `json:"order"`
	Operation          string  `json:"operation"`
	StartsAfterSeconds float64 `json:"starts_after_seconds" doc:"At the earliest, as the limits stand."`
	Cells              int     `json:"cells"`
	Closes             int     `json:"closes" doc:"Cells that are shut from then on."`
	Opens              int     `json:"opens" doc:"Cells that are for sale from then on."`
	PayloadSHA256      string  `json:"payload_sha256" doc:"Of the payload as it is sent."`
	PayloadExcerpt     string  `json:"payload_excerpt" doc:"Its beginning, without secrets."`
	Payload            *string `json:"payload,omitempty" doc:"With include=payloads: all of it, without secrets; in Base64 where it is no text."`
}

type heldCellsBody struct {
	ReasonCode string `json:"reason_code"`
	Cells      int    `json:"cells"`
}

// excerptLength is how much of a payload is shown without being asked for, in bytes.
const excerptLength = 512

const includePayloads = "payloads"

type planIn struct {
	ID       string   `path:"id"`
	Kind     string   `query:"kind" enum:"live,delta,full" doc:"Left out: a delta where the channel is told what changes, else going live."`
	DateFrom string   `query:"date_from" format:"date" doc:"Inclusive; with date_to, at most 400 days. Not with a plan for going live."`
	DateTo   string   `query:"date_to" format:"date" doc:"Inclusive."`
	Include  []string `query:"include" enum:"payloads"`
}

func (in *planIn) read() (hotel.PlanQuery, error) {
	q := hotel.PlanQuery{Kind: hotel.PlanKind(in.Kind)}
	if in.DateFrom == "" && in.DateTo == "" {
		return q, nil
	}
	for name, given := range map[string]string{"/date_from": in.DateFrom, "/date_to": in.DateTo} {
		if given == "" {
			return q, inParameters(hotel.Invalid(name, "required", "is needed with the other end of the span"))
		}
	}
	q.Nights.From, _ = hotel.ParseDate(in.DateFrom) // validated by their format
	q.Nights.To, _ = hotel.ParseDate(in.DateTo)
	return q, nil
}

func (s *server) registerChannelPlan() {
	op := huma.Operation{
		OperationID: "plan-channel", Method: http.MethodGet, Path: "/channels/{id}/plan",
		Summary: "The calls that a channel would be told by", Tags: []string{tagChannels},
		Description: "Nothing is stored by asking. A plan for going live has all that it takes; where it is not known what a channel shows, every open night is listed with from null. A delta has what is still to be told, a full plan everything that is told when all that the channel shows is put in doubt.",
	}
	register(s, op, needs(auth.ChannelsRead), func(ctx context.Context, in *planIn) (*answer[channelPlanBody], error) {
		q, err := in.read()
		if err != nil {
			return nil, err
		}
		p, err := s.desk.ChannelPlan(ctx, callerOf(ctx), in.ID, q)
		if err != nil {
			return nil, inParameters(err)
		}
		return &answer[channelPlanBody]{planOf(p, slices.Contains(in.Include, includePayloads))}, nil
	})
	apply := huma.Operation{
		OperationID: "apply-channel-plan", Method: http.MethodPost, Path: "/channels/{id}/plan/{plan_id}/apply",
		Summary: "Have a channel told what a plan says", Tags: []string{tagChannels}, DefaultStatus: http.StatusAccepted,
		Description: "The plan is made anew first and must come to the same. A plan for going live is taken by activate, one of another mapping by put-mappings.",
	}
	register(s, apply, needs(auth.ChannelsWrite), func(ctx context.Context, in *struct {
		ID     string `path:"id"`
		PlanID string `path:"plan_id" maxLength:"128"`
	},
	) (*created[syncRunBody], error) {
		run, replayed, err := s.desk.ApplyPlan(ctx, callerOf(ctx), in.ID, in.PlanID)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return &created[syncRunBody]{Location: baseOf(ctx) + "/sync-runs/" + run.ID, Cache: "no-store", Body: syncRunOf(run)}, nil
	})
}

func planOf(p hotel.ChannelPlan, payloads bool) channelPlanBody {
	b := channelPlanBody{
		PlanID: p.ID, ChannelID: p.ChannelID, Kind: string(p.Kind), AtSequence: p.Sequence, EstimatedSeconds: p.Seconds, RefusedCells: p.Refused,
		CallsTotal: len(p.Calls), Buckets: bucketsOf(p.Limits), Operations: []plannedCallsBody{}, Calls: []plannedCallBody{}, Raises: some(p.Raises), Unchecked: some(p.Unchecked), Held: []heldCellsBody{},
	}
	for _, o := range p.Operations {
		b.CellsTotal += o.Cells
		b.Operations = append(b.Operations, plannedCallsBody(o))
	}
	for i, c := range p.Calls {
		call := plannedCallBody{
			Order: i + 1, Operation: c.Operation, StartsAfterSeconds: c.After, Cells: c.Cells, Closes: c.Closes, Opens: c.Opens,
			PayloadSHA256: hex.EncodeToString(c.Sum[:]), PayloadExcerpt: payloadText(c.Body, excerptLength),
		}
		if payloads {
			call.Payload = new(payloadText(c.Body, len(c.Body)))
		}
		b.Calls = append(b.Calls, call)
	}
	for _, h := range p.Held {
		b.Held = append(b.Held, heldCellsBody{h.Code, h.Cells})
	}
	return b
}

// payloadText is the first bytes of a payload as text, or in Base64 where it is none.
func payloadText(body []byte, most int) string {
	if !utf8.Valid(body) {
		return base64.StdEncoding.EncodeToString(body[:min(len(body), most)])
	}
	for most < len(body) && !utf8.RuneStart(body[most]) {
		most--
	}
	return string(body[:min(len(body), most)])
}

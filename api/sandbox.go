package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/desk"
)

type sandboxBody struct {
	SandboxID  string `json:"sandbox_id"`
	Generation int64  `json:"generation" doc:"1 for a new sandbox, one more with every reset."`
	Now        string `json:"now" format:"date-time" doc:"What its clock says."`
	Ahead      int64  `json:"ahead" doc:"Seconds that its clock is before the real one."`
}

func sandboxOf(v desk.SandboxView) *answer[sandboxBody] {
	return &answer[sandboxBody]{sandboxBody{v.ID, v.Generation, stamp(v.Now), int64(v.Ahead / time.Second)}}
}

type advanceInput struct {
	Advance int64 `json:"advance" minimum:"1" maximum:"31622400" doc:"Seconds, at most those of a leap year."`
}

type sandboxBookingInput struct {
	ChannelID  string `json:"channel_id"`
	Action     string `json:"action,omitempty" enum:"create,modify,cancel" default:"create"`
	Reference  string `json:"reference,omitempty" maxLength:"64" doc:"The booking to modify or cancel."`
	RoomTypeID string `json:"room_type_id,omitempty"`
	RatePlanID string `json:"rate_plan_id,omitempty"`
	CheckIn    string `json:"check_in,omitempty" format:"date"`
	CheckOut   string `json:"check_out,omitempty" format:"date"`
	Adults     int    `json:"adults,omitempty" minimum:"0" maximum:"20" doc:"2 if it is left out."`
	FirstName  string `json:"first_name,omitempty" maxLength:"100"`
	LastName   string `json:"last_name,omitempty" maxLength:"100" doc:"Guest if it is left out."`
}

// read looks at what an action needs.
func (i sandboxBookingInput) read() (hotel.SandboxBooking, error) {
	b := hotel.SandboxBooking{
		ChannelID: i.ChannelID, Act: hotel.SandboxAct(i.Action), Reference: i.Reference, RoomTypeID: i.RoomTypeID, RatePlanID: i.RatePlanID,
		Adults: i.Adults, FirstName: i.FirstName, LastName: i.LastName,
	}
	if b.Act == "" {
		b.Act = hotel.GuestBooks
	}
	needed := map[string]string{"/reference": i.Reference}
	if b.Act == hotel.GuestBooks {
		needed = map[string]string{"/room_type_id": i.RoomTypeID, "/rate_plan_id": i.RatePlanID, "/check_in": i.CheckIn, "/check_out": i.CheckOut}
	}
	for _, at := range []string{"/reference", "/room_type_id", "/rate_plan_id", "/check_in", "/check_out"} {
		if sent, needs := needed[at]; needs && sent == "" {
			return b, hotel.Invalid(at, "required", "to %s a booking, say it", b.Act)
		}
	}
	for _, d := range []struct {
		at, text string
		into     *hotel.Date
	}{{"/check_in", i.CheckIn, &b.Stay.CheckIn}, {"/check_out", i.CheckOut, &b.Stay.CheckOut}} {
		if d.text == "" {
			continue
		}
		date, err := hotel.ParseDate(d.text)
		if err != nil {
			return b, hotel.Invalid(d.at, "format", "expected a date such as 2026-12-24")
		}
		*d.into = date
	}
	if i.CheckIn != "" && i.CheckOut != "" && b.Stay.CheckOut <= b.Stay.CheckIn {
		return b, hotel.Invalid("/check_out", "date_order", "must be after check_in (%s)", i.CheckIn)
	}
	return b, nil
}

type sandboxBookedBody struct {
	ChannelID  string `json:"channel_id"`
	Reference  string `json:"reference" doc:"The channel's own: channel_reference of the reservation."`
	Status     string `json:"status" enum:"confirmed,cancelled"`
	RoomTypeID string `json:"room_type_id"`
	RatePlanID string `json:"rate_plan_id"`
	CheckIn    string `json:"check_in" format:"date"`
	CheckOut   string `json:"check_out" format:"date"`
	Adults     int    `json:"adults"`
	Revision   int    `json:"revision" doc:"1 when made, one more with every change."`
}

type sandboxFaultBody struct {
	ChannelID string `json:"channel_id"`
	Kind      string `json:"kind" enum:"timeout,cut,429,5xx,lost_answer,reject"`
	Count     int    `json:"count,omitempty" minimum:"0" maximum:"1000" doc:"Calls that fail."`
	Seconds   int    `json:"seconds,omitempty" minimum:"0" maximum:"86400" doc:"How long they fail; with both, until the first of the two ends, with neither one call fails."`
}

// registerSandbox serves what makes a sandbox good for tests. Production knows none of
// it.
func (s *server) registerSandbox() {
	inSandbox := access{of: ofSandbox}
	reset := huma.Operation{
		OperationID: "reset-sandbox", Method: http.MethodPost, Path: "/sandbox/reset", Summary: "Begin with a new sandbox",
		Tags: []string{tagSandbox}, DefaultStatus: http.StatusOK,
		Description: "The sample hotel as it was at first, with the real time. Everything else in it goes: ids, webhook endpoints and the sequence of its journal too. Credentials, tokens and the hourly limit stay.",
	}
	register(s, reset, inSandbox, func(ctx context.Context, _ *struct{}) (*answer[sandboxBody], error) {
		v, replayed, err := s.desk.ResetSandbox(ctx, callerOf(ctx))
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return sandboxOf(v), nil
	})
	clock := huma.Operation{
		OperationID: "advance-sandbox-clock", Method: http.MethodPost, Path: "/sandbox/clock", Summary: "Let time pass in the sandbox",
		Tags: []string{tagSandbox}, DefaultStatus: http.StatusOK,
		Description: "Its clock jumps ahead and runs on from there; what is due by then is done. It never goes back but by a reset.",
	}
	register(s, clock, inSandbox, func(ctx context.Context, in *struct{ Body advanceInput }) (*answer[sandboxBody], error) {
		v, replayed, err := s.desk.AdvanceSandbox(ctx, callerOf(ctx), time.Duration(in.Body.Advance)*time.Second)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return sandboxOf(v), nil
	})
	s.registerSandboxChannels(inSandbox)
}

func (s *server) registerSandboxChannels(inSandbox access) {
	book := huma.Operation{
		OperationID: "book-at-sandbox-channel", Method: http.MethodPost, Path: "/sandbox/channel-bookings",
		Summary: "Be a guest of a sandbox channel", Tags: []string{tagSandbox}, DefaultStatus: http.StatusOK,
		Description: "Books at the pretend channel, or changes or cancels a booking there. It comes in as any channel's booking does, within a few seconds.",
	}
	register(s, book, inSandbox, func(ctx context.Context, in *struct{ Body sandboxBookingInput }) (*answer[sandboxBookedBody], error) {
		b, err := in.Body.read()
		if err != nil {
			return nil, err
		}
		v, replayed, err := s.desk.BookAtSandbox(ctx, callerOf(ctx), b)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return &answer[sandboxBookedBody]{sandboxBookedBody{
			b.ChannelID, v.Reference, v.Status, v.RoomTypeID, v.RatePlanID, v.Stay.CheckIn.String(), v.Stay.CheckOut.String(), v.Adults, v.Revision,
		}}, nil
	})
	fail := huma.Operation{
		OperationID: "fail-sandbox-channel", Method: http.MethodPost, Path: "/sandbox/faults",
		Summary: "Have a sandbox channel fail", Tags: []string{tagSandbox}, DefaultStatus: http.StatusOK,
	}
	register(s, fail, inSandbox, func(ctx context.Context, in *struct{ Body sandboxFaultBody }) (*answer[sandboxFaultBody], error) {
		b := in.Body
		replayed, err := s.desk.FailSandbox(ctx, callerOf(ctx), hotel.SandboxFault{ChannelID: b.ChannelID, Kind: b.Kind, Count: b.Count, Seconds: b.Seconds})
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return &answer[sandboxFaultBody]{b}, nil
	})
}

package api

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/internal/auth"
)

func (s *server) registerReservationSteps() {
	step(s, stay.Request, "Ask for a room firmly", "From an enquiry. A room is held until somebody confirms or declines, or until the time is up.", (*requestInput).read)
	step(s, stay.Hold, "Keep a room", "From an enquiry. A room is held until the time is up.", (*holdInput).read)
	step(s, stay.Confirm, "Confirm", "From an enquiry and from the waiting list it takes a room, if one is free."+atChannel, (*confirmInput).read)
	step(s, stay.Decline, "Decline", "What waits for an answer is declined by itself at hold_expires_at."+atChannel, (*declineInput).read)
	step(s, stay.CheckIn, "Check in", "From the day of arrival on; a day early with reservations:override.", (*checkInInput).read)
	step(s, stay.CheckOut, "Check out", "A guest who leaves early gives the nights to come back and still owes the stay.", (*checkOutInput).read)
	step(s, stay.NoShow, "Mark as a no-show", "Once the business date has moved on from the arrival. The first night stays taken."+atChannel, (*noShowInput).read)
	step(s, stay.UndoCheckIn, "Take a check-in back", "On the business date of the check-in.", (*againInput).read)
	step(s, stay.UndoCheckOut, "Take a check-out back", "On the business date of the check-out; nights that were given back are taken again.", (*againInput).read)
	step(s, stay.Reinstate, "Take a reservation back in", "From cancelled, no_show and declined, while a night is still to come and the rooms are free.", (*againInput).read)
}

// atChannel is what is said of operations whose effect a channel has to agree to.
const atChannel = " A channel's booking is the channel's to change: it is asked to, and the answer is 202 with the reservation as it was. " +
	"A channel that cannot be asked: 409 channel_owned, unless done_at_channel says that it was done there."

func (s *server) registerAcknowledgement() {
	type input struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the reservation has another ETag."`
		Body    struct {
			Revision  int64  `json:"revision" minimum:"1"`
			Reference string `json:"pms_reference,omitempty" maxLength:"100" doc:"Of the reservation in the hotel's own system."`
		}
	}
	op := huma.Operation{
		OperationID: "acknowledge-reservation", Method: http.MethodPost, Path: "/reservations/{id}/acknowledge",
		Summary: "Say that a revision has been stored", Tags: []string{tagReservations}, DefaultStatus: http.StatusOK,
		Description: "Only the newest revision can be acknowledged. It makes no revision of its own. If-Match may be left out everywhere: the body names the revision.",
	}
	register(s, op, needs(auth.ReservationsWrite), func(ctx context.Context, in *input) (*resource[reservationBody], error) {
		revision, err := revisionSeen(in.IfMatch) // asked of nobody: the body names the revision already
		if err != nil {
			return nil, err
		}
		r, replayed, err := s.desk.Acknowledge(ctx, callerOf(ctx), in.ID, hotel.AcknowledgeRequest{Revision: in.Body.Revision, Reference: in.Body.Reference, IfRevision: revision})
		return s.changed(ctx, r, replayed, err)
	})
}

// step registers the operation of one step. read takes nil where no body was
// sent.
func step[B any](s *server, a stay.Action, summary, description string, read func(*B) (hotel.StepRequest, error)) {
	type input struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the reservation has another ETag."`
		Body    *B
	}
	op := huma.Operation{
		OperationID: string(a) + "-reservation", Method: http.MethodPost, Path: "/reservations/{id}/" + string(a),
		Summary: summary, Tags: []string{tagReservations}, DefaultStatus: http.StatusOK, Description: description + again(a),
	}
	register(s, op, needs(auth.ReservationsWrite), func(ctx context.Context, in *input) (*resource[reservationBody], error) {
		q, err := read(in.Body)
		if err != nil {
			return nil, err
		}
		if q.IfRevision, err = s.ifMatch(in.IfMatch); err != nil {
			return nil, err
		}
		r, replayed, err := s.desk.Step(ctx, callerOf(ctx), in.ID, a, q)
		return s.changedOrAsked(ctx, r, asks[a], replayed, inStep(err))
	})
	if _, may := asks[a]; may {
		mayBeAsked(s.api.OpenAPI().Paths[op.Path].Post)
	}
}

// asks are the steps that a channel takes with its own bookings.
var asks = map[stay.Action]hotel.ActionKind{
	stay.Confirm: hotel.ActionConfirm, stay.Decline: hotel.ActionDecline, stay.NoShow: hotel.ActionNoShow,
}

// inStep names the member of a step that becomes one of the reservation.
func inStep(err error) error {
	r, ok := errors.AsType[*hotel.Refusal](err)
	if !ok || len(r.Items) == 0 {
		return err
	}
	named := *r
	named.Items = slices.Clone(r.Items)
	for i := range named.Items {
		if named.Items[i].Pointer == "/hold_expires_at" {
			named.Items[i].Pointer = "/until"
		}
	}
	return &named
}

// again says what asking a second time does.
func again(a stay.Action) string {
	if stay.StepOf(a).Once {
		return ""
	}
	return " Asking again changes nothing (" + strings.ReplaceAll(string(stay.StepOf(a).To), "_", " ") + " already)."
}

// changed answers with a reservation that was changed.
func (s *server) changed(ctx context.Context, r hotel.Reservation, replayed bool, err error) (*resource[reservationBody], error) {
	replay(ctx, replayed)
	if err != nil {
		return nil, err
	}
	body, err := s.reservationOf(ctx, r, callerOf(ctx).Scopes)
	if err != nil {
		return nil, err
	}
	return reservationResource("", r, body), nil
}

type requestInput struct {
	Until *time.Time `json:"until,omitempty" doc:"When it is declined unless somebody confirms it."`
}

func (b *requestInput) read() (q hotel.StepRequest, err error) {
	if b != nil && b.Until != nil {
		q.Until = b.Until.UTC()
	}
	return q, nil
}

type holdInput struct {
	Until time.Time `json:"until"`
	TakenRooms
}

func (b *holdInput) read() (q hotel.StepRequest, err error) {
	if b == nil {
		return q, hotel.Invalid("/until", "required", "a room that is held is held until some time")
	}
	return b.taking(hotel.StepRequest{Until: b.Until.UTC()}), nil
}

// AtChannel is a member of the steps that a channel takes with its own bookings.
type AtChannel struct {
	DoneAtChannel bool `json:"done_at_channel,omitempty" doc:"For a channel's booking: it was done in the channel's extranet, and counts at once. Without it the channel is asked."`
}

type confirmInput struct {
	TakenRooms
	AtChannel
}

func (b *confirmInput) read() (q hotel.StepRequest, err error) {
	if b != nil {
		q = b.taking(hotel.StepRequest{DoneAtChannel: b.DoneAtChannel})
	}
	return q, nil
}

type declineInput struct {
	Reason string `json:"decline_reason,omitempty" enum:"property,guest" default:"property" doc:"Who does not want it."`
	AtChannel
}

func (b *declineInput) read() (q hotel.StepRequest, err error) {
	q.Refused = hotel.ByProperty
	if b != nil {
		q.Refused, q.DoneAtChannel = hotel.DeclineReason(b.Reason), b.DoneAtChannel
	}
	return q, nil
}

type checkInInput struct {
	RoomNumber *string    `json:"room_number,omitempty" maxLength:"20"`
	At         *time.Time `json:"at,omitempty" doc:"When the guest came; now when it is left out."`
}

func (b *checkInInput) read() (q hotel.StepRequest, err error) {
	if b != nil {
		q.RoomNumber = b.RoomNumber
		q.At = instantOf(b.At)
	}
	return q, nil
}

type checkOutInput struct {
	At             *time.Time `json:"at,omitempty" doc:"When the guest left; now when it is left out."`
	ReleaseTonight bool       `json:"release_tonight,omitempty" doc:"The night that begins today is free for somebody else, and still charged."`
}

func (b *checkOutInput) read() (q hotel.StepRequest, err error) {
	if b != nil {
		q.At, q.ReleaseTonight = instantOf(b.At), b.ReleaseTonight
	}
	return q, nil
}

type noShowInput struct {
	Charge         *bool `json:"charge,omitempty" doc:"The guest owes the fee of the policy; true when it is left out."`
	WaiveFee       bool  `json:"waive_fee,omitempty" doc:"The same as charge:false."`
	HoldNextNights bool  `json:"hold_next_nights,omitempty" doc:"The room stays taken after the first night: the guest may come late."`
	AtChannel
}

func (b *noShowInput) read() (q hotel.StepRequest, err error) {
	q.Charge = true
	if b != nil {
		q.Charge = (b.Charge == nil || *b.Charge) && !b.WaiveFee
		q.HoldNextNights, q.DoneAtChannel = b.HoldNextNights, b.DoneAtChannel
	}
	return q, nil
}

// againInput goes with steps that may take rooms again.
type againInput struct{ TakenRooms }

func (b *againInput) read() (q hotel.StepRequest, err error) {
	if b != nil {
		q = b.taking(q)
	}
	return q, nil
}

// taking is a step with what it says of the rooms that it takes.
func (b TakenRooms) taking(q hotel.StepRequest) hotel.StepRequest {
	q.Overbook, q.SellDealt = b.AllowOverbooking, b.SellDealt
	return q
}

func instantOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}

package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
)

// channelActionBody is something that the channel of a booking was asked to do with
// it, or that somebody did there.
type channelActionBody struct {
	Kind     string  `json:"kind" enum:"confirm,decline,cancel,shorten,no_show"`
	State    string  `json:"state" enum:"asked,accepted,refused,by_hand,withdrawn"`
	AskedBy  string  `json:"asked_by" doc:"The kind of whoever asked: client, user, channel, operator or system."`
	At       string  `json:"at" format:"date-time" doc:"When it was last asked for."`
	Deadline *string `json:"deadline" format:"date-time" doc:"Up to when the channel is asked; then the conflict cancel_asked is raised. Null for what was done by hand."`
}

func channelActionsOf(r hotel.Reservation) []channelActionBody {
	list := []channelActionBody{}
	for _, a := range r.Actions {
		list = append(list, channelActionBody{string(a.Kind), string(a.State), string(a.AskedBy.Kind), stamp(a.At), stampOrNull(a.Deadline)})
	}
	return list
}

// askedStatus is the status of the answer to a request that may have asked the channel
// for an action: 202 when it waits for the channel. A request that is replayed is
// answered as it was.
func askedStatus(r hotel.Reservation, k hotel.ActionKind, replayed bool) int {
	a := r.LastAction(k)
	if a != nil && (a.State == hotel.ActionAsked || replayed && a.State != hotel.ActionByHand) {
		return http.StatusAccepted
	}
	return http.StatusOK
}

// changedOrAsked answers with a reservation that was changed, or whose channel was
// asked to change it.
func (s *server) changedOrAsked(ctx context.Context, r hotel.Reservation, k hotel.ActionKind, replayed bool, err error) (*resource[reservationBody], error) {
	out, err := s.changed(ctx, r, replayed, err)
	if err == nil {
		out.Status = askedStatus(r, k, replayed)
	}
	return out, err
}

// mayBeAsked documents that an operation may be answered 202, with the body of 200.
func mayBeAsked(op *huma.Operation) {
	done := op.Responses["200"]
	asked := &huma.Response{
		Description: "The booking is its channel's, which was asked to do it: nothing has changed until the channel says so. channel_actions tells how that stands.",
		Headers:     done.Headers, Content: map[string]*huma.MediaType{},
	}
	for media, content := range done.Content {
		asked.Content[media] = &huma.MediaType{Schema: content.Schema}
	}
	op.Responses["202"] = asked
}

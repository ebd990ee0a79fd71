package alpinebits

import (
	"net/http"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
)

// Handler implements [connectors.Receiver]: it answers handshakes and takes
// reservations in.
func (c pushed) Handler(sink connectors.Sink) http.Handler {
	take := func(w http.ResponseWriter, r *http.Request, q asked) { c.receive(w, r, sink, q) }
	return c.opens(pushes, map[string]answers{
		message.PushedRequest.Name: take,
		message.StatusUpdate.Name: func(w http.ResponseWriter, r *http.Request, q asked) {
			if q.version == message.V2020 {
				complain(w, http.StatusBadRequest, "there is no such action in "+string(q.version))
				return
			}
			take(w, r, q)
		},
	})
}

// pushes is what we do for a portal, in each version.
func pushes(v message.Version) []message.Supported {
	push := message.Supported{Action: message.PushedRequest.Handshake}
	if v == message.V2024 {
		push.Supports = []string{message.PushRoomRates}
	}
	return []message.Supported{push}
}

// receive takes the reservations of one message in, all of them or none.
func (c pushed) receive(w http.ResponseWriter, r *http.Request, sink connectors.Sink, q asked) {
	all, err := c.sound(q.request)
	if err != nil {
		refuseReservations(w, q.version, message.RefusalOf(err))
		return
	}
	var taken []message.UniqueID
	for _, one := range all {
		taken = append(taken, one.ID)
	}
	places, err := c.heard.place(r.Context(), all, c.today())
	for i := 0; i < len(all) && err == nil; i++ {
		err = sink.Deliver(r.Context(), numbered(all[i], places[i]))
	}
	if err == nil {
		err = c.heard.settle(r.Context(), taken, c.today()) // whoever did not hear of it sends the last one again
	}
	if err != nil {
		complain(w, http.StatusServiceUnavailable, "a reservation could not be kept; send it again")
		return
	}
	answer(w, message.WriteReceived(taken))
}

// sound reads reservations that can be told apart and are for this hotel.
func (c pushed) sound(request []byte) ([]message.Reservation, error) {
	all, err := message.ReadPushed(request)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, message.Refusal{Code: message.CodeMissing, Why: "there is no reservation in it"}
	}
	for _, one := range all {
		switch {
		case c.foreign(one):
			return nil, message.Refusal{Code: message.CodeHotel, Why: "a reservation is for another hotel"}
		case !one.ID.Tells():
			return nil, message.Refusal{Code: message.CodeMissing, Why: "a reservation has no number"}
		}
	}
	return all, nil
}

// refuseReservations says that none is taken: with an error of the standard, for which
// the oldest version has no place.
func refuseReservations(w http.ResponseWriter, v message.Version, why message.Refusal) {
	if v == message.V2020 {
		complain(w, http.StatusBadRequest, why.Why)
		return
	}
	answer(w, message.WriteFailure(message.Received, why))
}

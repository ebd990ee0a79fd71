package alpinebits

import (
	"net/http"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
)

// Handler implements [connectors.Receiver]: it answers handshakes and takes
// reservations in.
func (c pushed) Handler(sink connectors.Sink) http.Handler {
	return door{c.cfg.InboundUser, c.cfg.InboundPassword}.lets(pushes, map[string]answers{
		message.PushedRequest.Name: func(w http.ResponseWriter, r *http.Request, q asked) { c.receive(w, r, sink, q.request) },
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
func (c pushed) receive(w http.ResponseWriter, r *http.Request, sink connectors.Sink, request []byte) {
	all, err := message.ReadPushed(request)
	if err != nil {
		complain(w, http.StatusBadRequest, err.Error())
		return
	}
	var taken []message.UniqueID
	for _, one := range all {
		if c.foreign(one) || !one.ID.Tells() {
			complain(w, http.StatusBadRequest, "a reservation has no number, or is for another hotel")
			return
		}
		taken = append(taken, one.ID)
	}
	if len(taken) == 0 {
		complain(w, http.StatusBadRequest, "there is no reservation in it")
		return
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

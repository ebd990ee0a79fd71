package alpinebits

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// served is a channel to the hotel's own system, which tells us what a hotel tells a
// portal: the messages are the same, and the roles are swapped. See docs/pms.md.
type served struct {
	cfg   Config
	clock hotel.Clock
	log   *zap.Logger
	shelf connectors.Shelf
}

var (
	_ connectors.Connector = served{}
	_ connectors.Host      = served{}
)

// Encode implements [connectors.Connector]: the hotel's own system is told nothing but
// what it asks for.
func (s served) Encode(changes []connectors.Change) (calls []connectors.Call, refused []connectors.Refusal) {
	for _, c := range changes {
		refused = append(refused, connectors.Refusal{Change: c, Reason: "the hotel's own system sells nothing for us"})
	}
	return nil, refused
}

// Send implements [connectors.Connector]; there is nothing to send.
func (s served) Send(context.Context, connectors.Call) (connectors.Answer, error) {
	return connectors.Answer{}, unsent("send", errors.New("the hotel's own system calls us"))
}

// Close implements [connectors.Connector]; there is nothing to give back.
func (s served) Close() error { return nil }

// serves is what we do for the hotel's own system, in each version.
func serves(v message.Version) []message.Supported {
	rooms := message.Supported{Action: message.FreeRooms.Handshake, Supports: []string{
		message.AcceptCategories, message.AcceptDeltas, message.AcceptOutOfOrder, message.AcceptOutOfMarket, message.AcceptSeasons,
	}}
	plans := message.Supported{Action: message.RatePlans.Handshake, Supports: []string{
		message.AcceptOverlay, message.AcceptArrivalDays, message.AcceptDepartDays, message.AcceptPlanRule, message.AcceptCategoryRule, message.AcceptSupplements,
	}}
	if v != message.V2020 {
		rooms.Supports = append(rooms.Supports, message.AcceptCompleteSet)
	}
	if v == message.V2024 {
		plans.Supports = append(plans.Supports, message.AcceptFull)
	}
	return []message.Supported{
		rooms, plans,
		{Action: message.Inventory.Handshake, Supports: []string{message.OccupancyChildren, message.UseRooms}},
		{Action: message.ReadRequests.Handshake},
		{Action: message.BaseRates.Handshake},
	}
}

// Serve implements [connectors.Host].
func (s served) Serve(house connectors.House) http.Handler {
	return door{s.cfg.InboundUser, s.cfg.InboundPassword}.lets(serves, map[string]answers{
		message.FreeRooms.Name:    s.does(message.Answered, house, s.takeRooms),
		message.RatePlans.Name:    s.does(message.Priced, house, s.takePlans),
		message.Inventory.Name:    s.does(message.Described, house, s.takeInventory),
		message.ReadRequests.Name: s.does(message.Retrieved, house, s.giveReservations),
		message.Acknowledge.Name:  s.does(message.Acknowledged, house, s.takeAcknowledgement),
		message.BaseRates.Name:    s.does(message.BaseRated, house, s.giveRates),
	})
}

// visit is one call of the hotel's own system.
type visit struct {
	asked
	house  connectors.House
	layout connectors.Layout
}

// does answers an action. What is wrong with a message is said in the answer of that
// name; a failure of ours is none, and the far side calls again.
func (s served) does(root string, house connectors.House, do func(ctx context.Context, v visit) ([]byte, error)) answers {
	return func(w http.ResponseWriter, r *http.Request, q asked) {
		layout, err := house.Layout(r.Context())
		var said []byte
		if err == nil {
			said, err = do(r.Context(), visit{q, house, layout})
		}
		if err == nil {
			answer(w, said)
			return
		}
		if refusal, ours := errors.AsType[*hotel.Refusal](err); ours {
			answer(w, message.WriteFailure(root, message.Refusal{Code: message.CodeInvalid, Why: refusalWords(refusal)}))
			return
		}
		if refusal, theirs := errors.AsType[message.Refusal](err); theirs {
			refusal.Why = err.Error()
			answer(w, message.WriteFailure(root, refusal))
			return
		}
		s.log.Error("a message of the hotel's own system is not taken; it has to send it again", zap.String("answer", root), zap.Error(err))
		complain(w, http.StatusInternalServerError, "it could not be kept; send it again")
	}
}

// refusalWords joins what is wrong.
func refusalWords(r *hotel.Refusal) string {
	words := r.Detail
	for _, item := range r.Items {
		if words != "" {
			words += "; "
		}
		words += item.Detail
	}
	if words == "" {
		return r.Code
	}
	return words
}

// unread is what is wrong with a message that makes no sense.
func unread(err error) error { return message.RefusalOf(err) }

// isFor refuses what is for another hotel. Before 2024-10 a name will do.
func (c Config) isFor(v message.Version, h message.Hotel) error {
	switch {
	case h.Code == c.Hotel, h.Code == "" && v != message.V2024 && h.Name != "" && h.Name == c.HotelName:
		return nil
	case h.Code == "" && (h.Name == "" || v == message.V2024):
		return message.Refusal{Code: message.CodeMissing, Why: "the code of the hotel is missing"}
	}
	return message.Refusal{Code: message.CodeHotel, Why: "there is no hotel of that code"}
}

// room finds the room type of a category.
func (s served) room(v visit, category string) (hotel.RoomType, error) {
	code := s.cfg.RoomCodes.to(category)
	at := slices.IndexFunc(v.layout.Rooms, func(r hotel.RoomType) bool { return r.Code == code })
	if at < 0 {
		return hotel.RoomType{}, message.Refusal{Code: message.CodeRoom, Why: "there is no room type " + code + " for the category " + category + ": name it in room_codes"}
	}
	return v.layout.Rooms[at], nil
}

// plan finds a rate plan.
func (s served) plan(v visit, theirs string) (hotel.RatePlan, error) {
	code := s.cfg.RateCodes.to(theirs)
	at := slices.IndexFunc(v.layout.Plans, func(p hotel.RatePlan) bool { return p.Code == code })
	if at < 0 {
		return hotel.RatePlan{}, message.Refusal{Code: message.CodeRate, Why: "there is no rate plan " + code + " for " + theirs + ": name it in rate_codes"}
	}
	return v.layout.Plans[at], nil
}

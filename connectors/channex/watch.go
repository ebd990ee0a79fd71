package channex

import (
	"cmp"
	"context"
	"strings"

	"ostler.example/hotel"
)

// unacknowledged is the event of a booking that nobody has acknowledged in time.
const unacknowledged = "non_acked_booking"

// watched are the events that somebody at the hotel should know of, with how urgent they
// are. Rooms and rates that are not mapped are told by the booking.
var watched = map[string]hotel.Severity{
	unacknowledged: hotel.Warning, "deactivate_channel": hotel.Critical, "disconnect_channel": hotel.Critical, "channel_removal_warning": hotel.Warning,
	"property_removal_warning": hotel.Critical, "sync_error": hotel.Warning, "sync_warning": hotel.Info, "rate_error": hotel.Warning,
}

// ends are the events by which what an earlier one told is over.
var ends = map[string]string{"activate_channel": "deactivate_channel"}

// notice is what a webhook says of what it tells, where it is told to say anything. What it
// says of guests is not read.
type notice struct {
	Title     text `json:"title"`
	Name      text `json:"channel_name"`
	Agency    text `json:"ota_name"`
	Channel   text `json:"channel"`
	ChannelID text `json:"channel_id"`
	Error     text `json:"error_type"`
	Removal   text `json:"removal_date"`
	Booking   text `json:"booking_unique_id"`
}

// watch has somebody look at what Channex tells of the agencies behind it and of the
// property, and ends that where it is over.
func (c *conn) watch(ctx context.Context, said webhook) error {
	n := said.Payload.v
	r := hotel.ChannelReport{Code: said.Event, Of: c.words(string(cmp.Or(n.Title, n.Name, n.Agency, n.Channel, n.ChannelID)))}
	if of, over := ends[said.Event]; over {
		r.Code, r.Over = of, true
		return c.report(ctx, r)
	}
	severity, known := watched[said.Event]
	if !known {
		return nil
	}
	r.Severity = severity
	day, _, _ := strings.Cut(string(n.Removal), "T")
	r.Reason = c.words(cmp.Or(string(n.Error), day))
	if said.Event == unacknowledged { // one for all, since they are looked for together
		r.Of, r.Reason = "", c.words(string(n.Booking))
	}
	return c.report(ctx, r)
}

// report tells the house, where it can be told.
func (c *conn) report(ctx context.Context, r hotel.ChannelReport) error {
	if c.tell == nil {
		return nil
	}
	return c.tell(ctx, r)
}

package ical

import (
	"context"
	"fmt"
	"strings"

	"ostler.example/connectors"
	"ostler.example/connectors/ical/calendar"
)

// tellUnread hands on the events that make no sense and may be bookings, for a person to
// look at. A calendar that has some is read whole each time, so that none is forgotten
// by a restart; the sink knows by the key what it has been told.
func (c *conn) tellUnread(ctx context.Context, readings []reading, sink connectors.Sink) error {
	for _, r := range readings {
		for _, e := range r.leftOut {
			if e.Kind == calendar.Block && c.cfg.Blocks == Ignored {
				continue
			}
			err := sink.Deliver(ctx, connectors.Message{
				Key: "unread/" + hashed(r.listing, lasting(e.Raw)), Ref: e.UID, At: c.clock.Now(), Raw: e.Raw,
				Problem: fmt.Sprintf("an event in the calendar of %s cannot be read: %s", r.listing, e.Problem),
			})
			if err != nil {
				return fmt.Errorf("keep an event that cannot be read: %w", err)
			}
		}
	}
	return nil
}

// lasting are the lines of an event that stay as they are while the event does: many
// sites write the time of the export into each, and some another UID.
func lasting(raw []byte) string {
	var out []string
	for line := range strings.Lines(string(raw)) {
		name, _, _ := strings.Cut(strings.ToUpper(line), ":")
		switch name, _, _ = strings.Cut(name, ";"); name {
		case "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "UID":
		default:
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

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
// by a restart; the sink knows by the key what it has been told. Of a calendar that has
// very many only the first are told one by one.
func (c *conn) tellUnread(ctx context.Context, readings []reading, sink connectors.Sink) error {
	for _, r := range readings {
		untold := 0
		told := map[string]bool{}
		for _, e := range r.leftOut {
			if e.Kind == calendar.Block && c.cfg.Blocks == Ignored {
				continue
			}
			key := "unread/" + hashed(r.listing, lasting(e.Raw))
			switch {
			case told[key]:
				continue
			case len(told) == maxUnread:
				untold++
				continue
			}
			told[key] = true
			err := sink.Deliver(ctx, connectors.Message{
				Key: key, Ref: e.UID, At: c.clock.Now(), Raw: e.Raw,
				Problem: fmt.Sprintf("an event in the calendar of %s cannot be read: %s", r.listing, e.Problem),
			})
			if err != nil {
				return fmt.Errorf("keep an event that cannot be read: %w", err)
			}
		}
		if untold == 0 {
			continue
		}
		err := sink.Deliver(ctx, connectors.Message{
			Key: "unread/" + hashed(r.listing, "more"), At: c.clock.Now(), Raw: []byte("Look at the calendar itself.\n"),
			Problem: fmt.Sprintf("the calendar of %s has %d more events that cannot be read", r.listing, untold),
		})
		if err != nil {
			return fmt.Errorf("keep that events cannot be read: %w", err)
		}
	}
	return nil
}

// maxUnread is how many events that cannot be read are told one by one of a calendar.
const maxUnread = 50

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
